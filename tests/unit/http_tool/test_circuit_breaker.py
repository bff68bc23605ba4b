"""Circuit breakers of several environments with one table."""

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ToolError
from functions.tools.http.circuit_breaker import REFRESH_SECONDS, Circuit, CircuitBreakers, CircuitPass
from functions.tools.http.implementation import CircuitBreaker
from tests.clock import Clock
from tests.unit.http_tool.tool_state import StateTable, metrics

WEATHER = Circuit("get_weather", "api.example.com")
SETTINGS = CircuitBreaker(failures=3, open_ms=30_000)


class Environment:
    """One Lambda environment; its clock is that of all environments."""

    def __init__(self, table: StateTable, clock: Clock) -> None:
        self._breakers = CircuitBreakers(table.store, clock=clock)
        self._calls = 0

    def enter(self, circuit: Circuit = WEATHER, *, caller: str = "ann") -> CircuitPass:
        self._calls += 1
        call_id = f"{id(self)}:{self._calls}"
        return self._breakers.enter(circuit, SETTINGS, call_id=call_id, deadline=Deadline.after(10), caller=caller)

    def fail(self, times: int = 1, circuit: Circuit = WEATHER) -> list[bool]:
        """Call a host that cannot be reached."""
        return [self.enter(circuit).failed(reached=False) for _ in range(times)]

    def error(self, caller: str, times: int = 1) -> list[bool]:
        """Call a host that answers each of the caller's requests with an error."""
        return [self.enter(caller=caller).failed() for _ in range(times)]

    def refusal(self, circuit: Circuit = WEATHER, *, caller: str = "ann") -> ToolError:
        with pytest.raises(ToolError) as raised:
            self.enter(circuit, caller=caller)
        return raised.value


@pytest.fixture
def clock() -> Clock:
    return Clock(now=1_000_000.0)


@pytest.fixture
def one(table: StateTable, clock: Clock) -> Environment:
    return Environment(table, clock)


@pytest.fixture
def other(table: StateTable, clock: Clock) -> Environment:
    return Environment(table, clock)


def test_calls_are_refused_after_failures_in_a_row(one: Environment, clock: Clock) -> None:
    assert one.fail(3) == [False, False, True]

    clock.now += 4.5
    error = one.refusal()

    assert error.type == "circuit_open"
    assert error.message == (
        "Not run: the API of this tool failed repeatedly, try again in 26 seconds. "
        "Answer without it, and say what is missing."
    )


def test_errors_of_one_caller_refuse_its_own_calls_alone(
    one: Environment, other: Environment, clock: Clock, table: StateTable
) -> None:
    assert one.error("ann", 3) == [False, False, True]

    assert one.refusal(caller="ann").message.startswith(
        "Not run: the API of this tool failed repeatedly, try again in 30"
    )
    assert one.error("bob", 2) == [False, False]
    one.enter(caller="bob").succeeded()
    other.enter(caller="ann").succeeded()
    assert table.items == []
    clock.now += 30
    one.enter(caller="ann").succeeded()


def test_one_caller_never_opens_the_circuit_of_others(one: Environment, clock: Clock) -> None:
    for _ in range(10):
        one.error("ann", 3)
        one.enter(caller="bob")
        clock.now += 30


def test_errors_of_two_callers_open_the_circuit(one: Environment, other: Environment) -> None:
    assert one.error("ann", 2) == [False, False]
    assert one.error("bob") == [True]

    assert one.refusal(caller="eve").type == other.refusal(caller="eve").type == "circuit_open"


def test_a_host_that_cannot_be_reached_opens_the_circuit_for_every_caller(one: Environment, other: Environment) -> None:
    assert one.fail(3) == [False, False, True]

    assert one.refusal(caller="eve").type == other.refusal(caller="eve").type == "circuit_open"


def test_a_test_call_with_an_error_of_its_caller_leaves_the_test_to_another_caller(
    one: Environment, other: Environment, clock: Clock
) -> None:
    one.fail(3)
    clock.now += 30

    assert one.error("ann") == [True]

    assert one.refusal(caller="ann").type == "circuit_open"
    one.enter(caller="bob").succeeded()
    other.enter(caller="ann").succeeded()


def test_a_response_between_failures_starts_the_count_again(one: Environment) -> None:
    one.fail(2)
    one.enter().succeeded()

    assert one.fail(3) == [False, False, True]


def test_another_environment_refuses_calls_through_an_open_circuit(one: Environment, other: Environment) -> None:
    one.fail(3)

    assert other.refusal().type == "circuit_open"


def test_an_environment_that_saw_a_closed_circuit_reads_it_again_after_a_while(
    one: Environment, other: Environment, clock: Clock
) -> None:
    other.enter().succeeded()
    one.fail(3)
    other.enter().succeeded()
    clock.now += REFRESH_SECONDS

    assert other.refusal().type == "circuit_open"


def test_each_tool_and_host_has_a_circuit_of_its_own(one: Environment) -> None:
    one.fail(3)

    one.enter(Circuit("other_tool", WEATHER.host)).succeeded()
    one.enter(Circuit(WEATHER.tool, "other.example.com")).succeeded()


def test_exactly_one_call_tests_a_half_open_circuit(one: Environment, other: Environment, clock: Clock) -> None:
    one.fail(3)
    assert other.refusal().type == "circuit_open"
    clock.now += 30

    with one.enter() as test_call:
        for environment in (other, one, other):
            assert environment.refusal().type == "circuit_open"
        test_call.succeeded()

    other.enter().succeeded()
    one.enter().succeeded()


def test_a_failed_test_call_opens_the_circuit_again(one: Environment, other: Environment, clock: Clock) -> None:
    one.fail(3)
    clock.now += 30

    assert other.fail() == [True]

    clock.now += 29
    assert (one.refusal().type, other.refusal().type) == ("circuit_open", "circuit_open")
    clock.now += 1
    one.enter().succeeded()


def test_a_test_call_without_a_report_leaves_the_test_to_another_call(
    one: Environment, other: Environment, clock: Clock
) -> None:
    one.fail(3)
    clock.now += 30
    with pytest.raises(ToolError, match="rate limit"), one.enter():
        raise ToolError("rate limit")

    with other.enter() as test_call:
        assert one.refusal().type == "circuit_open"
        test_call.succeeded()


def test_the_test_call_of_a_dead_environment_is_replaced_after_its_time(
    one: Environment, other: Environment, clock: Clock
) -> None:
    one.fail(3)
    clock.now += 30
    one.enter()

    clock.now += 11
    assert other.refusal().type == "circuit_open"
    clock.now += 2
    other.enter().succeeded()


def test_a_late_test_call_neither_closes_nor_opens_the_circuit(
    one: Environment, other: Environment, clock: Clock, table: StateTable
) -> None:
    one.fail(3)
    clock.now += 30
    first, second = one.enter(), one
    clock.now += 13
    assert other.fail() == [True]
    stored = table.items

    first.succeeded()

    assert table.items == stored
    clock.now += REFRESH_SECONDS
    assert second.refusal().type == "circuit_open"


def test_failures_of_calls_that_began_before_do_not_extend_an_open_circuit(
    one: Environment, other: Environment, clock: Clock, table: StateTable
) -> None:
    slow = [other.enter() for _ in range(3)]
    one.fail(3)
    stored = table.items
    clock.now += 10

    assert [call.failed(reached=False) for call in slow] == [False, False, True]
    assert table.items == stored


def test_a_healthy_tool_reads_its_circuit_once_in_a_while_and_writes_nothing(
    one: Environment, clock: Clock, table: StateTable
) -> None:
    for _ in range(100):
        one.enter().succeeded()
        clock.now += REFRESH_SECONDS / 50

    assert table.requests == ["get_item"] * 2


def test_a_refused_call_needs_no_request(one: Environment, table: StateTable) -> None:
    one.fail(3)
    table.requests.clear()

    for _ in range(10):
        one.refusal()

    assert table.requests == []


def test_an_open_circuit_that_an_operator_deleted_is_closed(one: Environment, clock: Clock, table: StateTable) -> None:
    one.fail(3)
    [item] = table.items
    table.client.delete_item(TableName="flexchat-test-tool-state", Key={"pk": item["pk"]})
    clock.now += REFRESH_SECONDS

    one.enter().succeeded()


def test_the_item_of_an_open_circuit_expires(one: Environment, clock: Clock, table: StateTable) -> None:
    clock.now += 0.125
    one.fail(3)

    assert table.items == [
        {
            "pk": {"S": "CIRCUIT#get_weather#api.example.com"},
            "open_until": {"N": "1000030.125"},
            "expires_at": {"N": "1003631"},
        }
    ]


def test_without_the_table_calls_are_permitted_and_an_environment_protects_the_host_alone(
    one: Environment, clock: Clock, table: StateTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.delete()

    one.enter().succeeded()
    assert one.fail(3) == [False, False, True]
    assert one.refusal().type == "circuit_open"
    clock.now += 30
    one.enter().succeeded()

    assert "circuit breaker state not" in capsys.readouterr().out


def test_an_opened_circuit_is_counted_once_for_all_environments(
    one: Environment, other: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = [other.enter() for _ in range(3)]
    one.fail(3)
    for call in slow:
        call.failed()

    assert metrics(capsys.readouterr().out, "CircuitOpened") == [1]
