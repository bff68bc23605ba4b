"""Streamed completions of OpenAI and compatible servers."""

import json
from typing import Any

import httpx2
import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Text, ToolCall, Usage, user
from functions.chat.providers.base import ArgumentsDelta, CallDelta, ChatOptions, Delta, TextDelta
from functions.chat.providers.openai.adapter import OpenAIProvider
from tests.unit.providers.http_server import CountedChunks
from tests.unit.providers.openai_server import Server, completion, provider_of, refused

USAGE = {"prompt_tokens": 12, "completion_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 3}}
DONE = b"[DONE]"


class Chunks(CountedChunks, httpx2.SyncByteStream):
    """Counted chunks of httpx2."""


def chunk(delta: Any = None, finish_reason: str | None = None, **fields: Any) -> bytes:
    choice: dict[str, Any] = {"index": 0, "delta": {} if delta is None else delta, "finish_reason": finish_reason}
    return json.dumps({"id": "c", "model": "gpt-4o-2024-08-06", "choices": [choice], **fields}).encode()


def text(content: Any) -> bytes:
    return chunk({"content": content})


def calls(*pieces: dict[str, Any]) -> bytes:
    return chunk({"tool_calls": list(pieces)})


def piece(index: int | None, arguments: str | None = None, **fields: Any) -> dict[str, Any]:
    name = {"name": fields.pop("name")} if "name" in fields else {}
    numbered = {} if index is None else {"index": index}
    return {**numbered, **fields, "function": {**name, **({} if arguments is None else {"arguments": arguments})}}


def usage(**fields: Any) -> bytes:
    return json.dumps({"choices": [], "usage": USAGE, **fields}).encode()


def body_of(*events: bytes) -> Chunks:
    return Chunks([b"data: " + event + b"\n\n" for event in events])


def stream(*events: bytes) -> httpx2.Response:
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=body_of(*events))


def streamed(provider: OpenAIProvider, **options: Any) -> tuple[Completion, list[Delta]]:
    received: list[Delta] = []
    answer = provider.generate_chat(
        [user("Hello")], "gpt-4o", ChatOptions(Deadline.after(30), **options), received.append
    )
    return answer, received


def answered(*events: bytes) -> tuple[Completion, list[Delta]]:
    return streamed(provider_of(Server(stream(*events))))


def failure(*events: bytes) -> tuple[str, str, bool]:
    with pytest.raises(ModelError) as caught:
        answered(*events)
    return caught.value.type, caught.value.message, caught.value.after_output


def test_a_streamed_request_asks_for_usage_and_no_compression() -> None:
    server = Server(stream(text("Hello."), chunk(finish_reason="stop"), usage(), DONE))

    streamed(provider_of(server))

    assert [(body["stream"], body["stream_options"]) for body in server.bodies] == [(True, {"include_usage": True})]
    assert server.requests[0].headers["accept-encoding"] == "identity"


def test_the_text_is_reported_in_pieces_and_the_completion_is_whole() -> None:
    answer, received = answered(
        chunk({"role": "assistant", "content": ""}), text("Hel"), text("lo."), chunk({}, "stop"), usage(), DONE
    )

    assert received == [TextDelta("Hel"), TextDelta("lo.")]
    assert answer == Completion(
        Message("assistant", (Text("Hello."),)),
        "stop",
        Usage(12, 7, reasoning_tokens=3),
        "gpt-4o-2024-08-06",
        "stop",
        "c",
    )


def test_a_stream_without_usage_is_a_completion_without_tokens() -> None:
    answer, _ = answered(text("Hello."), chunk({}, "length"), DONE)

    assert (answer.finish_reason, answer.usage) == ("length", Usage())


def test_a_stream_that_ends_after_its_finish_reason_is_complete() -> None:
    answer, received = answered(text("Hello."), chunk({}, "stop"))

    assert (answer.message.text, received) == ("Hello.", [TextDelta("Hello.")])


def test_calls_are_put_together_by_index_and_reported_once() -> None:
    answer, received = answered(
        calls(piece(0, "", id="a", type="function", name="lookup")),
        calls(piece(0, '{"key"')),
        calls(piece(1, id="b", name="calculate"), piece(0, ': "x"}')),
        calls(piece(1, '{"expression": ')),
        calls(piece(1, "1")),
        chunk({}, "tool_calls"),
        DONE,
    )

    assert received == [
        CallDelta(0, "lookup"),
        ArgumentsDelta(0, '{"key"'),
        ArgumentsDelta(0, ': "x"}'),
        CallDelta(1, "calculate"),
        ArgumentsDelta(1, '{"expression": '),
        ArgumentsDelta(1, "1"),
    ]
    assert answer.message.tool_calls == (
        ToolCall("a", "lookup", {"key": "x"}, '{"key": "x"}'),
        ToolCall(
            "b",
            "calculate",
            None,
            '{"expression": 1',
            answer.message.tool_calls[1].problem,
        ),
    )
    assert answer.message.tool_calls[1].problem is not None


@pytest.mark.parametrize(
    "events",
    [
        pytest.param(
            [calls(piece(0, "{}", id="a", name="lookup")), calls(piece(0, "{}", id="b", name="lookup"))],
            id="every call with index 0",
        ),
        pytest.param(
            [calls(piece(None, "{}", id="a", name="lookup"), piece(None, "{}", id="b", name="lookup"))],
            id="no index",
        ),
        pytest.param(
            [
                calls(piece(0, "{", id="a", name="lookup")),
                calls(piece(0, "}", id="a", name="lookup")),
                calls(piece(1, "{", id="b", name="lookup")),
                calls(piece(1, "}", id="b", name="lookup")),
            ],
            id="name and id in every piece",
        ),
    ],
)
def test_calls_of_servers_that_number_them_in_other_ways_are_put_together(events: list[bytes]) -> None:
    answer, received = answered(*events, chunk({}, "tool_calls"), DONE)

    assert [each for each in received if isinstance(each, CallDelta)] == [
        CallDelta(0, "lookup"),
        CallDelta(1, "lookup"),
    ]
    for index in (0, 1):
        pieces = [each.text for each in received if isinstance(each, ArgumentsDelta) and each.index == index]
        assert "".join(pieces) == "{}"
    assert answer.message.tool_calls == (ToolCall("a", "lookup", {}, "{}"), ToolCall("b", "lookup", {}, "{}"))


def test_a_call_without_a_name_is_reported_as_the_completion_names_it() -> None:
    answer, received = answered(calls(piece(0, "{}", id="a")), chunk({}, "tool_calls"), DONE)

    assert received == [CallDelta(0, "unnamed_tool"), ArgumentsDelta(0, "{}")]
    assert [call.name for call in answer.message.tool_calls] == ["unnamed_tool"]


def test_a_refusal_is_reported_as_the_text_only_without_another() -> None:
    refusal = [chunk({"refusal": "I can"}), chunk({"refusal": "not."}), chunk({}, "stop"), DONE]

    alone, alone_received = answered(*refusal)
    beside, beside_received = answered(text("Well. "), *refusal)

    assert (alone.message.text, alone.finish_reason, alone_received) == (
        "I cannot.",
        "refusal",
        [TextDelta("I cannot.")],
    )
    assert (beside.message.text, beside.finish_reason, beside_received) == ("Well. ", "refusal", [TextDelta("Well. ")])


def test_content_in_parts_is_reported_without_reasoning() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}

    answer, received = answered(
        text([thinking]), text([{"type": "text", "text": "Hello"}]), text("."), chunk({}, "stop"), DONE
    )

    assert (answer.message.text, received) == ("Hello.", [TextDelta("Hello"), TextDelta(".")])


def test_other_choices_and_comments_are_ignored() -> None:
    other = json.dumps({"choices": [{"index": 1, "delta": {"content": "no"}, "finish_reason": "stop"}]}).encode()

    answer, received = answered(other, text("yes"), chunk({}, "stop"), DONE)

    assert (answer.message.text, received) == ("yes", [TextDelta("yes")])


def test_a_plain_answer_of_a_server_that_does_not_stream_is_reported_whole() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "lookup", "arguments": "{}"}}

    answer, received = streamed(provider_of(Server(completion({"content": "Hello.", "tool_calls": [call]}))))

    assert (answer.message.text, received) == ("Hello.", [TextDelta("Hello."), CallDelta(0, "lookup")])


def test_a_plain_answer_of_another_content_type_is_accepted_too() -> None:
    body = {"choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}], "usage": USAGE}

    answer, received = streamed(provider_of(Server(httpx2.Response(200, content=json.dumps(body)))))

    assert (answer.message.text, answer.usage.output_tokens, received) == ("Hello.", 7, [TextDelta("Hello.")])


def test_a_page_in_place_of_a_stream_is_an_invalid_answer_that_is_not_retried() -> None:
    server = Server(
        httpx2.Response(200, headers={"content-type": "text/html"}, content=b"<!doctype html>\n<p>Hi</p>\n")
    )

    with pytest.raises(ModelError) as caught:
        streamed(provider_of(server, max_retries=2))

    assert (caught.value.type, len(server.requests)) == ("invalid_response", 1)


@pytest.mark.parametrize(
    "refusal",
    [
        refused("Unrecognized request argument supplied: stream_options"),
        refused("Unsupported parameter", code="unsupported_parameter", param="stream_options.include_usage"),
        httpx2.Response(
            422,
            json={
                "detail": [
                    {
                        "type": "extra_forbidden",
                        "loc": ["body", "stream_options"],
                        "msg": "Extra inputs are not permitted",
                    }
                ]
            },
        ),
    ],
)
def test_a_server_that_refuses_stream_options_streams_without_them(refusal: httpx2.Response) -> None:
    server = Server(refusal, stream(text("Hello."), chunk({}, "stop"), DONE))

    answer, received = streamed(provider_of(server))

    assert (answer.message.text, received) == ("Hello.", [TextDelta("Hello.")])
    assert ["stream_options" in body for body in server.bodies] == [True, False]
    assert all(body["stream"] for body in server.bodies)


def test_a_model_that_may_not_be_streamed_is_called_without_a_stream_from_then_on() -> None:
    server = Server(
        refused("Your organization must be verified to stream this model.", code="unsupported_value", param="stream"),
        completion({"content": "Hello."}),
    )
    provider = provider_of(server)

    answers = [streamed(provider), streamed(provider)]

    assert [(answer.message.text, received) for answer, received in answers] == [("Hello.", [TextDelta("Hello.")])] * 2
    assert ["stream" in body for body in server.bodies] == [True, False, False]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([text("Hel")], ("network", "the connection broke before the answer was complete", True)),
        ([], ("network", "the connection broke before the answer was complete", False)),
        (
            [text("Hel"), b'{"error": {"message": "The server had an error", "type": "server_error"}}'],
            ("server_error", "The server had an error", True),
        ),
        (
            [b'{"error": {"message": "slow down", "code": 429}, "choices": []}'],
            ("rate_limit", "slow down", False),
        ),
        ([b'{"detail": "out of memory"}'], ("server_error", "out of memory", False)),
        (
            [text("Hel"), b'{"choices": 5}'],
            ("invalid_response", "the answer cannot be read: choices: must be a list", True),
        ),
        (
            [b"[]"],
            ("invalid_response", "the answer cannot be read: event: must be an object", False),
        ),
        (
            [text(5)],
            ("invalid_response", "the answer cannot be read: delta.content: must be a list", False),
        ),
        ([DONE], ("invalid_response", "the answer cannot be read: choices: must not be empty", False)),
    ],
)
def test_a_stream_that_fails_has_the_error_of_its_cause(events: list[bytes], expected: tuple[str, str, bool]) -> None:
    assert failure(*events) == expected


@pytest.mark.parametrize("event", [b'{"choices": [{"delta": {"content": "\xff"}}]}', b"\xc3", b"{", b"no json"])
def test_an_event_that_is_no_json_in_utf8_is_an_invalid_answer(event: bytes) -> None:
    assert failure(text("Hel"), event)[0::2] == ("invalid_response", True)


@pytest.mark.parametrize(
    ("status", "kind"), [(401, "authentication"), (404, "not_found"), (429, "rate_limit"), (500, "server_error")]
)
def test_an_error_status_of_a_streamed_request_is_that_of_a_plain_one(status: int, kind: str) -> None:
    with pytest.raises(ModelError) as caught:
        streamed(provider_of(Server(refused("no", status=status))))

    assert (caught.value.type, caught.value.message, caught.value.after_output) == (kind, "no", False)


def test_a_busy_server_is_asked_again_before_the_first_delta() -> None:
    server = Server(refused("busy", status=503), stream(text("Hello."), chunk({}, "stop"), DONE))
    sleeps: list[float] = []

    answer, _ = streamed(provider_of(server, max_retries=2, sleeps=sleeps))

    assert (answer.message.text, len(server.requests), len(sleeps)) == ("Hello.", 2, 1)


def test_a_receiver_that_has_gone_closes_the_connection() -> None:
    body = body_of(*[text("x")] * 100)
    provider = provider_of(Server(httpx2.Response(200, stream=body)))

    def gone(_: Delta) -> None:
        raise BrokenPipeError("the client has gone")

    with pytest.raises(BrokenPipeError, match="the client has gone"):
        provider.generate_chat([user("Hello")], "gpt-4o", ChatOptions(Deadline.after(30)), gone)

    assert (body.sent, body.closed) == (1, True)


def test_the_whole_stream_is_read_so_that_its_connection_can_be_used_again() -> None:
    body = body_of(text("Hello."), chunk({}, "stop"), DONE, b'{"late": true}')

    answer, _ = streamed(provider_of(Server(httpx2.Response(200, stream=body))))

    assert (answer.message.text, body.sent) == ("Hello.", 4)
