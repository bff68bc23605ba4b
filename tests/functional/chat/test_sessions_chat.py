"""Chats in sessions: sent history, stored messages, and crashes during a request."""

from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from tests.functional.chat.crashing_client import CrashError, CrashingClient, CrashTime
from tests.functional.chat.harness import (
    CALCULATE,
    CHATS_TABLE,
    Chat,
    assert_every_call_answered_once,
    configuration,
    deploy,
)
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.unit.sessions.clients import FailingClient, throttled

FIRST = {"message": "What is 2 + 3?", "session_id": "s1"}
NEXT = {"message": "And times 4?", "session_id": "s1"}


def script() -> list[Any]:
    return [call_completion(("calculate", {"expression": "2 + 3"})), text_completion("5.")]


def next_script() -> list[Any]:
    return [call_completion(("calculate", {"expression": "5 * 4"}), turn=2), text_completion("20.")]


def service(dynamodb: Any, steps: list[Any], *, requests: int = 0, **config: Any) -> Chat:
    """Return the deployed function; `requests` is the number of earlier requests, part of the next request id."""
    chat = deploy(steps, {**configuration(tools=[CALCULATE]), **config}, dynamodb=dynamodb)
    chat.requests = requests
    return chat


def sent_messages(chat: Chat) -> list[tuple[str, str]]:
    """Return role and text of the last messages to the model, without the system prompt."""
    return [(message.role, message.text) for message in chat.model.seen[-1] if message.role != "system"]


def lease_is_over(dynamodb: DynamoDBClient) -> None:
    """Expire the leases of dead requests."""
    for item in dynamodb.scan(TableName=CHATS_TABLE)["Items"]:
        if "lock_until" in item:
            dynamodb.update_item(
                TableName=CHATS_TABLE,
                Key={"pk": item["pk"], "sk": item["sk"]},
                UpdateExpression="SET lock_until = :past",
                ExpressionAttributeValues={":past": {"N": "1"}},
            )


def test_next_message_is_sent_with_earlier_messages_and_tool_calls(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [*script(), *next_script()])

    first, second = chat.post(FIRST).body, chat.post(NEXT).body

    assert first["session"] == {"id": "s1", "title": "What is 2 + 3?", "saved": True, "turn": 1}
    assert (second["content"], second["session"]["saved"]) == ("20.", True)
    assert sent_messages(chat)[:5] == [
        ("user", "What is 2 + 3?"),
        ("assistant", ""),
        ("tool", ""),
        ("assistant", "5."),
        ("user", "And times 4?"),
    ]
    assert_every_call_answered_once(chat.model.seen[-1])


def test_session_is_visible_to_its_caller_only(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("one"), text_completion("two")])

    chat.post({"message": "I am Ann.", "session_id": "s1"}, principal="aaaaaaaaaa")
    chat.post({"message": "Who am I?", "session_id": "s1"}, principal="bbbbbbbbbb")

    assert sent_messages(chat) == [("user", "Who am I?")]
    assert chat.get("/api/sessions/s1/messages", principal="cccccccccc").status == 404


def test_busy_session_rejects_another_message(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [])
    answers: list[Any] = []

    def meanwhile(_messages: Any, _options: Any) -> Any:
        answers.append(chat.request("POST", "/api/chat", NEXT))
        return text_completion("5.")

    chat.model.script = [meanwhile]
    first = chat.post(FIRST)

    [refused] = answers
    assert (refused.status, refused.body["error"]) == (409, "session_busy")
    assert 1 < int(refused.headers["retry-after"]) <= 31
    assert first.body["session"]["saved"] is True


def test_unanswered_message_is_not_stored(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [ModelError("no", type="authentication", provider="openai"), text_completion("Hello.")])

    failed, second = chat.post(FIRST), chat.post({"message": "Hello?", "session_id": "s1"})

    assert (failed.status, second.status) == (502, 200)
    assert sent_messages(chat) == [("user", "Hello?")]


def test_history_is_limited_by_tokens_from_the_oldest_turn(dynamodb: DynamoDBClient) -> None:
    steps = [text_completion(f"answer {number}") for number in range(1, 6)]
    chat = service(dynamodb, steps, sessions={"max_history_tokens": 400})

    for number in range(1, 6):
        chat.post({"message": f"{number} " + "word " * 100, "session_id": "s1"})

    assert [text[0] for role, text in sent_messages(chat) if role == "user"] == ["3", "4", "5"]


def test_history_of_a_request_is_limited_by_tokens(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("ok")], sessions={"max_history_tokens": 300})
    history = [{"role": role, "content": f"{n} " + "word " * 60} for n in range(6) for role in ("user", "assistant")]

    chat.post({"message": "Hello", "history": history})

    assert [(role, text[0]) for role, text in sent_messages(chat)] == [("user", "5"), ("assistant", "5"), ("user", "H")]


def test_answer_is_returned_when_the_session_cannot_be_written(dynamodb: DynamoDBClient) -> None:
    chat = service(FailingClient(dynamodb, "transact_write_items", throttled(), after=1), script())

    answer = chat.post(FIRST)

    assert (answer.status, answer.body["content"], answer.body["status"]) == (200, "5.", "complete")
    assert answer.body["session"]["saved"] is False
    assert "did not store all of this turn" in answer.body["session"]["problem"]


def test_unreadable_session_rejects_the_chat_before_any_call() -> None:
    chat = service(None, [])

    answer = chat.post(FIRST)

    assert (answer.status, answer.body["error"]) == (503, "unavailable")
    assert chat.model.seen == []


def test_unpaired_surrogate_is_stored_as_a_question_mark(dynamodb: DynamoDBClient) -> None:
    chat = service(dynamodb, [text_completion("Done \ud83d"), text_completion("ok")])

    first, second = chat.post(FIRST), chat.post(NEXT)

    assert (first.body["content"], first.body["session"]["saved"], second.status) == ("Done ?", True, 200)


def writes_of(dynamodb: DynamoDBClient) -> int:
    """Return the number of writes of a chat with one tool call."""
    client = CrashingClient(dynamodb)
    service(client, script()).post({**FIRST, "session_id": "counted"})
    return client.writes


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_session_continues_after_a_crash_at_any_write(dynamodb: DynamoDBClient, when: CrashTime) -> None:
    writes = writes_of(dynamodb)
    assert writes == 3, "the message, the turn of tools, the answer"

    for number in range(1, writes + 1):
        session = f"died-{when}-{number}"
        crashing = CrashingClient(dynamodb, crashes_at=number, when=when)
        with pytest.raises(CrashError):
            service(crashing, script()).post({**FIRST, "session_id": session})
        recorded = number if when == "after" else number - 1
        is_locked = 0 < recorded < writes
        busy = service(dynamodb, [], requests=1).post({**NEXT, "session_id": session}) if is_locked else None
        lease_is_over(dynamodb)
        chat = service(dynamodb, next_script(), requests=2)
        answer = chat.post({**NEXT, "session_id": session})
        listed = chat.get(f"/api/sessions/{session}/messages").body["messages"]

        if busy is not None:
            assert (busy.status, busy.body["error"]) == (409, "session_busy")
        assert (answer.status, answer.body["content"], answer.body["session"]["saved"]) == (200, "20.", True)
        assert_every_call_answered_once(chat.model.seen[-1])
        assert len(listed) == recorded + 3, f"what was written is still there ({when} {number})"
