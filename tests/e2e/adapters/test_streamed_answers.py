"""Streamed completions of every adapter against the demo model over HTTP."""

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Completion, user
from functions.chat.providers.base import Delta, TextDelta
from tests.e2e.adapters.adapter_chat import Chat
from tests.e2e.adapters.test_provider_errors import REPORT_MALFORMED_CALLS

FAST = "stream_ms=0"


@pytest.mark.parametrize(
    "message",
    [
        f"[demo:{FAST}] Hello there",
        f"[demo:{FAST}] Weather in Oslo?",
        f'[demo:call=get_weather {{"location": "Oslo"}} {FAST}]',
        f"[demo:think {FAST}] hi",
        f"[demo:length {FAST}] hi",
        f"[demo:refuse {FAST}] hi",
        f"[demo:empty {FAST}] hi",
    ],
)
def test_streamed_completion_equals_the_plain_one(chat: Chat, message: str) -> None:
    streamed = chat.stream_chat(user(message))

    assert _comparable(streamed) == _comparable(chat.send_chat(user(message)))


def test_streamed_arguments_that_are_no_json_equal_the_plain_ones(chat: Chat) -> None:
    message = f"[demo:bad_json {FAST}] Weather in Oslo?"
    if chat.type in REPORT_MALFORMED_CALLS:
        with pytest.raises(ModelError) as caught:
            chat.stream_chat(user(message))
        assert caught.value.type == chat.fails(message).type == "malformed_tool_call"
        return

    assert _comparable(chat.stream_chat(user(message))) == _comparable(chat.send_chat(user(message)))


def test_text_arrives_in_many_pieces(chat: Chat) -> None:
    received: list[Delta] = []

    answer = chat.stream_chat(user(f"[demo:{FAST} chunk=4] Hello there"), on_delta=received.append)

    assert len(received) > len(answer.message.text) / 8


def test_stream_cut_after_its_first_piece_is_not_retried(slow_retries: Chat) -> None:
    received: list[Delta] = []

    with pytest.raises(ModelError) as caught:
        slow_retries.stream_chat(user(f"[demo:cut {FAST}] hi"), on_delta=received.append)

    assert (caught.value.type, caught.value.after_output) == ("network", True)
    assert all(isinstance(delta, TextDelta) for delta in received)
    assert slow_retries.waits == []


def test_stream_without_its_last_event_is_a_network_error(chat: Chat) -> None:
    with pytest.raises(ModelError) as caught:
        chat.stream_chat(user(f"[demo:end {FAST}] hi"))

    assert (caught.value.type, caught.value.after_output) == ("network", True)


def test_error_in_place_of_the_first_piece_is_retried(slow_retries: Chat) -> None:
    answer = slow_retries.stream_chat(user(f"[demo:error at=0 times=1 {FAST}] hi {slow_retries.type}"))

    assert answer.finish_reason == "stop"
    assert slow_retries.waits == [0.5]


def test_error_after_the_first_piece_is_raised(slow_retries: Chat) -> None:
    with pytest.raises(ModelError) as caught:
        slow_retries.stream_chat(user(f"[demo:error {FAST}] hi"))

    assert caught.value.message == "(demo model) an error in the stream was asked for"
    assert caught.value.after_output
    assert slow_retries.waits == []


def test_answer_in_place_of_a_stream_that_is_no_json_is_an_invalid_response(chat: Chat) -> None:
    with pytest.raises(ModelError) as caught:
        chat.stream_chat(user("[demo:malformed] hi"))

    assert caught.value.type == "invalid_response"


def test_receiver_that_has_gone_ends_the_call_at_once(chat: Chat) -> None:
    def gone(_: Delta) -> None:
        raise BrokenPipeError("the client has gone")

    with pytest.raises(BrokenPipeError, match="the client has gone"):
        chat.stream_chat(user("[demo:stream_ms=5000 chunk=1] Hello there"), on_delta=gone)


def _comparable(completion: Completion) -> tuple[object, ...]:
    """Return everything but the ids of calls and signatures, which are random."""
    return (
        completion.message.text,
        [(call.name, call.arguments, call.raw, call.problem) for call in completion.message.tool_calls],
        completion.finish_reason,
        completion.raw_finish_reason,
        completion.usage,
        completion.model,
    )
