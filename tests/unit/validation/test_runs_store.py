"""Storage of runs in a table in this process: conditional changes, and counters that match the records."""

from collections.abc import Callable
from copy import replace

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.validation.records import RunCounters
from flexchat.validation.views import Budget
from functions.validation.aws.runs import ValidationRunStore
from functions.validation.runs import RunModel, RunProgress, ValidationRun
from functions.validation.stores import RunPage
from tests.unit.sessions.clients import FailingClient, InterferingClient, failing, throttled
from tests.unit.validation.harness import (
    EXPIRES_AT,
    FAILED,
    MODEL,
    NOW,
    PASSED,
    RUN,
    TABLE,
    LostResponseClient,
    Tracking,
    made,
)

pytestmark = pytest.mark.slow

NOVA = RUN.models[1]
COUNTED = RunCounters(
    done=4,
    passed=1,
    failed=1,
    errors=1,
    skipped=1,
    calls=3,
    input_tokens=900,
    output_tokens=60,
    cost_micros=45,
)


ITEMS = (
    PASSED,
    FAILED,
    replace(made("weather", model=NOVA, result="error"), cost_micros=None),
    replace(made("weather", model=NOVA, repeat=2, result="skipped"), input_tokens=0, output_tokens=0, cost_micros=None),
)


def record_all(harness: Tracking) -> None:
    for record in ITEMS:
        assert harness.record(record, run_counters=True)


def found(harness: Tracking, run: str = "run-1") -> ValidationRun:
    progress = harness.runs.get(run, deadline=harness.deadline)
    assert progress is not None
    return progress.run


def test_a_new_run_is_read_as_it_was_written(harness: Tracking) -> None:
    run = replace(RUN, budget=Budget(calls=10, usd=0.5), stop_early=False)
    assert harness.runs.create(run, deadline=harness.deadline)

    assert harness.runs.get("run-1", deadline=harness.deadline) == RunProgress(run, tuple(map(RunModel, run.models)))


def test_a_run_is_created_once(harness: Tracking) -> None:
    harness.create(RUN)
    harness.runs.start("run-1", deadline=harness.deadline)
    before = harness.contents()

    assert not harness.runs.create(replace(RUN, suite="other", created_at=NOW + 1), deadline=harness.deadline)
    assert harness.contents() == before


def test_a_run_created_with_a_lost_response_is_created(harness: Tracking) -> None:
    store = ValidationRunStore(
        LostResponseClient(harness.client).as_client(), TABLE, clock=harness.clock, sleep=harness.sleep
    )

    assert store.create(RUN, deadline=harness.deadline)


def test_one_of_two_concurrent_creations_succeeds(harness: Tracking) -> None:
    other = replace(RUN, suite="other")
    store = ValidationRunStore(
        InterferingClient(harness.client, lambda: harness.create(other)).as_client(),
        TABLE,
        clock=harness.clock,
        sleep=harness.sleep,
    )

    assert not store.create(RUN, deadline=harness.deadline)
    assert found(harness) == other


def test_a_missing_or_expired_run_is_not_found(harness: Tracking) -> None:
    assert harness.runs.get("run-1", deadline=harness.deadline) is None

    harness.create(RUN)
    harness.now = EXPIRES_AT
    assert harness.runs.get("run-1", deadline=harness.deadline) is None
    assert harness.runs.list(limit=5, deadline=harness.deadline) == RunPage(())


def test_records_count_for_their_run_and_its_models(harness: Tracking) -> None:
    harness.create(RUN)
    record_all(harness)

    assert harness.runs.get("run-1", deadline=harness.deadline) == RunProgress(
        replace(RUN, counters=COUNTED),
        (
            RunModel(
                MODEL,
                RunCounters(done=2, passed=1, failed=1, calls=2, input_tokens=600, output_tokens=40, cost_micros=45),
            ),
            RunModel(NOVA, RunCounters(done=2, errors=1, skipped=1, calls=1, input_tokens=300, output_tokens=20)),
        ),
    )
    assert (COUNTED.tests, COUNTED.tokens) == (2, 960)


def test_models_are_in_the_order_of_their_run(harness: Tracking) -> None:
    models = ("z:1", "a:1", "m:1#x")
    harness.create(replace(RUN, models=models))

    progress = harness.runs.get("run-1", deadline=harness.deadline)
    assert progress is not None
    assert tuple(each.model for each in progress.models) == models


def test_a_run_changes_from_queued_over_planned_to_finished(harness: Tracking) -> None:
    harness.create(RUN)
    harness.now = NOW + 1
    started = replace(RUN, status="running", started_at=NOW + 1)
    assert harness.runs.start("run-1", deadline=harness.deadline) == started
    harness.now = NOW + 2
    planned = replace(started, planned_at=NOW + 2)
    assert harness.runs.mark_planned("run-1", deadline=harness.deadline) == planned
    record_all(harness)
    harness.now = NOW + 3

    finished = replace(planned, status="finished", counters=COUNTED, finished_at=NOW + 3)
    assert harness.runs.finish("run-1", deadline=harness.deadline) == finished
    assert found(harness) == finished


def test_a_repeated_start_or_plan_has_the_original_time(harness: Tracking) -> None:
    harness.create(RUN)
    harness.runs.start("run-1", deadline=harness.deadline)
    first = harness.runs.mark_planned("run-1", deadline=harness.deadline)

    harness.now = NOW + 60
    assert harness.runs.start("run-1", deadline=harness.deadline) == first
    assert harness.runs.mark_planned("run-1", deadline=harness.deadline) == first


def test_a_run_is_not_finished_before_its_last_item(harness: Tracking) -> None:
    harness.create(RUN)
    harness.runs.start("run-1", deadline=harness.deadline)
    harness.record(PASSED, run_counters=True)

    assert harness.runs.finish("run-1", deadline=harness.deadline) is None
    assert found(harness).status == "running"


def test_a_run_that_was_never_started_is_neither_planned_nor_finished(harness: Tracking) -> None:
    harness.create(RUN)
    record_all(harness)

    assert harness.runs.mark_planned("run-1", deadline=harness.deadline) is None
    assert harness.runs.finish("run-1", deadline=harness.deadline) is None
    assert found(harness) == replace(RUN, counters=COUNTED)


Change = Callable[[ValidationRunStore, Deadline], ValidationRun | None]

CHANGES: dict[str, Change] = {
    "start": lambda runs, deadline: runs.start("run-1", deadline=deadline),
    "mark_planned": lambda runs, deadline: runs.mark_planned("run-1", deadline=deadline),
    "finish": lambda runs, deadline: runs.finish("run-1", deadline=deadline),
    "stop": lambda runs, deadline: runs.stop("run-1", reason="its budget is spent", deadline=deadline),
    "fail": lambda runs, deadline: runs.fail("run-1", reason="no such suite", deadline=deadline),
}


@pytest.mark.parametrize("is_started", [False, True])
@pytest.mark.parametrize(
    ("change", "status", "reason"), [("stop", "stopped", "its budget is spent"), ("fail", "failed", "no such suite")]
)
def test_an_active_run_can_be_ended(
    harness: Tracking, change: str, status: str, reason: str, *, is_started: bool
) -> None:
    harness.create(RUN)
    if is_started:
        harness.runs.start("run-1", deadline=harness.deadline)
    harness.now = NOW + 9

    ended = CHANGES[change](harness.runs, harness.deadline)
    assert ended is not None
    assert (ended.status, ended.reason, ended.finished_at) == (status, reason, NOW + 9)
    assert found(harness) == ended


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("end", ["finish", "stop", "fail"])
def test_an_ended_run_is_unchanged(harness: Tracking, change: str, end: str) -> None:
    harness.create(replace(RUN, total=0))
    harness.runs.start("run-1", deadline=harness.deadline)
    ended = CHANGES[end](harness.runs, harness.deadline)
    assert ended is not None
    harness.now = NOW + 60

    assert CHANGES[change](harness.runs, harness.deadline) is None
    assert found(harness) == ended


@pytest.mark.parametrize("change", CHANGES)
def test_an_update_creates_no_run(harness: Tracking, change: str) -> None:
    assert CHANGES[change](harness.runs, harness.deadline) is None
    assert harness.keys() == set()


def test_items_in_progress_when_a_run_is_stopped_are_counted(harness: Tracking) -> None:
    harness.create(RUN)
    harness.runs.stop("run-1", reason="wished", deadline=harness.deadline)

    assert harness.record(PASSED, run_counters=True)
    assert found(harness).counters.done == 1


def test_the_first_decision_about_a_model_is_final(harness: Tracking) -> None:
    harness.create(RUN)
    assert harness.runs.decide("run-1", MODEL, "passes", deadline=harness.deadline) == RunModel(MODEL, decided="passes")
    assert harness.runs.decide("run-1", MODEL, "fails", deadline=harness.deadline) is None

    progress = harness.runs.get("run-1", deadline=harness.deadline)
    assert progress == RunProgress(RUN, (RunModel(MODEL, decided="passes"), RunModel(NOVA)))


def test_no_decision_is_stored_for_a_model_outside_the_run(harness: Tracking) -> None:
    harness.create(RUN)
    before = harness.contents()

    assert harness.runs.decide("run-1", "openai:gpt-4o", "passes", deadline=harness.deadline) is None
    assert harness.contents() == before


def test_an_update_is_retried_after_a_transaction_conflict(harness: Tracking) -> None:
    harness.create(RUN)
    busy = FailingClient(harness.client, "update_item", failing("TransactionConflictException"), times=3)
    store = ValidationRunStore(busy.as_client(), TABLE, clock=harness.clock, sleep=harness.sleep)

    started = store.start("run-1", deadline=harness.deadline)
    assert started is not None
    assert started.status == "running"
    assert len(harness.waits) == 3


@pytest.mark.parametrize(("operation", "change"), [("query", None), ("update_item", "start")])
def test_a_table_without_a_response_is_unavailable(harness: Tracking, operation: str, change: str | None) -> None:
    harness.create(RUN)
    client = FailingClient(harness.client, operation, throttled(), times=1_000_000).as_client()
    store = ValidationRunStore(client, TABLE, clock=harness.clock, sleep=harness.sleep)

    with pytest.raises(UnavailableError, match="ThrottlingException"):
        CHANGES[change](store, harness.deadline) if change else store.get("run-1", deadline=harness.deadline)


def test_a_resumed_run_runs_only_missing_items_with_the_same_totals(harness: Tracking) -> None:
    records = [PASSED, FAILED, made("weather", model=NOVA), made("weather", model=NOVA, repeat=2)]
    harness.create(RUN)
    harness.runs.start("run-1", deadline=harness.deadline)
    for record in records[:2]:
        harness.record(record, run_counters=True)

    # its validator is dead; the plan is delivered again, and with it an item that was recorded already
    assert harness.runs.start("run-1", deadline=harness.deadline) is not None
    recorded = harness.tracker.recorded("run-1", deadline=harness.deadline)
    missing = [record for record in records if record.key not in recorded]
    assert missing == records[2:]
    assert [harness.record(record, run_counters=True) for record in (FAILED, *missing)] == [False, True, True]

    finished = harness.runs.finish("run-1", deadline=harness.deadline)
    assert finished is not None
    assert (finished.counters.done, finished.counters.passed, finished.counters.failed) == (4, 3, 1)
    assert [tallies.total.tests for tallies in harness.tracker.all(deadline=harness.deadline)] == [2, 2]
