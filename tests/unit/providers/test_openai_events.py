"""Streams of servers that write server-sent events in other ways than OpenAI."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.error_bodies import BodyTooLargeError
from flexchat.errors import ModelError
from flexchat.messages import Completion, user
from functions.chat.providers.base import ArgumentsDelta, CallDelta, ChatOptions, Delta, TextDelta
from functions.chat.providers.openai.adapter import OpenAIProvider
from functions.chat.providers.openai.stream import EventBody

HELLO = b'data: {"choices": [{"delta": {"content": "Hello."}}]}'
STOP = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}'
USAGE = b'data: {"choices": [], "usage": {"completion_tokens": 7}}'
DONE = b"data: [DONE]"


class Body(httpx2.SyncByteStream):
    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        yield from self._chunks


def streamed(*chunks: bytes, **headers: str) -> tuple[Completion, list[Delta]]:
    """Return the completion and the deltas of a streamed chat whose response has `chunks`."""
    response = httpx2.Response(200, headers=headers, stream=Body(list(chunks)))
    config = LlmConfig(type="openai", max_retries=0)
    provider = OpenAIProvider("main", config, transport=httpx2.MockTransport(lambda _: response))
    received: list[Delta] = []
    answer = provider.generate_chat([user("Hi")], "m", ChatOptions(Deadline.after(30)), received.append)
    return answer, received


WHOLE = b"\n\n".join((HELLO, STOP, USAGE, DONE, b""))


@pytest.mark.parametrize(
    "chunks",
    [
        pytest.param([WHOLE], id="in one chunk"),
        pytest.param([WHOLE[at : at + 1] for at in range(len(WHOLE))], id="in bytes"),
        pytest.param([b"", b"\n", WHOLE], id="after an empty line"),
        pytest.param([WHOLE.replace(b"\n", b"\r\n")], id="with CRLF"),
        pytest.param([WHOLE.replace(b"\n", b"\r")], id="with CR"),
        pytest.param([b"\xef\xbb\xbf" + WHOLE], id="with a byte order mark"),
        pytest.param([WHOLE.replace(b"data: ", b"data:")], id="without a space"),
        pytest.param([WHOLE.replace(b"data: {", b"event: chunk\nid: 5\ndata: {")], id="with names and ids"),
        pytest.param([b"id: 5\nretry: 3000\n\n", b": waiting\n\n", WHOLE], id="with events without data"),
        pytest.param([b": waiting\n\n", b"data: \n\n", WHOLE], id="with empty data"),
        pytest.param([b"\n\n".join((HELLO, STOP, USAGE))], id="without a blank line at the end"),
        pytest.param([b"\n\n".join((HELLO, STOP, USAGE, DONE))], id="without a blank line after the end"),
        pytest.param([WHOLE, b"data: {"], id="with more after the end"),
    ],
)
def test_a_stream_is_read_however_it_is_written(chunks: list[bytes]) -> None:
    answer, received = streamed(*chunks)

    assert (answer.message.text, answer.usage.output_tokens, answer.finish_reason) == ("Hello.", 7, "stop")
    assert received == [TextDelta("Hello.")]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([HELLO + b"\n\n", b'data: {"choices": [{"del'], ("network", True)),
        ([HELLO + b"\n\n", b"data: [DO"], ("network", True)),
        ([b"", b"\n"], ("network", False)),
        ([HELLO + b"\n\n", b"data: {\n\n"], ("invalid_response", True)),
        ([HELLO + b"\n\n", b"data: " + b"[" * 100_000 + b"\n\n"], ("invalid_response", True)),
        ([b"<html>\n", b"</html>"], ("invalid_response", False)),
        ([b"Service unavailable"], ("invalid_response", False)),
    ],
)
def test_a_broken_stream_is_retried_and_an_unreadable_one_is_not(
    chunks: list[bytes], expected: tuple[str, bool]
) -> None:
    with pytest.raises(ModelError) as caught:
        streamed(*chunks)

    assert (caught.value.type, caught.value.after_output) == expected


def test_an_answer_in_one_piece_may_have_any_content_type() -> None:
    body: Any = {"choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}]}

    for content_type in ("application/json", "text/event-stream", "text/plain"):
        answer, received = streamed(
            *[bytes([byte]) for byte in json.dumps(body).encode()], **{"content-type": content_type}
        )

        assert (answer.message.text, received) == ("Hello.", [TextDelta("Hello.")])


def test_a_lone_surrogate_in_a_stream_becomes_a_question_mark() -> None:
    call = b'{"index": 0, "function": {"name": "look\\ud83d", "arguments": "{\\"key\\": \\"\\ud83d\\"}"}}'

    answer, received = streamed(
        b'data: {"choices": [{"delta": {"content": "a\\ud83d"}}]}\n\n',
        b'data: {"choices": [{"delta": {"tool_calls": [' + call + b"]}}]}\n\n",
        DONE + b"\n\n",
    )

    assert received == [TextDelta("a?"), CallDelta(0, "look?"), ArgumentsDelta(0, '{"key": "?"}')]
    assert (answer.message.text, answer.message.tool_calls[0].name) == ("a?", "look?")
    assert answer.message.tool_calls[0].arguments == {"key": "?"}


def test_a_character_that_two_pieces_of_arguments_share_is_one() -> None:
    halves = (b'{\\"key\\": \\"\\ud83d', b'\\ude00\\"}')
    calls = [
        b'data: {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "look", "arguments": "'
        + half
        + b'"}}]}}]}\n\n'
        for half in halves
    ]

    answer, received = streamed(*calls, DONE + b"\n\n")

    assert received == [CallDelta(0, "look"), ArgumentsDelta(0, '{"key": "'), ArgumentsDelta(0, '\U0001f600"}')]
    assert answer.message.tool_calls[0].arguments == {"key": "\U0001f600"}


def test_a_line_without_end_is_abandoned_at_its_limit() -> None:
    with pytest.raises(BodyTooLargeError):
        list(EventBody(iter([b"data: x", b"x" * 10]), max_bytes=10))

    assert list(EventBody(iter([b"data: x\n", b"x" * 9]), max_bytes=10)) == [b"data: x\n", b"x" * 9]
