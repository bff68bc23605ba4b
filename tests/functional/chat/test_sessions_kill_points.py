"""The process dies before and after every write of a session in turn; the session can always be gone on with.

The writes are counted by a run that lives, so that a new one is killed as well without being named here.
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
from tests.functional.chat.crashing_client import CrashError, CrashingClient, When
from tests.functional.chat.harness import assert_every_call_answered_once
from tests.unit.runs.table import CHATS, empty_tables
from tests.unit.sessions.world import LEASE_IS_OVER, World, closed, messages_of, step_of

pytestmark = pytest.mark.slow

BEFORE = (user("Hello"), assistant("HELLO"))
"""Messages of every session before the fault."""

FIRST, LARGE, SECOND = step_of("a", "b"), step_of(*(f"call_{number}" for number in range(95))), step_of("c")
QUESTION, PARTIAL, FINAL = user("What is it?"), assistant("No time."), assistant("That.")

type Note = Callable[[Message], None]
"""Receives a message after its write has returned."""


def whole_chat(world: World, client: DynamoDBClient, session: str, note: Note) -> None:
    conversation = world.open(QUESTION.text, run="dying", session=session, client=client)
    note(QUESTION)
    for step in (FIRST, LARGE, SECOND):
        conversation.observe(step)
        note(step.message)
    closed(conversation, FINAL.text, topic="things")
    note(FINAL)


def partial_and_resumed(world: World, client: DynamoDBClient, session: str, note: Note) -> None:
    conversation = world.open(QUESTION.text, run="dying", session=session, client=client)
    note(QUESTION)
    conversation.observe(FIRST)
    note(FIRST.message)
    closed(conversation, PARTIAL.text, status="partial")
    resumed = world.conversations(client).resume(
        owner="ann", session_id=session, turn=2, run="resuming", settings=world.settings, deadline=world.deadline
    )
    resumed.observe(SECOND)
    note(SECOND.message)
    closed(resumed, FINAL.text)
    note(FINAL)


def abandoned(world: World, client: DynamoDBClient, session: str, note: Note) -> None:
    world.open(QUESTION.text, run="dying", session=session, client=client).abandon()


def abandoned_after_a_step(world: World, client: DynamoDBClient, session: str, note: Note) -> None:
    conversation = world.open(QUESTION.text, run="dying", session=session, client=client)
    conversation.observe(FIRST)
    note(QUESTION)
    note(FIRST.message)
    conversation.abandon()


def abandoned_while_resumed(world: World, client: DynamoDBClient, session: str, note: Note) -> None:
    conversation = world.open(QUESTION.text, run="dying", session=session, client=client)
    closed(conversation, PARTIAL.text, status="partial")
    note(QUESTION)
    note(PARTIAL)
    world.conversations(client).resume(
        owner="ann", session_id=session, turn=2, run="resuming", settings=world.settings, deadline=world.deadline
    ).abandon()


def renamed(world: World, client: DynamoDBClient, session: str, note: Note) -> None:
    SessionStore(client, CHATS).rename("ann", session, "Another", now=world.now, deadline=world.deadline)


LIVES = (whole_chat, partial_and_resumed, abandoned, abandoned_after_a_step, abandoned_while_resumed, renamed)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with empty_tables(monkeypatch) as client:
        yield World(client, max_history_tokens=1_000_000)


def deaths(world: World, live: Callable[[DynamoDBClient, str], None]) -> Iterator[tuple[str, When]]:
    """Lives through `live` once, and then dies in it before and after each of its writes, each time in a session of
    its own, which it names."""
    counting = CrashingClient(world.client)
    live(counting.as_client(), prepared(world, "alive"))
    assert counting.writes > 0
    forget(world, "alive")
    for write in range(1, counting.writes + 1):
        for when in get_args(When):
            session = prepared(world, f"dies-{when}-{write}")
            dying = CrashingClient(world.client, crashes_at=write, when=when)
            with pytest.raises(CrashError):
                live(dying.as_client(), session)
            world.now += LEASE_IS_OVER
            yield session, when
            forget(world, session)


def forget(world: World, session: str) -> None:
    """Take a session out of the table, which copies itself for every transaction."""
    with suppress(SessionNotFoundError):
        world.store.delete("ann", session, deadline=world.deadline)


def prepared(world: World, session: str) -> str:
    world.chat("Hello", run="before", session=session)
    return session


@pytest.mark.parametrize("live", LIVES)
def test_history_is_complete_after_a_crash_at_any_write(
    world: World, live: Callable[[World, DynamoDBClient, str, Note], None]
) -> None:
    recorded: list[Message] = []

    def run(client: DynamoDBClient, session: str) -> None:
        recorded.clear()
        live(world, client, session, recorded.append)

    died = 0
    for session, _ in deaths(world, run):
        died += 1
        following = world.open("Go on.", run="after", session=session)
        history = following.history
        assert_well_formed(history)
        assert history[:2] == BEFORE
        assert [message for message in history if message in recorded] == recorded
        assert closed(following, "Gladly.").saved

        assert_well_formed(world.history(session=session))
        assert world.history(session=session)[-2:] == (user("Go on."), assistant("Gladly."))
        assert_listed_and_readable(world, session)
    assert died >= 2


def test_chat_writes_one_transaction_per_step(world: World) -> None:
    """One transaction begins a turn, one records each step that fits into one, one ends it."""
    counting = CrashingClient(world.client)
    conversation = world.open("Hello", run="r1", client=counting.as_client())
    conversation.observe(FIRST)
    conversation.observe(SECOND)
    closed(conversation, "Hi!")

    assert counting.writes == 4


def test_crashed_deletion_leaves_a_complete_or_deleted_session(world: World) -> None:
    def run(client: DynamoDBClient, session: str) -> None:
        conversation = world.open("More", run="more", session=session)
        conversation.observe(LARGE)
        closed(conversation, "MORE")
        SessionStore(client, CHATS).delete("ann", session, deadline=world.deadline)

    for session, _ in deaths(world, run):
        history = world.history(session=session)
        assert_well_formed(history)
        assert history in ((), (*BEFORE, user("More"), *messages_of(LARGE), assistant("MORE")))
        world.chat("Anew", run="after", session=session)
        assert world.history(session=session) == (*history, user("Anew"), assistant("ANEW"))
        assert_listed_and_readable(world, session)
        world.store.delete("ann", session, deadline=world.deadline)
        left = world.client.query(
            TableName=CHATS,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": f"S#ann#{session}"}},
        )
        assert left["Items"] == []


def test_redelivered_request_completes_its_turn(world: World) -> None:
    def run(client: DynamoDBClient, session: str) -> None:
        whole_chat(world, client, session, lambda _: None)

    for session, _ in deaths(world, run):
        if world.store.get("ann", session, now=world.now, deadline=world.deadline).lock_run is None:
            continue  # nothing of it arrived, or all of it did
        again = world.open(QUESTION.text, run="dying", session=session)
        assert (again.number, again.history) == (2, BEFORE)
        assert closed(again, FINAL.text).saved
        history = world.history(session=session)
        assert_well_formed(history)
        assert (history[2], history[-1]) == (QUESTION, FINAL)
        assert UNANSWERED not in [message.text for message in history]


def assert_well_formed(history: tuple[Message, ...]) -> None:
    """Every call has one result, ids are used once, and every message of the user has one answer."""
    assert_every_call_answered_once(history)
    ids = [call.id for message in history for call in message.tool_calls]
    assert len(ids) == len(set(ids))
    said = [message.role for message in history if message.role != "tool" and not message.tool_calls]
    assert said == ["user", "assistant"] * (len(said) // 2)


def assert_listed_and_readable(world: World, session: str) -> None:
    page = world.store.list("ann", limit=100, cursor=None, now=world.now, deadline=world.deadline)
    assert session in [listed.id for listed in page.sessions]
    messages = world.store.messages("ann", session, limit=100, cursor=None, now=world.now, deadline=world.deadline)
    assert messages.cursor is None
    assert messages.messages[-1].answer is not None
