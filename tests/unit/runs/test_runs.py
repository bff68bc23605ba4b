"""Background runs: executed once and readable by their owner."""

from random import Random
from typing import Any

import pytest
from botocore.stub import Stubber
from mypy_boto3_dynamodb import DynamoDBClient
from pydantic import ValidationError

from flexchat.api import ChatResponse
from flexchat.runs import RUN_SECONDS, RUN_TTL_SECONDS
from functions.chat.runs.background import END_SECONDS, MARGIN_SECONDS
from functions.chat.runs.service import BackgroundRunEvent, own_alias
from tests.aws import aws_client
from tests.unit.runs.harness import ALICE, BOB, FUNCTION, Chat, Context, RunHarness, answer
from tests.unit.runs.run_errors import refused
from tests.unit.runs.table import CHATS


def test_a_run_is_queued_executed_and_stored_with_its_answer(harness: RunHarness) -> None:
    run = harness.start()
    queued = harness.get(run)
    harness.time.passed = 2.0
    returned = harness.deliver(Chat())
    succeeded = harness.get(run)

    assert queued == {"id": run, "status": "queued", "created_at": "2027-01-15T08:00:00Z", "steps": []}
    assert returned == {"run": run, "status": "succeeded"}
    assert [step["iteration"] for step in succeeded.pop("steps")] == [1, 2]
    assert succeeded == {
        "id": run,
        "status": "succeeded",
        "created_at": "2027-01-15T08:00:00Z",
        "started_at": "2027-01-15T08:00:02Z",
        "finished_at": "2027-01-15T08:00:02Z",
        "deadline_at": "2027-01-15T08:10:02Z",
        "answer": answer("hi").model_dump(mode="json"),
    }


def test_the_event_has_the_owner_of_the_run_and_nothing_of_the_request(harness: RunHarness) -> None:
    run = harness.start(message="my secret", caller=BOB)

    assert harness.inbox.sent == [
        (
            FUNCTION,
            {"run": {"id": run, "principal": "bob", "roles": ["operator", "user"], "request_id": "api-request"}},
        )
    ]


def test_the_chat_gets_the_unchanged_request_and_caller(harness: RunHarness) -> None:
    harness.start(caller=BOB, message="What is 15% of 45?", profile={"intent": "x"}, session_id="s")
    chat = Chat()
    harness.deliver(chat)

    ((request, caller, _, request_id),) = chat.calls
    assert request.model_dump(exclude_unset=True) == {
        "message": "What is 15% of 45?",
        "profile": {"intent": "x"},
        "session_id": "s",
    }
    assert (caller, request_id) == (BOB, "api-request")


def test_steps_are_readable_while_the_run_continues(harness: RunHarness) -> None:
    run = harness.start()
    seen: list[dict[str, Any]] = []
    harness.deliver(Chat(between=lambda: seen.append(harness.get(run))))

    assert [(view["status"], [step["iteration"] for step in view["steps"]]) for view in seen] == [("running", [1])]


@pytest.mark.parametrize(
    ("deadline_ms", "queued_for", "remaining_ms", "due"),
    [
        (None, 0.0, 900_000, RUN_SECONDS),
        (None, 120.0, 900_000, RUN_SECONDS),
        (60_000, 0.0, 900_000, 60.0),
        (60_000, 20.0, 900_000, 40.0),
        (60_000, 90.0, 900_000, 0.0),
        (900_000, 0.0, 900_000, 900.0 - MARGIN_SECONDS - END_SECONDS),
        (None, 0.0, 100_000, 100.0 - MARGIN_SECONDS - END_SECONDS),
    ],
)
def test_the_deadline_of_a_run_is_that_of_the_caller_or_ten_minutes_within_the_lambda_timeout(
    harness: RunHarness, deadline_ms: int | None, queued_for: float, remaining_ms: int, due: float
) -> None:
    harness.start(deadline_ms=deadline_ms)
    harness.time.passed = queued_for
    chat = Chat()
    harness.deliver(chat, context=Context(remaining_ms=remaining_ms))

    assert [call[2] for call in chat.calls] == [pytest.approx(due)]


def test_a_requested_deadline_is_readable_at_once(harness: RunHarness) -> None:
    assert harness.get(harness.start(deadline_ms=60_000))["deadline_at"] == "2027-01-15T08:01:00Z"


def test_a_partial_answer_is_a_successful_run(harness: RunHarness) -> None:
    run = harness.start()
    partial = answer("").model_copy(update={"status": "partial", "resume_token": "go-on"})

    def chat(*_: object) -> ChatResponse:
        return partial

    harness.deliver(chat, context=Context())

    view = harness.get(run)
    assert (view["status"], view["answer"]["status"], view["answer"]["resume_token"]) == (
        "succeeded",
        "partial",
        "go-on",
    )


@pytest.mark.slow
def test_an_answer_of_five_megabytes_is_stored(harness: RunHarness) -> None:
    run = harness.start()
    content = Random(1).randbytes(2_500_000).hex()  # noqa: S311 (not a secret)
    harness.deliver(Chat(content=content))

    assert harness.get(run)["answer"]["content"] == content


def test_a_lone_surrogate_does_not_lose_the_answer(harness: RunHarness) -> None:
    run = harness.start()
    harness.deliver(Chat(content="cut \ud83d"))

    assert harness.get(run)["answer"]["content"] == "cut ?"


@pytest.mark.parametrize("id", ["run-1", "run-2", "", "a b", "x" * 65, "x" * 5_000, "alice#run-1", "ä"])
def test_runs_of_other_callers_and_missing_runs_have_the_same_error(harness: RunHarness, id: str) -> None:
    harness.start(caller=ALICE)

    assert refused(lambda: harness.get(id, caller=BOB)) == (404, "not_found")
    assert refused(lambda: harness.cancel(id, caller=BOB)) == (404, "not_found")
    assert harness.get("run-1")["status"] == "queued"


@pytest.mark.parametrize("id", ["", "a b", "x" * 65, "x" * 5_000, "alice#run-1", "ä"])
def test_an_invalid_id_is_not_read(id: str) -> None:
    client = aws_client("dynamodb")
    with Stubber(client):  # without any answer
        assert refused(lambda: RunHarness(client).get(id)) == (404, "not_found")


def test_an_expired_run_is_not_found_before_its_items_are_deleted(harness: RunHarness) -> None:
    run = harness.start()
    harness.deliver(Chat())
    harness.time.passed = RUN_TTL_SECONDS - 0.5
    assert harness.get(run)["status"] == "succeeded"
    harness.time.passed = RUN_TTL_SECONDS

    assert refused(lambda: harness.get(run)) == (404, "not_found")


def test_all_items_of_a_run_expire_and_none_is_listed_as_a_session(
    harness: RunHarness, dynamodb: DynamoDBClient
) -> None:
    harness.start()
    harness.deliver(Chat())

    items = dynamodb.scan(TableName=CHATS)["Items"]
    assert len(items) == 7
    assert {item["expires_at"].get("N") for item in items} == {str(1_800_000_000 + RUN_TTL_SECONDS)}
    assert dynamodb.scan(TableName=CHATS, IndexName="by_owner")["Items"] == []


@pytest.mark.parametrize("order", [{}, {"run": {}}, {"run": {"id": "x", "principal": "p", "roles": ["root"]}}])
def test_an_event_of_another_format_is_rejected(order: Any) -> None:
    with pytest.raises((KeyError, ValidationError)):
        BackgroundRunEvent.parse(order)


@pytest.mark.parametrize("qualifier", ["", ":live", ":7", ":$LATEST"])
def test_a_run_is_invoked_by_its_alias_after_any_invocation(qualifier: str) -> None:
    function = "arn:aws:lambda:eu-central-1:123456789012:function:flexchat-dev-chat"

    assert own_alias(function + qualifier) == f"{function}:live"
