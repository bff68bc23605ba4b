"""Chats that their client stops: the text and the steps until then are kept in the session."""

import threading
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, configuration
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.streams import StreamClient, streamed

SUM = call_completion(("calculate", {"expression": "1 + 1"}))
HELLO = {"message": "hello", "session_id": "s1"}


def chat_of(dynamodb: Any, *script: Step) -> BackgroundChat:
    return deploy_with_background(script, configuration(tools=[CALCULATE]), dynamodb)


def messages(chat: BackgroundChat) -> list[dict[str, Any]]:
    return chat.get("/api/sessions/s1/messages").body["messages"]


def wait_for_recorder() -> None:
    """Wait until the recorder of the run has found that the run is cancelled, which ends its thread."""
    for thread in threading.enumerate():
        if thread.name == "event recorder":
            thread.join(30)


def stopped_at(chat: BackgroundChat, mark: bytes, body: dict[str, Any] = HELLO) -> StreamClient:
    """Send a message and cancel its run at the piece with `mark`."""
    client = StreamClient()

    def stop(piece: bytes) -> None:
        if mark in piece:
            chat.delete(f"/api/runs/{client.events[0].data['run_id']}")
            wait_for_recorder()

    client.on_piece = stop
    return streamed(chat, body, client=client)


@pytest.mark.slow
def test_a_stopped_answer_keeps_its_text_and_the_next_message_sees_it(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("It is a long story"), text_completion("Well."))

    client = stopped_at(chat, b'" long"')
    question, answer = messages(chat)
    following = chat.post({"message": "go on", "session_id": "s1"})

    assert (client.names[-1], client.events[-1].data["error"]) == ("error", "cancelled")
    assert (question["content"], answer["content"]) == ("hello", "It is a long story")
    assert (answer["status"], answer["outcome"]) == ("partial", "stopped")
    assert (answer["service"], answer["model"]) == ("openai", "gpt-4o")
    assert following.status == 200
    assert [message.text for message in chat.model.seen[-1]][1:] == ["hello", "It is a long story", "go on"]


@pytest.mark.slow
def test_a_chat_stopped_between_its_steps_keeps_the_complete_ones(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, SUM, text_completion("It is two."), text_completion("Two."))

    stopped_at(chat, b"event: tool_finished")
    kept = messages(chat)
    chat.post({"message": "and?", "session_id": "s1"})

    assert [(each["role"], len(each["tool_calls"])) for each in kept][:2] == [("user", 0), ("assistant", 1)]
    assert (kept[-1]["outcome"], kept[-1]["content"]) == ("stopped", "")
    assert [message.role for message in chat.model.seen[-1]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]


@pytest.mark.slow
def test_a_stopped_background_run_keeps_its_complete_steps(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb)

    def cancelled(_messages: Any, _options: Any) -> Any:
        chat.delete(f"/api/runs/{run['id']}")
        wait_for_recorder()
        return text_completion("It is two.")

    chat.model.script = [SUM, cancelled, text_completion("Two.")]
    run = chat.post(HELLO, headers={"Prefer": "respond-async"}).body
    answering = chat.get("/api/sessions/s1").status
    ended = chat.deliver()

    assert (answering, ended["status"]) == (404, "cancelled")
    assert [len(each["tool_calls"]) for each in messages(chat)] == [0, 1, 0]
    assert messages(chat)[-1]["outcome"] == "stopped"
    assert chat.post({"message": "and?", "session_id": "s1"}).status == 200


@pytest.mark.slow
def test_a_stopped_completion_keeps_its_text(dynamodb: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.chat.runs.service.CHECK_SECONDS", 0.0)
    chat = chat_of(dynamodb, text_completion("It is a long story"))
    client = StreamClient()

    def stop(piece: bytes) -> None:
        if b'" long"' in piece:
            chat.delete(f"/api/runs/{client.started[0][1]['X-Request-Id']}")

    client.on_piece = stop
    body = {"model": "flexchat", "messages": [{"role": "user", "content": "hello"}], "stream": True}
    streamed(chat, body, path="/v1/chat/completions", headers={"X-Flexchat-Session": "s1"}, client=client)

    assert messages(chat)[-1]["content"].startswith("It is a long")
    assert messages(chat)[-1]["outcome"] == "stopped"


def test_a_session_names_the_run_that_answers_in_it(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("one"), text_completion("two"))
    seen = list[Any]()
    client = StreamClient()

    def look(piece: bytes) -> None:
        if b"event: rule" in piece:
            seen.append(chat.get("/api/sessions/s1").body["answering"])

    client.on_piece = look
    streamed(chat, HELLO, client=client)

    assert seen == [{"turn": 1, "run_id": client.events[0].data["run_id"]}]
    assert "answering" not in chat.get("/api/sessions/s1").body


def test_a_session_that_a_request_without_events_answers_in_names_its_turn(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb)
    seen = list[Any]()

    def look(_messages: Any, _options: Any) -> Any:
        seen.append(chat.get("/api/sessions/s1").body["answering"])
        return text_completion("one")

    chat.model.script = [look]
    chat.post(HELLO)

    assert seen == [{"turn": 1}]


@pytest.mark.slow
def test_a_chat_stopped_before_its_first_text_is_not_recorded(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("Hello."))

    stopped_at(chat, b"event: rule")

    assert chat.get("/api/sessions/s1").body["turns"] == 0
    assert messages(chat) == []
