"""Limits of callers: counted requests and tokens."""

from collections.abc import Sequence
from copy import replace

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError, ModelErrorType
from flexchat.messages import Completion, Message, Usage
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import configuration, deploy
from tests.functional.chat.limited_chat import (
    HELLO,
    MIDNIGHT,
    MORNING,
    PRINCIPAL,
    WallClock,
    counters,
    day_tokens,
    service,
)
from tests.functional.chat.scripted_provider import text_completion
from tests.unit.runs.table import CrashingDynamoDb, ProcessCrashError


@pytest.fixture
def now() -> WallClock:
    return WallClock()


def test_request_over_the_minute_limit_is_rejected_with_429_until_the_next_minute(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    chat = service(
        dynamodb,
        now,
        [text_completion("a"), text_completion("b"), text_completion("c")],
        caller={"requests_per_minute": 2},
    )
    assert [chat.post(HELLO).status for _ in range(2)] == [200, 200]

    refused = chat.post(HELLO)
    assert (refused.status, refused.headers["retry-after"]) == (429, "20")
    assert refused.body == {
        "error": "rate_limited",
        "message": "the limit of this token is 2 requests a minute; try again in 20 seconds",
        "request_id": refused.body["request_id"],
        "limit": {
            "name": "requests_per_minute",
            "scope": "caller",
            "allowed": 2,
            "used": 2,
            "resets_at": "2026-11-22T10:30:00Z",
        },
    }
    assert len(chat.model.seen) == 2

    now.at = MORNING + 20
    assert chat.post(HELLO).status == 200


def test_token_has_the_use_of_its_limits_without_being_counted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    limits = {"requests_per_minute": 2, "tool_calls_per_minute": 9, "tokens_per_day": 50_000}
    chat = service(dynamodb, now, [text_completion("a")], caller=limits)
    chat.post(HELLO)
    used = day_tokens(dynamodb)

    answers = [chat.request("GET", "/api/me", principal=PRINCIPAL) for _ in range(3)]

    minute, midnight = "2026-11-22T10:30:00Z", "2026-11-23T00:00:00Z"
    assert [answer.body["limits"] for answer in answers] == 3 * [
        [
            {"name": "requests_per_minute", "allowed": 2, "used": 1, "reserved": 0, "resets_at": minute},
            {"name": "tool_calls_per_minute", "allowed": 9, "used": 0, "reserved": 0, "resets_at": minute},
            {"name": "tokens_per_day", "allowed": 50_000, "used": used, "reserved": 0, "resets_at": midnight},
        ]
    ]
    assert chat.request("GET", "/api/me", principal="another").body["limits"][0]["used"] == 0


def test_token_without_limits_has_none(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [], session={"requests_per_minute": 1})

    assert chat.request("GET", "/api/me", principal=PRINCIPAL).body["limits"] == []


def test_use_of_shards_is_added(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_completion("a") for _ in range(4)], caller={"requests_per_minute": 18_000})
    for _ in range(4):
        chat.post(HELLO)

    (limit,) = chat.request("GET", "/api/me", principal=PRINCIPAL).body["limits"]
    assert (limit["used"], limit["allowed"]) == (4, 18_000)


def test_callers_are_counted_by_the_principal_of_the_authorizer(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_completion("a"), text_completion("b")], caller={"requests_per_minute": 1})
    assert chat.post({**HELLO, "profile": {"principal": "other"}}, principal="one").status == 200
    assert chat.post({**HELLO, "profile": {"principal": "other"}}, principal="one").status == 429
    assert chat.post(HELLO, principal="two").status == 200


def test_token_and_role_have_their_own_limits(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        [text_completion("a") for _ in range(6)],
        caller={"requests_per_minute": 1},
        roles={"operator": {"requests_per_minute": 2}},
        principals={"busy": {"requests_per_minute": None}},
    )
    assert [chat.post(HELLO, principal="plain").status for _ in range(2)] == [200, 429]
    assert [chat.post(HELLO, principal="op", roles="user,operator").status for _ in range(3)] == [200, 200, 429]
    assert [chat.post(HELLO, principal="busy").status for _ in range(3)] == [200, 200, 200]


def test_tokens_are_counted_when_used_and_reset_daily(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        [text_completion("a"), text_completion("b"), text_completion("c")],
        caller={"tokens_per_day": 20, "requests_per_minute": 10},
    )
    assert chat.post(HELLO).status == 200
    expires_at = int(MIDNIGHT) + 86_400
    key = f"L#{PRINCIPAL} DAY#2026-11-22"
    assert counters(dynamodb) == {key: {"tokens": 15, "reserved": 0, "requests_1029": 1, "expires_at": expires_at}}

    assert chat.post(HELLO).status == 200
    refused = chat.post(HELLO)
    assert (refused.status, refused.headers["retry-after"]) == (429, str(int(MIDNIGHT - MORNING)))
    assert refused.body["message"].startswith("the limit of this token is 20 tokens a day; try again in ")
    assert refused.body["limit"] == {
        "name": "tokens_per_day",
        "scope": "caller",
        "allowed": 20,
        "used": 30,
        "resets_at": "2026-11-23T00:00:00Z",
    }
    assert counters(dynamodb) == {key: {"tokens": 30, "reserved": 0, "requests_1029": 2, "expires_at": expires_at}}

    now.at = MIDNIGHT + 1
    assert chat.post(HELLO).status == 200


def test_failed_chat_releases_its_reservation(dynamodb: DynamoDBClient, now: WallClock) -> None:
    failing = ModelError("no such key", type="authentication", provider="openai")
    chat = service(dynamodb, now, [failing, text_completion("b")], caller={"tokens_per_day": 100})
    assert chat.post(HELLO).status == 502
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 0, "reserved": 0, "expires_at": int(MIDNIGHT) + 86_400}
    assert chat.post(HELLO).status == 200


def without_usage(text: str) -> Completion:
    return replace(text_completion(text), usage=Usage())


def test_answer_without_reported_tokens_is_counted_by_an_estimate(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [without_usage("word " * 300), text_completion("b")], caller={"tokens_per_day": 400})
    assert chat.post({"message": "word " * 300}).body["usage"]["total_tokens"] == 0
    assert day_tokens(dynamodb) > 1_000
    assert chat.post(HELLO).status == 429


def test_phase_without_reported_tokens_is_counted_by_an_estimate(dynamodb: DynamoDBClient, now: WallClock) -> None:
    config = {**configuration(), "topic": {"enabled": True}, "limits": {"caller": {"tokens_per_day": 100_000}}}
    chat = deploy([without_usage("TOPIC: words"), text_completion("b")], config, dynamodb=dynamodb, now=now)
    history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    assert chat.post({"message": "word " * 300, "history": history}).status == 200
    assert day_tokens(dynamodb) > 500


@pytest.mark.parametrize("kind", ["timeout", "invalid_response"])
def test_failed_call_of_a_working_model_is_counted(
    dynamodb: DynamoDBClient, now: WallClock, kind: ModelErrorType
) -> None:
    failing = ModelError("nothing came", type=kind, provider="openai")
    chat = service(dynamodb, now, [failing], caller={"tokens_per_day": 100_000})
    assert chat.post({"message": "word " * 300}).status >= 500
    assert day_tokens(dynamodb) > 500


def test_expired_reservation_of_a_dead_request_is_released(dynamodb: DynamoDBClient, now: WallClock) -> None:
    crashing = service(CrashingDynamoDb(dynamodb, at=2), now, [text_completion("lost")], caller={"tokens_per_day": 100})
    with pytest.raises(ProcessCrashError):
        crashing.post(HELLO)

    chat = service(dynamodb, now, [text_completion("b")], caller={"tokens_per_day": 100})
    refused = chat.post(HELLO)
    assert (refused.status, refused.headers["retry-after"]) == (429, "5")
    assert "is reserved by running requests" in refused.body["message"]

    now.at = MORNING + 60
    assert chat.post(HELLO).status == 200
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 15, "reserved": 0, "expires_at": int(MIDNIGHT) + 86_400}


def test_chat_across_midnight_is_counted_on_the_day_of_its_reservation(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    now.at = MIDNIGHT - 1

    def slow(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        now.at = MIDNIGHT + 1
        return text_completion("done")

    assert service(dynamodb, now, [slow], caller={"tokens_per_day": 100}).post(HELLO).status == 200
    assert counters(dynamodb) == {
        f"L#{PRINCIPAL} DAY#2026-11-22": {"tokens": 15, "reserved": 0, "expires_at": int(MIDNIGHT) + 86_400}
    }
