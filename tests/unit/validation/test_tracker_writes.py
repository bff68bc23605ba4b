"""Retries and crashes of the transaction that writes a record."""

from typing import Any

import pytest

from flexchat.errors import ConfigError, UnavailableError
from tests.unit.sessions.clients import FailingClient, cancelled, failing
from tests.unit.validation.harness import (
    MODEL,
    NOW,
    PASSED,
    RUN,
    CrashingDynamoDb,
    LostResponseClient,
    ProcessCrashError,
    Tracking,
)
from tests.unit.validation.tallies import ONE

pytestmark = pytest.mark.slow


def test_conflicts_are_retried(harness: Tracking) -> None:
    busy = FailingClient(
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
    busy = FailingClient(harness.client, "transact_write_items", error, times=2)

    assert harness.record(PASSED, client=busy.as_client())
    assert len(harness.waits) == 2


@pytest.mark.parametrize("error", [cancelled("ValidationError", "TransactionConflict"), cancelled("None"), cancelled()])
def test_permanent_errors_are_not_retried(harness: Tracking, error: Any) -> None:
    broken = FailingClient(harness.client, "transact_write_items", error)

    with pytest.raises(UnavailableError, match="TransactionCanceledException"):
        harness.record(PASSED, client=broken.as_client())
    assert (broken.refused, harness.waits) == (1, [])


def test_endless_conflicts_end_at_the_deadline(harness: Tracking) -> None:
    busy = FailingClient(harness.client, "transact_write_items", cancelled("TransactionConflict"), times=1_000_000)

    with pytest.raises(UnavailableError):
        harness.record(PASSED, client=busy.as_client())
    assert harness.now < NOW + 20
    assert harness.keys() == set()


def test_a_record_found_after_a_conflict_counts_as_recorded_before(harness: Tracking) -> None:
    busy = FailingClient(
        harness.client, "transact_write_items", cancelled("ConditionalCheckFailed", "TransactionConflict"), times=1
    )

    assert not harness.record(PASSED, client=busy.as_client())


def test_a_transaction_with_a_lost_response_counts_once(harness: Tracking) -> None:
    assert harness.record(PASSED, client=LostResponseClient(harness.client).as_client())
    assert harness.tracker.tallies(MODEL, deadline=harness.deadline).total == ONE


def test_the_same_record_written_again_has_a_new_transaction_token(harness: Tracking) -> None:
    tokens = LostResponseClient(harness.client, {"another": ""})

    assert harness.record(PASSED, client=tokens.as_client())
    assert not harness.record(PASSED, client=tokens.as_client())


def test_a_missing_table_is_a_configuration_error(harness: Tracking) -> None:
    missing = FailingClient(harness.client, "transact_write_items", failing("ResourceNotFoundException"))

    with pytest.raises(ConfigError, match="deploy the stage first"):
        harness.record(PASSED, client=missing.as_client())


@pytest.mark.parametrize("run_counters", [False, True])
def test_a_crash_before_or_after_the_only_write_leaves_all_or_nothing(harness: Tracking, *, run_counters: bool) -> None:
    harness.create(RUN)
    before = harness.contents()
    crashing = CrashingDynamoDb(harness.client)

    with pytest.raises(ProcessCrashError):
        harness.record(PASSED, run_counters=run_counters, client=crashing.as_client())
    assert harness.contents() == before

    crashing.has_sent = True
    with pytest.raises(ProcessCrashError):
        harness.record(PASSED, run_counters=run_counters, client=crashing.as_client())
    after = harness.contents()
    assert not harness.record(PASSED, run_counters=run_counters)
    assert harness.contents() == after
    assert harness.tracker.tallies(MODEL, deadline=harness.deadline).total == ONE
    assert crashing.writes == ["transact_write_items"] * 2
