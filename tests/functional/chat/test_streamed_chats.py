"""Chats whose answers are streamed as server-sent events."""

import json
import threading
from random import Random
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from functions.tools.builtin.app import lambda_handler as builtin_handler
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, EVENTS, LambdaContext, Unreachable, configuration
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.chat.streams import STREAMED, StreamClient, follow, parsed, streamed, text_of

HELLO = {"message": "hello"}
KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
SUM = call_completion(("calculate", {"expression": "1 + 1"}))
MEASURED = ("timings", "usage", "request_id")


def chat_of(dynamodb: Any, *script: Step, rule: Any = None) -> BackgroundChat:
    return deploy_with_background(script, configuration(tools=[CALCULATE], rule=rule), dynamodb)


def without_times(answer: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in answer.items() if name not in MEASURED}
    for call in kept.get("tool_calls", ()):
        call["result"]["execution_time_ms"] = 0
    return kept


def test_a_streamed_chat_sends_its_steps_and_the_same_answer(dynamodb: DynamoDBClient) -> None:
    script = (SUM, text_completion("It is two."))
    client = streamed(chat_of(dynamodb, *script, rule={"name": "all"}), HELLO)
    buffered = chat_of(dynamodb, *script, rule={"name": "all"}).post(HELLO)

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
    assert (client.whole, client.status, client.started[0][1]["Content-Type"]) == (None, 200, "text/event-stream")
    assert [event.id for event in client.events][:3] == ["1.0", "2.0", "3.0"]
    assert [event.id for event in client.events][-4:] == ["6.2", "6.5", "6.10", "999999.0"]
    assert text_of(client.events) == "It is two."
    assert without_times(client.events[-1].data) == without_times(buffered.body)


def test_the_reasoning_of_a_model_is_an_event_and_in_the_timings(dynamodb: DynamoDBClient) -> None:
    client = streamed(chat_of(dynamodb, text_completion("<think>One and one.</think>It is two.")), HELLO)

    assert client.names == ["accepted", "rule", "model_started", "delta", "delta", "delta", "reasoning", "answer"]
    assert client.events[6].data == {"iteration": 1, "text": "One and one."}
    assert text_of(client.events) == "It is two."
    answer = client.events[-1].data
    assert [step.get("reasoning") for step in answer["timings"]["steps"]] == ["One and one."]
    assert "think" not in answer["content"]


def test_a_client_receives_the_end_of_a_call_while_a_parallel_one_runs(dynamodb: DynamoDBClient) -> None:
    sums = call_completion(("calculate", {"expression": "1 + 1"}), ("calculate", {"expression": "2 + 2"}))
    chat, received = chat_of(dynamodb, sums, text_completion("Two and four.")), threading.Event()

    def calculate(event: Any, context: Any) -> Any:
        assert event["arguments"]["expression"] == "2 + 2" or received.wait(30)
        return builtin_handler(event, context)

    def receive(piece: bytes) -> None:
        if b"event: tool_finished" in piece:
            received.set()

    chat.background.handlers = {"builtin": calculate}
    client = streamed(chat, HELLO, client=StreamClient(on_piece=receive))

    started = [event.data["call_id"] for event in client.events if event.name == "tool_started"]
    finished = [event.data["call_id"] for event in client.events if event.name == "tool_finished"]
    assert finished == [*reversed(started)]
    assert [call["params"]["expression"] for call in client.events[-1].data["tool_calls"]] == ["1 + 1", "2 + 2"]


def test_without_a_stream_the_events_are_returned_in_one_body(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    event = json.loads((EVENTS / "chat-http.json").read_text())
    event["headers"] = {**event["headers"], **STREAMED}
    response = chat.function.handle(event, LambdaContext())

    assert response["multiValueHeaders"]["Content-Type"] == ["text/event-stream"]
    assert [event.name for event in parsed(response["body"])] == [
        "accepted",
        "rule",
        "model_started",
        "delta",
        "answer",
    ]


@pytest.mark.parametrize(
    ("accept", "streams"),
    [
        ("text/event-stream", True),
        ("TEXT/EVENT-STREAM;q=0.8, application/json;q=0.5", True),
        ("text/event-stream, */*", True),
        ("application/json, text/event-stream", False),
        ("text/event-stream;q=0", False),
        ("text/event-stream;q=x", False),
        ("text/event-stream;q=0.1, */*", False),
        ("*/*", False),
    ],
)
def test_events_are_sent_where_the_client_prefers_them(dynamodb: DynamoDBClient, accept: str, streams: bool) -> None:
    client = streamed(chat_of(dynamodb, text_completion("hi")), HELLO, headers={"Accept": accept})

    assert bool(client.started) == streams


def test_an_error_before_the_start_has_its_own_status(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb)
    invalid = streamed(chat, {"message": ""})
    forbidden = streamed(chat, {"message": "hello", "explain": True})

    assert [(each.status, each.started) for each in (invalid, forbidden)] == [(400, []), (403, [])]


def test_a_table_without_answers_is_a_503_before_the_stream(dynamodb: DynamoDBClient) -> None:
    client = streamed(chat_of(Unreachable(), text_completion("hi")), HELLO)

    assert (client.status, client.started) == (503, [])


def test_a_failure_after_the_start_is_the_last_event_and_the_error_of_the_run(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, ModelError("no", type="authentication", provider="openai"))
    client = streamed(chat, HELLO)
    run = chat.get(f"/api/runs/{client.events[0].data['run_id']}").body

    assert client.names == ["accepted", "rule", "model_started", "error"]
    assert client.events[-1].data["error"] == "model_authentication"
    assert (run["status"], run["error"]) == ("failed", client.events[-1].data)


def test_an_unexpected_exception_is_an_error_event(dynamodb: DynamoDBClient) -> None:
    def crash(*_arguments: Any) -> Any:
        raise ArithmeticError

    client = streamed(chat_of(dynamodb, crash), HELLO)

    assert (client.names[-1], client.events[-1].data["error"]) == ("error", "internal_error")


def test_a_streamed_chat_is_a_run_with_its_steps_and_its_answer(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, SUM, text_completion("two"))
    client = streamed(chat, HELLO)
    run = chat.get(f"/api/runs/{client.events[0].data['run_id']}").body

    assert (run["status"], run["answer"]) == ("succeeded", client.events[-1].data)
    assert [step["step"] for step in run["steps"]] == ["model", "tool", "model"]


def test_events_after_any_id_complete_the_stream(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, SUM, text_completion("It is two, as ever: ümlaut \U0001f600 and more."))
    client = streamed(chat, HELLO)
    events = client.events
    run = events[0].data["run_id"]

    for cut in Random(7).sample(range(len(events)), 6):  # noqa: S311 (cut positions)
        rest = follow(chat, run, events[cut].id).events if cut < len(events) - 1 else []
        whole = [*events[: cut + 1], *rest]
        assert text_of(whole) == text_of(events)
        assert [event for event in whole if event.name != "delta"] == [e for e in events if e.name != "delta"]
    assert [event for event in follow(chat, run).events if event.name != "delta"] == [
        event for event in events if event.name != "delta"
    ]


def test_after_the_last_event_there_is_nothing_to_send(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    run = streamed(chat, HELLO).events[0].data["run_id"]

    assert follow(chat, run, "999999.0").status == 204


@pytest.mark.parametrize("id", ["x", "1", "1.2.3", "-1.0", "1.٣"])
def test_another_form_of_last_event_id_is_rejected(dynamodb: DynamoDBClient, id: str) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    run = streamed(chat, HELLO).events[0].data["run_id"]

    assert follow(chat, run, id).status == 400


def test_events_of_another_caller_are_not_found(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    run = streamed(chat, HELLO).events[0].data["run_id"]

    assert follow(chat, run, principal="bob").status == 404


def test_a_chat_continues_when_its_response_is_closed(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, SUM, text_completion("It is two."))
    client = streamed(chat, HELLO, client=StreamClient(room=3))
    rest = follow(chat, client.events[0].data["run_id"], client.events[-1].id).events

    assert client.names == ["accepted", "rule", "model_started"]
    assert ([event.name for event in rest][:2], rest[-1].name) == (["tool_started", "tool_finished"], "answer")
    assert len(chat.model.seen) == 2


def test_a_streamed_chat_is_cancelled_by_its_run(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, SUM, text_completion("It is two."))
    client = StreamClient()

    def cancel(piece: bytes) -> None:
        if b"event: model_started" in piece:
            assert chat.delete(f"/api/runs/{client.events[0].data['run_id']}").body["status"] == "cancelled"

    client.on_piece = cancel
    streamed(chat, HELLO, client=client)
    run = client.events[0].data["run_id"]

    assert client.events[-1].data["error"] == "cancelled"
    assert chat.get(f"/api/runs/{run}").body["status"] == "cancelled"


def test_a_repeated_request_streams_the_events_of_the_first_one(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("one"), text_completion("two"))
    first = streamed(chat, HELLO, headers={**STREAMED, **KEY})
    again = streamed(chat, HELLO, headers={**STREAMED, **KEY})
    whole = chat.post(HELLO, headers=KEY)

    assert (again.events, len(chat.model.seen)) == (first.events, 1)
    assert again.started[0][1]["Idempotent-Replayed"] == "true"
    assert whole.body == first.events[-1].data


def test_a_failed_stream_is_run_again_for_a_repeated_request(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, ModelError("no", type="authentication", provider="openai"), text_completion("two"))
    first = streamed(chat, HELLO, headers={**STREAMED, **KEY})
    again = streamed(chat, HELLO, headers={**STREAMED, **KEY})

    assert (first.names[-1], again.names[-1]) == ("error", "answer")


def test_a_background_run_survives_an_answer_that_breaks_off(dynamodb: DynamoDBClient) -> None:
    broken = ModelError("the connection broke", type="network", provider="openai", after_output=True)
    chat = chat_of(dynamodb, broken, text_completion("It is two."))
    run = chat.post(HELLO, headers={"Prefer": "respond-async"}).body["id"]
    chat.deliver()
    events = follow(chat, run).events

    assert [event.name for event in events] == [
        "accepted",
        "rule",
        "model_started",
        "warning",
        "model_started",
        "delta",
        "answer",
    ]
    assert text_of(events) == events[-1].data["content"] == "It is two."
    assert streamed(chat_of(dynamodb, broken), HELLO).names[-1] == "error"


def test_events_of_a_background_run_end_with_its_answer(dynamodb: DynamoDBClient) -> None:
    chat = chat_of(dynamodb, text_completion("hi"))
    run = chat.post(HELLO, headers={"Prefer": "respond-async", **STREAMED})
    chat.deliver()
    events = follow(chat, run.body["id"]).events

    assert run.status == 202
    assert (events[0].name, events[-1].name, events[-1].data["content"]) == ("accepted", "answer", "hi")
