"""Streamed completions of Bedrock, over botocore's client."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, user
from functions.chat.providers.base import ArgumentsDelta, CallDelta, ChatOptions, Delta, TextDelta
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.bedrock.messages import parse_completion
from functions.chat.providers.model_state import ModelStates
from functions.chat.providers.retry import RetryPolicy
from tests.contract.bedrock_wire import bedrock_client
from tests.contract.event_stream_frames import event_frame, exception_frame, frame
from tests.contract.provider_streams import Event, converse_events
from tests.contract.wire_script import Playback, WireAnswer
from tests.unit.providers.bedrock_service import TOOL

MODEL = "eu.anthropic.claude-haiku-4-5-20251001-v1:0"
USAGE = {"inputTokens": 12, "outputTokens": 7, "totalTokens": 19, "cacheReadInputTokens": 4}


def use(name: str, value: Any, id: str = "tooluse_1") -> Event:
    return {"toolUse": {"toolUseId": id, "name": name, "input": value}}


def reasoning(text: str, **fields: Any) -> Event:
    return {"reasoningContent": {"reasoningText": {"text": text, **fields}}}


REDACTED: Event = {"reasoningContent": {"redactedContent": "ZW5jcnlwdGVk"}}


def response(*blocks: Event, stop: str = "end_turn") -> Event:
    return {
        "output": {"message": {"role": "assistant", "content": list(blocks)}},
        "stopReason": stop,
        "usage": USAGE,
    }


def frames(body: Event) -> list[bytes]:
    return [event_frame(name, payload) for name, payload in converse_events(body)]


def stream(parts: Iterable[bytes], **answer: Any) -> WireAnswer:
    headers = {"content-type": "application/vnd.amazon.eventstream"}
    return WireAnswer(headers=headers, data=b"".join(parts), **answer)


def refused(message: str, status: int = 400, code: str = "ValidationException") -> WireAnswer:
    return WireAnswer(status=status, headers={"x-amzn-errortype": code}, body={"message": message})


def provider_of(playback: Playback, *, retries: int = 0) -> BedrockProvider:
    return BedrockProvider(
        "main",
        LlmConfig(type="bedrock", region="eu-central-1"),
        retry=RetryPolicy(max_retries=retries, sleep=lambda _: None),
        client=bedrock_client(playback, key="k"),
    )


def send_chat(provider: BedrockProvider, *, tools: bool = False) -> tuple[Completion, list[Delta]]:
    received: list[Delta] = []
    options = ChatOptions(Deadline.after(30), tools=[TOOL] if tools else ())
    return provider.generate_chat([user("Hello")], MODEL, options, received.append), received


def failure(*parts: bytes, **answer: Any) -> tuple[str, str, bool]:
    with pytest.raises(ModelError) as caught:
        send_chat(provider_of(Playback([stream(parts, **answer)])))
    return caught.value.type, caught.value.message, caught.value.after_output


def plain(body: Json) -> Completion:
    answer = json.dumps(body).encode()
    return ModelStates("main").call(
        MODEL, [user("Hello")], lambda messages: parse_completion(answer, model=MODEL, conversation=messages)
    )


@pytest.mark.parametrize(
    "body",
    [
        response({"text": "Hello 👋"}),
        response(reasoning("Look it up.", signature="c2ln"), {"text": "Wait."}, use("t", {"q": "a"}), stop="tool_use"),
        response(REDACTED, use("t", {}), use("t", {"q": "ü"}, "tooluse_2"), stop="tool_use"),
        response(reasoning("Without a signature."), {"text": "Hello."}),
        response({"text": "One"}, {"text": ""}, {"text": "two"}),
        response({"text": "Once upon a"}, stop="max_tokens"),
        response({"text": "That is not allowed here."}, stop="guardrail_intervened"),
        response(stop="content_filtered"),
        response(),
    ],
)
def test_a_streamed_completion_equals_the_plain_one_and_its_text_that_of_its_deltas(body: Event) -> None:
    answer, received = send_chat(provider_of(Playback([stream(frames(body))])))

    assert answer == plain(body)
    assert "".join(delta.text for delta in received if isinstance(delta, TextDelta)) == answer.message.text
    calls = [delta for delta in received if isinstance(delta, CallDelta)]
    assert calls == [CallDelta(index, call.name) for index, call in enumerate(answer.message.tool_calls)]


def call_frames(*pieces: str) -> list[bytes]:
    start = {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "tooluse_1", "name": "t"}}}
    deltas = [{"contentBlockIndex": 0, "delta": {"toolUse": {"input": piece}}} for piece in pieces]
    return [
        event_frame("contentBlockStart", start),
        *(event_frame("contentBlockDelta", delta) for delta in deltas),
        event_frame("contentBlockStop", {"contentBlockIndex": 0}),
        event_frame("messageStop", {"stopReason": "tool_use"}),
        event_frame("metadata", {"usage": USAGE}),
    ]


@pytest.mark.parametrize(
    ("pieces", "arguments", "problem"),
    [
        ([], {}, None),
        ([""], {}, None),
        (["", '{"q": ', '"a"}'], {"q": "a"}, None),
        (['{"q": "a'], None, "the arguments cannot be read: not valid JSON: a string is not closed at line 1 column 7"),
        (["5"], None, "the arguments must be a JSON object, not a number"),
    ],
)
def test_arguments_in_pieces_are_read_as_those_in_one_piece(
    pieces: list[str], arguments: dict[str, str] | None, problem: str | None
) -> None:
    answer, received = send_chat(provider_of(Playback([stream(call_frames(*pieces))])))

    call = answer.message.tool_calls[0]
    assert (call.id, call.name, call.arguments, call.problem) == ("tooluse_1", "t", arguments, problem)
    assert received == [CallDelta(0, "t"), *(ArgumentsDelta(0, piece) for piece in pieces if piece)]


def test_encrypted_reasoning_and_signatures_in_pieces_are_joined() -> None:
    deltas = [
        (0, {"text": "Look "}),
        (0, {"text": "it up."}),
        (0, {"signature": "c2ln"}),
        (0, {"signature": "bmF0"}),
        (1, {"redactedContent": "ZW5jcg=="}),
        (1, {"redactedContent": "eXB0ZWQ="}),
    ]
    parts = [
        event_frame("contentBlockDelta", {"contentBlockIndex": index, "delta": {"reasoningContent": delta}})
        for index, delta in deltas
    ]

    answer, received = send_chat(provider_of(Playback([stream([*parts, *frames(response())[1:]])])))

    assert answer == plain(response(reasoning("Look it up.", signature="c2lnbmF0"), REDACTED))
    assert received == []


HELLO = response({"text": "Hello."})
BROKEN = "the connection broke before the answer was complete"


@pytest.mark.parametrize(
    ("name", "type", "transient"),
    [
        ("throttlingException", "rate_limit", True),
        ("modelStreamErrorException", "server_error", True),
        ("internalServerException", "server_error", True),
        ("serviceUnavailableException", "overloaded", True),
        ("validationException", "invalid_request", False),
        ("modelTimeoutException", "timeout", False),
        ("somethingNewException", "server_error", True),
    ],
)
def test_an_exception_in_the_stream_is_retried_only_before_the_first_delta(
    name: str, type: str, transient: bool
) -> None:
    exception = exception_frame(name, "It failed.")

    assert failure(exception) == (type, "It failed.", False)
    assert failure(*frames(HELLO)[:2], exception) == (type, "It failed.", True)
    playback = Playback([stream([exception]), stream(frames(HELLO))])
    if transient:
        assert send_chat(provider_of(playback, retries=1))[0] == plain(HELLO)
    else:
        with pytest.raises(ModelError):
            send_chat(provider_of(playback, retries=1))
    assert playback.remaining == (0 if transient else 1)


def test_an_error_that_the_service_does_not_describe_is_a_server_error() -> None:
    headers = {":message-type": "error", ":error-code": "InternalError", ":error-message": "It failed."}

    assert failure(frame(headers, b"")) == ("server_error", "It failed.", False)


@pytest.mark.parametrize(("sent", "after_output"), [(0, False), (1, False), (2, True), (4, True)])
def test_a_stream_without_the_end_of_the_message_is_a_broken_connection(sent: int, after_output: bool) -> None:
    assert failure(*frames(HELLO)[:sent]) == ("network", BROKEN, after_output)


def test_a_message_without_metadata_has_no_usage() -> None:
    answer, _ = send_chat(provider_of(Playback([stream(frames(HELLO)[:-1])])))

    assert answer == plain({**HELLO, "usage": {}})


def test_a_connection_that_breaks_after_the_first_delta_is_an_error_at_once() -> None:
    assert failure(*frames(response({"text": "Hello. " * 500})), fault="cut") == ("network", BROKEN, True)


def test_a_body_that_is_no_event_stream_is_an_unreadable_response() -> None:
    message = "the answer cannot be read: it is not a valid event stream"

    assert failure(b"<html><body>Welcome</body></html>") == ("invalid_response", message, False)
    damaged = frames(HELLO)[1].replace(b"Hel", b"Hal")
    assert failure(damaged) == ("invalid_response", message, False)


@pytest.mark.parametrize(
    ("name", "payload", "problem"),
    [
        ("contentBlockDelta", [], "contentBlockDelta: must be an object"),
        ("contentBlockDelta", {"delta": 5}, "delta: must be an object"),
        ("contentBlockDelta", {"delta": {"text": 5}}, "delta.text: must be a string"),
        ("contentBlockDelta", {"contentBlockIndex": "0", "delta": {}}, "contentBlockIndex: must be an integer"),
        (
            "contentBlockDelta",
            {"contentBlockIndex": 0, "delta": {"toolUse": {"input": "{"}}},
            "contentBlockIndex: must be that of a tool call that was started",
        ),
    ],
)
def test_an_unreadable_event_is_an_error_that_does_not_quote_it(name: str, payload: Any, problem: str) -> None:
    unreadable = ("invalid_response", f"the answer cannot be read: {problem}", False)

    assert failure(event_frame(name, payload)) == unreadable


def test_events_of_unknown_names_are_ignored() -> None:
    unknown = event_frame("contentBlockHint", {"contentBlockIndex": 0})

    answer, _ = send_chat(provider_of(Playback([stream([unknown, *frames(HELLO)])])))

    assert answer == plain(HELLO)


@pytest.mark.parametrize("tools", [False, True])
def test_a_model_that_refuses_a_stream_answers_in_one_piece_from_then_on(tools: bool) -> None:
    refusal = refused("This model doesn't support tool use in streaming mode.")
    playback = Playback([refusal, *[WireAnswer(headers={}, body=HELLO)] * 2, stream(frames(HELLO))])
    provider = provider_of(playback)

    answers = [send_chat(provider, tools=tools), send_chat(provider, tools=tools), send_chat(provider, tools=not tools)]

    assert answers[:2] == [(plain(HELLO), [TextDelta("Hello.")])] * 2
    assert answers[2][0] == plain(HELLO)
    operations = [request.url.rsplit("/", 1)[1] for request in playback.requests]
    assert operations == ["converse-stream", "converse", "converse", "converse-stream"]


def test_an_error_about_permissions_is_not_answered_in_one_piece() -> None:
    text = "User is not authorized to perform: bedrock:InvokeModelWithResponseStream"
    playback = Playback([refused(text, 403, "AccessDeniedException")])

    with pytest.raises(ModelError) as caught:
        send_chat(provider_of(playback))

    assert (caught.value.type, caught.value.message) == ("permission", text)
