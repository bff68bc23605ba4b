"""The tracker on a table in this process: each record counts once."""

from copy import replace

import pytest

from flexchat.aws.validation.tracker import RunMissingError
from flexchat.validation.records import ItemKey, ModelTallies, RecordPage, Tally, ValidationRecord
from tests.unit.sessions.clients import InterferingClient
from tests.unit.validation.harness import DAY, EXPIRES_AT, FAILED, MODEL, NOW, PASSED, RUN, TODAY, Tracking, made
from tests.unit.validation.tallies import ONE

pytestmark = pytest.mark.slow

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

    assert harness.record(PASSED, client=InterferingClient(harness.client, first).as_client())

    total = harness.tracker.tallies(MODEL, deadline=harness.deadline).total
    assert (total.tests, total.last_tested) == (2, NOW + 9)


def test_a_concurrent_write_of_the_same_record_counts_once(harness: Tracking) -> None:
    def first() -> None:
        harness.record(PASSED)

    assert not harness.record(PASSED, client=InterferingClient(harness.client, first).as_client())
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
