"""Streamed completions of Anthropic."""

import json
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, user
from functions.chat.providers.anthropic.adapter import AnthropicProvider
from functions.chat.providers.anthropic.messages import parse_completion
from functions.chat.providers.base import ArgumentsDelta, CallDelta, ChatOptions, Delta, TextDelta
from functions.chat.providers.model_state import ModelStates
from functions.chat.providers.retry import RetryPolicy
from tests.contract.provider_streams import Event, anthropic_events
from tests.unit.providers.http_server import Chunks, Server

MODEL = "claude-haiku-4-5"
USAGE = {
    "input_tokens": 12,
    "cache_read_input_tokens": 4,
    "output_tokens": 7,
    "output_tokens_details": {"thinking_tokens": 2},
}
THINKING: Event = {"type": "thinking", "thinking": "Look it up.", "signature": "EqQBCgIYAg=="}
REDACTED: Event = {"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3p"}


def text(text: str) -> Event:
    return {"type": "text", "text": text}


def use(name: str, arguments: Any, id: str = "toolu_1") -> Event:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def message(*content: Event, stop: str | None = "end_turn", **fields: Any) -> Event:
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": f"{MODEL}-20251001"}
    return {**head, "content": list(content), "stop_reason": stop, "stop_sequence": None, "usage": USAGE, **fields}


def stream(*events: Event) -> httpx2.Response:
    body = [f"event: {event.get('type')}\r\ndata: {json.dumps(event)}\r\n\r\n".encode() for event in events]
    return httpx2.Response(200, headers={"content-type": "text/event-stream; charset=utf-8"}, stream=Chunks(body))


def send_chat(server: Server, *, retries: int = 0) -> tuple[Completion, list[Delta]]:
    received: list[Delta] = []
    provider = AnthropicProvider(
        "claude",
        LlmConfig(type="anthropic", api_key="k-1234567"),
        retry=RetryPolicy(max_retries=retries, sleep=lambda _: None),
        transport=server.transport,
    )
    return provider.generate_chat([user("Hello")], MODEL, ChatOptions(Deadline.after(30)), received.append), received


def failure(*events: Event) -> tuple[str, str, bool]:
    with pytest.raises(ModelError) as caught:
        send_chat(Server(stream(*events)))
    return caught.value.type, caught.value.message, caught.value.after_output


def plain(body: Event) -> Completion:
    answer = json.dumps(body).encode()
    return ModelStates("claude").call(
        MODEL, [user("Hello")], lambda messages: parse_completion(answer, model=MODEL, conversation=messages)
    )


@pytest.mark.parametrize(
    "body",
    [
        message(text("Hello 👋")),
        message(THINKING, text("One moment."), use("lookup", {"key": "a"}), stop="tool_use"),
        message(THINKING, REDACTED, use("lookup", {}), use("lookup", {"key": "b"}, "toolu_2"), stop="tool_use"),
        message({**THINKING, "thinking": ""}, text("Hello.")),
        message(text("One"), text(""), text("Two")),
        message(text("Once upon a"), stop="max_tokens"),
        message(text("I cannot"), stop="refusal", stop_details={"type": "refusal", "explanation": "No."}),
        message(stop="refusal", stop_details={"type": "refusal", "explanation": "No."}),
        message(text(""), stop="refusal", stop_details={"type": "refusal", "explanation": "No."}),
        message(THINKING, stop="refusal", stop_details={"type": "refusal", "explanation": "No."}),
        message({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}, text("Hello.")),
        message(use("lookup", {"key": "a"}), stop="max_tokens"),
        message(),
    ],
)
def test_a_streamed_completion_equals_the_plain_one_and_its_text_that_of_its_deltas(body: Event) -> None:
    answer, received = send_chat(Server(stream(*anthropic_events(body))))

    assert answer == plain(body)
    assert "".join(delta.text for delta in received if isinstance(delta, TextDelta)) == answer.message.text
    calls = [delta for delta in received if isinstance(delta, CallDelta)]
    assert calls == [CallDelta(index, call.name) for index, call in enumerate(answer.message.tool_calls)]


def test_the_request_asks_for_a_stream() -> None:
    server = Server(stream(*anthropic_events(message(text("Hello.")))))

    send_chat(server)

    assert [body["stream"] for body in server.bodies] == [True]


def call_events(*partial: str, stop: str = "tool_use") -> list[Event]:
    return [
        {"type": "message_start", "message": message(stop=None)},
        {"type": "content_block_start", "index": 0, "content_block": use("lookup", {})},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}}
            for piece in partial
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]


@pytest.mark.parametrize(
    ("partial", "arguments", "problem"),
    [
        ([], {}, None),
        ([""], {}, None),
        (["", '{"key": ', '"a"}'], {"key": "a"}, None),
        (
            ['{"key": "a'],
            None,
            "the arguments cannot be read: not valid JSON: a string is not closed at line 1 column 9",
        ),
        (["[1]"], None, "the arguments must be a JSON object, not an array"),
    ],
)
def test_arguments_in_pieces_are_read_as_those_in_one_piece(
    partial: list[str], arguments: dict[str, str] | None, problem: str | None
) -> None:
    answer, received = send_chat(Server(stream(*call_events(*partial))))

    call = answer.message.tool_calls[0]
    assert (call.name, call.arguments, call.problem) == ("lookup", arguments, problem)
    assert received == [CallDelta(0, "lookup"), *(ArgumentsDelta(0, piece) for piece in partial if piece)]


def test_arguments_that_were_cut_off_at_the_token_limit_are_incomplete() -> None:
    answer, _ = send_chat(Server(stream(*call_events('{"key": "a', stop="max_tokens"))))

    call = answer.message.tool_calls[0]
    assert (call.arguments, call.problem) == (None, "the answer was cut off before the arguments were complete")


ERROR: Event = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def test_an_error_event_has_the_type_of_its_status_and_is_retried_only_before_the_first_delta() -> None:
    started = list(anthropic_events(message(text("Hello."))))

    assert failure(ERROR) == ("overloaded", "Overloaded", False)
    assert failure(*started[:-2], ERROR) == ("overloaded", "Overloaded", True)
    retried, _ = send_chat(Server(stream(*started[:3], ERROR), stream(*started)), retries=1)
    assert retried.message.text == "Hello."


@pytest.mark.parametrize(("events", "after_output"), [(3, False), (5, True), (7, True)])
def test_a_stream_without_a_stop_reason_is_a_broken_connection(events: int, after_output: bool) -> None:
    sent = list(anthropic_events(message(text("Hello."))))[:events]

    assert failure(*sent) == ("network", "the connection broke before the answer was complete", after_output)


def test_a_stream_that_ends_after_its_stop_reason_is_an_answer() -> None:
    sent = [*anthropic_events(message(text("Hello.")))][:-1]

    answer, received = send_chat(Server(stream(*sent)))

    assert (answer.message.text, answer.finish_reason) == ("Hello.", "stop")
    assert received


@pytest.mark.parametrize(
    ("event", "problem"),
    [
        ({}, "type: must be a string"),
        ({"type": "message_start", "message": []}, "message: must be an object"),
        ({"type": "content_block_start", "index": 0}, "content_block: must be an object"),
        ({"type": "content_block_start", "index": "0", "content_block": {}}, "index: must be an integer"),
        (
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": 5}},
            "content_block.text: must be a string",
        ),
        (
            {"type": "content_block_delta", "index": 9, "delta": {"type": "text_delta", "text": "x"}},
            "index: must be that of a block that was started",
        ),
    ],
)
def test_an_unreadable_event_is_an_error_that_does_not_quote_it(event: Event, problem: str) -> None:
    assert failure(event) == ("invalid_response", f"the answer cannot be read: {problem}", False)


def test_events_and_deltas_of_unknown_types_are_ignored() -> None:
    events = list(anthropic_events(message(text("Hello."))))
    unknown: list[Event] = [
        {"type": "heartbeat", "at": 5},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": {}}},
    ]

    answer, _ = send_chat(Server(stream(*events[:4], *unknown, *events[4:])))

    assert answer == plain(message(text("Hello.")))


def test_a_plain_response_of_a_server_that_does_not_stream_is_one_delta() -> None:
    answer, received = send_chat(Server(httpx2.Response(200, json=message(text("Hello.")))))

    assert (answer, received) == (plain(message(text("Hello."))), [TextDelta("Hello.")])
