"""Contract of the provider adapters: errors, retries and deadlines."""

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Message, Text, user
from functions.chat.providers.base import ChatOptions
from tests.contract.provider_conversation import Conversation
from tests.contract.wire_script import ErrorCase, Playback, Wire, error_cases, retry_policy
from tests.contract.wires import STREAMED_WIRES, WIRES


def test_an_empty_turn_in_the_history_is_accepted(wire: Wire) -> None:
    chat = Conversation(wire, "after_an_empty_turn")

    answer = chat.send_chat([user("Go on"), Message("assistant", ()), user("Still there?")])

    assert answer == chat.expected(0, "stop", Text("Yes."))
    chat.check_requests()


@pytest.mark.parametrize(
    ("wire", "case"),
    [
        *(pytest.param(wire, case, id=f"{wire.type}-{case.name}") for wire in WIRES for case in error_cases(wire.type)),
        *(
            pytest.param(wire, case, id=f"{wire.type}-streamed-{case.name}")
            for wire in STREAMED_WIRES
            for case in error_cases(wire.type)
            if case.is_error
        ),
    ],
)
def test_an_error_has_its_type_and_the_provider_message_without_any_key(wire: Wire, case: ErrorCase) -> None:
    playback = Playback([case.answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)

    with pytest.raises(ModelError) as caught:
        provider.generate_chat([user("Hello")], wire.model, ChatOptions(deadline=Deadline.after(30)))

    assert (caught.value.type, caught.value.message, caught.value.provider) == (case.type, case.message, "main")
    assert wire.key not in str(caught.value)


def test_a_rate_limit_is_retried_after_the_delay_of_the_provider(wire: Wire) -> None:
    sleeps: list[float] = []
    chat = Conversation(wire, "rate_limited_once", retry=retry_policy(1, sleeps))

    answer = chat.send_chat([user("Hello")])

    assert answer == chat.expected(1, "stop", Text("Hello."))
    assert sleeps == [3.0]
    chat.check_requests()


def test_a_delay_beyond_the_deadline_raises_the_error_at_once(wire: Wire) -> None:
    sleeps: list[float] = []
    chat = Conversation(wire, "rate_limited_once", retry=retry_policy(1, sleeps))

    with pytest.raises(ModelError) as caught:
        chat.send_chat([user("Hello")], deadline=_stopped_clock(2.5))

    assert (caught.value.type, caught.value.retry_after) == ("rate_limit", 3.0)
    assert sleeps == []


def test_a_connection_closed_in_the_body_is_retried(wire: Wire) -> None:
    sleeps: list[float] = []
    chat = Conversation(wire, "cut_once", retry=retry_policy(1, sleeps))

    answer = chat.send_chat([user("Hello")])

    assert answer == chat.expected(1, "stop", Text("Hello."))
    assert sleeps == [0.5]
    chat.check_requests()


def test_a_connection_closed_every_time_is_a_network_error(wire: Wire) -> None:
    chat = Conversation(wire, "cut_once")

    with pytest.raises(ModelError) as caught:
        chat.send_chat([user("Hello")])

    assert caught.value.type == "network"


def test_no_answer_before_the_deadline_is_a_timeout_without_a_retry(wire: Wire) -> None:
    sleeps: list[float] = []
    chat = Conversation(wire, "no_answer", retry=retry_policy(2, sleeps))

    with pytest.raises(ModelError) as caught:
        chat.send_chat([user("Hello")], deadline=_stopped_clock(1.5))

    assert (caught.value.type, caught.value.message) == ("timeout", "the model did not answer within 1500 ms")
    assert [request.timeout for request in chat.playback.requests] == [1.5]
    assert sleeps == []
    chat.check_requests()


@pytest.mark.parametrize(("timeout_ms", "seconds"), [(800, 0.8), (60_000, 4.0)])
def test_an_attempt_is_limited_by_the_configured_timeout_and_the_remaining_time(
    wire: Wire, timeout_ms: int, seconds: float
) -> None:
    chat = Conversation(wire, "plain_hello", timeout_ms=timeout_ms)

    chat.send_chat([user("Hello")], deadline=_stopped_clock(4.0))

    assert [request.timeout for request in chat.playback.requests] == [seconds]


def test_nothing_is_sent_after_the_deadline(wire: Wire) -> None:
    playback = Playback([])
    provider = wire.provider(playback, retry=retry_policy(2, []), timeout_ms=60_000)

    with pytest.raises(ModelError) as caught:
        provider.generate_chat([user("Hello")], wire.model, ChatOptions(deadline=_stopped_clock(0)))

    assert caught.value.type == "timeout"
    assert playback.requests == []


def _stopped_clock(seconds: float) -> Deadline:
    """A deadline `seconds` ahead, for ever."""
    return Deadline.after(seconds, clock=lambda: 0.0)
