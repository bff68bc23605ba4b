"""Crashes and repeated deliveries of a run: executed once, or marked as failed."""

from typing import Any, cast

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.runs import LEASE_SECONDS
from functions.chat.runs.background import RunFailedError
from tests.unit.runs.harness import BOB, Chat, RunHarness
from tests.unit.runs.run_errors import metrics, refused
from tests.unit.runs.table import CrashingDynamoDb, LostResponseClient, ProcessCrashError

pytestmark = pytest.mark.slow


def crash() -> None:
    raise ProcessCrashError


def test_an_event_delivered_again_after_the_end_changes_nothing(harness: RunHarness) -> None:
    run = harness.start()
    harness.deliver(Chat())
    before = harness.get(run)
    again = Chat()

    assert harness.deliver(again) == {"run": run, "status": "succeeded"}
    assert (again.calls, harness.get(run)) == ([], before)


def test_an_event_delivered_during_its_run_is_ignored(harness: RunHarness) -> None:
    run = harness.start()
    twin = Chat()
    returned: list[Any] = []
    chat = Chat(between=lambda: returned.append(harness.deliver(twin)))  # under the same request id, as Lambda does
    harness.deliver(chat)

    assert returned == [{"run": run, "status": "running"}]
    assert (len(chat.calls), twin.calls, harness.get(run)["status"]) == (1, [], "succeeded")


def test_a_claim_with_a_lost_response_is_still_a_claim(dynamodb: DynamoDBClient) -> None:
    run = RunHarness(dynamodb).start()
    harness = RunHarness(cast("DynamoDBClient", LostResponseClient(dynamodb, "update_item")))
    order = {"run": {"id": run, "principal": "alice", "roles": ["user"], "request_id": "api-request"}}
    chat = Chat()

    assert harness.deliver(chat, event=cast("Any", order)) == {"run": run, "status": "succeeded"}
    assert len(chat.calls) == 1


def test_the_first_read_after_the_lease_marks_a_crashed_run_as_failed(
    harness: RunHarness, capsys: pytest.CaptureFixture[str]
) -> None:
    run = harness.start()
    with pytest.raises(ProcessCrashError):
        harness.deliver(Chat(between=crash))
    harness.time.passed = LEASE_SECONDS - 0.1
    before = harness.get(run)
    harness.time.passed = LEASE_SECONDS
    after = [harness.get(run), harness.get(run)]

    assert before["status"] == "running"
    assert [view["status"] for view in after] == ["failed", "failed"]
    assert after[0]["error"] == {
        "error": "interrupted",
        "message": "the run was interrupted before its end; send the request again",
        "request_id": "api-request",
    }
    assert metrics(capsys) == [("interrupted", 1.0)]


def test_the_next_delivery_marks_a_crashed_run_as_failed(
    harness: RunHarness, capsys: pytest.CaptureFixture[str]
) -> None:
    run = harness.start()
    with pytest.raises(ProcessCrashError):
        harness.deliver(Chat(between=crash))
    harness.time.passed = 60.0
    again = Chat()

    with pytest.raises(RunFailedError, match="has failed"):
        harness.deliver(again)

    assert (again.calls, harness.get(run)["error"]["error"]) == ([], "interrupted")
    assert metrics(capsys) == [("interrupted", 1.0)]


def test_a_run_marked_as_failed_stays_failed_when_its_worker_continues(harness: RunHarness) -> None:
    run = harness.start()

    def sleep() -> None:
        harness.time.passed += LEASE_SECONDS
        assert harness.get(run)["status"] == "failed"

    chat = Chat(between=sleep)
    with pytest.raises(RunFailedError, match="has failed"):
        harness.deliver(chat)

    view = harness.get(run)
    assert (view["status"], view["error"]["error"], len(view["steps"])) == ("failed", "interrupted", 1)


def test_heartbeats_extend_the_lease_of_a_run(harness: RunHarness) -> None:
    run = harness.start()

    def take_long() -> None:
        for _ in range(10):
            harness.time.passed += LEASE_SECONDS - 1
            harness.recorders[-1].flush()
            assert harness.get(run)["status"] == "running"

    harness.deliver(Chat(between=take_long))

    assert harness.get(run)["status"] == "succeeded"


def test_a_crash_at_any_write_of_a_start_leaves_no_unfinished_run(dynamodb: DynamoDBClient) -> None:
    whole = CrashingDynamoDb(dynamodb, at=-1)
    RunHarness(cast("DynamoDBClient", whole)).start()
    assert whole.writes == 2

    for at in range(whole.writes):
        harness = RunHarness(cast("DynamoDBClient", CrashingDynamoDb(dynamodb, at=at)))
        with pytest.raises(ProcessCrashError):
            harness.start(caller=BOB)
        assert harness.inbox.sent == []
        assert refused(lambda harness=harness: harness.get("run-1", caller=BOB)) == (404, "not_found")


def test_a_crash_at_any_write_of_a_run_leaves_a_failed_or_repeatable_run(
    dynamodb: DynamoDBClient,
) -> None:
    starter = RunHarness(dynamodb)
    starter.start()
    whole = CrashingDynamoDb(dynamodb, at=-1)
    RunHarness(cast("DynamoDBClient", whole), inbox=starter.inbox).deliver(Chat())
    assert whole.writes == 9  # claim, two steps with a renewal and events each, answer, end
    outcomes: list[str] = []

    for at in range(whole.writes):
        harness = RunHarness(dynamodb, inbox=starter.inbox)
        run = starter.start()
        with pytest.raises(ProcessCrashError):
            RunHarness(cast("DynamoDBClient", CrashingDynamoDb(dynamodb, at=at)), inbox=starter.inbox).deliver(Chat())
        harness.time.passed = 60.0
        try:
            harness.deliver(Chat())
        except RunFailedError:
            assert harness.get(run)["error"]["error"] == "interrupted"
        outcomes.append(harness.get(run)["status"])

    assert outcomes == ["succeeded"] + ["failed"] * 8
