"""Responses to posted chats."""

from collections.abc import Mapping
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api import ChatRequest, ChatResponse
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from functions.chat.api.chat import idempotency_key, wants_async
from functions.chat.aws.idempotency import IdempotencyStore
from functions.chat.response import answer_text
from functions.chat.runs.responder import SAVE_SECONDS, SEND_SECONDS, ChatHttpRequest, ChatHttpResponse, ChatResponder
from tests.unit.runs.harness import ALICE, FUNCTION, RunHarness, answer
from tests.unit.runs.table import CHATS, IDEMPOTENCY


def deliver(dynamodb: DynamoDBClient, **headers: str) -> tuple[ChatHttpResponse, list[float]]:
    """The response to a chat with `headers`, and how many seconds the answer had, of ten."""
    harness = RunHarness(dynamodb)
    due: list[float] = []

    def make(deadline: Deadline) -> ChatResponse:
        due.append(deadline.remaining())
        return answer("hi")

    return responder_of(harness).respond(post_of(harness, headers), make), due


def responder_of(harness: RunHarness, blobs: Blobs | None = None) -> ChatResponder:
    idempotency = IdempotencyStore(harness.dynamodb, IDEMPOTENCY)
    return ChatResponder(
        runs=harness.runs, blobs=blobs or harness.blobs, idempotency=lambda: idempotency, now=harness.time.now
    )


class HangingBlobs(Blobs):
    """Takes nothing; `due` is how many seconds each was given for it."""

    def __init__(self, client: DynamoDBClient, table: str) -> None:
        super().__init__(client, table)
        self.due: list[float] = []

    def put(self, key: str, content: bytes, *, expires_at: int, deadline: Deadline) -> None:
        self.due.append(deadline.remaining())
        raise UnavailableError("the table hangs")


def post_of(harness: RunHarness, headers: Mapping[str, str]) -> ChatHttpRequest:
    event: dict[str, Any] = {"headers": headers, "path": "/api/chat", "requestContext": {}}
    return ChatHttpRequest(
        event=event,
        in_background=wants_async(event),
        idempotency_key=idempotency_key(event),
        request=ChatRequest(message="hello"),
        caller=ALICE,
        request_id="api-request",
        function=FUNCTION,
        deadline=Deadline.after(10.0, clock=harness.time.clock),
    )


def test_an_answer_without_headers_gets_all_remaining_time(dynamodb: DynamoDBClient) -> None:
    assert deliver(dynamodb) == (ChatHttpResponse(200, answer_text(answer("hi"))), [10.0])
    assert dynamodb.scan(TableName=CHATS)["Items"] == []


def test_an_answer_with_an_idempotency_key_reserves_time_for_its_write(dynamodb: DynamoDBClient) -> None:
    assert deliver(dynamodb, prefer="wait=1", **{"idempotency-key": "key"}) == (
        ChatHttpResponse(200, answer_text(answer("hi"))),
        [pytest.approx(10.0 - SAVE_SECONDS - SEND_SECONDS)],
    )


def test_a_slow_table_is_awaited_until_the_response_must_be_sent(dynamodb: DynamoDBClient) -> None:
    harness = RunHarness(dynamodb)
    blobs = HangingBlobs(dynamodb, CHATS)

    delivered = responder_of(harness, blobs).respond(
        post_of(harness, {"idempotency-key": "key"}), lambda _deadline: answer("hi")
    )

    assert delivered == ChatHttpResponse(200, answer_text(answer("hi")))
    assert blobs.due == [pytest.approx(10.0 - SEND_SECONDS)]


def test_a_stored_answer_expires_after_its_key(dynamodb: DynamoDBClient) -> None:
    deliver(dynamodb, **{"idempotency-key": "key"})

    (blob,) = dynamodb.scan(TableName=CHATS)["Items"]
    assert blob["pk"].get("S", "").startswith("B#answer/alice/")
    assert blob["expires_at"] == {"N": str(1_800_000_000 + 25 * 3_600)}


def test_a_background_answer_is_not_generated_at_once(dynamodb: DynamoDBClient) -> None:
    delivered, due = deliver(dynamodb, prefer="respond-async")

    assert (delivered.status, due) == (202, [])
    assert delivered.headers["Location"] == "/api/runs/run-1"
