"""Turns that are resumed from a partial answer."""

import pytest

from flexchat.messages import assistant, user
from flexchat.sessions import SessionBusyError, SessionMovedOnError, SessionNotFoundError
from functions.chat.sessions.store.turns import SessionTurns
from tests.unit.runs.table import CHATS
from tests.unit.sessions.clients import FailingClient, InterferingClient, cancelled
from tests.unit.sessions.harness import LEASE_IS_OVER, NOW, SessionHarness
from tests.unit.sessions.turn_steps import (
    DAY,
    answers,
    append,
    begin,
    call_message,
    finish,
    items,
    recent,
    recorded,
    resume,
    stored_session,
)


def test_a_partial_turn_is_resumed_and_its_final_answer_replaces_the_partial_one(harness: SessionHarness) -> None:
    turn = begin(harness)
    append(harness, turn, 1, recorded("a"))
    finish(harness, turn, "No time", status="partial")
    harness.now += 60

    resumed = resume(harness, 1, run="r2")
    append(harness, resumed, 2, recorded("b"))
    finish(harness, resumed, "Done")

    assert recent(harness) == [
        (
            1,
            (
                user("Hello"),
                call_message(recorded("a")),
                *answers(recorded("a")),
                call_message(recorded("b")),
                *answers(recorded("b")),
                assistant("Done"),
            ),
        )
    ]
    assert {item["expires_at"]["N"] for item in items(harness) if item["sk"]["S"] != "META"} == {str(int(NOW) + DAY)}
    assert stored_session(harness).expires_at == int(NOW) + 60 + DAY


def test_a_turn_of_a_crashed_request_can_be_resumed_after_its_lease(harness: SessionHarness) -> None:
    append(harness, begin(harness), 1, recorded("a"))

    with pytest.raises(SessionBusyError):
        resume(harness, 1, run="r2")
    harness.now += LEASE_IS_OVER

    assert resume(harness, 1, run="r2").number == 1


def test_an_answered_or_earlier_turn_cannot_be_resumed(harness: SessionHarness) -> None:
    finish(harness, begin(harness), status="partial")
    finish(harness, resume(harness, 1, run="r2"))
    with pytest.raises(SessionMovedOnError) as caught:
        resume(harness, 1, run="r3")
    assert (caught.value.status, caught.value.code) == (409, "session_moved_on")

    finish(harness, begin(harness, run="r4"), status="partial")
    finish(harness, begin(harness, run="r5"), status="partial")
    for number in (0, 1, 2, 4):
        with pytest.raises(SessionMovedOnError):
            resume(harness, number, run="r6")
    assert resume(harness, 3, run="r6").number == 3


def test_a_turn_completed_by_a_concurrent_resume_is_not_resumed(harness: SessionHarness) -> None:
    finish(harness, begin(harness), status="partial")
    rival = InterferingClient(harness.client, lambda: finish(harness, resume(harness, 1, run="r2")))

    with pytest.raises(SessionMovedOnError):
        resume(harness, 1, run="r3", turns=SessionTurns(rival.as_client(), CHATS))


def test_a_concurrent_resume_makes_the_session_busy(harness: SessionHarness) -> None:
    finish(harness, begin(harness), status="partial")
    rival = InterferingClient(harness.client, lambda: resume(harness, 1, run="r2"))
    conflicts = FailingClient(harness.client, "transact_write_items", cancelled("TransactionConflict", "None"))

    for client in (conflicts.as_client(), rival.as_client()):
        with pytest.raises(SessionBusyError):
            resume(harness, 1, run="r3", turns=SessionTurns(client, CHATS))


def test_a_missing_session_cannot_be_resumed(harness: SessionHarness) -> None:
    with pytest.raises(SessionNotFoundError):
        resume(harness, 1, run="r2")
