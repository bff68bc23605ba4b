"""Limits of sessions and of tool calls."""

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from tests.functional.chat.harness import CALCULATE, configuration, deploy
from tests.functional.chat.limited_chat import HELLO, MIDNIGHT, MORNING, PRINCIPAL, WallClock, counters, service
from tests.functional.chat.scripted_provider import call_completion, text_completion


@pytest.fixture
def now() -> WallClock:
    return WallClock()


def test_session_limit_error_is_not_counted_for_the_account(dynamodb: DynamoDBClient, now: WallClock) -> None:
    chat = service(
        dynamodb,
        now,
        [text_completion("a"), text_completion("b")],
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
            "reserved": 0,
            "requests_1029": 1,
            "expires_at": int(MIDNIGHT) + 86_400,
        },
        f"L#{PRINCIPAL}#s1 DAY#2026-11-22": {"requests_1029": 1, "expires_at": int(MIDNIGHT) + 86_400},
    }
    assert chat.post({**HELLO, "session_id": "s2"}).status == 200


class Secrets:
    """Secret store with one key."""

    def get_secret_value(self, *, SecretId: str) -> dict[str, str]:  # noqa: N803 (botocore's own name)
        return {"ARN": SecretId, "SecretString": "k" * 64}


def test_resumed_answer_is_counted_for_its_session(dynamodb: DynamoDBClient, now: WallClock) -> None:
    failing = ModelError("down", type="server_error", provider="openai")
    limits = {"session": {"requests_per_minute": 1, "tool_calls_per_minute": 1}}
    chat = deploy(
        [
            call_completion(("calculate", {"expression": "1"})),
            failing,
            call_completion(("calculate", {"expression": "2"})),
            text_completion("done"),
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
    chat = service(
        dynamodb, now, [call_completion(*calls), text_completion("done")], caller={"tool_calls_per_minute": 2}
    )
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
        call_completion(("calculate", {}), ("nothing", {}), ("calculate", {"expression": "1"})),
        text_completion("done"),
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
        [call_completion(*calls), text_completion("done")],
        caller={"tool_calls_per_minute": 10},
        session={"tool_calls_per_minute": 1},
    )
    answer = chat.post({**HELLO, "session_id": "s1"})
    assert [call["result"]["success"] for call in answer.body["tool_calls"]] == [True, False, False]
    assert counters(dynamodb)[f"L#{PRINCIPAL} DAY#2026-11-22"]["tool_calls_1029"] == 1
