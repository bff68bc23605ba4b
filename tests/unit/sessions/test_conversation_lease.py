"""Lease of a session during a chat."""

import pytest

from flexchat.api.answer import SessionReference
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.messages import assistant, user
from flexchat.sessions import SessionBusyError
from functions.chat.sessions.history import UNANSWERED
from functions.chat.sessions.turn import LOST
from tests.unit.sessions.clients import FailingClient, throttled
from tests.unit.sessions.harness import LEASE_IS_OVER, NOW, SessionHarness, closed, step_of


def test_a_session_is_leased_until_its_conversation_ends(harness: SessionHarness) -> None:
    conversation = harness.open("one", run="r1")
    with pytest.raises(SessionBusyError):
        harness.open("two", run="r2")
    closed(conversation, "ONE")

    assert harness.open("two", run="r2").number == 2


def test_the_lease_is_a_little_longer_than_the_deadline(harness: SessionHarness) -> None:
    harness.open("one", run="r1")
    harness.now += 20
    with pytest.raises(SessionBusyError):
        harness.open("two", run="r2")
    harness.now += 3.5

    assert harness.open("two", run="r2").history == (user("one"), assistant(UNANSWERED))


def test_a_session_is_available_half_a_minute_after_a_long_chat_crashed(harness: SessionHarness) -> None:
    harness.chat_seconds = 600
    harness.open("one", run="r1")
    harness.now += 32
    with pytest.raises(SessionBusyError) as caught:
        harness.open("two", run="r2")
    assert caught.value.retry_after == 1
    harness.now += 1.5

    assert harness.open("two", run="r2").history == (user("one"), assistant(UNANSWERED))


def test_a_running_long_chat_renews_its_lease(harness: SessionHarness) -> None:
    harness.chat_seconds = 600
    conversation = harness.open("one", run="r1")
    [beat] = harness.beats
    for _ in range(6):
        harness.now += 10
        assert beat()
    with pytest.raises(SessionBusyError) as caught:
        harness.open("two", run="r2")

    assert (caught.value.until, caught.value.retry_after) == (NOW + 60 + 33, 33)
    assert closed(conversation, "ONE").saved
    assert not beat()
    assert harness.open("two", run="r2").history == (user("one"), assistant("ONE"))


def test_the_lease_of_a_long_chat_ends_soon_after_its_deadline(harness: SessionHarness) -> None:
    harness.chat_seconds = 60
    harness.open("one", run="r1")
    harness.now += 55
    assert harness.beats[0]()
    with pytest.raises(SessionBusyError) as caught:
        harness.open("two", run="r2")

    assert caught.value.until == NOW + 60 + 3


def test_a_chat_that_lost_its_session_renews_nothing(harness: SessionHarness) -> None:
    harness.chat_seconds = 600
    harness.open("one", run="r1")
    harness.now += 34
    harness.chat("two", run="r2")

    assert not harness.beats[0]()
    assert harness.open("three", run="r3").number == 3


def test_a_short_chat_needs_no_renewal(harness: SessionHarness) -> None:
    harness.chat_seconds = 28
    harness.open("one", run="r1")

    assert harness.beats == []


def test_a_chat_that_lost_its_session_continues_without_writing(harness: SessionHarness) -> None:
    late = harness.conversations().open(
        owner="ann",
        session_id="s1",
        message="late",
        run="r1",
        settings=harness.settings,
        deadline=Deadline.after(1_000, clock=harness.clock),
    )
    harness.now += 1_010
    harness.chat("next", run="r2")
    harness.now -= 1_000
    late.observe(step_of("a"))
    late.observe(step_of("b"))

    assert closed(late, "Hi!") == SessionReference(id="s1", title="late", saved=False, turn=1, problem=LOST)
    late.abandon()
    assert harness.history() == (user("late"), assistant(UNANSWERED), user("next"), assistant("NEXT"))


def test_the_lease_of_an_unreadable_conversation_is_released_at_once(harness: SessionHarness) -> None:
    harness.chat("one", run="r1")
    refusing = FailingClient(harness.client, "query", throttled())

    with pytest.raises(UnavailableError):
        harness.open("two", run="r2", client=refusing.as_client())

    assert harness.history() == (user("one"), assistant("ONE"))


def test_a_conversation_that_cannot_be_read_or_released_is_available_after_its_lease(harness: SessionHarness) -> None:
    harness.chat("one", run="r1")
    unreadable = FailingClient(harness.client, "query", throttled(), after=1).as_client()
    refusing = FailingClient(unreadable, "transact_write_items", throttled(), after=1)

    with pytest.raises(UnavailableError):
        harness.open("two", run="r2", client=refusing.as_client())

    harness.now += LEASE_IS_OVER
    assert harness.history() == (user("one"), assistant("ONE"), user("two"), assistant(UNANSWERED))
