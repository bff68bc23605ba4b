"""Listings of runs and of their results."""

from copy import replace

import pytest

from flexchat.errors import RequestError
from flexchat.validation.records import RecordPage
from tests.unit.validation.harness import FAILED, NOW, PASSED, RUN, Tracking, made


def test_runs_are_listed_newest_first_in_pages(harness: Tracking) -> None:
    runs = [harness.create(replace(RUN, id=f"run-{number}", created_at=NOW + number // 2)) for number in range(5)]
    harness.record(PASSED)  # stands in the index too, in the series of its model

    first = harness.runs.list(limit=2, deadline=harness.deadline)
    second = harness.runs.list(limit=2, cursor=first.cursor, deadline=harness.deadline)
    third = harness.runs.list(limit=2, cursor=second.cursor, deadline=harness.deadline)
    assert [*first.runs, *second.runs, *third.runs] == runs[::-1]
    assert third.cursor is None


def test_the_results_of_a_run_are_read_in_pages(harness: Tracking) -> None:
    harness.create(RUN)
    records = [made(case, repeat=repeat) for case in ("a", "b", "c") for repeat in (1, 2, 10)]
    for record in reversed(records):
        harness.record(record)
    harness.record(made("a", run="run-10"))

    pages = [harness.runs.results("run-1", limit=4, deadline=harness.deadline)]
    while cursor := pages[-1].cursor:
        pages.append(harness.runs.results("run-1", limit=4, cursor=cursor, deadline=harness.deadline))
    assert [record for page in pages for record in page.records] == records
    assert [len(page.records) for page in pages] == [4, 4, 1]


def test_a_run_without_records_has_an_empty_page(harness: Tracking) -> None:
    harness.create(RUN)

    assert harness.runs.results("run-1", limit=4, deadline=harness.deadline) == RecordPage(())


def test_cursors_of_other_listings_are_rejected(harness: Tracking) -> None:
    for record in (PASSED, FAILED):
        harness.record(record)
    cursor = harness.runs.results("run-1", limit=1, deadline=harness.deadline).cursor

    with pytest.raises(RequestError):
        harness.runs.results("run-2", limit=1, cursor=cursor, deadline=harness.deadline)
    with pytest.raises(RequestError):
        harness.runs.list(limit=1, cursor=cursor, deadline=harness.deadline)
