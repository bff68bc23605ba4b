"""Provenance of verdicts: stored with each, counted apart, and read from items of earlier versions."""

from copy import replace

import pytest

from flexchat.aws.validation.items import read_record, read_tallies, record_item
from flexchat.validation.records import ItemKey, ModelTallies, Provenance, Tally, ValidationRecord
from tests.unit.validation.harness import MODEL, NOW, Tracking

VERDICT = ValidationRecord(ItemKey("run-1", MODEL, "weather"), "default", "single", "passed", (), NOW, 120)


def verdict(case: str, provenance: Provenance, *, server: str = "") -> ValidationRecord:
    return replace(VERDICT, key=ItemKey("run-1", MODEL, case), provenance=provenance, server=server)


@pytest.mark.parametrize("provenance", ["demo", "real", "unknown"])
def test_provenance_and_server_are_stored_with_a_verdict(provenance: Provenance) -> None:
    record = verdict("weather", provenance, server="api.example.com:8443")

    item = {name: value for name, value in record_item(record, expires_at=1).items() if value is not None}

    assert read_record(item) == record


@pytest.mark.parametrize(("stored", "expected"), [({"demo": True}, "demo"), ({}, "unknown")])
def test_verdict_of_an_earlier_version_has_the_provenance_it_recorded(
    stored: dict[str, bool], expected: Provenance
) -> None:
    item = {name: value for name, value in record_item(VERDICT, expires_at=1).items() if value is not None}

    assert read_record({**item, **stored}).provenance == expected


def test_demo_and_real_verdicts_are_counted_apart(harness: Tracking) -> None:
    for record in (verdict("a", "demo"), verdict("b", "real"), verdict("c", "real"), verdict("d", "unknown")):
        harness.record(record)

    (tallies,) = harness.tracker.all(deadline=harness.deadline)

    assert tallies == harness.tracker.tallies(MODEL, deadline=harness.deadline)
    assert [tallies.tests_of(kind) for kind in ("real", "demo", "unknown")] == [2, 1, 1]
    assert tallies.counting(demo=True).total.tests == 1
    real = tallies.counting(demo=False)
    assert (real.total.tests, real.categories["single"].tests, [day.tests for day in real.days.values()]) == (3, 3, [3])


def test_tallies_of_earlier_versions_are_read() -> None:
    total = {"pk": "TALLIES", "sk": f"{MODEL}#TOTAL", "model": MODEL, "tests": 4, "successes": 3, "demo": 4}

    assert read_tallies([total], now=NOW) == (ModelTallies(MODEL, Tally(tests=4, successes=3, demo=4)),)


def test_deletion_of_a_model_deletes_the_counts_of_each_provenance(harness: Tracking) -> None:
    for record in (verdict("a", "demo"), verdict("b", "real"), verdict("c", "unknown")):
        harness.record(record)

    assert harness.tracker.forget(MODEL, deadline=harness.deadline).complete

    assert harness.tracker.all(deadline=harness.deadline) == ()
