"""Calls of http tools with circuit breaker, rate limit and response cache."""

from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ToolError, ToolErrorType
from flexchat.http_client import BoundedHttpClient
from flexchat.messages import Json
from flexchat.tools import CallTool
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.shared_state import SharedState
from functions.tools.http.tool import HttpTool
from tests.clock import Clock
from tests.unit.http_tool.tool_state import StateTable

type Answer = int | httpx2.HTTPError | Callable[[httpx2.Request], httpx2.Response]
THREE_FAILURES: dict[str, Json] = {"failures": 3, "open_ms": 30_000}


class Api:
    """API whose answer a test may change: a status, an error, or a function."""

    def __init__(self, table: StateTable) -> None:
        self.answer: Answer = 200
        self.requests = 0
        self.clock = Clock(now=1_000_000.0)
        client = BoundedHttpClient(transport=httpx2.MockTransport(self._respond), compressed=False)
        state = SharedState(table.store, stage="test", clock=self.clock)
        self._tool = HttpTool(HttpSender(client, EgressPolicy()), state=state, sleep=lambda _seconds: None)

    def _respond(self, request: httpx2.Request) -> httpx2.Response:
        self.requests += 1
        if isinstance(self.answer, httpx2.HTTPError):
            raise self.answer
        if callable(self.answer):
            return self.answer(request)
        return httpx2.Response(self.answer, json={"number": self.requests})

    def call(
        self, *, timeout_ms: int = 10_000, inspect: bool = False, caller: str | None = None, **values: Any
    ) -> Json:
        source: dict[str, Json] = {"type": "http", "url": "https://api.example.com/items", **values}
        call = CallTool(
            tool="items",
            arguments={},
            implementation=source,
            call_id="call-1",
            idempotency_key=f"request-1:{self.requests}",
            request_id="request-1",
            timeout_ms=timeout_ms,
            inspect=inspect,
            caller=caller,
        )
        return self._tool(call, Implementation.model_validate(source))

    def errors(self, times: int, **values: Any) -> list[ToolErrorType]:
        return [self._error(**values) for _ in range(times)]

    def _error(self, **values: Any) -> ToolErrorType:
        with pytest.raises(ToolError) as raised:
            self.call(**values)
        return raised.value.type


@pytest.fixture
def api(table: StateTable) -> Api:
    return Api(table)


@pytest.mark.parametrize(
    ("answer", "type"),
    [
        (500, "unavailable"),
        (503, "unavailable"),
        (httpx2.ConnectError("refused"), "unavailable"),
        (httpx2.ReadTimeout("slow"), "timeout"),
        (httpx2.ReadError("reset"), "unavailable"),
    ],
)
def test_a_failing_api_is_not_called_again_until_a_test_call_succeeds(
    api: Api, answer: Answer, type: ToolErrorType
) -> None:
    api.answer = answer

    assert api.errors(5, circuit_breaker=THREE_FAILURES) == [type, type, type, "circuit_open", "circuit_open"]
    assert api.requests == 3

    api.clock.now += 30
    api.answer = 200
    assert [api.call(circuit_breaker=THREE_FAILURES) for _ in range(2)] == [{"number": 4}, {"number": 5}]


@pytest.mark.parametrize("answer", [500, httpx2.ReadTimeout("slow"), httpx2.ReadError("reset")])
def test_failures_of_one_caller_do_not_open_the_circuit_of_another(api: Api, answer: Answer) -> None:
    api.answer = answer
    api.errors(3, caller="ann", circuit_breaker=THREE_FAILURES)
    api.answer = 200

    assert api.call(caller="bob", circuit_breaker=THREE_FAILURES) == {"number": 4}
    assert api.errors(1, caller="ann", circuit_breaker=THREE_FAILURES) == ["circuit_open"]


def test_a_host_without_connections_opens_the_circuit_of_every_caller(api: Api) -> None:
    api.answer = httpx2.ConnectError("refused")
    api.errors(3, caller="ann", circuit_breaker=THREE_FAILURES)

    assert api.errors(1, caller="bob", circuit_breaker=THREE_FAILURES) == ["circuit_open"]


def test_a_failed_connection_of_a_call_that_had_little_time_does_not_count(api: Api) -> None:
    api.answer = httpx2.ConnectError("slow")

    assert api.errors(3, timeout_ms=500, circuit_breaker={"failures": 1}) == ["unavailable"] * 3


@pytest.mark.parametrize("status", [400, 401, 404, 408, 429])
def test_errors_of_a_healthy_server_do_not_open_the_circuit(api: Api, status: int) -> None:
    api.answer = status
    api.errors(5, circuit_breaker={"failures": 1})

    assert api.requests == 5


def test_a_server_error_that_is_expected_does_not_open_the_circuit(api: Api) -> None:
    api.answer = 503

    for number in range(1, 4):
        assert api.call(circuit_breaker={"failures": 1}, expect={"status": [503]}) == {"number": number}


def test_a_timeout_of_a_call_that_had_little_time_does_not_count(api: Api) -> None:
    api.answer = httpx2.ReadTimeout("slow")

    assert api.errors(3, timeout_ms=500, circuit_breaker={"failures": 1}) == ["timeout"] * 3
    assert api.errors(2, circuit_breaker={"failures": 1}) == ["timeout", "circuit_open"]


def test_attempts_end_with_the_last_error_when_the_circuit_opens(api: Api) -> None:
    api.answer = 503

    assert api.errors(2, retry={"max_attempts": 5}, circuit_breaker=THREE_FAILURES) == ["unavailable", "circuit_open"]
    assert api.requests == 3


def test_a_response_that_cannot_be_used_closes_a_half_open_circuit(api: Api) -> None:
    api.answer = 500
    api.errors(1, circuit_breaker={"failures": 1})
    api.clock.now += 30
    api.answer = lambda _request: httpx2.Response(200, text="x" * 2_000)

    too_large: ToolErrorType = "result_too_large"
    assert api.errors(2, max_response_bytes=1_024, circuit_breaker={"failures": 1}) == [too_large, too_large]
    api.answer = 200
    assert api.call() == {"number": 4}


def test_a_call_beyond_the_rate_limit_is_not_sent(api: Api) -> None:
    limit = {"calls": 2, "period_ms": 60_000}
    api.call(rate_limit=limit)
    api.call(rate_limit=limit)

    assert api.errors(1, rate_limit=limit) == ["rate_limited"]
    assert api.requests == 2


def test_a_cached_result_counts_against_no_limit_and_needs_no_healthy_api(api: Api) -> None:
    settings: dict[str, Any] = {"cache_seconds": 60, "rate_limit": {"calls": 1}, "circuit_breaker": {"failures": 1}}
    assert api.call(**settings) == {"number": 1}
    api.answer = 500
    api.errors(1, circuit_breaker={"failures": 1})

    assert api.call(**settings) == {"number": 1}
    assert api.requests == 2


def test_a_call_through_an_open_circuit_does_not_use_up_the_rate_limit(api: Api, table: StateTable) -> None:
    api.answer = 500
    settings: dict[str, Any] = {"rate_limit": {"calls": 5}, "circuit_breaker": {"failures": 1}}

    assert api.errors(3, **settings) == ["unavailable", "circuit_open", "circuit_open"]
    assert [item["calls"] for item in table.items if "calls" in item] == [{"N": "1"}]


def test_errors_are_not_cached(api: Api) -> None:
    api.answer = 404
    api.errors(1, cache_seconds=60)
    api.answer = 200

    assert api.call(cache_seconds=60) == {"number": 2}


def test_a_test_of_an_operator_is_sent_although_a_result_is_cached(api: Api) -> None:
    api.call(cache_seconds=60)

    assert api.call(cache_seconds=60, inspect=True) == {"number": 2}


def test_a_tool_without_a_cache_and_a_rate_limit_uses_the_table_once_in_a_while(api: Api, table: StateTable) -> None:
    for _ in range(10):
        api.call()

    assert table.requests == ["get_item"]
