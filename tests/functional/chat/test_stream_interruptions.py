"""Streamed chats that are cancelled, reach their deadline or lose their table, and the costs of a plain chat."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from botocore.exceptions import ClientError
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message
from flexchat.runs import LEASE_SECONDS
from functions.chat.providers.base import ChatOptions
from tests.clock import Clock
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, configuration
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.streams import StreamClient, follow, streamed

HELLO = {"message": "hello"}
SUM = call_completion(("calculate", {"expression": "1 + 1"}))
RECORDER = "event recorder"


@dataclass
class Table:
    """Client of the tables that records its operations, and fails while it is `away`."""

    client: DynamoDBClient
    away: bool = False
    operations: list[str] = field(default_factory=list[str])

    def __getattr__(self, name: str) -> Any:
        call = getattr(self.client, name)
        if name == "meta" or not callable(call):
            return call

        def send(**arguments: Any) -> Any:
            self.operations.append(name)
            if self.away:
                raise ClientError({"Error": {"Code": "InternalServerError", "Message": "away"}}, name)
            return call(**arguments)

        return send


class Secrets:
    """Client of the signing key."""

    def get_secret_value(self, *, SecretId: str) -> dict[str, str]:  # noqa: N803 (botocore's own name)
        return {"SecretString": "k" * 64}


def chat_of(table: Any, *script: Step, **settings: Any) -> BackgroundChat:
    config = configuration(tools=[CALCULATE])
    return deploy_with_background(script, config, table, secretsmanager=Secrets(), **settings)


def recorders() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == RECORDER]


@pytest.mark.slow
def test_a_run_that_is_deleted_during_its_stream_ends_with_one_error(dynamodb: DynamoDBClient) -> None:
    def cancelled(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        """Answer once the recorder has found that the run is cancelled, which ends its thread."""
        for thread in recorders():
            thread.join(30)
        return text_completion("It is two.")

    chat = chat_of(dynamodb, SUM, cancelled)
    client = StreamClient()

    def cancel(piece: bytes) -> None:
        if b"event: tool_finished" in piece:
            chat.delete(f"/api/runs/{client.events[0].data['run_id']}")

    client.on_piece = cancel
    streamed(chat, HELLO, client=client)
    run = client.events[0].data["run_id"]

    assert client.names == [
        "accepted",
        "rule",
        "model_started",
        "tool_started",
        "tool_finished",
        "model_started",
        "error",
    ]
    assert client.events[-1].data["error"] == "cancelled"
    assert (chat.get(f"/api/runs/{run}").body["status"], recorders()) == ("cancelled", [])
    assert [event.name for event in follow(chat, run).events].count("error") == 1


def test_a_run_that_is_deleted_at_the_end_of_its_stream_has_no_answer(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("It is two."))
    client = StreamClient()

    def cancel(piece: bytes) -> None:
        if b'"two."' in piece or b'" two."' in piece:
            chat.delete(f"/api/runs/{client.events[0].data['run_id']}")

    client.on_piece = cancel
    streamed(chat, HELLO, client=client)
    run = chat.get(f"/api/runs/{client.events[0].data['run_id']}").body

    assert (client.names[-1], client.events[-1].data["error"]) == ("error", "cancelled")
    assert "answer" not in client.names
    assert (run["status"], "answer" in run) == ("cancelled", False)


@pytest.mark.parametrize(("deadline_ms", "seconds"), [(None, 290.0), (120_000, 120.0), (600_000, 290.0)])
def test_a_live_stream_ends_with_a_partial_answer_before_its_deadline(
    dynamodb: DynamoDBClient, deadline_ms: int | None, seconds: float
) -> None:
    clock, given = Clock(), list[float]()

    def work(_messages: Sequence[Message], options: ChatOptions) -> Completion:
        given.append(options.deadline.remaining())
        clock.now += 1
        return SUM

    def hang(_messages: Sequence[Message], options: ChatOptions) -> Completion:
        clock.now += options.deadline.remaining()
        raise ModelError("late", type="timeout", provider="openai")

    chat = chat_of(dynamodb, work, hang, clock=clock)
    started = clock.now
    client = streamed(chat, {**HELLO, **({"deadline_ms": deadline_ms} if deadline_ms else {})})
    answer = client.events[-1]
    run = chat.get(f"/api/runs/{client.events[0].data['run_id']}").body

    assert (client.names.count("answer"), answer.name, answer.data["status"]) == (1, "answer", "partial")
    assert answer.data["resume_token"]
    assert (run["status"], run["answer"]) == ("succeeded", answer.data)
    assert seconds - 10 < given[0] < seconds
    assert clock.now - started < seconds


def test_a_stream_survives_a_table_that_fails_after_its_start(dynamodb: DynamoDBClient) -> None:
    table, moved = Table(dynamodb), [0.0]
    chat = chat_of(table, SUM, text_completion("It is two."), now=lambda: time.time() + moved[0])

    def fail(piece: bytes) -> None:
        if b"event: tool_started" in piece:
            table.away = True

    client = streamed(chat, HELLO, client=StreamClient(on_piece=fail))
    table.away = False
    path = f"/api/runs/{client.events[0].data['run_id']}"
    before = chat.get(path).body["status"]
    moved[0] = LEASE_SECONDS + 1
    run = chat.get(path).body

    assert client.names == [
        "accepted",
        "rule",
        "model_started",
        "tool_started",
        "tool_finished",
        "model_started",
        "delta",
        "delta",
        "delta",
        "answer",
    ]
    assert (before, run["status"], run["error"]["error"]) == ("running", "failed", "interrupted")


def test_a_stream_stores_its_answer_in_a_table_that_failed_in_between(dynamodb: DynamoDBClient) -> None:
    table = Table(dynamodb)
    chat = chat_of(table, SUM, text_completion("It is two."))

    def fail(piece: bytes) -> None:
        table.away = b"event: tool_started" in piece or (table.away and b"event: delta" not in piece)

    client = streamed(chat, HELLO, client=StreamClient(on_piece=fail))
    again = follow(chat, client.events[0].data["run_id"]).events

    assert client.names[-1] == "answer"
    assert [event for event in again if event.name != "delta"] == [e for e in client.events if e.name != "delta"]


def test_a_plain_chat_reads_and_writes_no_table_and_has_no_recorder(dynamodb: DynamoDBClient) -> None:
    table, threads = Table(dynamodb), list[list[threading.Thread]]()

    def look(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        threads.append(recorders())
        return text_completion("It is two.")

    answer = chat_of(table, SUM, look).post(HELLO)

    assert (answer.status, table.operations, threads) == (200, [], [[]])


def test_a_chat_of_a_session_sends_four_requests_to_its_table_and_one_more_for_its_history(
    dynamodb: DynamoDBClient,
) -> None:
    table = Table(dynamodb)
    chat = chat_of(table, SUM, text_completion("two"), SUM, text_completion("two"))

    first = chat.post({**HELLO, "session_id": "s1"})
    opened, table.operations = table.operations, []
    again = chat.post({**HELLO, "session_id": "s1"})

    turn = ["transact_write_items"] * 3  # the beginning, the step with the tool call, the answer
    assert (first.status, again.status) == (200, 200)
    assert (opened, table.operations) == (["query", *turn], ["query", turn[0], "query", *turn[1:]])
