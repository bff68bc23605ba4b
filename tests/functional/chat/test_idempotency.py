"""Idempotent requests over HTTP."""

from random import Random
from typing import Any, cast

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, Answer, Unreachable, configuration
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.unit.runs.table import CHATS, Throttled

HELLO = {"message": "hello"}
KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
LATER = {"Prefer": "respond-async"}


def chat_of(dynamodb: Any, *script: Step, tools: Any = ()) -> BackgroundChat:
    return deploy_with_background(script, configuration(tools=tools), dynamodb)


def outcome(answer: Answer) -> tuple[int, str, bool]:
    return answer.status, answer.body.get("content") or answer.body.get("error", ""), replayed(answer)


def replayed(answer: Answer) -> bool:
    return answer.headers.get("idempotent-replayed") == "true"


def test_repeated_request_gets_the_first_answer_and_runs_no_tool(dynamodb: DynamoDBClient) -> None:
    one_call = call_completion(("calculate", {"expression": "1 + 1"}))
    chat = chat_of(dynamodb, one_call, text_completion("two"), text_completion("not again"), tools=[CALCULATE])
    first = chat.post(HELLO, headers=KEY)
    again = chat.post(HELLO, headers=KEY)

    assert (first.status, again.status) == (200, 200)
    assert again.body == first.body
    assert (replayed(first), replayed(again)) == (False, True)
    assert (len(chat.model.seen), len(chat.lambdas.executed)) == (2, 1)


def test_requests_without_a_key_are_independent(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("one"), text_completion("two"))

    assert [chat.post(HELLO).body["content"] for _ in range(2)] == ["one", "two"]


def test_same_key_of_another_caller_is_another_request(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("one"), text_completion("two"))
    chat.post(HELLO, headers=KEY)

    assert outcome(chat.post(HELLO, headers=KEY, principal="bob")) == (200, "two", False)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"message": "hello", "explain": False, "history": []}, 200),
        ({"message": "Hello"}, 422),
        ({"message": "hello", "explain": True}, 422),
        ({"message": "hello", "deadline_ms": 5_000}, 422),
    ],
)
def test_same_key_with_the_body_in_another_json_form_is_the_same_request(
    dynamodb: DynamoDBClient, body: dict[str, Any], status: int
) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    chat.post(HELLO, headers=KEY)
    again = chat.post(body, headers=KEY)

    assert again.status == status
    assert again.body.get("error") == ("idempotency_key_reused" if status == 422 else None)


@pytest.mark.parametrize("key", ["", "two words", "x" * 256, "schlüssel"])
def test_invalid_key_is_rejected_with_400(dynamodb: DynamoDBClient, key: str) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    answer = chat.post(HELLO, headers={"Idempotency-Key": key})

    assert (answer.status, answer.body["error"]) == (400, "invalid_idempotency_key")
    assert chat.model.seen == []


def test_request_in_progress_is_rejected_with_409(dynamodb: DynamoDBClient) -> None:
    answers: list[Answer] = []

    def send_again(*_: object) -> Any:
        answers.append(chat.post(HELLO, headers=KEY))
        return text_completion("hi")

    chat = chat_of(dynamodb, send_again, text_completion("not this"))
    first = chat.post(HELLO, headers=KEY)

    assert outcome(first) == (200, "hi", False)
    assert outcome(answers[0]) == (409, "idempotency_in_progress", False)
    assert answers[0].headers["retry-after"] == "2"
    assert len(chat.model.seen) == 1


def test_error_is_not_stored(dynamodb: DynamoDBClient) -> None:
    refusal = ModelError("no", type="invalid_request", provider="openai")
    chat = chat_of(dynamodb, refusal, text_completion("hi"))

    assert outcome(chat.post(HELLO, headers=KEY)) == (502, "model_invalid_request", False)
    assert outcome(chat.post(HELLO, headers=KEY)) == (200, "hi", False)
    assert outcome(chat.post(HELLO, headers=KEY)) == (200, "hi", True)


def test_partial_answer_after_tool_calls_is_stored(dynamodb: DynamoDBClient) -> None:
    failure = ModelError("no", type="invalid_request", provider="openai")
    chat = chat_of(dynamodb, call_completion(("calculate", {"expression": "1 + 1"})), failure, tools=[CALCULATE])
    first = chat.post(HELLO, headers=KEY)

    assert (first.body["status"], chat.post(HELLO, headers=KEY).body) == ("partial", first.body)
    assert len(chat.lambdas.executed) == 1


@pytest.mark.slow
def test_answer_of_five_megabytes_is_repeated_completely(dynamodb: DynamoDBClient) -> None:
    content = Random(1).randbytes(2_500_000).hex()  # noqa: S311 (not a secret)
    chat = chat_of(dynamodb, text_completion(content))
    first = chat.post(HELLO, headers=KEY)

    assert first.body["content"] == content
    assert chat.post(HELLO, headers=KEY).body == first.body


def test_run_is_started_once_and_returned_again(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    first = chat.post(HELLO, headers=KEY | LATER)
    again = chat.post(HELLO, headers=KEY | LATER)
    chat.deliver()
    done = chat.post(HELLO, headers=KEY | LATER)

    assert [answer.status for answer in (first, again, done)] == [202, 202, 202]
    assert [replayed(answer) for answer in (first, again, done)] == [False, True, True]
    assert {answer.body["id"] for answer in (first, again, done)} == {first.body["id"]}
    assert {answer.headers["location"] for answer in (first, again, done)} == {first.headers["location"]}
    assert (done.body["status"], done.body["answer"]["content"]) == ("succeeded", "hi")
    assert len(chat.background.queued) == 1


def test_repetition_starts_a_run_that_failed_to_start(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb)
    chat.background.refuses = True
    first = chat.post(HELLO, headers=KEY | LATER)
    chat.background.refuses = False
    again = chat.post(HELLO, headers=KEY | LATER)

    assert (first.status, again.status, replayed(again)) == (503, 202, False)


def test_background_repetition_returns_the_stored_answer(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    chat.post(HELLO, headers=KEY)

    assert outcome(chat.post(HELLO, headers=KEY | LATER)) == (200, "hi", True)


def test_request_with_a_key_is_rejected_without_the_table() -> None:
    chat = chat_of(Unreachable(), text_completion("hi"))
    answer = chat.post(HELLO, headers=KEY)

    assert (answer.status, answer.body["error"]) == (503, "unavailable")
    assert chat.model.seen == []


@pytest.mark.parametrize(("operation", "after"), [("put_item", 1), ("update_item", 0)], ids=["answer", "reference"])
def test_answer_is_returned_when_it_cannot_be_stored(dynamodb: DynamoDBClient, operation: str, after: int) -> None:
    table = Throttled(dynamodb, operation, after=after)
    chat = chat_of(cast("Any", table), text_completion("hi"))

    assert outcome(chat.post(HELLO, headers=KEY)) == (200, "hi", False)


def test_request_without_a_stored_answer_is_executed_again(dynamodb: DynamoDBClient) -> None:
    table = Throttled(dynamodb, "put_item", after=1)
    chat = chat_of(cast("Any", table), text_completion("one"), text_completion("two"))
    chat.post(HELLO, headers=KEY)
    table.on = False

    assert outcome(chat.post(HELLO, headers=KEY)) == (200, "two", False)


def test_missing_stored_answer_does_not_execute_the_request_again(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("hi"), text_completion("not again"))
    chat.post(HELLO, headers=KEY)
    for item in dynamodb.scan(TableName=CHATS)["Items"]:
        dynamodb.delete_item(TableName=CHATS, Key={"pk": item["pk"], "sk": item["sk"]})

    assert outcome(chat.post(HELLO, headers=KEY)) == (503, "unavailable", False)
    assert len(chat.model.seen) == 1
