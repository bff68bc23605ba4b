"""The tracker on a table in this process: each record counts once."""

from dataclasses import replace
from typing import Any

import pytest

from flexchat.aws.validation.tracker import FORGETTING_SECONDS, Forgotten, RunMissingError
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, RequestError, UnavailableError
from flexchat.validation.records import ItemKey, ModelTallies, RecordPage, Tally, ValidationRecord
from tests.unit.sessions.clients import Meddling, Refusing, cancelled, failing
from tests.unit.validation.harness import (
    DAY,
    EXPIRES_AT,
    FAILED,
    HOUR,
    MODEL,
    NOW,
    PASSED,
    RUN,
    TODAY,
    DiedError,
    Dying,
    Lossy,
    OneAtATime,
    SlowDeletions,
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


def test_a_record_counts_for_its_model_its_category_and_its_day(harness: Tracking) -> None:
    assert harness.record(PASSED)

    assert harness.tracker.tallies(MODEL, deadline=harness.deadline) == ModelTallies(
        MODEL, ONE, {"single": ONE}, {TODAY: ONE}
    )


def test_records_are_summed(harness: Tracking) -> None:
    harness.record(PASSED)
    harness.record(FAILED)

    assert harness.tracker.tallies(MODEL, deadline=harness.deadline) == ModelTallies(
        MODEL, BOTH, {"single": BOTH}, {TODAY: BOTH}
    )


def test_a_record_is_read_as_it_was_written(harness: Tracking) -> None:
    plain = replace(made("", run="request-9", at=NOW + 2.25), category=None, suite="", cost_micros=None)
    for record in (PASSED, FAILED, plain):
        harness.record(record)

    assert harness.tracker.history(MODEL, limit=10, deadline=harness.deadline) == RecordPage((plain, FAILED, PASSED))


def test_a_plain_test_is_counted_without_a_category(harness: Tracking) -> None:
    harness.record(replace(PASSED, category=None))

    assert harness.tracker.tallies(MODEL, deadline=harness.deadline) == ModelTallies(MODEL, ONE, {}, {TODAY: ONE})


@pytest.mark.parametrize("again", [PASSED, replace(PASSED, result="failed", at=NOW + 60, request_id="request-2")])
def test_a_record_delivered_twice_counts_once(harness: Tracking, again: ValidationRecord) -> None:
    harness.create(RUN)
    harness.record(PASSED, run_counters=True)
    before = harness.contents()

    assert not harness.record(again, run_counters=True)
    assert harness.contents() == before


def test_records_without_a_verdict_are_counted_separately(harness: Tracking) -> None:
    for case, result in (("a", "error"), ("b", "error"), ("c", "no_tool_call"), ("d", "skipped")):
        assert harness.record(made(case, result=result))

    apart = Tally(errors=2, no_tool_calls=1)
    assert harness.tracker.tallies(MODEL, deadline=harness.deadline) == ModelTallies(
        MODEL, apart, {"single": apart}, {TODAY: apart}
    )


def test_a_skipped_case_adds_no_tally_of_an_untested_model(harness: Tracking) -> None:
    harness.record(made("a", result="skipped"))

    assert harness.tracker.all(deadline=harness.deadline) == ()
    assert harness.tracker.is_recorded(made("a").key, deadline=harness.deadline)


def test_the_last_test_is_the_latest_in_any_order_of_recording(harness: Tracking) -> None:
    for record in (made("late", at=NOW + 5), made("early", at=NOW - 5), made("yesterday", at=NOW - DAY)):
        harness.record(record)

    tallies = harness.tracker.tallies(MODEL, deadline=harness.deadline)
    assert (tallies.total.tests, tallies.total.last_tested) == (3, NOW + 5)
    assert {day: (tally.tests, tally.last_tested) for day, tally in tallies.days.items()} == {
        TODAY: (2, NOW + 5),
        "2027-01-14": (1, NOW - DAY),
    }


def test_a_concurrent_later_test_stays_the_last(harness: Tracking) -> None:
    def first() -> None:
        harness.record(made("other", at=NOW + 9))

    assert harness.record(PASSED, client=Meddling(harness.client, first).as_client())

    total = harness.tracker.tallies(MODEL, deadline=harness.deadline).total
    assert (total.tests, total.last_tested) == (2, NOW + 9)


def test_a_concurrent_write_of_the_same_record_counts_once(harness: Tracking) -> None:
    def first() -> None:
        harness.record(PASSED)

    assert not harness.record(PASSED, client=Meddling(harness.client, first).as_client())
    assert harness.tracker.tallies(MODEL, deadline=harness.deadline).total == ONE


def test_an_untested_model_has_zero_counts(harness: Tracking) -> None:
    harness.record(PASSED)

    assert harness.tracker.tallies("openai:gpt-4o", deadline=harness.deadline) == ModelTallies("openai:gpt-4o")


def test_names_with_the_same_prefix_or_with_separators_have_distinct_keys(harness: Tracking) -> None:
    models = ["a:b", "a:b:c", "a:b#C", "a:b#C#single", "a:b%23C", "a:b/c", "a:b#TOTAL", "a:b!"]
    for model in models:
        harness.record(made("case", model=model))

    assert [tallies.model for tallies in harness.tracker.all(deadline=harness.deadline)] == sorted(models)
    for model in models:
        assert harness.tracker.tallies(model, deadline=harness.deadline) == ModelTallies(
            model, ONE, {"single": ONE}, {TODAY: ONE}
        )
    assert harness.tracker.recorded("run-1", deadline=harness.deadline) == {
        ItemKey("run-1", model, "case") for model in models
    }


def test_key_parts_cannot_collide(harness: Tracking) -> None:
    assert harness.record(made("c", model="m:x#1"))
    assert harness.record(made("1#c", model="m:x"))
    assert len(harness.tracker.recorded("run-1", deadline=harness.deadline)) == 2


def test_a_day_expires_after_400_days_and_the_total_never(harness: Tracking) -> None:
    harness.record(PASSED)
    harness.now = NOW - 8 * 3_600 + 400 * DAY - 1
    assert set(harness.tracker.tallies(MODEL, deadline=harness.deadline).days) == {TODAY}

    harness.now += 1
    assert harness.tracker.all(deadline=harness.deadline) == (ModelTallies(MODEL, ONE, {"single": ONE}),)
    expiring = {item["sk"]["S"] for item in harness.contents() if "expires_at" in item}
    assert expiring == {f"{MODEL}#D#{TODAY}", f"I#{MODEL}#weather#0001"}


def test_all_models_are_read_from_every_page(harness: Tracking) -> None:
    models = [f"openai:m{number:02}" for number in range(7)]
    for model in models:
        harness.record(made("case", model=model))

    tallies = harness.tracker_of(OneAtATime(harness.client).as_client()).all(deadline=harness.deadline)
    assert tallies == tuple(ModelTallies(model, ONE, {"single": ONE}, {TODAY: ONE}) for model in models)


def test_history_is_read_in_pages_newest_first(harness: Tracking) -> None:
    records = [made("case", repeat=number, at=NOW + number // 3) for number in range(1, 8)]
    for record in records:
        harness.record(record)
    harness.record(made("case", model="openai:gpt-4o", at=NOW + 100))

    pages = [harness.tracker.history(MODEL, limit=3, deadline=harness.deadline)]
    while cursor := pages[-1].cursor:
        pages.append(harness.tracker.history(MODEL, limit=3, cursor=cursor, deadline=harness.deadline))

    assert [len(page.records) for page in pages] == [3, 3, 1]
    assert [record for page in pages for record in page.records] == records[::-1]


def test_records_with_the_same_time_have_a_stable_order_over_pages(harness: Tracking) -> None:
    records = [made(case, run=run) for run in ("run-1", "run-2") for case in ("a", "b", "c")]
    for record in records:
        harness.record(record)

    first = harness.tracker.history(MODEL, limit=4, deadline=harness.deadline)
    rest = harness.tracker.history(MODEL, limit=4, cursor=first.cursor, deadline=harness.deadline)
    assert first.records + rest.records == tuple(reversed(records))
    assert rest.cursor is None


def test_a_full_last_page_has_no_cursor(harness: Tracking) -> None:
    harness.record(PASSED)

    assert harness.tracker.history(MODEL, limit=1, deadline=harness.deadline) == RecordPage((PASSED,))


def test_expired_records_are_skipped_in_history_and_the_page_is_filled(harness: Tracking) -> None:
    short = [made("short", repeat=number, at=NOW + 1) for number in range(1, 6)]
    for record in short:
        harness.tracker.record(record, expires_at=int(NOW) + 10, deadline=harness.deadline)
    for record in (PASSED, made("other", at=NOW - 1)):
        harness.record(record)

    harness.now = NOW + 10
    page = harness.tracker.history(MODEL, limit=1, deadline=harness.deadline)
    assert page.records == (PASSED,)
    assert harness.tracker.history(MODEL, limit=2, cursor=page.cursor, deadline=harness.deadline) == RecordPage(
        (made("other", at=NOW - 1),)
    )


def test_a_cursor_of_the_history_of_another_model_is_rejected(harness: Tracking) -> None:
    for record in (PASSED, FAILED):
        harness.record(record)
    cursor = harness.tracker.history(MODEL, limit=1, deadline=harness.deadline).cursor

    with pytest.raises(RequestError) as refused:
        harness.tracker.history("openai:gpt-4o", limit=1, cursor=cursor, deadline=harness.deadline)
    assert refused.value.code == "invalid_cursor"


def test_reasons_are_truncated_and_contain_no_lone_surrogates(harness: Tracking) -> None:
    harness.record(replace(PASSED, reasons=("x" * 300_000, "half \ud800", *["more"] * 100)))

    (record,) = harness.tracker.history(MODEL, limit=1, deadline=harness.deadline).records
    assert len(record.reasons) == 20
    assert len(record.reasons[0]) < 1_100
    assert record.reasons[1:3] == ("half ?", "more")


def test_the_records_of_a_run_are_listed_for_its_resumption(harness: Tracking) -> None:
    harness.create(RUN)
    for record in (PASSED, FAILED, made("skipped", result="skipped"), made("weather", run="run-2")):
        harness.record(record)

    assert harness.tracker.recorded("run-1", deadline=harness.deadline) == {
        PASSED.key,
        FAILED.key,
        made("skipped").key,
    }
    assert harness.tracker.is_recorded(PASSED.key, deadline=harness.deadline)
    assert not harness.tracker.is_recorded(replace(PASSED.key, repeat=3), deadline=harness.deadline)


def test_a_record_of_a_missing_run_is_rejected(harness: Tracking) -> None:
    with pytest.raises(RunMissingError):
        harness.record(PASSED, run_counters=True)
    assert harness.keys() == set()


def test_a_record_of_a_model_outside_the_run_is_rejected(harness: Tracking) -> None:
    harness.create(RUN)
    before = harness.contents()

    with pytest.raises(RunMissingError):
        harness.record(made("weather", model="openai:gpt-4o"), run_counters=True)
    assert harness.contents() == before


def test_conflicts_are_retried(harness: Tracking) -> None:
    busy = Refusing(
        harness.client, "transact_write_items", cancelled("None", "TransactionConflict", "TransactionConflict"), times=9
    )

    assert harness.record(PASSED, client=busy.as_client())
    assert harness.tracker.tallies(MODEL, deadline=harness.deadline).total == ONE
    ceilings = [0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.0, 1.0, 1.0]
    assert len(harness.waits) == len(ceilings)
    assert all(0 <= wait <= ceiling for wait, ceiling in zip(harness.waits, ceilings, strict=True))


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
def test_transient_errors_are_retried(harness: Tracking, error: Any) -> None:
    busy = Refusing(harness.client, "transact_write_items", error, times=2)

    assert harness.record(PASSED, client=busy.as_client())
    assert len(harness.waits) == 2


@pytest.mark.parametrize("error", [cancelled("ValidationError", "TransactionConflict"), cancelled("None"), cancelled()])
def test_permanent_errors_are_not_retried(harness: Tracking, error: Any) -> None:
    broken = Refusing(harness.client, "transact_write_items", error)

    with pytest.raises(UnavailableError, match="TransactionCanceledException"):
        harness.record(PASSED, client=broken.as_client())
    assert (broken.refused, harness.waits) == (1, [])


def test_endless_conflicts_end_at_the_deadline(harness: Tracking) -> None:
    busy = Refusing(harness.client, "transact_write_items", cancelled("TransactionConflict"), times=1_000_000)

    with pytest.raises(UnavailableError):
        harness.record(PASSED, client=busy.as_client())
    assert harness.now < NOW + 20
    assert harness.keys() == set()


def test_a_record_found_after_a_conflict_counts_as_recorded_before(harness: Tracking) -> None:
    busy = Refusing(
        harness.client, "transact_write_items", cancelled("ConditionalCheckFailed", "TransactionConflict"), times=1
    )

    assert not harness.record(PASSED, client=busy.as_client())


def test_a_transaction_with_a_lost_response_counts_once(harness: Tracking) -> None:
    assert harness.record(PASSED, client=Lossy(harness.client).as_client())
    assert harness.tracker.tallies(MODEL, deadline=harness.deadline).total == ONE


def test_the_same_record_written_again_has_a_new_transaction_token(harness: Tracking) -> None:
    tokens = Lossy(harness.client, {"another": ""})

    assert harness.record(PASSED, client=tokens.as_client())
    assert not harness.record(PASSED, client=tokens.as_client())


def test_a_missing_table_is_a_configuration_error(harness: Tracking) -> None:
    missing = Refusing(harness.client, "transact_write_items", failing("ResourceNotFoundException"))

    with pytest.raises(ConfigError, match="deploy the stage first"):
        harness.record(PASSED, client=missing.as_client())


@pytest.mark.parametrize("run_counters", [False, True])
def test_a_crash_before_or_after_the_only_write_leaves_all_or_nothing(harness: Tracking, *, run_counters: bool) -> None:
    harness.create(RUN)
    before = harness.contents()
    dying = Dying(harness.client)

    with pytest.raises(DiedError):
        harness.record(PASSED, run_counters=run_counters, client=dying.as_client())
    assert harness.contents() == before

    dying.has_sent = True
    with pytest.raises(DiedError):
        harness.record(PASSED, run_counters=run_counters, client=dying.as_client())
    after = harness.contents()
    assert not harness.record(PASSED, run_counters=run_counters)
    assert harness.contents() == after
    assert harness.tracker.tallies(MODEL, deadline=harness.deadline).total == ONE
    assert dying.writes == ["transact_write_items"] * 2


def test_the_expiry_is_given_by_the_caller(harness: Tracking) -> None:
    harness.record(PASSED)

    (record,) = (item for item in harness.contents() if item["sk"]["S"].startswith("I#"))
    assert record["expires_at"] == {"N": str(EXPIRES_AT)}


BY_HAND = replace(made("plain", run="request-9"), suite="", category=None, counted=False)


def test_a_manual_test_is_counted_separately_and_not_for_the_model(harness: Tracking) -> None:
    harness.record(PASSED)

    assert harness.record(BY_HAND)
    assert not harness.record(BY_HAND)

    assert harness.tracker.tallies(MODEL, deadline=harness.deadline) == ModelTallies(
        MODEL, ONE, {"single": ONE}, {TODAY: ONE}
    )
    assert harness.tracker.by_hand(deadline=harness.deadline) == {MODEL: ONE}
    assert harness.tracker.by_hand(model=MODEL, deadline=harness.deadline) == {MODEL: ONE}
    assert harness.tracker.by_hand(model="ollama:llama3.2", deadline=harness.deadline) == {}
    page = harness.tracker.history(MODEL, limit=10, deadline=harness.deadline)
    assert sorted(page.records, key=lambda record: record.counted) == [BY_HAND, PASSED]


def test_counts_of_manual_tests_are_deleted_with_the_last_of_them(harness: Tracking) -> None:
    harness.record(BY_HAND)

    harness.now = EXPIRES_AT + 1

    assert harness.tracker.by_hand(deadline=harness.deadline) == {}


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
    client = OneAtATime(harness.client).as_client() if one_at_a_time else harness.client

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
    dying = Dying(harness.client, has_sent=has_sent)

    with pytest.raises(DiedError):
        harness.tracker_of(dying.as_client()).forget(MODEL, deadline=harness.deadline)

    left = harness.tracker.tallies(MODEL, deadline=harness.deadline)
    assert left == (ModelTallies(MODEL) if has_sent else before)
    assert harness.tracker.forget(MODEL, deadline=harness.deadline) == Forgotten(records=13, complete=True)
    assert harness.contents() == []
