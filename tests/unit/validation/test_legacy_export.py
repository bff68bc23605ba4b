"""Export and import of validation history: nothing is lost, and nothing counts twice."""

import json
from copy import replace
from typing import Any

import pytest

from cli.commands.validate.legacy_export import MAX_HISTORY, Imported, export_pairs, import_pairs
from flexchat.errors import ConfigError, UnavailableError
from flexchat.validation.records import ItemKey, ModelTallies, RecordPage, Tally, ValidationRecord
from tests.unit.sessions.clients import FailingClient, throttled
from tests.unit.validation.harness import DAY, FAILED, MODEL, NOW, PASSED, TODAY, Tracking, made

pytestmark = pytest.mark.slow

JAVASCRIPT = json.dumps(
    [
        [
            "openai:gpt-4o",
            {
                "model_id": "openai:gpt-4o",
                "tested": True,
                "validated": False,
                "test_count": 5,
                "success_count": 3,
                "last_tested": "2027-01-10T10:30:02.000Z",
                "test_history": [
                    {"timestamp": "2027-01-10T10:30:00.000Z", "success": True, "details": {"tool": "add"}},
                    {"timestamp": "2027-01-10T10:30:00.000Z", "success": True, "details": {"tool": "add"}},
                    {"timestamp": "2027-01-10T10:30:01.000Z", "success": False, "error": "no tool was called"},
                    {"timestamp": "2027-01-10T10:30:02.000Z", "success": False, "error": {"code": 7}},
                ],
            },
        ],
        ["openai:none", {"model_id": "openai:none", "tested": False, "validated": False}],
    ]
)
"""A file without `details` of this service, as a tracker in JavaScript saves it."""

AT = 1_799_577_000.0


def exported(harness: Tracking, **options: Any) -> Any:
    return json.loads(export_pairs(harness.tracker, deadline=harness.deadline, **options))


def imported(harness: Tracking, text: str, **options: Any) -> Imported:
    return import_pairs(text, harness.tracker, now=harness.now, deadline=harness.deadline, **options)


def test_the_exported_file_equals_the_documented_one(harness: Tracking) -> None:
    for record in (PASSED, FAILED, made("lost", result="error")):
        harness.record(record)

    details: dict[str, Any] = {
        "run": "run-1",
        "case": "weather",
        "repeat": 1,
        "suite": "default",
        "category": "single",
        "reasons": [],
        "latency_ms": 120,
        "input_tokens": 300,
        "output_tokens": 20,
        "cost_micros": 45,
        "request_id": "request-1",
    }
    assert exported(harness) == [
        [
            MODEL,
            {
                "model_id": MODEL,
                "tested": True,
                "validated": False,
                "test_count": 2,
                "success_count": 1,
                "last_tested": "2027-01-15T08:00:01.000000+00:00",
                "test_history": [
                    {"timestamp": "2027-01-15T08:00:00.000000+00:00", "success": True, "details": details},
                    {
                        "timestamp": "2027-01-15T08:00:01.000000+00:00",
                        "success": False,
                        "details": {
                            **details,
                            "repeat": 2,
                            "reasons": list(FAILED.reasons),
                            "latency_ms": 80,
                            "cost_micros": None,
                        },
                        "error": FAILED.reasons[0],
                    },
                ],
            },
        ]
    ]


def test_a_model_without_tests_is_exported_as_untested(harness: Tracking) -> None:
    harness.record(made("lost", result="error"))

    assert exported(harness) == [
        [
            MODEL,
            {
                "model_id": MODEL,
                "tested": False,
                "validated": False,
                "test_count": 0,
                "success_count": 0,
                "last_tested": None,
                "test_history": [],
            },
        ]
    ]


def test_the_history_of_a_file_is_limited_to_the_last_tests(harness: Tracking) -> None:
    records = [made("case", repeat=number, at=NOW + number) for number in range(1, 15)]
    for record in records:
        harness.record(record)

    ((_, record),) = exported(harness, history=11)
    assert record["test_count"] == 14
    assert [entry["details"]["repeat"] for entry in record["test_history"]] == list(range(4, 15))
    assert len(exported(harness)[0][1]["test_history"]) == 14


def test_an_import_into_the_same_table_changes_nothing(harness: Tracking) -> None:
    for record in (PASSED, FAILED):
        harness.record(record)
    text = export_pairs(harness.tracker, deadline=harness.deadline)
    before = harness.contents()

    assert imported(harness, text) == Imported(models=1, known=2)
    assert harness.contents() == before


def test_an_import_into_another_table_gives_the_same_records(harness: Tracking) -> None:
    plain = replace(made("", run="request-7", at=NOW + 3), category=None, suite="", cost_micros=None)
    for record in (
        PASSED,
        replace(FAILED, provenance="demo", server="localhost:11434"),
        plain,
        made("case", model="bedrock:amazon.nova-lite-v1:0"),
    ):
        harness.record(record)
    text = export_pairs(harness.tracker, deadline=harness.deadline)
    tallies = harness.tracker.all(deadline=harness.deadline)
    history = harness.tracker.history(MODEL, limit=10, deadline=harness.deadline)

    harness.delete_everything()
    assert imported(harness, text) == Imported(models=2, recorded=4)
    assert harness.tracker.all(deadline=harness.deadline) == tallies
    assert harness.tracker.history(MODEL, limit=10, deadline=harness.deadline) == history
    assert imported(harness, text) == Imported(models=2, known=4)


def test_a_file_of_the_legacy_tracker_is_parsed(harness: Tracking) -> None:
    assert imported(harness, JAVASCRIPT) == Imported(models=2, recorded=4, uncounted=1)

    four = Tally(tests=4, successes=2, last_tested=AT + 2)
    assert harness.tracker.all(deadline=harness.deadline) == (
        ModelTallies("openai:gpt-4o", four, {}, {"2027-01-10": four}),
    )
    page = harness.tracker.history("openai:gpt-4o", limit=10, deadline=harness.deadline)
    assert [(record.at - AT, record.result, record.reasons) for record in page.records] == [
        (2.0, "failed", ('{"code":7}',)),
        (1.0, "failed", ("no tool was called",)),
        (0.0, "passed", ()),
        (0.0, "passed", ()),
    ]
    assert {record.key.run for record in page.records} == {"import"}


def test_a_file_imported_twice_counts_once(harness: Tracking) -> None:
    imported(harness, JAVASCRIPT)
    before = harness.contents()

    assert imported(harness, JAVASCRIPT) == Imported(models=2, known=4, uncounted=1)
    assert harness.contents() == before


def test_a_longer_file_of_the_same_tests_adds_the_new_ones(harness: Tracking) -> None:
    imported(harness, JAVASCRIPT)
    longer = json.loads(JAVASCRIPT)
    longer[0][1]["test_history"].append({"timestamp": "2027-01-11T00:00:00Z", "success": True})

    assert imported(harness, json.dumps(longer)) == Imported(models=2, recorded=1, known=4)


def test_an_interrupted_import_can_be_repeated(harness: Tracking) -> None:
    crashing = harness.tracker_of(
        FailingClient(harness.client, "transact_write_items", throttled(), after=2).as_client()
    )
    with pytest.raises(UnavailableError):
        import_pairs(JAVASCRIPT, crashing, now=harness.now, deadline=harness.deadline)

    assert imported(harness, JAVASCRIPT) == Imported(models=2, recorded=2, known=2, uncounted=1)


class RecordingTracker:
    """A tracker that records the expiry of records."""

    def __init__(self) -> None:
        self.noted: list[tuple[ItemKey, float]] = []

    def all(self, **_: Any) -> tuple[ModelTallies, ...]:
        return ()

    def history(self, model: str, **_: Any) -> RecordPage:
        raise AssertionError(model)

    def record(self, record: ValidationRecord, *, expires_at: int, **_: Any) -> bool:
        self.noted.append((record.key, (expires_at - record.at) / DAY))
        return True


def test_records_have_the_usual_retention_and_imported_ones_a_longer_one(harness: Tracking) -> None:
    harness.record(PASSED)
    imported(harness, JAVASCRIPT)
    text = export_pairs(harness.tracker, deadline=harness.deadline)

    noting = RecordingTracker()
    done = import_pairs(text, noting, now=NOW, retention_days=30, deadline=harness.deadline)
    assert done == Imported(models=2, recorded=5)
    assert {(key.run, days) for key, days in noting.noted} == {("run-1", 30), ("import", 400)}


@pytest.mark.parametrize(("days", "expected"), [(89, Imported(1, recorded=1)), (90, Imported(1, expired=1))])
def test_expired_records_are_not_counted_again(harness: Tracking, days: int, expected: Imported) -> None:
    harness.record(PASSED)
    text = export_pairs(harness.tracker, deadline=harness.deadline)

    noting = RecordingTracker()
    assert import_pairs(text, noting, now=NOW + days * DAY, deadline=harness.deadline) == expected
    assert len(noting.noted) == expected.recorded


def test_an_imported_entry_is_readable_for_400_days(harness: Tracking) -> None:
    harness.now = AT + 2 + 400 * DAY - 1

    assert imported(harness, JAVASCRIPT) == Imported(models=2, recorded=1, expired=3, uncounted=1)


def test_an_empty_table_exports_nothing(harness: Tracking) -> None:
    assert exported(harness) == []
    assert imported(harness, "[]") == Imported()


ENTRY = {"timestamp": "2027-01-10T10:30:00Z", "success": True}
WRONG: dict[str, tuple[str, list[str]]] = {
    "no JSON": ("{", [""]),
    "no array": ("{}", [""]),
    "no pair": ('[["a:b"]]', ["[0][1]"]),
    "another model": ('[["a:b", {"model_id": "a:c"}]]', ["[0][1].model_id"]),
    "every problem at once": (
        '[["a:b", {"test_count": -1, "test_history": [{}]}]]',
        [
            f"[0][1].{name}"
            for name in ("model_id", "test_count", "test_history[0].timestamp", "test_history[0].success")
        ],
    ),
    "no time zone": (
        '[["a:b", {"model_id": "a:b", "test_history": [{"timestamp": "2027-01-10T10:30:00", "success": true}]}]]',
        ["[0][1].test_history[0].timestamp"],
    ),
    "too long": (
        json.dumps([["a:b", {"model_id": "a:b", "test_history": [ENTRY] * (MAX_HISTORY + 1)}]]),
        ["[0][1].test_history"],
    ),
}


@pytest.mark.parametrize(("text", "paths"), WRONG.values(), ids=WRONG)
def test_a_file_of_another_format_is_rejected_with_every_problem(
    harness: Tracking, text: str, paths: list[str]
) -> None:
    with pytest.raises(ConfigError) as refused:
        imported(harness, text)
    assert [problem.path for problem in refused.value.problems] == paths
    assert harness.keys() == set()


def test_an_imported_test_counts_for_its_own_day(harness: Tracking) -> None:
    imported(harness, JAVASCRIPT)
    harness.record(replace(PASSED, key=replace(PASSED.key, model="openai:gpt-4o")))

    tallies = harness.tracker.tallies("openai:gpt-4o", deadline=harness.deadline)
    assert {day: tally.tests for day, tally in tallies.days.items()} == {"2027-01-10": 4, TODAY: 1}
    assert tallies.total.last_tested == NOW
