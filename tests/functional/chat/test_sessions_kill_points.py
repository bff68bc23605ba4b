"""Crashes before and after every write of a session; the session can always be continued.

The number of writes comes from a run without a crash, so that new writes are covered automatically.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import get_args

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.messages import Message, assistant, user
from flexchat.sessions import SessionNotFoundError
from functions.chat.sessions.history import UNANSWERED
from functions.chat.sessions.store.sessions import SessionStore
from tests.functional.chat.crashing_client import CrashError, CrashingClient, CrashTime
from tests.functional.chat.harness import assert_every_call_answered_once
from tests.unit.runs.table import CHATS, empty_tables
from tests.unit.sessions.harness import LEASE_IS_OVER, SessionHarness, closed, messages_of, step_of

pytestmark = pytest.mark.slow

BEFORE = (user("Hello"), assistant("HELLO"))
"""Messages of every session before the crash."""

FIRST, LARGE, SECOND = step_of("a", "b"), step_of(*(f"call_{number}" for number in range(95))), step_of("c")
QUESTION, PARTIAL, FINAL = user("What is it?"), assistant("No time."), assistant("That.")

type Note = Callable[[Message], None]
"""Callback that receives a message after its write has returned."""


def complete_chat(harness: SessionHarness, client: DynamoDBClient, session: str, note: Note) -> None:
    conversation = harness.open(QUESTION.text, run="dying", session=session, client=client)
    note(QUESTION)
    for step in (FIRST, LARGE, SECOND):
        conversation.observe(step)
        note(step.message)
    closed(conversation, FINAL.text, topic="things")
    note(FINAL)


def partial_and_resumed(harness: SessionHarness, client: DynamoDBClient, session: str, note: Note) -> None:
    conversation = harness.open(QUESTION.text, run="dying", session=session, client=client)
    note(QUESTION)
    conversation.observe(FIRST)
    note(FIRST.message)
    closed(conversation, PARTIAL.text, status="partial")
    resumed = harness.conversations(client).resume(
        owner="ann", session_id=session, turn=2, run="resuming", settings=harness.settings, deadline=harness.deadline
    )
    resumed.observe(SECOND)
    note(SECOND.message)
    closed(resumed, FINAL.text)
    note(FINAL)


def abandoned(harness: SessionHarness, client: DynamoDBClient, session: str, note: Note) -> None:
    harness.open(QUESTION.text, run="dying", session=session, client=client).abandon()


def abandoned_after_a_step(harness: SessionHarness, client: DynamoDBClient, session: str, note: Note) -> None:
    conversation = harness.open(QUESTION.text, run="dying", session=session, client=client)
    conversation.observe(FIRST)
    note(QUESTION)
    note(FIRST.message)
    conversation.abandon()


def abandoned_while_resumed(harness: SessionHarness, client: DynamoDBClient, session: str, note: Note) -> None:
    conversation = harness.open(QUESTION.text, run="dying", session=session, client=client)
    closed(conversation, PARTIAL.text, status="partial")
    note(QUESTION)
    note(PARTIAL)
    harness.conversations(client).resume(
        owner="ann", session_id=session, turn=2, run="resuming", settings=harness.settings, deadline=harness.deadline
    ).abandon()


def renamed(harness: SessionHarness, client: DynamoDBClient, session: str, note: Note) -> None:
    SessionStore(client, CHATS).rename("ann", session, "Another", now=harness.now, deadline=harness.deadline)


LIVES = (complete_chat, partial_and_resumed, abandoned, abandoned_after_a_step, abandoned_while_resumed, renamed)


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> Iterator[SessionHarness]:
    with empty_tables(monkeypatch) as client:
        yield SessionHarness(client, max_history_tokens=1_000_000)


def deaths(harness: SessionHarness, live: Callable[[DynamoDBClient, str], None]) -> Iterator[tuple[str, CrashTime]]:
    """Run `live` once without a crash, then crash before and after each of its writes; yield each crashed session."""
    counting = CrashingClient(harness.client)
    live(counting.as_client(), prepared(harness, "alive"))
    assert counting.writes > 0
    forget(harness, "alive")
    for write in range(1, counting.writes + 1):
        for when in get_args(CrashTime):
            session = prepared(harness, f"dies-{when}-{write}")
            crashing = CrashingClient(harness.client, crashes_at=write, when=when)
            with pytest.raises(CrashError):
                live(crashing.as_client(), session)
            harness.now += LEASE_IS_OVER
            yield session, when
            forget(harness, session)


def forget(harness: SessionHarness, session: str) -> None:
    """Delete a session from the table, which the emulator copies for every transaction."""
    with suppress(SessionNotFoundError):
        harness.store.delete("ann", session, deadline=harness.deadline)


def prepared(harness: SessionHarness, session: str) -> str:
    harness.chat("Hello", run="before", session=session)
    return session


@pytest.mark.parametrize("live", LIVES)
def test_history_is_complete_after_a_crash_at_any_write(
    harness: SessionHarness, live: Callable[[SessionHarness, DynamoDBClient, str, Note], None]
) -> None:
    recorded: list[Message] = []

    def run(client: DynamoDBClient, session: str) -> None:
        recorded.clear()
        live(harness, client, session, recorded.append)

    crashes = 0
    for session, _ in deaths(harness, run):
        crashes += 1
        following = harness.open("Go on.", run="after", session=session)
        history = following.history
        assert_well_formed(history)
        assert history[:2] == BEFORE
        assert [message for message in history if message in recorded] == recorded
        assert closed(following, "Gladly.").saved

        assert_well_formed(harness.history(session=session))
        assert harness.history(session=session)[-2:] == (user("Go on."), assistant("Gladly."))
        assert_listed_and_readable(harness, session)
    assert crashes >= 2


def test_chat_writes_one_transaction_per_step(harness: SessionHarness) -> None:
    """One transaction begins a turn, one records each step of normal size, one ends the turn."""
    counting = CrashingClient(harness.client)
    conversation = harness.open("Hello", run="r1", client=counting.as_client())
    conversation.observe(FIRST)
    conversation.observe(SECOND)
    closed(conversation, "Hi!")

    assert counting.writes == 4


def test_crashed_deletion_leaves_a_complete_or_deleted_session(harness: SessionHarness) -> None:
    def run(client: DynamoDBClient, session: str) -> None:
        conversation = harness.open("More", run="more", session=session)
        conversation.observe(LARGE)
        closed(conversation, "MORE")
        SessionStore(client, CHATS).delete("ann", session, deadline=harness.deadline)

    for session, _ in deaths(harness, run):
        history = harness.history(session=session)
        assert_well_formed(history)
        assert history in ((), (*BEFORE, user("More"), *messages_of(LARGE), assistant("MORE")))
        harness.chat("Anew", run="after", session=session)
        assert harness.history(session=session) == (*history, user("Anew"), assistant("ANEW"))
        assert_listed_and_readable(harness, session)
        harness.store.delete("ann", session, deadline=harness.deadline)
        left = harness.client.query(
            TableName=CHATS,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": f"S#ann#{session}"}},
        )
        assert left["Items"] == []


def test_redelivered_request_completes_its_turn(harness: SessionHarness) -> None:
    def run(client: DynamoDBClient, session: str) -> None:
        complete_chat(harness, client, session, lambda _: None)

    for session, _ in deaths(harness, run):
        if harness.store.get("ann", session, now=harness.now, deadline=harness.deadline).lock_run is None:
            continue  # either no part of it was written, or all of it
        again = harness.open(QUESTION.text, run="dying", session=session)
        assert (again.number, again.history) == (2, BEFORE)
        assert closed(again, FINAL.text).saved
        history = harness.history(session=session)
        assert_well_formed(history)
        assert (history[2], history[-1]) == (QUESTION, FINAL)
        assert UNANSWERED not in [message.text for message in history]


def assert_well_formed(history: tuple[Message, ...]) -> None:
    """Assert that every call has one result, ids are unique, and every message of the user has one answer."""
    assert_every_call_answered_once(history)
    ids = [call.id for message in history for call in message.tool_calls]
    assert len(ids) == len(set(ids))
    roles = [message.role for message in history if message.role != "tool" and not message.tool_calls]
    assert roles == ["user", "assistant"] * (len(roles) // 2)


def assert_listed_and_readable(harness: SessionHarness, session: str) -> None:
    page = harness.store.list("ann", limit=100, cursor=None, now=harness.now, deadline=harness.deadline)
    assert session in [listed.id for listed in page.sessions]
    messages = harness.store.messages(
        "ann", session, limit=100, cursor=None, now=harness.now, deadline=harness.deadline
    )
    assert messages.cursor is None
    assert messages.messages[-1].answer is not None
