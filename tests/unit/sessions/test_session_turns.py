"""Turns of a session in the table: start, answer and history."""

from flexchat.messages import assistant, user
from flexchat.sessions import Answer
from functions.chat.sessions.store.turns import SessionTurns
from tests.unit.runs.table import CHATS
from tests.unit.sessions.clients import Counting
from tests.unit.sessions.harness import NOW, SessionHarness
from tests.unit.sessions.turn_steps import (
    DAY,
    LARGE_BUDGET,
    answers,
    append,
    begin,
    call_message,
    finish,
    items,
    recent,
    recorded,
    stored_session,
)


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
            "expires_at": {"N": str(int(NOW) + DAY)},
            "exposure": {"L": []},
        },
        {
            "pk": {"S": "S#ann#s1"},
            "sk": {"S": "META#LOCK"},
            "incarnation": {"S": incarnation},
            "lock_run": {"S": "r1"},
            "lock_until": {"N": f"{NOW + 20:.3f}"},
            "expires_at": {"N": str(int(NOW) + DAY)},
        },
    ]
    assert (turn.number, turn.run, turn.is_new, turn.session) == (1, "r1", True, stored_session(harness))


def test_a_finished_turn_stores_answer_and_topic_and_removes_the_lock(harness: SessionHarness) -> None:
    turn = begin(harness)
    harness.now += 5
    finish(harness, turn, topic="greetings", rule="general")

    session = stored_session(harness)
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

    assert stored_session(harness).topic == "greetings"


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

    assert stored_session(harness).title == "About one"


def test_history_is_read_newest_first_up_to_the_budget(harness: SessionHarness) -> None:
    for number in range(6):
        finish(harness, begin(harness, f"message {number}" + "x" * 300, run=f"r{number}"), "y" * 300)
    reads = Counting(harness.client, "query")

    def read(max_tokens: int) -> list[int]:
        turns = SessionTurns(reads.as_client(), CHATS).recent(
            stored_session(harness), before=7, max_tokens=max_tokens, now=harness.now, deadline=harness.deadline
        )
        return [turn.number for turn in turns]

    assert read(LARGE_BUDGET) == [1, 2, 3, 4, 5, 6]
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
            stored_session(harness), before=5, max_tokens=max_tokens, now=harness.now, deadline=harness.deadline
        )
        return [turn.number for turn in turns]

    assert (read(LARGE_BUDGET), reads.calls) == ([1, 2, 3, 4], 4)
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
    assert (second.number, stored_session(harness).title, stored_session(harness).topic) == (1, "About two", None)
    assert recent(harness) == [(1, (user("two"),))]


def test_sessions_of_different_owners_are_independent(harness: SessionHarness) -> None:
    begin(harness, "ann's")
    others = harness.turns.begin(
        "bob",
        "s1",
        user("bob's"),
        run="r2",
        lease_until=harness.now + 20,
        now=harness.now,
        expires_at=int(harness.now) + DAY,
        title="t",
        deadline=harness.deadline,
    )

    assert others.number == 1
    assert recent(harness) == [(1, (user("ann's"),))]
