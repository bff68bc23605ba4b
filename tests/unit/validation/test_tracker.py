"""The tracker on a table in this process: each record counts once."""

from dataclasses import replace
from typing import Any

import pytest

from flexchat.aws.validation.tracker import FORGETTING_SECONDS, Forgotten, RunMissingError
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, RequestError, UnavailableError
from flexchat.validation.records import ItemKey, ModelTallies, RecordPage, Tally, ValidationRecord
from tests.unit.sessions.clients import Meddling, Refusing, cancelled, failing
from tests.unit.validation.world import (
    DAY,
    EXPIRES_AT,
    FAILED,
    MODEL,
    NOW,
    PASSED,
    RUN,
    TODAY,
    DiedError,
    Dying,
    Lossy,
    OneAtATime,
    Tracking,
    made,
)

ONE = Tally(
    tests=1,
    successes=1,
    latency_ms=120,
    input_tokens=300,
    output_tokens=20,
    cost_micros=45,
    priced=1,
    last_tested=NOW,
)
BOTH = Tally(
    tests=2,
    successes=1,
    latency_ms=200,
    input_tokens=600,
    output_tokens=40,
    cost_micros=45,
    priced=1,
    last_tested=NOW + 1,
)


def test_a_record_counts_for_its_model_its_category_and_its_day(world: Tracking) -> None:
    assert world.record(PASSED)

    assert world.tracker.tallies(MODEL, deadline=world.deadline) == ModelTallies(
        MODEL, ONE, {"single": ONE}, {TODAY: ONE}
    )


def test_records_are_summed(world: Tracking) -> None:
    world.record(PASSED)
    world.record(FAILED)

    assert world.tracker.tallies(MODEL, deadline=world.deadline) == ModelTallies(
        MODEL, BOTH, {"single": BOTH}, {TODAY: BOTH}
    )


def test_a_record_is_read_as_it_was_written(world: Tracking) -> None:
    plain = replace(made("", run="request-9", at=NOW + 2.25), category=None, suite="", cost_micros=None)
    for record in (PASSED, FAILED, plain):
        world.record(record)

    assert world.tracker.history(MODEL, limit=10, deadline=world.deadline) == RecordPage((plain, FAILED, PASSED))


def test_a_plain_test_is_counted_without_a_category(world: Tracking) -> None:
    world.record(replace(PASSED, category=None))

    assert world.tracker.tallies(MODEL, deadline=world.deadline) == ModelTallies(MODEL, ONE, {}, {TODAY: ONE})


@pytest.mark.parametrize("again", [PASSED, replace(PASSED, result="failed", at=NOW + 60, request_id="request-2")])
def test_a_record_delivered_twice_counts_once(world: Tracking, again: ValidationRecord) -> None:
    world.create(RUN)
    world.record(PASSED, run_counters=True)
    before = world.contents()

    assert not world.record(again, run_counters=True)
    assert world.contents() == before


def test_records_without_a_verdict_are_counted_separately(world: Tracking) -> None:
    for case, result in (("a", "error"), ("b", "error"), ("c", "no_tool_call"), ("d", "skipped")):
        assert world.record(made(case, result=result))

    apart = Tally(errors=2, no_tool_calls=1)
    assert world.tracker.tallies(MODEL, deadline=world.deadline) == ModelTallies(
        MODEL, apart, {"single": apart}, {TODAY: apart}
    )


def test_a_skipped_case_adds_no_tally_of_an_untested_model(world: Tracking) -> None:
    world.record(made("a", result="skipped"))

    assert world.tracker.all(deadline=world.deadline) == ()
    assert world.tracker.is_recorded(made("a").key, deadline=world.deadline)


def test_the_last_test_is_the_latest_in_any_order_of_recording(world: Tracking) -> None:
    for record in (made("late", at=NOW + 5), made("early", at=NOW - 5), made("yesterday", at=NOW - DAY)):
        world.record(record)

    tallies = world.tracker.tallies(MODEL, deadline=world.deadline)
    assert (tallies.total.tests, tallies.total.last_tested) == (3, NOW + 5)
    assert {day: (tally.tests, tally.last_tested) for day, tally in tallies.days.items()} == {
        TODAY: (2, NOW + 5),
        "2027-01-14": (1, NOW - DAY),
    }


def test_a_concurrent_later_test_stays_the_last(world: Tracking) -> None:
    def first() -> None:
        world.record(made("other", at=NOW + 9))

    assert world.record(PASSED, client=Meddling(world.client, first).as_client())

    total = world.tracker.tallies(MODEL, deadline=world.deadline).total
    assert (total.tests, total.last_tested) == (2, NOW + 9)


def test_a_concurrent_write_of_the_same_record_counts_once(world: Tracking) -> None:
    def first() -> None:
        world.record(PASSED)

    assert not world.record(PASSED, client=Meddling(world.client, first).as_client())
    assert world.tracker.tallies(MODEL, deadline=world.deadline).total == ONE


def test_an_untested_model_has_zero_counts(world: Tracking) -> None:
    world.record(PASSED)

    assert world.tracker.tallies("openai:gpt-4o", deadline=world.deadline) == ModelTallies("openai:gpt-4o")


def test_names_with_the_same_prefix_or_with_separators_have_distinct_keys(world: Tracking) -> None:
    models = ["a:b", "a:b:c", "a:b#C", "a:b#C#single", "a:b%23C", "a:b/c", "a:b#TOTAL", "a:b!"]
    for model in models:
        world.record(made("case", model=model))

    assert [tallies.model for tallies in world.tracker.all(deadline=world.deadline)] == sorted(models)
    for model in models:
        assert world.tracker.tallies(model, deadline=world.deadline) == ModelTallies(
            model, ONE, {"single": ONE}, {TODAY: ONE}
        )
    assert world.tracker.recorded("run-1", deadline=world.deadline) == {
        ItemKey("run-1", model, "case") for model in models
    }


def test_key_parts_cannot_collide(world: Tracking) -> None:
    assert world.record(made("c", model="m:x#1"))
    assert world.record(made("1#c", model="m:x"))
    assert len(world.tracker.recorded("run-1", deadline=world.deadline)) == 2


def test_a_day_expires_after_400_days_and_the_total_never(world: Tracking) -> None:
    world.record(PASSED)
    world.now = NOW - 8 * 3_600 + 400 * DAY - 1
    assert set(world.tracker.tallies(MODEL, deadline=world.deadline).days) == {TODAY}

    world.now += 1
    assert world.tracker.all(deadline=world.deadline) == (ModelTallies(MODEL, ONE, {"single": ONE}),)
    expiring = {item["sk"]["S"] for item in world.contents() if "expires_at" in item}
    assert expiring == {f"{MODEL}#D#{TODAY}", f"I#{MODEL}#weather#0001"}


def test_all_models_are_read_from_every_page(world: Tracking) -> None:
    models = [f"openai:m{number:02}" for number in range(7)]
    for model in models:
        world.record(made("case", model=model))

    tallies = world.tracker_of(OneAtATime(world.client).as_client()).all(deadline=world.deadline)
    assert tallies == tuple(ModelTallies(model, ONE, {"single": ONE}, {TODAY: ONE}) for model in models)


def test_history_is_read_in_pages_newest_first(world: Tracking) -> None:
    records = [made("case", repeat=number, at=NOW + number // 3) for number in range(1, 8)]
    for record in records:
        world.record(record)
    world.record(made("case", model="openai:gpt-4o", at=NOW + 100))

    pages = [world.tracker.history(MODEL, limit=3, deadline=world.deadline)]
    while cursor := pages[-1].cursor:
        pages.append(world.tracker.history(MODEL, limit=3, cursor=cursor, deadline=world.deadline))

    assert [len(page.records) for page in pages] == [3, 3, 1]
    assert [record for page in pages for record in page.records] == records[::-1]


def test_records_with_the_same_time_have_a_stable_order_over_pages(world: Tracking) -> None:
    records = [made(case, run=run) for run in ("run-1", "run-2") for case in ("a", "b", "c")]
    for record in records:
        world.record(record)

    first = world.tracker.history(MODEL, limit=4, deadline=world.deadline)
    rest = world.tracker.history(MODEL, limit=4, cursor=first.cursor, deadline=world.deadline)
    assert first.records + rest.records == tuple(reversed(records))
    assert rest.cursor is None


def test_a_full_last_page_has_no_cursor(world: Tracking) -> None:
    world.record(PASSED)

    assert world.tracker.history(MODEL, limit=1, deadline=world.deadline) == RecordPage((PASSED,))


def test_expired_records_are_skipped_in_history_and_the_page_is_filled(world: Tracking) -> None:
    short = [made("short", repeat=number, at=NOW + 1) for number in range(1, 6)]
    for record in short:
        world.tracker.record(record, expires_at=int(NOW) + 10, deadline=world.deadline)
    for record in (PASSED, made("other", at=NOW - 1)):
        world.record(record)

    world.now = NOW + 10
    page = world.tracker.history(MODEL, limit=1, deadline=world.deadline)
    assert page.records == (PASSED,)
    assert world.tracker.history(MODEL, limit=2, cursor=page.cursor, deadline=world.deadline) == RecordPage(
        (made("other", at=NOW - 1),)
    )


def test_a_cursor_of_the_history_of_another_model_is_rejected(world: Tracking) -> None:
    for record in (PASSED, FAILED):
        world.record(record)
    cursor = world.tracker.history(MODEL, limit=1, deadline=world.deadline).cursor

    with pytest.raises(RequestError) as refused:
        world.tracker.history("openai:gpt-4o", limit=1, cursor=cursor, deadline=world.deadline)
    assert refused.value.code == "invalid_cursor"


def test_reasons_are_truncated_and_contain_no_lone_surrogates(world: Tracking) -> None:
    world.record(replace(PASSED, reasons=("x" * 300_000, "half \ud800", *["more"] * 100)))

    (record,) = world.tracker.history(MODEL, limit=1, deadline=world.deadline).records
    assert len(record.reasons) == 20
    assert len(record.reasons[0]) < 1_100
    assert record.reasons[1:3] == ("half ?", "more")


def test_the_records_of_a_run_are_listed_for_its_resumption(world: Tracking) -> None:
    world.create(RUN)
    for record in (PASSED, FAILED, made("skipped", result="skipped"), made("weather", run="run-2")):
        world.record(record)

    assert world.tracker.recorded("run-1", deadline=world.deadline) == {
        PASSED.key,
        FAILED.key,
        made("skipped").key,
    }
    assert world.tracker.is_recorded(PASSED.key, deadline=world.deadline)
    assert not world.tracker.is_recorded(replace(PASSED.key, repeat=3), deadline=world.deadline)


def test_a_record_of_a_missing_run_is_rejected(world: Tracking) -> None:
    with pytest.raises(RunMissingError):
        world.record(PASSED, run_counters=True)
    assert world.keys() == set()


def test_a_record_of_a_model_outside_the_run_is_rejected(world: Tracking) -> None:
    world.create(RUN)
    before = world.contents()

    with pytest.raises(RunMissingError):
        world.record(made("weather", model="openai:gpt-4o"), run_counters=True)
    assert world.contents() == before


def test_conflicts_are_retried(world: Tracking) -> None:
    busy = Refusing(
        world.client, "transact_write_items", cancelled("None", "TransactionConflict", "TransactionConflict"), times=9
    )

    assert world.record(PASSED, client=busy.as_client())
    assert world.tracker.tallies(MODEL, deadline=world.deadline).total == ONE
    ceilings = [0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.0, 1.0, 1.0]
    assert len(world.waits) == len(ceilings)
    assert all(0 <= wait <= ceiling for wait, ceiling in zip(world.waits, ceilings, strict=True))


@pytest.mark.parametrize(
    "error",
    [
        cancelled("None", "ThrottlingError", "TransactionConflict"),
        cancelled("ProvisionedThroughputExceeded"),
        failing("TransactionConflictException"),
        failing("TransactionInProgressException"),
        failing("ThrottlingException"),
        failing("ProvisionedThroughputExceededException"),
        failing("RequestLimitExceeded"),
    ],
    ids=lambda error: str(error.response["Error"]["Code"]),
)
def test_transient_errors_are_retried(world: Tracking, error: Any) -> None:
    busy = Refusing(world.client, "transact_write_items", error, times=2)

    assert world.record(PASSED, client=busy.as_client())
    assert len(world.waits) == 2


@pytest.mark.parametrize("error", [cancelled("ValidationError", "TransactionConflict"), cancelled("None"), cancelled()])
def test_permanent_errors_are_not_retried(world: Tracking, error: Any) -> None:
    broken = Refusing(world.client, "transact_write_items", error)

    with pytest.raises(UnavailableError, match="TransactionCanceledException"):
        world.record(PASSED, client=broken.as_client())
    assert (broken.refused, world.waits) == (1, [])


def test_endless_conflicts_end_at_the_deadline(world: Tracking) -> None:
    busy = Refusing(world.client, "transact_write_items", cancelled("TransactionConflict"), times=1_000_000)

    with pytest.raises(UnavailableError):
        world.record(PASSED, client=busy.as_client())
    assert world.now < NOW + 20
    assert world.keys() == set()


def test_a_record_found_after_a_conflict_counts_as_recorded_before(world: Tracking) -> None:
    busy = Refusing(
        world.client, "transact_write_items", cancelled("ConditionalCheckFailed", "TransactionConflict"), times=1
    )

    assert not world.record(PASSED, client=busy.as_client())


def test_a_transaction_with_a_lost_response_counts_once(world: Tracking) -> None:
    assert world.record(PASSED, client=Lossy(world.client).as_client())
    assert world.tracker.tallies(MODEL, deadline=world.deadline).total == ONE


def test_the_same_record_written_again_has_a_new_transaction_token(world: Tracking) -> None:
    tokens = Lossy(world.client, {"another": ""})

    assert world.record(PASSED, client=tokens.as_client())
    assert not world.record(PASSED, client=tokens.as_client())


def test_a_missing_table_is_a_configuration_error(world: Tracking) -> None:
    missing = Refusing(world.client, "transact_write_items", failing("ResourceNotFoundException"))

    with pytest.raises(ConfigError, match="deploy the stage first"):
        world.record(PASSED, client=missing.as_client())


@pytest.mark.parametrize("run_counters", [False, True])
def test_a_crash_before_or_after_the_only_write_leaves_all_or_nothing(world: Tracking, *, run_counters: bool) -> None:
    world.create(RUN)
    before = world.contents()
    dying = Dying(world.client)

    with pytest.raises(DiedError):
        world.record(PASSED, run_counters=run_counters, client=dying.as_client())
    assert world.contents() == before

    dying.has_sent = True
    with pytest.raises(DiedError):
        world.record(PASSED, run_counters=run_counters, client=dying.as_client())
    after = world.contents()
    assert not world.record(PASSED, run_counters=run_counters)
    assert world.contents() == after
    assert world.tracker.tallies(MODEL, deadline=world.deadline).total == ONE
    assert dying.writes == ["transact_write_items"] * 2


def test_the_expiry_is_given_by_the_caller(world: Tracking) -> None:
    world.record(PASSED)

    (record,) = (item for item in world.contents() if item["sk"]["S"].startswith("I#"))
    assert record["expires_at"] == {"N": str(EXPIRES_AT)}


BY_HAND = replace(made("plain", run="request-9"), suite="", category=None, counted=False)


def test_a_manual_test_is_counted_separately_and_not_for_the_model(world: Tracking) -> None:
    world.record(PASSED)

    assert world.record(BY_HAND)
    assert not world.record(BY_HAND)

    assert world.tracker.tallies(MODEL, deadline=world.deadline) == ModelTallies(
        MODEL, ONE, {"single": ONE}, {TODAY: ONE}
    )
    assert world.tracker.by_hand(deadline=world.deadline) == {MODEL: ONE}
    assert world.tracker.by_hand(model=MODEL, deadline=world.deadline) == {MODEL: ONE}
    assert world.tracker.by_hand(model="ollama:llama3.2", deadline=world.deadline) == {}
    page = world.tracker.history(MODEL, limit=10, deadline=world.deadline)
    assert sorted(page.records, key=lambda record: record.counted) == [BY_HAND, PASSED]


def test_counts_of_manual_tests_are_deleted_with_the_last_of_them(world: Tracking) -> None:
    world.record(BY_HAND)

    world.now = EXPIRES_AT + 1

    assert world.tracker.by_hand(deadline=world.deadline) == {}


OTHER = "ollama:llama3.2:3b#C"
"""A model whose name starts like the keys of the other."""


def history_of(world: Tracking, *, model: str, cases: int, days: int) -> None:
    """A model with many cases, categories and days, and one manual test."""
    for number in range(cases):
        record = made(f"case-{number}", model=model, at=NOW - (number % days) * DAY)
        world.record(replace(record, category=("single", "choice")[number % 2]))
    world.record(replace(made("plain", run="request-9", model=model), category=None, counted=False))


@pytest.mark.slow
@pytest.mark.parametrize("one_at_a_time", [True, False])
def test_the_deletion_of_a_model_is_complete_and_affects_no_other(world: Tracking, *, one_at_a_time: bool) -> None:
    history_of(world, model=OTHER, cases=3, days=2)
    others = world.contents()
    history_of(world, model=MODEL, cases=230, days=130)
    client = OneAtATime(world.client).as_client() if one_at_a_time else world.client

    forgotten = world.tracker_of(client).forget(MODEL, deadline=world.deadline)

    assert forgotten == Forgotten(records=231, complete=True)
    assert world.contents() == others


def test_deleting_an_untested_model_has_no_effect(world: Tracking) -> None:
    assert world.tracker.forget(MODEL, deadline=world.deadline) == Forgotten(records=0, complete=True)


def test_expired_records_are_deleted_as_well(world: Tracking) -> None:
    history_of(world, model=MODEL, cases=2, days=1)
    world.now = EXPIRES_AT + DAY

    assert world.tracker.forget(MODEL, deadline=world.deadline) == Forgotten(records=3, complete=True)
    assert world.contents() == []


def test_the_run_of_a_deleted_model_has_unchanged_counters(world: Tracking) -> None:
    world.create(RUN)
    world.record(PASSED, run_counters=True)

    world.tracker.forget(MODEL, deadline=world.deadline)

    progress = world.runs.get(RUN.id, deadline=world.deadline)
    assert progress is not None
    assert [model.counters.done for model in progress.models] == [1, 0]
    assert world.runs.results(RUN.id, limit=10, deadline=world.deadline).records == ()


@pytest.mark.slow
def test_a_deletion_that_runs_out_of_time_is_incomplete_and_continues_when_repeated(world: Tracking) -> None:
    history_of(world, model=MODEL, cases=230, days=1)
    soon = Deadline.after(FORGETTING_SECONDS - 0.5, clock=world.clock)

    forgotten = [world.tracker.forget(MODEL, deadline=soon) for _ in range(4)]

    assert forgotten == [
        Forgotten(records=100, complete=False),
        Forgotten(records=100, complete=False),
        Forgotten(records=31, complete=False),
        Forgotten(records=0, complete=True),
    ]
    assert world.contents() == []


@pytest.mark.slow
@pytest.mark.parametrize("has_sent", [True, False])
def test_an_interrupted_deletion_leaves_the_model_unchanged_or_untested(world: Tracking, *, has_sent: bool) -> None:
    history_of(world, model=MODEL, cases=12, days=6)
    before = world.tracker.tallies(MODEL, deadline=world.deadline)
    dying = Dying(world.client, has_sent=has_sent)

    with pytest.raises(DiedError):
        world.tracker_of(dying.as_client()).forget(MODEL, deadline=world.deadline)

    left = world.tracker.tallies(MODEL, deadline=world.deadline)
    assert left == (ModelTallies(MODEL) if has_sent else before)
    assert world.tracker.forget(MODEL, deadline=world.deadline) == Forgotten(records=13, complete=True)
    assert world.contents() == []
