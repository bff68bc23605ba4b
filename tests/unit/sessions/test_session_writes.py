"""Writes of a turn: repeated, split, abandoned and failed ones."""

import random
from base64 import b64encode
from collections.abc import Mapping
from copy import replace
from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, UnavailableError
from flexchat.messages import assistant, user
from flexchat.sessions import SessionLostError
from functions.chat.sessions.store.turns import SessionTurns
from tests.aws import aws_client
from tests.unit.runs.table import CHATS
from tests.unit.sessions.clients import FailingClient, cancelled, failing, throttled
from tests.unit.sessions.harness import LEASE_IS_OVER, SessionHarness
from tests.unit.sessions.turn_steps import (
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

    client = aws_client("dynamodb")
    harness = replace(harness, client=client)
    client.meta.events.register("provide-client-params.dynamodb.TransactWriteItems", note)
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
    crashing = FailingClient(harness.client, "transact_write_items", throttled(), after=1)

    with pytest.raises(UnavailableError):
        SessionTurns(crashing.as_client(), CHATS).append(
            turn, 1, call_message(*calls), calls, now=harness.now, deadline=harness.deadline
        )

    assert len(items(harness)) == 93
    assert recent(harness) == [(1, (user("Hello"),))]

    append(harness, turn, 1, recorded("other"))
    assert recent(harness) == [(1, (user("Hello"), call_message(recorded("other")), *answers(recorded("other"))))]


def test_large_steps_are_split_by_bytes_too(harness: SessionHarness) -> None:
    large = tuple(recorded(f"call_{number}", result=incompressible(250_000, number)) for number in range(20))
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
    assert (stored_session(harness).turns, stored_session(harness).lock_run) == (1, None)
    assert begin(harness, "three", run="r3").number == 2


def test_an_abandoned_turn_with_steps_stays(harness: SessionHarness) -> None:
    turn = begin(harness)
    append(harness, turn, 1, recorded("a"))

    harness.turns.abandon(turn, keep=True, deadline=harness.deadline)

    assert recent(harness) == [(1, (user("Hello"), call_message(recorded("a")), *answers(recorded("a"))))]
    assert (stored_session(harness).turns, stored_session(harness).lock_run) == (1, None)


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


@pytest.mark.parametrize(
    "reasons",
    [("ThrottlingError", "None"), ("None", "ProvisionedThroughputExceeded"), ()],
)
def test_a_throttled_transaction_is_unavailable(harness: SessionHarness, reasons: tuple[str, ...]) -> None:
    client = FailingClient(harness.client, "transact_write_items", cancelled(*reasons)).as_client()

    with pytest.raises(UnavailableError, match="TransactionCanceledException"):
        begin(harness, turns=SessionTurns(client, CHATS))


def test_a_write_conflict_is_temporarily_unavailable(harness: SessionHarness) -> None:
    turn = begin(harness)
    for error in (cancelled("TransactionConflict", "None"), failing("TransactionConflictException")):
        client = FailingClient(harness.client, "transact_write_items", error).as_client()
        with pytest.raises(UnavailableError, match="at the same moment"):
            SessionTurns(client, CHATS).append(turn, 1, call_message(), (), now=harness.now, deadline=harness.deadline)


@pytest.mark.parametrize("operation", ["query", "transact_write_items"])
def test_a_throttled_table_is_unavailable(harness: SessionHarness, operation: str) -> None:
    client = FailingClient(harness.client, operation, throttled()).as_client()

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


def incompressible(characters: int, seed: int) -> str:
    return b64encode(random.Random(seed).randbytes(characters)).decode()[:characters]  # noqa: S311 # any text will do
