"""Limits of background runs, repeated answers and requests without a caller."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import UnavailableError
from functions.chat.runs.background import RunFailedError
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CHATS_TABLE, configuration
from tests.functional.chat.limited_chat import HELLO, MIDNIGHT, PRINCIPAL, WallClock, counters, day_tokens, service
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.unit.sessions.clients import FailingClient


@pytest.fixture
def now() -> WallClock:
    return WallClock()


def background(dynamodb: Any, now: WallClock, steps: Sequence[Any], **limits: Any) -> BackgroundChat:
    return deploy_with_background(steps, {**configuration(), "limits": limits}, dynamodb, now=now)


ASYNC = {"Prefer": "respond-async"}


def test_background_run_is_counted_once_by_its_worker(dynamodb: DynamoDBClient, now: WallClock) -> None:
    limits = {"requests_per_minute": 2, "tokens_per_day": 1_000_000}
    chat = background(dynamodb, now, [text_completion("done")], caller=limits)
    assert chat.post(HELLO, headers=ASYNC).status == 202
    chat.deliver()
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 15, "reserved": 0, "requests_1029": 1, "expires_at": int(MIDNIGHT) + 86_400}


def test_worker_settles_the_money_of_its_run_in_the_month_of_its_request(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    next_month = datetime(2026, 12, 1, tzinfo=UTC).timestamp()
    now.at = next_month - 1
    chat = background(dynamodb, now, [text_completion("done")], caller={"usd_per_month": 5})
    assert chat.post(HELLO, headers=ASYNC).status == 202
    now.at = next_month
    chat.deliver()
    key = {"pk": {"S": f"L#{PRINCIPAL}"}, "sk": {"S": "MONTH#2026-11"}}
    found = dynamodb.get_item(TableName=CHATS_TABLE, Key=key).get("Item", {})
    assert (found["micros"], found["reserved_micros"]) == ({"N": "75"}, {"N": "0"})


def test_background_run_over_a_limit_is_rejected_before_it_is_queued(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = background(dynamodb, now, [], caller={"requests_per_minute": 1})
    assert [chat.post(HELLO, headers=ASYNC).status for _ in range(2)] == [202, 429]
    assert len(chat.background.queued) == 1


def test_unqueued_run_is_not_counted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    failing_client = ClientError({"Error": {"Code": "InternalServerError", "Message": "again"}}, "PutItem")
    limits = {"requests_per_minute": 1, "tokens_per_day": 1_000_000}
    chat = background(FailingClient(dynamodb, "put_item", failing_client, after=1), now, [], caller=limits)
    assert chat.post(HELLO, headers=ASYNC).status == 503
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 0, "reserved": 0, "requests_1029": 0, "expires_at": int(MIDNIGHT) + 86_400}


def test_run_cancelled_before_its_start_releases_its_reservation(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = background(dynamodb, now, [], caller={"tokens_per_day": 1_000_000})
    run = chat.post(HELLO, headers=ASYNC).body["id"]
    assert chat.delete(f"/api/runs/{run}").status == 200
    assert day_tokens(dynamodb) > 2_000
    chat.deliver()
    assert list(counters(dynamodb).values()) == [{"tokens": 0, "reserved": 0, "expires_at": int(MIDNIGHT) + 86_400}]


def test_run_without_a_readable_configuration_releases_its_reservation(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    chat = background(dynamodb, now, [], caller={"tokens_per_day": 1_000_000})
    assert chat.post(HELLO, headers=ASYNC).status == 202
    chat.catalog_error = UnavailableError("the configuration cannot be read")
    with pytest.raises(RunFailedError):
        chat.deliver()
    assert list(counters(dynamodb).values()) == [{"tokens": 0, "reserved": 0, "expires_at": int(MIDNIGHT) + 86_400}]


def test_repeated_idempotent_answer_is_not_counted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = background(dynamodb, now, [text_completion("once")], caller={"requests_per_minute": 1})
    headers = {"Idempotency-Key": "key-1"}
    assert [chat.post(HELLO, headers=headers).status for _ in range(3)] == [200, 200, 200]
    assert chat.post(HELLO).status == 429


def test_direct_invocations_and_trials_have_no_limits(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        [text_completion("a"), text_completion("b"), text_completion("c")],
        caller={"requests_per_minute": 1},
    )
    assert [chat.direct(HELLO)["content"] for _ in range(2)] == ["a", "b"]
    trial = {"trial": {"model": "openai:gpt-4o", "message": "Hello", "prompt": "You help."}}
    assert chat.direct(trial)["answer"]["content"] == "c"
    assert counters(dynamodb) == {}


def test_manual_model_test_is_counted_for_its_caller(dynamodb: DynamoDBClient, now: WallClock) -> None:
    script = [
        call_completion(("calculate", {"expression": "1"}), ("calculate", {"expression": "2"})),
        text_completion("a"),
    ]
    limits = {"requests_per_minute": 1, "tool_calls_per_minute": 1, "tokens_per_day": 1_000_000}
    chat = service(dynamodb, now, script, caller=limits)
    test = {"model": "openai:gpt-4o", "query": "Calculate."}
    answer = chat.post(test, path="/api/tools/test")
    assert [call["result"]["success"] for call in answer.body["tool_calls"]] == [True, False]
    refused = chat.post(test, path="/api/tools/test")
    assert (refused.status, refused.body["error"], refused.headers["retry-after"]) == (429, "rate_limited", "20")
    [item] = counters(dynamodb).values()
    assert item == {
        "tokens": 30,
        "reserved": 0,
        "requests_1029": 1,
        "tool_calls_1029": 2,
        "expires_at": int(MIDNIGHT) + 86_400,
    }
