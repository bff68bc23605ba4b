"""Rate limits of tools over several environments with one table."""

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ToolError
from functions.tools.http.implementation import RateLimit
from functions.tools.http.shared_state import ToolRateLimits
from tests.clock import Clock
from tests.metrics import Metric, emitted
from tests.unit.http_tool.tool_state import StateTable, metrics

TWO_A_MINUTE = RateLimit(calls=2, period_ms=60_000)


class Environment:
    """One Lambda environment."""

    def __init__(self, table: StateTable, clock: Clock) -> None:
        self._limits = ToolRateLimits(table.store, stage="test", clock=clock)

    def admits(self, tool: str = "search", limit: RateLimit = TWO_A_MINUTE) -> bool:
        try:
            self._limits.admit(tool, limit, deadline=Deadline.after(10))
        except ToolError as exc:
            return exc.type != "rate_limited"
        return True

    def refusal(self) -> str:
        with pytest.raises(ToolError) as raised:
            self._limits.admit("search", TWO_A_MINUTE, deadline=Deadline.after(10))
        return raised.value.message


@pytest.fixture
def clock() -> Clock:
    return Clock(now=1_000_000.0 // 60 * 60)


@pytest.fixture
def one(table: StateTable, clock: Clock) -> Environment:
    return Environment(table, clock)


@pytest.fixture
def other(table: StateTable, clock: Clock) -> Environment:
    return Environment(table, clock)


def test_calls_beyond_the_limit_are_refused_until_the_period_ends(one: Environment, clock: Clock) -> None:
    assert [one.admits() for _ in range(3)] == [True, True, False]

    clock.now += 47.5
    assert one.refusal() == (
        "Not run: the limit of 2 calls of this tool in 60 seconds is reached, try again in 13 seconds. "
        "Answer without it, and say what is missing."
    )
    clock.now += 12.5
    assert [one.admits() for _ in range(3)] == [True, True, False]


def test_the_calls_of_all_environments_count_together(one: Environment, other: Environment) -> None:
    assert [one.admits(), other.admits(), one.admits(), other.admits()] == [True, True, False, False]


def test_each_tool_has_a_limit_of_its_own(one: Environment) -> None:
    assert [one.admits(tool) for tool in ("a", "a", "a", "b")] == [True, True, False, True]


def test_a_raised_limit_has_effect_at_once(one: Environment) -> None:
    raised = RateLimit(calls=3, period_ms=60_000)

    assert [one.admits(), one.admits(), one.admits(), one.admits(limit=raised)] == [True, True, False, True]


def test_a_refused_call_needs_no_request_until_the_period_ends(one: Environment, table: StateTable) -> None:
    for _ in range(10):
        one.admits()

    assert table.requests == ["update_item"] * 3


def test_the_counter_of_a_period_expires(one: Environment, table: StateTable) -> None:
    one.admits()

    assert table.items == [
        {
            "pk": {"S": "CALLS#search#60000#1000020000"},
            "calls": {"N": "1"},
            "expires_at": {"N": "1003620"},
        }
    ]


def test_refused_calls_are_counted_by_tool(one: Environment, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(4):
        one.admits()

    assert metrics(capsys.readouterr().out, "RateLimited") == [1, 1]


def test_without_the_table_calls_are_admitted_and_counted_as_unlimited(
    one: Environment, table: StateTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.delete()

    assert [one.admits() for _ in range(3)] == [True, True, True]

    output = capsys.readouterr().out
    assert metrics(output, "LimitsNotEnforced") == [1, 1, 1]
    [namespace] = {metric.namespace for metric in emitted(output)}
    assert Metric(namespace, "LimitsNotEnforced", frozenset({("stage", "test")})) in emitted(output)
