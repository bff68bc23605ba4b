"""Storage of suites in a table in this process: those of operators, and the copies of runs."""

from typing import Any

import pytest

from flexchat.errors import UnavailableError
from flexchat.validation.cases import Suite
from functions.validation.aws.suites import SuiteStore
from functions.validation.stores import SuiteEntry
from tests.unit.sessions.clients import FailingClient, failing
from tests.unit.validation.harness import DAY, EXPIRES_AT, NOW, TABLE, Tracking


def suite(name: str = "ours", *, cases: int = 2, **changes: Any) -> Suite:
    return Suite.model_validate(
        {
            "$schema": "suite.schema.json",
            "name": name,
            "description": "What we ask for every day.",
            "tools": [
                {
                    "name": "get_weather",
                    "description": "The weather of a city.",
                    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
                    "implementation": {"type": "mock", "mock_response": {"temperature": 21}},
                }
            ],
            "cases": [
                {
                    "id": f"case-{number}",
                    "category": "single" if number else "irrelevance",
                    "history": [{"role": "user", "content": "Hello"}],
                    "message": "How is the weather in Paris?",
                    "expect": {
                        "turns": [{"calls": [{"tool": "get_weather", "arguments": {"city": ["Paris", 1, None]}}]}],
                    },
                }
                for number in range(cases)
            ],
            **changes,
        }
    )


def test_a_suite_is_read_as_it_was_written(harness: Tracking) -> None:
    ours = suite(prompt="Be quick.")
    harness.suites.put(ours, now=NOW, deadline=harness.deadline)

    read = harness.suites.get("ours", now=NOW + 10_000 * DAY, deadline=harness.deadline)
    assert read is not None
    assert read == ours.model_copy(update={"schema_reference": None})


def test_a_suite_of_many_cases_is_read_completely(harness: Tracking) -> None:
    large = suite(cases=2_000, description="x" * 100)
    harness.suites.put(large, now=NOW, deadline=harness.deadline)

    read = harness.suites.get("ours", now=NOW, deadline=harness.deadline)
    assert read is not None
    assert read.cases == large.cases


def test_a_missing_suite_is_not_found(harness: Tracking) -> None:
    assert harness.suites.get("ours", now=NOW, deadline=harness.deadline) is None
    assert harness.suites.list(deadline=harness.deadline) == ()
    assert not harness.suites.delete("ours", deadline=harness.deadline)


def test_suites_are_listed_by_name_with_their_contents(harness: Tracking) -> None:
    harness.suites.put(suite("b", cases=4), now=NOW, deadline=harness.deadline)
    harness.suites.put(suite("a", cases=1, description=""), now=NOW + 1, deadline=harness.deadline)

    assert harness.suites.list(deadline=harness.deadline) == (
        SuiteEntry("a", "", 1, {"irrelevance": 1}, NOW + 1),
        SuiteEntry("b", "What we ask for every day.", 4, {"irrelevance": 1, "single": 3}, NOW),
    )


def test_a_suite_replaces_one_with_its_name(harness: Tracking) -> None:
    harness.suites.put(suite(cases=1), now=NOW, deadline=harness.deadline)
    harness.suites.put(suite(cases=3), now=NOW + 5, deadline=harness.deadline)

    (entry,) = harness.suites.list(deadline=harness.deadline)
    assert (entry.cases, entry.updated_at) == (3, NOW + 5)
    read = harness.suites.get("ours", now=NOW, deadline=harness.deadline)
    assert read is not None
    assert len(read.cases) == 3


def test_a_deleted_suite_leaves_no_items(harness: Tracking) -> None:
    harness.suites.put(suite(), now=NOW, deadline=harness.deadline)

    assert harness.suites.delete("ours", deadline=harness.deadline)
    assert harness.keys() == set()


def test_a_run_uses_its_original_suite_until_it_expires(harness: Tracking) -> None:
    original = suite(cases=1)
    harness.suites.keep_for_run("run-1", original, expires_at=EXPIRES_AT, deadline=harness.deadline)
    harness.suites.put(suite(cases=3), now=NOW, deadline=harness.deadline)
    harness.suites.delete("ours", deadline=harness.deadline)

    read = harness.suites.of_run("run-1", now=NOW, deadline=harness.deadline)
    assert read is not None
    assert read.cases == original.cases
    assert harness.suites.of_run("run-1", now=EXPIRES_AT, deadline=harness.deadline) is None
    assert harness.suites.of_run("run-2", now=NOW, deadline=harness.deadline) is None


def test_a_suite_is_not_listed_before_it_is_complete(harness: Tracking) -> None:
    crashing = FailingClient(harness.client, "put_item", failing("InternalServerError"), after=1)

    with pytest.raises(UnavailableError):
        SuiteStore(crashing.as_client(), TABLE).put(suite(), now=NOW, deadline=harness.deadline)
    assert harness.suites.list(deadline=harness.deadline) == ()
    assert harness.suites.get("ours", now=NOW, deadline=harness.deadline) is not None
