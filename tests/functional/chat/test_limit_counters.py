"""Counters of limits: failures of their table, log events, number of updates and cleanup."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.limited_chat import HELLO, MIDNIGHT, WallClock, counters, service
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.unit.sessions.clients import Counting, FailingClient


@pytest.fixture
def now() -> WallClock:
    return WallClock()


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(("step", "operation"), [("reserve", 0), ("settle", 1)], ids=["reserve", "settle"])
def test_failing_table_does_not_stop_a_chat(
    dynamodb: DynamoDBClient, now: WallClock, capsys: pytest.CaptureFixture[str], step: str, operation: int
) -> None:
    throttled = ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "UpdateItem")
    failing = FailingClient(dynamodb, "update_item", throttled, after=operation)
    assert service(failing, now, [text_completion("a")], caller={"tokens_per_day": 100}).post(HELLO).status == 200

    written = lines(capsys)
    [logged] = [line for line in written if line.get("message") == "limits not enforced"]
    assert (logged["level"], logged["step"]) == ("ERROR", step)
    [counted] = [line for line in written if "LimitsNotEnforced" in line]
    assert counted["_aws"]["CloudWatchMetrics"] == [
        {
            "Namespace": "Flexchat",
            "Dimensions": [["step"], ["stage"]],
            "Metrics": [{"Name": "LimitsNotEnforced", "Unit": "Count"}],
        }
    ]
    assert counted["step"] == step


def test_failing_table_does_not_stop_tools(dynamodb: DynamoDBClient, now: WallClock) -> None:
    denied = ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "UpdateItem")
    script = [call_completion(("calculate", {"expression": "1"})), text_completion("done")]
    chat = service(FailingClient(dynamodb, "update_item", denied), now, script, caller={"tool_calls_per_minute": 1})
    assert [call["result"]["success"] for call in chat.post(HELLO).body["tool_calls"]] == [True]


def test_unexpected_counter_error_does_not_stop_a_chat(
    dynamodb: DynamoDBClient, now: WallClock, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = FailingClient(dynamodb, "update_item", RuntimeError("canary"), after=1)
    limits = {"requests_per_minute": 9, "tool_calls_per_minute": 1, "tokens_per_day": 1_000}
    chat = service(
        broken, now, [call_completion(("calculate", {"expression": "1"})), text_completion("done")], caller=limits
    )

    body = chat.post(HELLO).body

    assert (body["content"], [call["result"]["success"] for call in body["tool_calls"]]) == ("done", [True])
    written = lines(capsys)
    logged = [line for line in written if line.get("message") == "limits not enforced"]
    assert [(line["level"], line["step"], line["reason"]) for line in logged] == [
        ("ERROR", "tool_calls", "RuntimeError"),
        ("ERROR", "settle", "RuntimeError"),
    ]
    assert [line["step"] for line in written if "LimitsNotEnforced" in line] == ["tool_calls", "settle"]
    assert "canary" not in json.dumps(written)


def test_reached_limit_is_logged_and_counted(
    dynamodb: DynamoDBClient, now: WallClock, capsys: pytest.CaptureFixture[str]
) -> None:
    chat = service(dynamodb, now, [text_completion("a")], caller={"requests_per_minute": 1})
    chat.post(HELLO)
    chat.post(HELLO)
    written = lines(capsys)
    [logged] = [line for line in written if line.get("message") == "limit reached"]
    assert (logged["level"], logged["limit"], logged["scope"], logged["allowed"]) == (
        "WARNING",
        "requests_per_minute",
        "caller",
        1,
    )
    [counted] = [line for line in written if "LimitsReached" in line]
    assert counted["_aws"]["CloudWatchMetrics"] == [
        {
            "Namespace": "Flexchat",
            "Dimensions": [["limit"], ["limit", "scope"]],
            "Metrics": [{"Name": "LimitsReached", "Unit": "Count"}],
        }
    ]
    assert (counted["limit"], counted["scope"], counted["LimitsReached"]) == ("requests_per_minute", "caller", [1.0])
    assert [line["error"] for line in written if "ChatsFailed" in line] == ["rate_limited"]


@pytest.mark.parametrize(
    ("limits", "updates"),
    [
        ({}, 0),
        ({"session": {"requests_per_minute": 10}}, 0),
        ({"caller": {"requests_per_minute": 10}}, 1),
        ({"caller": {"requests_per_minute": 10, "tokens_per_day": 1_000}}, 2),
        ({"caller": {"requests_per_minute": 10, "tool_calls_per_minute": 10, "tokens_per_day": 1_000}}, 3),
    ],
    ids=["none", "sessions alone", "requests", "requests and tokens", "a turn of tools besides"],
)
def test_chat_calls_the_table_only_for_configured_limits(
    dynamodb: DynamoDBClient, now: WallClock, limits: dict[str, Any], updates: int
) -> None:
    counting = Counting(dynamodb, "update_item")
    script = [call_completion(("calculate", {"expression": "1"})), text_completion("done")]
    assert service(counting, now, script, **limits).post(HELLO).status == 200
    assert counting.calls == updates


def test_counters_of_past_minutes_are_deleted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb, now, [text_completion(str(number)) for number in range(60)], caller={"requests_per_minute": 1}
    )
    for _ in range(40):
        assert chat.post(HELLO).status == 200
        now.at += 60
    [item] = counters(dynamodb).values()
    assert len(item) < 20


def test_counter_of_the_current_minute_is_not_deleted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    limits = {"requests_per_minute": 2, "tokens_per_day": 1_000_000}
    chat = service(dynamodb, now, [text_completion("a"), text_completion("b"), text_completion("c")], caller=limits)
    chat.post(HELLO)
    now.at += 60
    assert [chat.post(HELLO).status for _ in range(3)] == [200, 200, 429]
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 45, "reserved": 0, "requests_1030": 2, "expires_at": int(MIDNIGHT) + 86_400}
