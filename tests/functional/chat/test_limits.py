"""Limits of callers and sessions through the real handler: what they count, refuse and give back."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError, ModelErrorType, UnavailableError
from flexchat.messages import Completion, Message, Usage
from functions.chat.providers.base import ChatOptions
from functions.chat.runs.background import RunFailedError
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, CHATS_TABLE, EVENTS, Chat, configuration, deploy
from tests.functional.chat.scripted_provider import call_turn, text_turn
from tests.unit.runs.table import Dying, ProcessDiedError, empty_tables
from tests.unit.sessions.clients import Counting, Refusing

MORNING = datetime(2026, 11, 22, 10, 29, 40, tzinfo=UTC).timestamp()
MIDNIGHT = datetime(2026, 11, 23, tzinfo=UTC).timestamp()
HELLO = {"message": "Hello"}
PRINCIPAL = json.loads((EVENTS / "chat-http.json").read_text())["requestContext"]["authorizer"]["principal"]


@dataclass
class WallClock:
    """A wall clock that moves by hand."""

    at: float = MORNING

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    with empty_tables(monkeypatch) as client:
        yield client


@pytest.fixture
def now() -> WallClock:
    return WallClock()


def service(dynamodb: Any, now: WallClock, steps: Sequence[Any], **limits: Any) -> Chat:
    """The deployed function with the section `limits` of its configuration."""
    return deploy(steps, {**configuration(tools=[CALCULATE]), "limits": limits}, dynamodb=dynamodb, now=now)


def counters(dynamodb: DynamoDBClient) -> dict[str, dict[str, Any]]:
    """The items of counters without their keys, by their keys."""
    found: dict[str, dict[str, Any]] = {}
    for item in dynamodb.scan(TableName=CHATS_TABLE)["Items"]:
        if item["pk"].get("S", "").startswith("L#"):
            found[f"{item['pk'].get('S')} {item['sk'].get('S')}"] = {
                name: int(value["N"]) if "N" in value else value
                for name, value in item.items()
                if name not in ("pk", "sk")
            }
    return found


def test_request_over_the_minute_limit_is_rejected_with_429_until_the_next_minute(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    chat = service(
        dynamodb,
        now,
        [text_turn("a"), text_turn("b"), text_turn("c")],
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
            "resets_at": "2026-11-22T10:30:00Z",
        },
    }
    assert len(chat.model.seen) == 2

    now.at = MORNING + 20
    assert chat.post(HELLO).status == 200


def test_callers_are_counted_by_the_principal_of_the_authorizer(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_turn("a"), text_turn("b")], caller={"requests_per_minute": 1})
    assert chat.post({**HELLO, "profile": {"principal": "other"}}, principal="one").status == 200
    assert chat.post({**HELLO, "profile": {"principal": "other"}}, principal="one").status == 429
    assert chat.post(HELLO, principal="two").status == 200


def test_token_and_role_have_their_own_limits(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        [text_turn("a") for _ in range(6)],
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
        [text_turn("a"), text_turn("b"), text_turn("c")],
        caller={"tokens_per_day": 20, "requests_per_minute": 10},
    )
    assert chat.post(HELLO).status == 200
    expires_at = int(MIDNIGHT) + 86_400
    key = f"L#{PRINCIPAL} DAY#2026-11-22"
    assert counters(dynamodb) == {key: {"tokens": 15, "requests_1029": 1, "expires_at": expires_at}}

    assert chat.post(HELLO).status == 200
    refused = chat.post(HELLO)
    assert (refused.status, refused.headers["retry-after"]) == (429, str(int(MIDNIGHT - MORNING)))
    assert refused.body["message"].startswith("the limit of this token is 20 tokens a day; try again in ")
    assert refused.body["limit"] == {
        "name": "tokens_per_day",
        "scope": "caller",
        "allowed": 20,
        "resets_at": "2026-11-23T00:00:00Z",
    }
    assert counters(dynamodb) == {key: {"tokens": 30, "requests_1029": 2, "expires_at": expires_at}}

    now.at = MIDNIGHT + 1
    assert chat.post(HELLO).status == 200


def test_failed_chat_releases_its_reservation(dynamodb: DynamoDBClient, now: WallClock) -> None:
    failing = ModelError("no such key", type="authentication", provider="openai")
    chat = service(dynamodb, now, [failing, text_turn("b")], caller={"tokens_per_day": 100})
    assert chat.post(HELLO).status == 502
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 0, "expires_at": int(MIDNIGHT) + 86_400}
    assert chat.post(HELLO).status == 200


def without_usage(text: str) -> Completion:
    return replace(text_turn(text), usage=Usage())


def day_tokens(dynamodb: DynamoDBClient) -> int:
    [item] = counters(dynamodb).values()
    return item["tokens"]


def test_answer_without_reported_tokens_is_counted_by_an_estimate(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [without_usage("word " * 300), text_turn("b")], caller={"tokens_per_day": 400})
    assert chat.post({"message": "word " * 300}).body["usage"]["total_tokens"] == 0
    assert day_tokens(dynamodb) > 1_000
    assert chat.post(HELLO).status == 429


def test_phase_without_reported_tokens_is_counted_by_an_estimate(dynamodb: DynamoDBClient, now: WallClock) -> None:
    config = {**configuration(), "topic": {"enabled": True}, "limits": {"caller": {"tokens_per_day": 100_000}}}
    chat = deploy([without_usage("TOPIC: words"), text_turn("b")], config, dynamodb=dynamodb, now=now)
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
    dying = service(Dying(dynamodb, at=1), now, [text_turn("lost")], caller={"tokens_per_day": 100})
    with pytest.raises(ProcessDiedError):
        dying.post(HELLO)

    chat = service(dynamodb, now, [text_turn("b")], caller={"tokens_per_day": 100})
    refused = chat.post(HELLO)
    assert (refused.status, refused.headers["retry-after"]) == (429, "5")
    assert "is reserved by running requests" in refused.body["message"]

    now.at = MORNING + 60
    assert chat.post(HELLO).status == 200
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 15, "expires_at": int(MIDNIGHT) + 86_400}


def test_chat_across_midnight_is_counted_on_the_day_of_its_reservation(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    now.at = MIDNIGHT - 1

    def slow(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        now.at = MIDNIGHT + 1
        return text_turn("done")

    assert service(dynamodb, now, [slow], caller={"tokens_per_day": 100}).post(HELLO).status == 200
    assert counters(dynamodb) == {f"L#{PRINCIPAL} DAY#2026-11-22": {"tokens": 15, "expires_at": int(MIDNIGHT) + 86_400}}


def test_session_limit_error_is_not_counted_for_the_account(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        [text_turn("a"), text_turn("b")],
        caller={"requests_per_minute": 2, "tokens_per_day": 1_000_000},
        session={"requests_per_minute": 1},
    )
    assert chat.post({**HELLO, "session_id": "s1"}).status == 200
    refused = chat.post({**HELLO, "session_id": "s1"})
    assert (refused.status, refused.body["limit"]["scope"]) == (429, "session")
    assert refused.body["message"] == "the limit of this session is 1 requests a minute; try again in 20 seconds"
    assert counters(dynamodb) == {
        f"L#{PRINCIPAL} DAY#2026-11-22": {
            "tokens": 15,
            "requests_1029": 1,
            "expires_at": int(MIDNIGHT) + 86_400,
        },
        f"L#{PRINCIPAL}#s1 DAY#2026-11-22": {"requests_1029": 1, "expires_at": int(MIDNIGHT) + 86_400},
    }
    assert chat.post({**HELLO, "session_id": "s2"}).status == 200


class Secrets:
    """A secret store with one key."""

    def get_secret_value(self, *, SecretId: str) -> dict[str, str]:  # noqa: N803 (botocore's own name)
        return {"ARN": SecretId, "SecretString": "k" * 64}


def test_resumed_answer_is_counted_for_its_session(dynamodb: DynamoDBClient, now: WallClock) -> None:
    failing = ModelError("down", type="server_error", provider="openai")
    limits = {"session": {"requests_per_minute": 1, "tool_calls_per_minute": 1}}
    chat = deploy(
        [
            call_turn(("calculate", {"expression": "1"})),
            failing,
            call_turn(("calculate", {"expression": "2"})),
            text_turn("done"),
        ],
        {**configuration(tools=[CALCULATE]), "limits": limits},
        dynamodb=dynamodb,
        secretsmanager=Secrets(),
        now=now,
    )
    partial = chat.post({**HELLO, "session_id": "s1"})
    assert (partial.status, partial.body["status"]) == (200, "partial")

    resuming = {"resume_token": partial.body["resume_token"]}
    refused = chat.post(resuming)
    assert (refused.status, refused.body.get("limit", {}).get("scope")) == (429, "session")

    now.at = MORNING + 20
    answer = chat.post(resuming)
    assert (answer.status, answer.body["content"]) == (200, "done")
    assert counters(dynamodb) == {
        f"L#{PRINCIPAL}#s1 DAY#2026-11-22": {
            "requests_1029": 1,
            "tool_calls_1029": 1,
            "requests_1030": 1,
            "tool_calls_1030": 1,
            "expires_at": int(MIDNIGHT) + 86_400,
        }
    }


def test_forged_resume_token_is_counted_for_no_session(dynamodb: DynamoDBClient, now: WallClock) -> None:
    config = {**configuration(), "limits": {"session": {"requests_per_minute": 1}}}
    chat = deploy([], config, dynamodb=dynamodb, secretsmanager=Secrets(), now=now)
    refused = chat.post({"resume_token": "eyJzIjoiczEifQ.AAAA"})
    assert (refused.status, refused.body["error"]) == (400, "resume_token_invalid")
    assert counters(dynamodb) == {}


def test_tool_calls_over_the_limit_return_error_results_and_the_chat_continues(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    calls = [("calculate", {"expression": str(number)}) for number in range(3)]
    chat = service(dynamodb, now, [call_turn(*calls), text_turn("done")], caller={"tool_calls_per_minute": 2})
    answer = chat.post(HELLO)
    assert (answer.status, answer.body["content"]) == (200, "done")
    results = [call["result"] for call in answer.body["tool_calls"]]
    assert [result["success"] for result in results] == [True, True, False]
    assert {name: results[2][name] for name in ("error", "error_type", "user_message")} == {
        "error": "Not run: the limit of 2 tool calls a minute is reached, try again in 20 seconds. "
        "Answer from the results so far, and say what is missing.",
        "error_type": "rate_limited",
        "user_message": "Too many tools were called within a minute.",
    }
    assert "rate_limited" in str(chat.model.seen[-1][-1])
    assert len(chat.lambdas.executed) == 2


def test_rejected_calls_are_not_counted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    script = [
        call_turn(("calculate", {}), ("nothing", {}), ("calculate", {"expression": "1"})),
        text_turn("done"),
    ]
    answer = service(dynamodb, now, script, caller={"tool_calls_per_minute": 1}).post(HELLO)
    assert [call["result"].get("error_type") for call in answer.body["tool_calls"]] == [
        "invalid_arguments",
        "tool_not_found",
        None,
    ]


def test_session_limit_of_tool_calls_applies_first(dynamodb: DynamoDBClient, now: WallClock) -> None:
    calls = [("calculate", {"expression": str(number)}) for number in range(3)]
    chat = service(
        dynamodb,
        now,
        [call_turn(*calls), text_turn("done")],
        caller={"tool_calls_per_minute": 10},
        session={"tool_calls_per_minute": 1},
    )
    answer = chat.post({**HELLO, "session_id": "s1"})
    assert [call["result"]["success"] for call in answer.body["tool_calls"]] == [True, False, False]
    assert counters(dynamodb)[f"L#{PRINCIPAL} DAY#2026-11-22"]["tool_calls_1029"] == 1


def background(dynamodb: Any, now: WallClock, steps: Sequence[Any], **limits: Any) -> BackgroundChat:
    return deploy_with_background(steps, {**configuration(), "limits": limits}, dynamodb, now=now)


ASYNC = {"Prefer": "respond-async"}


def test_background_run_is_counted_once_by_its_worker(dynamodb: DynamoDBClient, now: WallClock) -> None:
    limits = {"requests_per_minute": 2, "tokens_per_day": 1_000_000}
    chat = background(dynamodb, now, [text_turn("done")], caller=limits)
    assert chat.post(HELLO, headers=ASYNC).status == 202
    chat.deliver()
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 15, "requests_1029": 1, "expires_at": int(MIDNIGHT) + 86_400}


def test_background_run_over_a_limit_is_rejected_before_it_is_queued(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = background(dynamodb, now, [], caller={"requests_per_minute": 1})
    assert [chat.post(HELLO, headers=ASYNC).status for _ in range(2)] == [202, 429]
    assert len(chat.background.queued) == 1


def test_unqueued_run_is_not_counted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    unwell = ClientError({"Error": {"Code": "InternalServerError", "Message": "again"}}, "PutItem")
    limits = {"requests_per_minute": 1, "tokens_per_day": 1_000_000}
    chat = background(Refusing(dynamodb, "put_item", unwell), now, [], caller=limits)
    assert chat.post(HELLO, headers=ASYNC).status == 503
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 0, "requests_1029": 0, "expires_at": int(MIDNIGHT) + 86_400}


def test_run_cancelled_before_its_start_releases_its_reservation(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = background(dynamodb, now, [], caller={"tokens_per_day": 1_000_000})
    run = chat.post(HELLO, headers=ASYNC).body["id"]
    assert chat.delete(f"/api/runs/{run}").status == 200
    assert day_tokens(dynamodb) > 2_000
    chat.deliver()
    assert list(counters(dynamodb).values()) == [{"tokens": 0, "expires_at": int(MIDNIGHT) + 86_400}]


def test_run_without_a_readable_configuration_releases_its_reservation(
    dynamodb: DynamoDBClient, now: WallClock
) -> None:
    chat = background(dynamodb, now, [], caller={"tokens_per_day": 1_000_000})
    assert chat.post(HELLO, headers=ASYNC).status == 202
    chat.catalog_error = UnavailableError("the configuration cannot be read")
    with pytest.raises(RunFailedError):
        chat.deliver()
    assert list(counters(dynamodb).values()) == [{"tokens": 0, "expires_at": int(MIDNIGHT) + 86_400}]


def test_repeated_idempotent_answer_is_not_counted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = background(dynamodb, now, [text_turn("once")], caller={"requests_per_minute": 1})
    headers = {"Idempotency-Key": "key-1"}
    assert [chat.post(HELLO, headers=headers).status for _ in range(3)] == [200, 200, 200]
    assert chat.post(HELLO).status == 429


def test_direct_invocations_and_trials_have_no_limits(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        [text_turn("a"), text_turn("b"), text_turn("c")],
        caller={"requests_per_minute": 1},
    )
    assert [chat.direct(HELLO)["content"] for _ in range(2)] == ["a", "b"]
    trial = {"trial": {"model": "openai:gpt-4o", "message": "Hello", "prompt": "You help."}}
    assert chat.direct(trial)["answer"]["content"] == "c"
    assert counters(dynamodb) == {}


def test_manual_model_test_is_counted_for_its_caller(dynamodb: DynamoDBClient, now: WallClock) -> None:
    script = [
        call_turn(("calculate", {"expression": "1"}), ("calculate", {"expression": "2"})),
        text_turn("a"),
    ]
    limits = {"requests_per_minute": 1, "tool_calls_per_minute": 1, "tokens_per_day": 1_000_000}
    chat = service(dynamodb, now, script, caller=limits)
    test = {"model": "openai:gpt-4o", "query": "Calculate."}
    answer = chat.post(test, path="/api/tools/test")
    assert [call["result"]["success"] for call in answer.body["tool_calls"]] == [True, False]
    refused = chat.post(test, path="/api/tools/test")
    assert (refused.status, refused.body["error"], refused.headers["retry-after"]) == (429, "rate_limited", "20")
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 30, "requests_1029": 1, "tool_calls_1029": 2, "expires_at": int(MIDNIGHT) + 86_400}


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(("step", "operation"), [("reserve", 0), ("settle", 1)], ids=["reserve", "settle"])
def test_failing_table_does_not_stop_a_chat(
    dynamodb: DynamoDBClient, now: WallClock, capsys: pytest.CaptureFixture[str], step: str, operation: int
) -> None:
    throttled = ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, "UpdateItem")
    failing = Refusing(dynamodb, "update_item", throttled, after=operation)
    assert service(failing, now, [text_turn("a")], caller={"tokens_per_day": 100}).post(HELLO).status == 200

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
    script = [call_turn(("calculate", {"expression": "1"})), text_turn("done")]
    chat = service(Refusing(dynamodb, "update_item", denied), now, script, caller={"tool_calls_per_minute": 1})
    assert [call["result"]["success"] for call in chat.post(HELLO).body["tool_calls"]] == [True]


def test_unexpected_counter_error_does_not_stop_a_chat(
    dynamodb: DynamoDBClient, now: WallClock, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Refusing(dynamodb, "update_item", RuntimeError("canary"), after=1)
    limits = {"requests_per_minute": 9, "tool_calls_per_minute": 1, "tokens_per_day": 1_000}
    chat = service(broken, now, [call_turn(("calculate", {"expression": "1"})), text_turn("done")], caller=limits)

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
    chat = service(dynamodb, now, [text_turn("a")], caller={"requests_per_minute": 1})
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
    script = [call_turn(("calculate", {"expression": "1"})), text_turn("done")]
    assert service(counting, now, script, **limits).post(HELLO).status == 200
    assert counting.calls == updates


def test_counters_of_past_minutes_are_deleted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(dynamodb, now, [text_turn(str(number)) for number in range(60)], caller={"requests_per_minute": 1})
    for _ in range(40):
        assert chat.post(HELLO).status == 200
        now.at += 60
    [item] = counters(dynamodb).values()
    assert len(item) < 20


def test_counter_of_the_current_minute_is_not_deleted(dynamodb: DynamoDBClient, now: WallClock) -> None:
    limits = {"requests_per_minute": 2, "tokens_per_day": 1_000_000}
    chat = service(dynamodb, now, [text_turn("a"), text_turn("b"), text_turn("c")], caller=limits)
    chat.post(HELLO)
    now.at += 60
    assert [chat.post(HELLO).status for _ in range(3)] == [200, 200, 429]
    [item] = counters(dynamodb).values()
    assert item == {"tokens": 45, "requests_1030": 2, "expires_at": int(MIDNIGHT) + 86_400}
