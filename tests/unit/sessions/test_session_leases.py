"""Leases of sessions, and writers that lost theirs."""

from contextlib import suppress
from typing import Any

import pytest

from flexchat.messages import user
from flexchat.sessions import SessionBusyError, SessionLostError
from functions.chat.sessions.store.sessions import SessionStore
from functions.chat.sessions.store.turns import SessionTurns
from tests.unit.runs.table import CHATS
from tests.unit.sessions.clients import FailingClient, InterferingClient, cancelled
from tests.unit.sessions.harness import LEASE_IS_OVER, NOW, SessionHarness
from tests.unit.sessions.turn_steps import answers, append, begin, call_message, finish, items, recent, recorded


def test_a_leased_session_is_busy_until_its_lease_ends(harness: SessionHarness) -> None:
    begin(harness)

    with pytest.raises(SessionBusyError) as caught:
        begin(harness, run="r2")

    assert (caught.value.status, caught.value.code) == (409, "session_busy")
    assert (caught.value.until, caught.value.retry_after) == (NOW + 20, 20)
    assert "2027-01-15T08:00:20" in caught.value.message


def test_an_expired_lease_is_taken_over_and_the_unanswered_message_stays(harness: SessionHarness) -> None:
    begin(harness, "lost")
    harness.now += LEASE_IS_OVER

    turn = begin(harness, "next", run="r2")

    assert turn.number == 2
    assert recent(harness) == [(1, (user("lost"),)), (2, (user("next"),))]


def test_a_redelivered_request_has_the_same_turn_and_its_stored_steps(harness: SessionHarness) -> None:
    first = begin(harness)
    append(harness, first, 1, recorded("a"))

    again = begin(harness)

    assert (again.number, again.is_new) == (1, False)
    assert harness.turns.turn(again.session, 1, now=harness.now, deadline=harness.deadline).steps == 1
    assert recent(harness) == [(1, (user("Hello"), call_message(recorded("a")), *answers(recorded("a"))))]


def test_one_of_two_concurrent_requests_is_busy(harness: SessionHarness) -> None:
    """The second reads the table before the first has written, and writes after it."""
    rival = InterferingClient(harness.client, lambda: begin(harness, "first", run="r1"))

    with pytest.raises(SessionBusyError):
        begin(harness, "second", run="r2", turns=SessionTurns(rival.as_client(), CHATS))

    assert recent(harness) == [(1, (user("first"),))]


def test_a_request_starts_the_next_turn_after_a_concurrent_one_ended(harness: SessionHarness) -> None:
    finish(harness, begin(harness, "before", run="r0"))
    rival = InterferingClient(harness.client, lambda: finish(harness, begin(harness, "first", run="r1")))

    turn = begin(harness, "second", run="r2", turns=SessionTurns(rival.as_client(), CHATS))

    assert turn.number == 3
    assert [number for number, _ in recent(harness)] == [1, 2, 3]


def test_a_request_that_loses_every_attempt_raises_session_busy(harness: SessionHarness) -> None:
    conflicts = FailingClient(harness.client, "transact_write_items", cancelled("TransactionConflict", "None"))

    with pytest.raises(SessionBusyError):
        begin(harness, turns=SessionTurns(conflicts.as_client(), CHATS))

    assert conflicts.refused == 5


def test_a_writer_with_a_lost_lease_writes_nothing_more(harness: SessionHarness) -> None:
    late = begin(harness, "late")
    harness.now += LEASE_IS_OVER
    begin(harness, "next", run="r2")
    before = items(harness)

    for write in (
        lambda: append(harness, late, 1, recorded("a")),
        lambda: finish(harness, late),
        lambda: harness.turns.abandon(late, keep=False, deadline=harness.deadline),
        lambda: harness.turns.abandon(late, keep=True, deadline=harness.deadline),
    ):
        with pytest.raises(SessionLostError, match="'s1' was deleted, or another request took it over"):
            write()

    assert items(harness) == before


def test_a_writer_of_a_deleted_session_writes_nothing_more(harness: SessionHarness) -> None:
    turn = begin(harness)
    harness.store.delete("ann", "s1", deadline=harness.deadline)

    with pytest.raises(SessionLostError):
        append(harness, turn, 1, recorded("a"))
    with pytest.raises(SessionLostError):
        finish(harness, turn)

    assert items(harness) == []


def test_a_writer_does_not_write_into_a_recreated_session(harness: SessionHarness) -> None:
    turn = begin(harness)
    harness.store.delete("ann", "s1", deadline=harness.deadline)
    again = begin(harness, "anew")

    with pytest.raises(SessionLostError):
        finish(harness, turn)

    assert again.session.incarnation != turn.session.incarnation
    assert recent(harness) == [(1, (user("anew"),))]


def lock_as_an_earlier_version(harness: SessionHarness, run: str) -> None:
    """Store a lock in `META`."""
    harness.client.update_item(
        TableName=CHATS,
        Key={"pk": {"S": "S#ann#s1"}, "sk": {"S": "META"}},
        UpdateExpression="SET lock_run = :run, lock_until = :until",
        ExpressionAttributeValues={":run": {"S": run}, ":until": {"N": f"{harness.now + 20:.3f}"}},
    )


def meta(harness: SessionHarness) -> dict[str, Any]:
    [item] = [item for item in items(harness) if item["sk"]["S"] == "META"]
    return item


def test_a_lock_of_an_earlier_version_makes_a_session_busy_and_is_removed_after_its_end(
    harness: SessionHarness,
) -> None:
    finish(harness, begin(harness))
    lock_as_an_earlier_version(harness, "old")
    with pytest.raises(SessionBusyError):
        begin(harness, run="r2")

    harness.now += LEASE_IS_OVER
    begin(harness, run="r2")
    assert not {"lock_run", "lock_until"} & meta(harness).keys()


def test_a_lock_of_an_earlier_version_that_is_taken_concurrently_makes_a_session_busy(harness: SessionHarness) -> None:
    finish(harness, begin(harness))
    rival = InterferingClient(harness.client, lambda: lock_as_an_earlier_version(harness, "old"))

    with pytest.raises(SessionBusyError):
        begin(harness, run="r2", turns=SessionTurns(rival.as_client(), CHATS))


def test_lock_and_renewals_leave_the_indexed_item_unchanged(harness: SessionHarness) -> None:
    turn = begin(harness)
    before = meta(harness)
    assert harness.turns.renew(turn, lease_until=harness.now + 60, deadline=harness.deadline)
    assert meta(harness) == before

    finish(harness, turn, topic="greetings")
    assert set(meta(harness)) == {
        *("pk", "sk", "owner", "incarnation", "expires_at"),
        *("title", "topic", "turns", "created_at", "updated_at", "exposure"),
    }
    assert [item["sk"]["S"] for item in items(harness) if "LOCK" in item["sk"]["S"]] == []


def test_a_request_whose_session_was_deleted_writes_nothing(harness: SessionHarness) -> None:
    turn = begin(harness)
    harness.store.delete("ann", "s1", deadline=harness.deadline)
    with pytest.raises(SessionLostError):
        append(harness, turn, 1, recorded("a"))
    assert items(harness) == []


def test_a_deletion_keeps_the_lock_of_a_new_session_with_the_same_id(harness: SessionHarness) -> None:
    begin(harness)

    def meddle() -> None:
        with suppress(SessionLostError):
            finish(harness, begin(harness, run="r2"))
        begin(harness, run="r3")

    rival = InterferingClient(harness.client, meddle)
    SessionStore(rival.as_client(), CHATS).delete("ann", "s1", deadline=harness.deadline)

    with pytest.raises(SessionBusyError):
        begin(harness, run="r4")
