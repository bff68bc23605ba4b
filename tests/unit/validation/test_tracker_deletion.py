"""Deletion of all records of a model."""

from copy import replace

import pytest

from flexchat.aws.validation.tracker import FORGETTING_SECONDS, Forgotten
from flexchat.deadline import Deadline
from flexchat.validation.records import ModelTallies
from tests.unit.validation.harness import (
    DAY,
    EXPIRES_AT,
    HOUR,
    MODEL,
    NOW,
    PASSED,
    RUN,
    CrashingDynamoDb,
    OneItemPages,
    ProcessCrashError,
    SlowDeletions,
    Tracking,
    made,
)

OTHER = "ollama:llama3.2:3b#C"
"""A model whose name starts like the keys of the other."""


def history_of(harness: Tracking, *, model: str, cases: int, days: int) -> None:
    """A model with many cases, categories and days, and one manual test."""
    for number in range(cases):
        record = made(f"case-{number}", model=model, at=NOW - (number % days) * DAY)
        harness.record(replace(record, category=("single", "choice")[number % 2]))
    harness.record(replace(made("plain", run="request-9", model=model), category=None, counted=False))


@pytest.mark.slow
@pytest.mark.parametrize("one_at_a_time", [True, False])
def test_the_deletion_of_a_model_is_complete_and_affects_no_other(harness: Tracking, *, one_at_a_time: bool) -> None:
    history_of(harness, model=OTHER, cases=3, days=2)
    others = harness.contents()
    history_of(harness, model=MODEL, cases=230, days=130)
    client = OneItemPages(harness.client).as_client() if one_at_a_time else harness.client

    forgotten = harness.tracker_of(client).forget(MODEL, deadline=harness.deadline)

    assert forgotten == Forgotten(records=231, complete=True)
    assert harness.contents() == others


def test_deleting_an_untested_model_has_no_effect(harness: Tracking) -> None:
    assert harness.tracker.forget(MODEL, deadline=harness.deadline) == Forgotten(records=0, complete=True)


def test_expired_records_are_deleted_as_well(harness: Tracking) -> None:
    history_of(harness, model=MODEL, cases=2, days=1)
    harness.now = EXPIRES_AT + DAY

    assert harness.tracker.forget(MODEL, deadline=harness.deadline) == Forgotten(records=3, complete=True)
    assert harness.contents() == []


def test_the_run_of_a_deleted_model_has_unchanged_counters(harness: Tracking) -> None:
    harness.create(RUN)
    harness.record(PASSED, run_counters=True)

    harness.tracker.forget(MODEL, deadline=harness.deadline)

    progress = harness.runs.get(RUN.id, deadline=harness.deadline)
    assert progress is not None
    assert [model.counters.done for model in progress.models] == [1, 0]
    assert harness.runs.results(RUN.id, limit=10, deadline=harness.deadline).records == ()


@pytest.mark.slow
def test_a_deletion_that_runs_out_of_time_is_incomplete_and_continues_when_repeated(harness: Tracking) -> None:
    history_of(harness, model=MODEL, cases=230, days=1)
    slow = harness.tracker_of(SlowDeletions(harness, seconds=HOUR - FORGETTING_SECONDS / 2).as_client())

    forgotten = [slow.forget(MODEL, deadline=Deadline.after(HOUR, clock=harness.clock)) for _ in range(4)]

    assert forgotten == [
        Forgotten(records=100, complete=False),
        Forgotten(records=100, complete=False),
        Forgotten(records=31, complete=False),
        Forgotten(records=0, complete=True),
    ]
    assert harness.contents() == []


@pytest.mark.slow
@pytest.mark.parametrize("has_sent", [True, False])
def test_an_interrupted_deletion_leaves_the_model_unchanged_or_untested(harness: Tracking, *, has_sent: bool) -> None:
    history_of(harness, model=MODEL, cases=12, days=6)
    before = harness.tracker.tallies(MODEL, deadline=harness.deadline)
    crashing = CrashingDynamoDb(harness.client, has_sent=has_sent)

    with pytest.raises(ProcessCrashError):
        harness.tracker_of(crashing.as_client()).forget(MODEL, deadline=harness.deadline)

    left = harness.tracker.tallies(MODEL, deadline=harness.deadline)
    assert left == (ModelTallies(MODEL) if has_sent else before)
    assert harness.tracker.forget(MODEL, deadline=harness.deadline) == Forgotten(records=13, complete=True)
    assert harness.contents() == []
