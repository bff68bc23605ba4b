"""Clients that leave: leases of streamed chats, and marks that cancel chats without a run."""

from typing import Any

import pytest

from flexchat.api import ChatRequest
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.messages import Message
from flexchat.runs import Run, RunKey
from functions.chat.errors import RunLostError
from functions.chat.generation.events import Event, IterationFinished, RuleMatched, Trace
from functions.chat.runs.service import CANCEL_TTL_SECONDS, CHECK_SECONDS, CancelWatch
from functions.chat.streaming.log import EventRecorder
from tests.unit.runs.harness import ALICE, BOB, RunHarness
from tests.unit.runs.run_errors import refused
from tests.unit.runs.table import CHATS

REQUEST = "7d2f61f4-3c55-4f0a-9a41-93e8deadbeef"
STEP = IterationFinished(1, Message("assistant", ()), (), ())


def leased(harness: RunHarness, seconds: int | None = 60) -> tuple[Run, EventRecorder]:
    """Return a running chat whose client has a lease of `seconds`, and its recorder."""
    now = harness.time.now()
    run = Run(
        RunKey(ALICE.principal, "chat"),
        "running",
        "",
        REQUEST,
        now,
        int(now) + 3_600,
        worker="w",
        lease_until=now + 30,
        client_seconds=seconds,
        client_until=None if seconds is None else now + seconds,
    )
    harness.store.add(run, deadline=harness.soon())
    recorder = EventRecorder(
        store=harness.store,
        run=run,
        worker="w",
        trace=Trace(clock=harness.time.clock),
        now=harness.time.now,
        deadline=harness.soon,
    )
    return run, recorder


def beat(harness: RunHarness, recorder: EventRecorder, passed: float) -> bool:
    """Let time pass, record an event and store it; return True once the run is lost."""
    harness.time.passed += passed
    recorder.record(RuleMatched("rule"))
    recorder.flush()
    return recorder.lost


def test_chat_is_cancelled_after_the_lease_of_its_client(harness: RunHarness) -> None:
    run, recorder = leased(harness)
    assert [beat(harness, recorder, 29) for _ in range(3)] == [False, False, True]
    assert harness.get(run.key.id)["status"] == "cancelled"
    with pytest.raises(RunLostError):
        recorder.record(RuleMatched("rule"))


def test_client_that_renews_its_lease_keeps_its_chat(harness: RunHarness) -> None:
    run, recorder = leased(harness)
    for _ in range(5):
        assert not beat(harness, recorder, 29)
        harness.runs.renew_client(run.key.id, caller=ALICE, deadline=harness.soon())
    assert harness.get(run.key.id)["status"] == "running"


def test_chat_without_a_lease_never_ends_by_one(harness: RunHarness) -> None:
    run, recorder = leased(harness, None)
    harness.runs.renew_client(run.key.id, caller=ALICE, deadline=harness.soon())
    assert not any(beat(harness, recorder, 29) for _ in range(10))


def test_lease_of_a_run_that_has_ended_or_of_another_caller_is_not_renewed(harness: RunHarness) -> None:
    run, _ = leased(harness)
    harness.cancel(run.key.id)
    before = harness.get(run.key.id)
    harness.runs.renew_client(run.key.id, caller=ALICE, deadline=harness.soon())
    assert harness.get(run.key.id) == before
    assert refused(lambda: _renewed(harness, run.key.id, BOB)) == (404, "not_found")
    assert refused(lambda: _renewed(harness, "unknown", ALICE)) == (404, "not_found")


def _renewed(harness: RunHarness, id: str, caller: Any) -> None:
    harness.runs.renew_client(id, caller=caller, deadline=harness.soon())


@pytest.mark.parametrize("seconds", [0, 14, 601, 20.5])
def test_lease_of_another_length_is_rejected(seconds: float) -> None:
    with pytest.raises(ValueError, match="lease_seconds"):
        ChatRequest.model_validate({"message": "hello", "lease_seconds": seconds})


def test_request_without_a_lease_has_the_stored_form_of_earlier_versions() -> None:
    assert "lease_seconds" not in ChatRequest(message="hello").model_dump()


def watched(harness: RunHarness, *events: Event, passed: float = CHECK_SECONDS, caller: Any = ALICE) -> None:
    """Send events to the chat of a request, each after `passed` seconds."""
    watch = harness.runs.watched(REQUEST, caller=caller)
    for event in events:
        harness.time.passed += passed
        watch(event)


def cancelled(harness: RunHarness) -> None:
    assert harness.runs.cancel(REQUEST, caller=ALICE, deadline=harness.soon()) is None


def test_chat_without_a_run_is_cancelled_by_the_id_of_its_request(harness: RunHarness) -> None:
    watched(harness, STEP, STEP)
    cancelled(harness)
    with pytest.raises(RequestError) as ended:
        watched(harness, STEP)
    assert (ended.value.status, ended.value.code) == (409, "cancelled")


def test_another_caller_cancels_nothing(harness: RunHarness) -> None:
    assert harness.runs.cancel(REQUEST, caller=BOB, deadline=harness.soon()) is None
    watched(harness, STEP)


def test_cancellation_is_read_at_steps_and_not_more_often_than_its_interval(harness: RunHarness) -> None:
    cancelled(harness)
    watched(harness, STEP, passed=CHECK_SECONDS - 1)
    watched(harness, RuleMatched("rule"))


def test_nothing_is_written_unless_a_chat_is_cancelled(harness: RunHarness) -> None:
    watched(harness, STEP, STEP)
    assert harness.dynamodb.scan(TableName=CHATS)["Items"] == []
    cancelled(harness)
    assert harness.dynamodb.scan(TableName=CHATS)["Items"] == [
        {
            "pk": {"S": f"R#{ALICE.principal}#{REQUEST}"},
            "sk": {"S": "CANCEL"},
            "expires_at": {"N": str(int(harness.time.now()) + CANCEL_TTL_SECONDS)},
        }
    ]


def test_unreadable_cancellation_does_not_end_a_chat(harness: RunHarness) -> None:
    class Failing:
        def is_cancel_requested(self, key: RunKey, *, deadline: Deadline) -> bool:
            raise RequestError("the table does not answer")

    store: Any = Failing()
    watch = CancelWatch(store, RunKey("alice", REQUEST), now=harness.time.now)
    harness.time.passed += CHECK_SECONDS
    watch.observe(STEP)
