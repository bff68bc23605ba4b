"""Cached results of http tools."""

import random
from copy import replace
from dataclasses import dataclass
from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.redaction import redact_in_logs
from flexchat.tools import CallTool
from functions.tools.http.shared_state import ResponseCache
from tests.clock import Clock
from tests.unit.http_tool.tool_state import TABLE, StateTable, metrics

CALL = CallTool(
    tool="search",
    arguments={"text": "refunds", "limit": 3},
    implementation={"type": "http", "url": "https://api.example.com/", "cache_seconds": 60},
    call_id="call-1",
    idempotency_key="request-1:call-1",
    request_id="request-1",
    timeout_ms=10_000,
)


@dataclass
class Source:
    """Counts its calls; returns `result`, or raises it."""

    result: Json | ToolError
    calls: int = 0

    def __call__(self) -> Json:
        self.calls += 1
        if isinstance(self.result, ToolError):
            raise self.result
        return self.result


@pytest.fixture
def clock() -> Clock:
    return Clock(now=1_000_000.0)


@pytest.fixture
def cache(table: StateTable, clock: Clock) -> ResponseCache:
    return ResponseCache(table.store, clock=clock)


def result(cache: ResponseCache, source: Source, call: CallTool = CALL) -> Json:
    return cache.result(call, 60, source, deadline=Deadline.after(10))


@pytest.mark.parametrize("value", [{"a": [1, 2.5, "ü"]}, [], "text", 0, False, None])
def test_an_equal_call_gets_the_cached_result_in_every_environment(
    cache: ResponseCache, table: StateTable, clock: Clock, value: Json
) -> None:
    source, later = Source(value), Source("another result")

    assert result(cache, source) == value
    assert result(ResponseCache(table.store, clock=clock), later) == value

    assert (source.calls, later.calls) == (1, 0)


def test_calls_with_the_same_arguments_in_another_order_are_equal(cache: ResponseCache) -> None:
    source = Source("found")

    result(cache, source)
    result(cache, source, replace(CALL, arguments={"limit": 3, "text": "refunds"}, call_id="2"))

    assert source.calls == 1


@pytest.mark.parametrize(
    "change",
    [
        {"tool": "other"},
        {"arguments": {"text": "refunds", "limit": 4}},
        {"implementation": {**CALL.implementation, "response_path": "$.data"}},
        {"principal": "a"},
    ],
)
def test_another_tool_implementation_argument_or_caller_is_another_result(
    cache: ResponseCache, change: dict[str, Any]
) -> None:
    source = Source("found")

    result(cache, source)
    result(cache, source, replace(CALL, **change))

    assert source.calls == 2


def test_callers_of_a_per_principal_tool_share_no_result(cache: ResponseCache) -> None:
    mine, theirs = replace(CALL, principal="a"), replace(CALL, principal="b")

    assert result(cache, Source("of a"), mine) == "of a"
    assert result(cache, Source("of b"), theirs) == "of b"
    assert result(cache, Source("new"), mine) == "of a"


def test_an_expired_result_is_not_used_before_its_item_is_deleted(
    cache: ResponseCache, clock: Clock, table: StateTable
) -> None:
    source = Source("found")

    result(cache, source)
    clock.now += 59.9
    result(cache, source)
    assert source.calls == 1
    clock.now += 0.2
    result(cache, source)

    assert source.calls == 2
    assert [item["expires_at"] for item in table.items] == [{"N": "1000121"}]


def test_an_error_is_not_cached(cache: ResponseCache, table: StateTable) -> None:
    with pytest.raises(ToolError, match="broken"):
        result(cache, Source(ToolError("broken")))

    assert table.items == []


def test_a_large_result_is_cached_if_it_is_small_when_compressed(cache: ResponseCache) -> None:
    source = Source("abc" * 1_000_000)

    assert result(cache, source) == result(cache, source)

    assert source.calls == 1


def test_a_result_that_is_too_large_for_an_item_is_returned_and_not_cached(
    cache: ResponseCache, table: StateTable
) -> None:
    source = Source(random.Random(1).randbytes(400_000).hex())  # noqa: S311 # incompressible

    assert result(cache, source) == source.result

    assert table.items == []


def test_a_stored_result_contains_no_secret_and_no_argument(cache: ResponseCache, table: StateTable) -> None:
    canary = "c4n4ry-of-the-cache"
    redact_in_logs([canary])
    call = replace(CALL, implementation={**CALL.implementation, "headers": {"X-Key": canary}})

    assert result(cache, Source({"headers": {"X-Key": canary}}), call) == {"headers": {"X-Key": canary}}
    later = result(cache, Source(None), call)

    assert later != {"headers": {"X-Key": canary}}
    assert canary not in f"{later}{table.items}"
    assert "refunds" not in str(table.items)


def test_without_the_table_every_call_runs(
    cache: ResponseCache, table: StateTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.delete()
    source = Source("found")

    assert [result(cache, source), result(cache, source)] == ["found", "found"]

    assert source.calls == 2
    assert "tool result not read from the cache" in capsys.readouterr().out


def test_a_damaged_item_is_replaced(cache: ResponseCache, table: StateTable) -> None:
    source = Source("found")
    result(cache, source)
    [item] = table.items
    table.client.put_item(TableName=TABLE, Item={**item, "content": {"B": b"not compressed"}})

    assert result(cache, source) == result(cache, source) == "found"
    assert source.calls == 2


def test_hits_and_misses_are_counted_by_tool(cache: ResponseCache, capsys: pytest.CaptureFixture[str]) -> None:
    source = Source("found")
    for _ in range(3):
        result(cache, source)

    assert metrics(capsys.readouterr().out, "CacheHits") == [0, 1, 1]
