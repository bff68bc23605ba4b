"""Turns of a session in the table: leases, transactions and history."""

import random
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, UnavailableError
from flexchat.messages import Message, Text, ToolCall, ToolOutput, assistant, user
from flexchat.sessions import (
    Answer,
    OpenTurn,
    RecordedCall,
    Session,
    SessionBusyError,
    SessionLostError,
    SessionMovedOnError,
    SessionNotFoundError,
)
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.sessions.store.turns import SessionTurns
from tests.unit.runs.table import CHATS
from tests.unit.sessions.clients import Counting, Meddling, Refusing, cancelled, failing, throttled
from tests.unit.sessions.harness import LEASE_IS_OVER, NOW, SessionHarness

DAY = 86_400
PLENTY = 1_000_000


def begin(
    harness: SessionHarness,
    message: str = "Hello",
    *,
    run: str = "r1",
    session: str = "s1",
    turns: SessionTurns | None = None,
) -> OpenTurn:
    return (turns or harness.turns).begin(
        "ann",
        session,
        message,
        run=run,
        lease_until=harness.now + 20,
        now=harness.now,
        expires_at=int(harness.now) + DAY,
        title=f"About {message}",
        deadline=harness.deadline,
    )


def append(harness: SessionHarness, turn: OpenTurn, step: int, *calls: RecordedCall) -> None:
    harness.turns.append(turn, step, call_message(*calls), calls, now=harness.now, deadline=harness.deadline)


def finish(
    harness: SessionHarness, turn: OpenTurn, content: str = "Bye", *, topic: str | None = None, **answer: Any
) -> None:
    given = replace(Answer(content, "openai", "gpt-4o", "complete", turn.run), **answer)
    harness.turns.finish(turn, given, topic=topic, now=harness.now, deadline=harness.deadline)


def resume(harness: SessionHarness, number: int, *, run: str, turns: SessionTurns | None = None) -> OpenTurn:
    turn, _ = (turns or harness.turns).resume(
        "ann",
        "s1",
        number,
        run=run,
        lease_until=harness.now + 20,
        now=harness.now,
        expires_at=int(harness.now) + DAY,
        deadline=harness.deadline,
    )
    return turn


def recent(harness: SessionHarness, *, max_tokens: int = PLENTY) -> list[tuple[int, tuple[Message, ...]]]:
    """History for the next turn."""
    session = held(harness)
    found = harness.turns.recent(
        session, before=session.turns + 1, max_tokens=max_tokens, now=harness.now, deadline=harness.deadline
    )
    return [(turn.number, turn.messages) for turn in found]


def held(harness: SessionHarness) -> Session:
    return harness.store.get("ann", "s1", now=harness.now, deadline=harness.deadline)


def recorded(call_id: str, *, result: str = "3") -> RecordedCall:
    return RecordedCall(
        ToolCall(call_id, "add", {"a": 1}, '{"a":1}'),
        ToolOutput(call_id, "add", result),
        ToolExecution("add", {"a": 1}, ToolResult(True, "add", 2, result=result), 1, call_id),
    )


def call_message(*calls: RecordedCall) -> Message:
    return Message("assistant", (Text("Let me see."), *(call.call for call in calls)))


def answers(*calls: RecordedCall) -> tuple[Message, ...]:
    return tuple(Message("tool", (call.output,)) for call in calls)


def items(harness: SessionHarness) -> list[dict[str, Any]]:
    found = harness.client.get_paginator("query").paginate(
        TableName=CHATS,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": "S#ann#s1"}},
    )
    return [cast("dict[str, Any]", item) for page in found for item in page["Items"]]


def test_the_start_of_a_turn_creates_a_locked_session_with_its_message(harness: SessionHarness) -> None:
    turn = begin(harness)

    incarnation = turn.session.incarnation
    assert items(harness) == [
        {
            "pk": {"S": "S#ann#s1"},
            "sk": {"S": f"M#{incarnation}#000001#0000"},
            "expires_at": {"N": str(int(NOW) + DAY)},
            "at": {"S": "2027-01-15T08:00:00.000000+00:00"},
            "message": {"S": '{"role":"user","parts":[{"type":"text","text":"Hello"}],"calls":[]}'},
        },
        {
            "pk": {"S": "S#ann#s1"},
            "sk": {"S": "META"},
            "owner": {"S": "ann"},
            "incarnation": {"S": incarnation},
            "title": {"S": "About Hello"},
            "turns": {"N": "1"},
            "created_at": {"S": "2027-01-15T08:00:00.000000+00:00"},
            "updated_at": {"S": "2027-01-15T08:00:00.000000+00:00"},
            "lock_run": {"S": "r1"},
            "lock_until": {"N": f"{NOW + 20:.3f}"},
            "expires_at": {"N": str(int(NOW) + DAY)},
        },
    ]
    assert (turn.number, turn.run, turn.is_new, turn.session) == (1, "r1", True, held(harness))


def test_a_finished_turn_stores_answer_and_topic_and_removes_the_lock(harness: SessionHarness) -> None:
    turn = begin(harness)
    harness.now += 5
    finish(harness, turn, topic="greetings", rule="general")

    session = held(harness)
    assert (session.topic, session.turns, session.lock_run) == ("greetings", 1, None)
    assert session.updated_at == "2027-01-15T08:00:05.000000+00:00"
    answer = items(harness)[1]
    assert answer["sk"]["S"].endswith("#000001#9999")
    assert {name: answer[name]["S"] for name in ("service", "model", "status", "request_id", "rule")} == {
        "service": "openai",
        "model": "gpt-4o",
        "status": "complete",
        "request_id": "r1",
        "rule": "general",
    }


def test_an_answer_is_read_with_its_outcome_and_the_flag_of_the_demo_model(harness: SessionHarness) -> None:
    finish(harness, begin(harness), outcome="refused", demo=True)
    [_, read] = harness.store.messages(
        "ann", "s1", limit=10, cursor=None, now=harness.now, deadline=harness.deadline
    ).messages

    assert read.answer == Answer("Bye", "openai", "gpt-4o", "complete", "r1", outcome="refused", demo=True)


def test_a_turn_without_a_topic_leaves_the_topic_of_the_session_unchanged(harness: SessionHarness) -> None:
    finish(harness, begin(harness), topic="greetings")
    finish(harness, begin(harness, run="r2"))

    assert held(harness).topic == "greetings"


def test_the_history_of_a_turn_has_the_earlier_turns_in_order(harness: SessionHarness) -> None:
    first = begin(harness, "one")
    calls = (recorded("a"), recorded("b"))
    append(harness, first, 1, *calls)
    append(harness, first, 2, recorded("c"))
    finish(harness, first, "ONE")
    finish(harness, begin(harness, "two", run="r2"), "TWO")

    assert recent(harness) == [
        (
            1,
            (
                user("one"),
                call_message(*calls),
                *answers(*calls),
                call_message(recorded("c")),
                *answers(recorded("c")),
                assistant("ONE"),
            ),
        ),
        (2, (user("two"), assistant("TWO"))),
    ]


def test_the_title_is_that_of_the_first_message(harness: SessionHarness) -> None:
    finish(harness, begin(harness, "one"))
    begin(harness, "two", run="r2")

    assert held(harness).title == "About one"


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
    rival = Meddling(harness.client, lambda: begin(harness, "first", run="r1"))

    with pytest.raises(SessionBusyError):
        begin(harness, "second", run="r2", turns=SessionTurns(rival.as_client(), CHATS))

    assert recent(harness) == [(1, (user("first"),))]


def test_a_request_starts_the_next_turn_after_a_concurrent_one_ended(harness: SessionHarness) -> None:
    finish(harness, begin(harness, "before", run="r0"))
    rival = Meddling(harness.client, lambda: finish(harness, begin(harness, "first", run="r1")))

    turn = begin(harness, "second", run="r2", turns=SessionTurns(rival.as_client(), CHATS))

    assert turn.number == 3
    assert [number for number, _ in recent(harness)] == [1, 2, 3]


def test_a_request_that_loses_every_attempt_raises_session_busy(harness: SessionHarness) -> None:
    conflicts = Refusing(harness.client, "transact_write_items", cancelled("TransactionConflict", "None"))

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


def test_a_repeated_write_is_stored_once(harness: SessionHarness) -> None:
    turn = begin(harness)
    append(harness, turn, 1, recorded("a"))
    append(harness, turn, 1, recorded("a"))
    finish(harness, turn)
    finish(harness, turn)

    assert recent(harness) == [
        (1, (user("Hello"), call_message(recorded("a")), *answers(recorded("a")), assistant("Bye"))),
    ]


def test_the_same_write_is_sent_with_the_same_token(harness: SessionHarness) -> None:
    tokens: list[str] = []

    def note(params: Mapping[str, Any], **_: object) -> None:
        tokens.append(params["ClientRequestToken"])

    harness.client.meta.events.register("provide-client-params.dynamodb.TransactWriteItems", note)
    turn = begin(harness)
    append(harness, turn, 1, recorded("a"))
    append(harness, turn, 1, recorded("a"))
    append(harness, turn, 2, recorded("a"))

    assert tokens[1] == tokens[2]
    assert len(set(tokens)) == 3
    assert all(len(token) <= 36 for token in tokens)


@pytest.mark.slow
def test_two_hundred_calls_in_a_step_are_written_and_read_in_order(harness: SessionHarness) -> None:
    calls = tuple(recorded(f"call_{number}", result="x" * 1_000) for number in range(200))
    turn = begin(harness)
    append(harness, turn, 1, *calls)
    finish(harness, turn)

    assert recent(harness) == [(1, (user("Hello"), call_message(*calls), *answers(*calls), assistant("Bye")))]


def test_a_step_too_large_for_one_transaction_is_complete_once_its_message_is_written(harness: SessionHarness) -> None:
    calls = tuple(recorded(f"call_{number}") for number in range(100))
    turn = begin(harness)
    dying = Refusing(harness.client, "transact_write_items", throttled(), after=1)

    with pytest.raises(UnavailableError):
        SessionTurns(dying.as_client(), CHATS).append(
            turn, 1, call_message(*calls), calls, now=harness.now, deadline=harness.deadline
        )

    assert len(items(harness)) == 92
    assert recent(harness) == [(1, (user("Hello"),))]

    append(harness, turn, 1, recorded("other"))
    assert recent(harness) == [(1, (user("Hello"), call_message(recorded("other")), *answers(recorded("other"))))]


def test_large_steps_are_split_by_bytes_too(harness: SessionHarness) -> None:
    large = tuple(recorded(f"call_{number}", result=noise(250_000, number)) for number in range(20))
    turn = begin(harness)

    append(harness, turn, 1, *large)

    ((_, (_, message, *outputs)),) = recent(harness, max_tokens=10_000_000)
    assert [call.id for call in message.tool_calls] == [call.call.id for call in large]
    assert len(outputs) == 20


def test_an_abandoned_turn_leaves_nothing_and_its_number_is_reused(harness: SessionHarness) -> None:
    finish(harness, begin(harness, "one"))
    turn = begin(harness, "two", run="r2")

    harness.turns.abandon(turn, keep=False, deadline=harness.deadline)

    assert recent(harness) == [(1, (user("one"), assistant("Bye")))]
    assert (held(harness).turns, held(harness).lock_run) == (1, None)
    assert begin(harness, "three", run="r3").number == 2


def test_an_abandoned_turn_with_steps_stays(harness: SessionHarness) -> None:
    turn = begin(harness)
    append(harness, turn, 1, recorded("a"))

    harness.turns.abandon(turn, keep=True, deadline=harness.deadline)

    assert recent(harness) == [(1, (user("Hello"), call_message(recorded("a")), *answers(recorded("a"))))]
    assert (held(harness).turns, held(harness).lock_run) == (1, None)


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
    assert held(harness).expires_at == int(NOW) + 60 + DAY


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
    rival = Meddling(harness.client, lambda: finish(harness, resume(harness, 1, run="r2")))

    with pytest.raises(SessionMovedOnError):
        resume(harness, 1, run="r3", turns=SessionTurns(rival.as_client(), CHATS))


def test_a_concurrent_resume_makes_the_session_busy(harness: SessionHarness) -> None:
    finish(harness, begin(harness), status="partial")
    rival = Meddling(harness.client, lambda: resume(harness, 1, run="r2"))
    conflicts = Refusing(harness.client, "transact_write_items", cancelled("TransactionConflict", "None"))

    for client in (conflicts.as_client(), rival.as_client()):
        with pytest.raises(SessionBusyError):
            resume(harness, 1, run="r3", turns=SessionTurns(client, CHATS))


def test_a_missing_session_cannot_be_resumed(harness: SessionHarness) -> None:
    with pytest.raises(SessionNotFoundError):
        resume(harness, 1, run="r2")


def test_a_finish_with_a_lost_response_is_finished(harness: SessionHarness) -> None:
    """The first attempt removed the lock, and DynamoDB may no longer store its token."""
    turn = begin(harness)
    finish(harness, turn)
    finish(harness, begin(harness, "next", run="r2"), "NEXT")

    finish(harness, turn)

    assert [number for number, _ in recent(harness)] == [1, 2]


def test_an_answer_of_another_request_is_not_returned_as_its_own(harness: SessionHarness) -> None:
    turn = begin(harness)
    harness.now += LEASE_IS_OVER
    finish(harness, resume(harness, 1, run="r2"))

    with pytest.raises(SessionLostError):
        finish(harness, turn, "Too late")

    assert recent(harness) == [(1, (user("Hello"), assistant("Bye")))]


def test_history_is_read_newest_first_up_to_the_budget(harness: SessionHarness) -> None:
    for number in range(6):
        finish(harness, begin(harness, f"message {number}" + "x" * 300, run=f"r{number}"), "y" * 300)
    reads = Counting(harness.client, "query")

    def read(max_tokens: int) -> list[int]:
        turns = SessionTurns(reads.as_client(), CHATS).recent(
            held(harness), before=7, max_tokens=max_tokens, now=harness.now, deadline=harness.deadline
        )
        return [turn.number for turn in turns]

    assert read(PLENTY) == [1, 2, 3, 4, 5, 6]
    assert read(430) == [5, 6]
    assert read(320) == [5, 6]
    assert read(1) == [6]


def test_reading_continues_over_pages_up_to_the_budget(harness: SessionHarness) -> None:
    calls = tuple(recorded(f"call_{number}") for number in range(40))
    for number in range(4):
        turn = begin(harness, run=f"r{number}")
        append(harness, turn, 1, *calls)
        finish(harness, turn)
    reads = Counting(harness.client, "query")

    def read(max_tokens: int) -> list[int]:
        reads.calls = 0
        turns = SessionTurns(reads.as_client(), CHATS).recent(
            held(harness), before=5, max_tokens=max_tokens, now=harness.now, deadline=harness.deadline
        )
        return [turn.number for turn in turns]

    assert (read(PLENTY), reads.calls) == ([1, 2, 3, 4], 4)
    assert (read(100), reads.calls) == ([4], 1)


def test_a_last_turn_larger_than_the_budget_is_returned_without_its_steps(harness: SessionHarness) -> None:
    finish(harness, begin(harness, "one"))
    turn = begin(harness, "two", run="r2")
    append(harness, turn, 1, *(recorded(f"call_{number}", result="x" * 3_000) for number in range(60)))
    finish(harness, turn, "TWO")

    assert recent(harness, max_tokens=1_000) == [(2, (user("two"), assistant("TWO")))]


def test_a_last_turn_larger_than_the_budget_can_lack_its_answer(harness: SessionHarness) -> None:
    append(harness, begin(harness, "two"), 1, *(recorded(f"call_{number}", result="x" * 3_000) for number in range(5)))

    assert recent(harness, max_tokens=1_000) == [(1, (user("two"),))]


def test_expired_items_that_are_still_stored_are_not_read(harness: SessionHarness) -> None:
    finish(harness, begin(harness, "one"))
    harness.now += DAY - 10
    finish(harness, begin(harness, "two", run="r2"), "TWO")
    harness.now += 60

    assert len(items(harness)) == 5
    assert recent(harness) == [(2, (user("two"), assistant("TWO")))]


def test_an_expired_session_is_created_again_under_its_id(harness: SessionHarness) -> None:
    first = begin(harness, "one")
    finish(harness, first, topic="old")
    harness.now += DAY + 1

    second = begin(harness, "two", run="r2")

    assert second.session.incarnation != first.session.incarnation
    assert (second.number, held(harness).title, held(harness).topic) == (1, "About two", None)
    assert recent(harness) == [(1, (user("two"),))]


def test_sessions_of_different_owners_are_independent(harness: SessionHarness) -> None:
    begin(harness, "ann's")
    others = harness.turns.begin(
        "bob",
        "s1",
        "bob's",
        run="r2",
        lease_until=harness.now + 20,
        now=harness.now,
        expires_at=int(harness.now) + DAY,
        title="t",
        deadline=harness.deadline,
    )

    assert others.number == 1
    assert recent(harness) == [(1, (user("ann's"),))]


@pytest.mark.parametrize(
    "reasons",
    [("ThrottlingError", "None"), ("None", "ProvisionedThroughputExceeded"), ()],
)
def test_a_throttled_transaction_is_unavailable(harness: SessionHarness, reasons: tuple[str, ...]) -> None:
    client = Refusing(harness.client, "transact_write_items", cancelled(*reasons)).as_client()

    with pytest.raises(UnavailableError, match="TransactionCanceledException"):
        begin(harness, turns=SessionTurns(client, CHATS))


def test_a_write_conflict_is_temporarily_unavailable(harness: SessionHarness) -> None:
    turn = begin(harness)
    for error in (cancelled("TransactionConflict", "None"), failing("TransactionConflictException")):
        client = Refusing(harness.client, "transact_write_items", error).as_client()
        with pytest.raises(UnavailableError, match="at the same moment"):
            SessionTurns(client, CHATS).append(turn, 1, call_message(), (), now=harness.now, deadline=harness.deadline)


@pytest.mark.parametrize("operation", ["get_item", "transact_write_items"])
def test_a_throttled_table_is_unavailable(harness: SessionHarness, operation: str) -> None:
    client = Refusing(harness.client, operation, throttled()).as_client()

    with pytest.raises(UnavailableError, match="ThrottlingException"):
        begin(harness, turns=SessionTurns(client, CHATS))


def test_a_missing_table_is_a_configuration_error(harness: SessionHarness) -> None:
    with pytest.raises(ConfigError, match="deploy the stage first"):
        begin(harness, turns=SessionTurns(harness.client, "flexchat-nowhere-chats"))


def test_nothing_is_sent_after_the_deadline(harness: SessionHarness) -> None:
    past = Deadline.after(-1, clock=harness.clock)
    turn = begin(harness)

    with pytest.raises(UnavailableError, match="in time"):
        harness.turns.append(turn, 1, call_message(), (), now=harness.now, deadline=past)


def noise(characters: int, seed: int) -> str:
    return b64encode(random.Random(seed).randbytes(characters)).decode()[:characters]  # noqa: S311 # any text will do
