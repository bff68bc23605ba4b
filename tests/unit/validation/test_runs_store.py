"""Storage of runs in a table in this process: conditional changes, and counters that match the records."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from flexchat.api.validation import Budget
from flexchat.deadline import Deadline
from flexchat.errors import RequestError, UnavailableError
from flexchat.validation.records import RecordPage
from flexchat.validation.runs import RunCounters, RunModel, RunProgress, ValidationRun
from functions.validation.aws.runs import RunPage, RunStore
from tests.unit.sessions.clients import Meddling, Refusing, failing, throttled
from tests.unit.validation.world import EXPIRES_AT, FAILED, MODEL, NOW, PASSED, RUN, TABLE, Lossy, Tracking, made

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


def record_all(world: Tracking) -> None:
    for record in ITEMS:
        assert world.record(record, run_counters=True)


def found(world: Tracking, run: str = "run-1") -> ValidationRun:
    progress = world.runs.get(run, deadline=world.deadline)
    assert progress is not None
    return progress.run


def test_a_new_run_is_read_as_it_was_written(world: Tracking) -> None:
    run = replace(RUN, budget=Budget(calls=10, usd=0.5), stop_early=False)
    assert world.runs.create(run, deadline=world.deadline)

    assert world.runs.get("run-1", deadline=world.deadline) == RunProgress(run, tuple(map(RunModel, run.models)))


def test_a_run_is_created_once(world: Tracking) -> None:
    world.create(RUN)
    world.runs.start("run-1", deadline=world.deadline)
    before = world.contents()

    assert not world.runs.create(replace(RUN, suite="other", created_at=NOW + 1), deadline=world.deadline)
    assert world.contents() == before


def test_a_run_created_with_a_lost_response_is_created(world: Tracking) -> None:
    store = RunStore(Lossy(world.client).as_client(), TABLE, clock=world.clock, sleep=world.sleep)

    assert store.create(RUN, deadline=world.deadline)


def test_one_of_two_concurrent_creations_succeeds(world: Tracking) -> None:
    other = replace(RUN, suite="other")
    store = RunStore(
        Meddling(world.client, lambda: world.create(other)).as_client(), TABLE, clock=world.clock, sleep=world.sleep
    )

    assert not store.create(RUN, deadline=world.deadline)
    assert found(world) == other


def test_a_missing_or_expired_run_is_not_found(world: Tracking) -> None:
    assert world.runs.get("run-1", deadline=world.deadline) is None

    world.create(RUN)
    world.now = EXPIRES_AT
    assert world.runs.get("run-1", deadline=world.deadline) is None
    assert world.runs.list(limit=5, deadline=world.deadline) == RunPage(())


def test_records_count_for_their_run_and_its_models(world: Tracking) -> None:
    world.create(RUN)
    record_all(world)

    assert world.runs.get("run-1", deadline=world.deadline) == RunProgress(
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


def test_models_are_in_the_order_of_their_run(world: Tracking) -> None:
    models = ("z:1", "a:1", "m:1#x")
    world.create(replace(RUN, models=models))

    progress = world.runs.get("run-1", deadline=world.deadline)
    assert progress is not None
    assert tuple(each.model for each in progress.models) == models


def test_a_run_changes_from_queued_over_planned_to_finished(world: Tracking) -> None:
    world.create(RUN)
    world.now = NOW + 1
    started = replace(RUN, status="running", started_at=NOW + 1)
    assert world.runs.start("run-1", deadline=world.deadline) == started
    world.now = NOW + 2
    planned = replace(started, planned_at=NOW + 2)
    assert world.runs.mark_planned("run-1", deadline=world.deadline) == planned
    record_all(world)
    world.now = NOW + 3

    finished = replace(planned, status="finished", counters=COUNTED, finished_at=NOW + 3)
    assert world.runs.finish("run-1", deadline=world.deadline) == finished
    assert found(world) == finished


def test_a_repeated_start_or_plan_has_the_original_time(world: Tracking) -> None:
    world.create(RUN)
    world.runs.start("run-1", deadline=world.deadline)
    first = world.runs.mark_planned("run-1", deadline=world.deadline)

    world.now = NOW + 60
    assert world.runs.start("run-1", deadline=world.deadline) == first
    assert world.runs.mark_planned("run-1", deadline=world.deadline) == first


def test_a_run_is_not_finished_before_its_last_item(world: Tracking) -> None:
    world.create(RUN)
    world.runs.start("run-1", deadline=world.deadline)
    world.record(PASSED, run_counters=True)

    assert world.runs.finish("run-1", deadline=world.deadline) is None
    assert found(world).status == "running"


def test_a_run_that_was_never_started_is_neither_planned_nor_finished(world: Tracking) -> None:
    world.create(RUN)
    record_all(world)

    assert world.runs.mark_planned("run-1", deadline=world.deadline) is None
    assert world.runs.finish("run-1", deadline=world.deadline) is None
    assert found(world) == replace(RUN, counters=COUNTED)


Change = Callable[[RunStore, Deadline], ValidationRun | None]

CHANGES: dict[str, Change] = {
    "start": lambda runs, deadline: runs.start("run-1", deadline=deadline),
    "mark_planned": lambda runs, deadline: runs.mark_planned("run-1", deadline=deadline),
    "finish": lambda runs, deadline: runs.finish("run-1", deadline=deadline),
    "stop": lambda runs, deadline: runs.stop("run-1", reason="its budget is spent", deadline=deadline),
    "fail": lambda runs, deadline: runs.fail("run-1", reason="no such suite", deadline=deadline),
}


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize(
    ("change", "status", "reason"), [("stop", "stopped", "its budget is spent"), ("fail", "failed", "no such suite")]
)
def test_an_active_run_can_be_ended(world: Tracking, change: str, status: str, reason: str, *, begun: bool) -> None:
    world.create(RUN)
    if begun:
        world.runs.start("run-1", deadline=world.deadline)
    world.now = NOW + 9

    ended = CHANGES[change](world.runs, world.deadline)
    assert ended is not None
    assert (ended.status, ended.reason, ended.finished_at) == (status, reason, NOW + 9)
    assert found(world) == ended


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("end", ["finish", "stop", "fail"])
def test_an_ended_run_is_unchanged(world: Tracking, change: str, end: str) -> None:
    world.create(replace(RUN, total=0))
    world.runs.start("run-1", deadline=world.deadline)
    ended = CHANGES[end](world.runs, world.deadline)
    assert ended is not None
    world.now = NOW + 60

    assert CHANGES[change](world.runs, world.deadline) is None
    assert found(world) == ended


@pytest.mark.parametrize("change", CHANGES)
def test_an_update_creates_no_run(world: Tracking, change: str) -> None:
    assert CHANGES[change](world.runs, world.deadline) is None
    assert world.keys() == set()


def test_items_in_progress_when_a_run_is_stopped_are_counted(world: Tracking) -> None:
    world.create(RUN)
    world.runs.stop("run-1", reason="wished", deadline=world.deadline)

    assert world.record(PASSED, run_counters=True)
    assert found(world).counters.done == 1


def test_the_first_decision_about_a_model_is_final(world: Tracking) -> None:
    world.create(RUN)
    assert world.runs.decide("run-1", MODEL, "passes", deadline=world.deadline) == RunModel(MODEL, decided="passes")
    assert world.runs.decide("run-1", MODEL, "fails", deadline=world.deadline) is None

    progress = world.runs.get("run-1", deadline=world.deadline)
    assert progress == RunProgress(RUN, (RunModel(MODEL, decided="passes"), RunModel(NOVA)))


def test_no_decision_is_stored_for_a_model_outside_the_run(world: Tracking) -> None:
    world.create(RUN)
    before = world.contents()

    assert world.runs.decide("run-1", "openai:gpt-4o", "passes", deadline=world.deadline) is None
    assert world.contents() == before


def test_runs_are_listed_newest_first_in_pages(world: Tracking) -> None:
    runs = [world.create(replace(RUN, id=f"run-{number}", created_at=NOW + number // 2)) for number in range(5)]
    world.record(PASSED)  # stands in the index too, in the series of its model

    first = world.runs.list(limit=2, deadline=world.deadline)
    second = world.runs.list(limit=2, cursor=first.cursor, deadline=world.deadline)
    third = world.runs.list(limit=2, cursor=second.cursor, deadline=world.deadline)
    assert [*first.runs, *second.runs, *third.runs] == runs[::-1]
    assert third.cursor is None


def test_the_results_of_a_run_are_read_in_pages(world: Tracking) -> None:
    world.create(RUN)
    records = [made(case, repeat=repeat) for case in ("a", "b", "c") for repeat in (1, 2, 10)]
    for record in reversed(records):
        world.record(record)
    world.record(made("a", run="run-10"))

    pages = [world.runs.results("run-1", limit=4, deadline=world.deadline)]
    while cursor := pages[-1].cursor:
        pages.append(world.runs.results("run-1", limit=4, cursor=cursor, deadline=world.deadline))
    assert [record for page in pages for record in page.records] == records
    assert [len(page.records) for page in pages] == [4, 4, 1]


def test_a_run_without_records_has_an_empty_page(world: Tracking) -> None:
    world.create(RUN)

    assert world.runs.results("run-1", limit=4, deadline=world.deadline) == RecordPage(())


def test_cursors_of_other_listings_are_rejected(world: Tracking) -> None:
    for record in (PASSED, FAILED):
        world.record(record)
    cursor = world.runs.results("run-1", limit=1, deadline=world.deadline).cursor

    with pytest.raises(RequestError):
        world.runs.results("run-2", limit=1, cursor=cursor, deadline=world.deadline)
    with pytest.raises(RequestError):
        world.runs.list(limit=1, cursor=cursor, deadline=world.deadline)


def test_an_update_is_retried_after_a_transaction_conflict(world: Tracking) -> None:
    world.create(RUN)
    busy = Refusing(world.client, "update_item", failing("TransactionConflictException"), times=3)
    store = RunStore(busy.as_client(), TABLE, clock=world.clock, sleep=world.sleep)

    started = store.start("run-1", deadline=world.deadline)
    assert started is not None
    assert started.status == "running"
    assert len(world.waits) == 3


@pytest.mark.parametrize(("operation", "change"), [("query", None), ("update_item", "start")])
def test_a_table_without_a_response_is_unavailable(world: Tracking, operation: str, change: str | None) -> None:
    world.create(RUN)
    client = Refusing(world.client, operation, throttled(), times=1_000_000).as_client()
    store = RunStore(client, TABLE, clock=world.clock, sleep=world.sleep)

    with pytest.raises(UnavailableError, match="ThrottlingException"):
        CHANGES[change](store, world.deadline) if change else store.get("run-1", deadline=world.deadline)


def test_a_resumed_run_runs_only_missing_items_with_the_same_totals(world: Tracking) -> None:
    records = [PASSED, FAILED, made("weather", model=NOVA), made("weather", model=NOVA, repeat=2)]
    world.create(RUN)
    world.runs.start("run-1", deadline=world.deadline)
    for record in records[:2]:
        world.record(record, run_counters=True)

    # its validator is dead; the plan is delivered again, and with it an item that was recorded already
    assert world.runs.start("run-1", deadline=world.deadline) is not None
    recorded = world.tracker.recorded("run-1", deadline=world.deadline)
    missing = [record for record in records if record.key not in recorded]
    assert missing == records[2:]
    assert [world.record(record, run_counters=True) for record in (FAILED, *missing)] == [False, True, True]

    finished = world.runs.finish("run-1", deadline=world.deadline)
    assert finished is not None
    assert (finished.counters.done, finished.counters.passed, finished.counters.failed) == (4, 3, 1)
    assert [tallies.total.tests for tallies in world.tracker.all(deadline=world.deadline)] == [2, 2]
