"""Turns of a session: history, records, and failed writes that never fail the chat."""

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.api.answer import SessionReference
from flexchat.errors import UnavailableError
from flexchat.messages import assistant, user
from flexchat.sessions import SessionMovedOnError, SessionNotFoundError
from functions.chat.generation.events import LimitReached
from functions.chat.sessions.history import UNANSWERED
from functions.chat.sessions.turn import UNSAVED
from tests.unit.sessions.clients import FailingClient, InterferingClient, throttled
from tests.unit.sessions.harness import LEASE_IS_OVER, NOW, SessionHarness, closed, messages_of, step_of

SAVED = SessionReference(id="s1", title="Hello", saved=True, turn=1)


def test_a_first_message_creates_a_session_without_history(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1")

    assert (conversation.session_id, conversation.title, conversation.topic) == ("s1", "Hello", None)
    assert (conversation.number, conversation.history) == (1, ())
    assert conversation.message == "Hello"
    assert closed(conversation, "Hi!") == SAVED


def test_the_next_message_gets_the_history_and_the_topic(harness: SessionHarness) -> None:
    first = harness.open("Hello", run="r1")
    step = step_of("a", "b")
    first.observe(step)
    closed(first, "Hi!", topic="greetings")

    second = harness.open("And now?", run="r2")

    assert second.history == (user("Hello"), *messages_of(step), assistant("Hi!"))
    assert (second.topic, second.title, second.number) == ("greetings", "Hello", 2)


def test_history_is_limited_by_tokens(harness: SessionHarness) -> None:
    harness.max_history_tokens = 100
    for number in range(5):
        harness.chat(f"message {number} " + "x" * 100, run=f"r{number}")

    assert [message.text[:9] for message in harness.history()] == ["message 4", "MESSAGE 4"]


def test_the_title_is_the_start_of_the_first_message_in_one_line(harness: SessionHarness) -> None:
    conversation = harness.open("  Please\n tell me   everything " + "about it " * 20, run="r1")

    assert conversation.title == "Please tell me everything about it about it about it about…"


def test_other_events_are_ignored(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1")
    conversation.observe(LimitReached("deadline", 1))
    closed(conversation, "Hi!")

    assert harness.history() == (user("Hello"), assistant("Hi!"))


def test_a_chat_that_failed_before_any_step_leaves_no_message(harness: SessionHarness) -> None:
    harness.chat("one", run="r1")
    harness.open("two", run="r2").abandon()

    assert harness.history() == (user("one"), assistant("ONE"))


def test_a_chat_that_failed_after_its_tools_ran_stores_their_results(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1")
    step = step_of("a")
    conversation.observe(step)
    conversation.abandon()

    assert harness.history() == (user("Hello"), *messages_of(step), assistant(UNANSWERED))


def test_a_failed_write_of_a_step_is_repeated_with_the_next_step(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1", client=failing_client(harness, times=1))
    first, second = step_of("a"), step_of("b", iteration=2)
    conversation.observe(first)
    conversation.observe(second)

    assert closed(conversation, "Hi!") == SAVED
    assert harness.history() == (user("Hello"), *messages_of(first), *messages_of(second), assistant("Hi!"))


def test_failed_writes_of_steps_are_repeated_at_the_end(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1", client=failing_client(harness, times=4))
    first, second = step_of("a"), step_of("b", iteration=2)
    conversation.observe(first)
    conversation.observe(second)

    assert closed(conversation, "Hi!") == SAVED
    assert harness.history() == (user("Hello"), *messages_of(first), *messages_of(second), assistant("Hi!"))


def test_a_failed_write_of_an_answer_is_retried(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1", client=failing_client(harness, times=2))

    assert closed(conversation, "Hi!") == SAVED
    assert harness.history() == (user("Hello"), assistant("Hi!"))


def test_an_answer_that_cannot_be_stored_is_reported_as_unsaved(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1", client=failing_client(harness))
    conversation.observe(step_of("a"))

    assert closed(conversation, "Hi!") == SessionReference(id="s1", title="Hello", saved=False, turn=1, problem=UNSAVED)
    harness.now += LEASE_IS_OVER
    assert harness.history() == (user("Hello"), assistant(UNANSWERED))


def test_an_answer_is_stored_even_if_a_step_cannot_be(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1", client=failing_client(harness, times=4))
    conversation.observe(step_of("a"))

    assert closed(conversation, "Hi!") == SessionReference(id="s1", title="Hello", saved=False, turn=1, problem=UNSAVED)
    assert harness.history() == (user("Hello"), assistant("Hi!"))


def test_a_slow_table_is_limited_to_its_share_of_the_chat_time(harness: SessionHarness) -> None:
    hanging = InterferingClient(harness.client, lambda: None)
    conversation = harness.open("Hello", run="r1", client=hanging.as_client())
    tried: list[str] = []

    def hang() -> None:
        tried.append("a transaction")
        harness.now += 3
        raise throttled()

    steps = [step_of(f"call_{number}", iteration=number) for number in range(1, 6)]
    for step in steps:
        hanging.first, hanging.is_over = hang, False
        conversation.observe(step)

    assert len(tried) == 2
    assert harness.now == NOW + 6
    hanging.is_over = True
    assert closed(conversation, "Hi!") == SAVED
    assert len(harness.history()) == 12


def test_no_retry_starts_after_the_deadline(harness: SessionHarness) -> None:
    conversation = harness.open("Hello", run="r1")
    harness.now += 21

    assert closed(conversation, "Hi!").problem == UNSAVED
    conversation.abandon()
    harness.now += LEASE_IS_OVER
    assert harness.history() == (user("Hello"), assistant(UNANSWERED))


def test_a_redelivered_request_continues_after_its_stored_steps(harness: SessionHarness) -> None:
    first, second = step_of("a"), step_of("b")
    harness.open("Hello", run="r1").observe(first)

    again = harness.open("Hello", run="r1")
    again.observe(second)
    closed(again, "Hi!")

    assert (again.number, again.history) == (1, ())
    assert harness.history() == (user("Hello"), *messages_of(first), *messages_of(second), assistant("Hi!"))


def test_a_partial_answer_is_replaced_when_its_turn_is_resumed(harness: SessionHarness) -> None:
    harness.chat("before", run="r0")
    first, second = step_of("a"), step_of("b")
    partial = harness.open("Hello", run="r1")
    partial.observe(first)
    closed(partial, "No time.", status="partial", topic="greetings")

    resumed = harness.resume(2, run="r2")
    assert (resumed.number, resumed.message, resumed.topic) == (2, "Hello", "greetings")
    assert resumed.history == (user("before"), assistant("BEFORE"))
    resumed.observe(second)
    closed(resumed, "Hi!")

    assert harness.history()[2:] == (user("Hello"), *messages_of(first), *messages_of(second), assistant("Hi!"))


def test_a_resumed_turn_that_fails_has_its_partial_answer(harness: SessionHarness) -> None:
    closed(harness.open("Hello", run="r1"), "No time.", status="partial")

    harness.resume(1, run="r2").abandon()

    assert harness.history() == (user("Hello"), assistant("No time."))
    assert harness.resume(1, run="r3").message == "Hello"


def test_a_resumed_turn_with_unreadable_history_has_its_partial_answer(harness: SessionHarness) -> None:
    harness.chat("one", run="r1")
    closed(harness.open("two", run="r2"), "No time.", status="partial")
    refusing = FailingClient(harness.client, "query", throttled(), after=1)

    with pytest.raises(UnavailableError):
        harness.conversations(refusing.as_client()).resume(
            owner="ann", session_id="s1", turn=2, run="r3", settings=harness.settings, deadline=harness.deadline
        )

    assert harness.history() == (user("one"), assistant("ONE"), user("two"), assistant("No time."))


def test_a_session_with_a_newer_turn_is_not_resumed(harness: SessionHarness) -> None:
    closed(harness.open("one", run="r1"), "No time.", status="partial")
    harness.chat("two", run="r2")

    with pytest.raises(SessionMovedOnError):
        harness.resume(1, run="r3")
    with pytest.raises(SessionMovedOnError):
        harness.resume(2, run="r3")
    with pytest.raises(SessionNotFoundError):
        harness.resume(1, run="r3", owner="bob")

    assert harness.history() == (user("one"), assistant("No time."), user("two"), assistant("TWO"))


@pytest.mark.slow
def test_two_hundred_calls_of_a_turn_are_all_in_the_next_history(harness: SessionHarness) -> None:
    harness.max_history_tokens = 1_000_000
    conversation = harness.open("Hello", run="r1")
    steps = [step_of(*(f"call_{number}_{call}" for call in range(40)), iteration=number) for number in range(1, 6)]
    for step in steps:
        conversation.observe(step)

    assert closed(conversation, "Hi!") == SAVED
    assert harness.history() == (
        user("Hello"),
        *(message for step in steps for message in messages_of(step)),
        assistant("Hi!"),
    )


def test_a_huge_message_and_a_huge_answer_are_stored_truncated(harness: SessionHarness) -> None:
    harness.max_history_tokens = 10_000_000
    conversation = harness.open("x" * 32_000, run="r1")

    assert closed(conversation, "日本" * 1_000_000, topic="t" * 100_000).saved
    question, answer = harness.history()
    assert question == user("x" * 32_000)
    assert "characters left out" in answer.text
    assert len(harness.open("?", run="r2").topic or "") < 2_100


def failing_client(harness: SessionHarness, *, times: int = 1_000) -> DynamoDBClient:
    """A table that takes the beginning of a turn, and then refuses some transactions."""
    return FailingClient(harness.client, "transact_write_items", throttled(), after=1, times=times).as_client()
