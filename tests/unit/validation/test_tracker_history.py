"""History of a model: pages, order and cursors."""

from copy import replace

import pytest

from flexchat.errors import RequestError
from flexchat.validation.records import ModelTallies, RecordPage
from tests.unit.validation.harness import FAILED, MODEL, NOW, PASSED, RUN, TODAY, OneItemPages, Tracking, made
from tests.unit.validation.tallies import ONE

pytestmark = pytest.mark.slow


def test_all_models_are_read_from_every_page(harness: Tracking) -> None:
    models = [f"openai:m{number:02}" for number in range(7)]
    for model in models:
        harness.record(made("case", model=model))

    tallies = harness.tracker_of(OneItemPages(harness.client).as_client()).all(deadline=harness.deadline)
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
