"""Failures of background runs: each one is stored in its run."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from botocore.stub import Stubber
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ConfigError, FlexchatError, ModelError, Problem, RequestError, UnavailableError
from flexchat.runs import LEASE_SECONDS, QUEUED_SECONDS, Run, RunKey
from functions.chat.aws.runs import ChatRunStore
from functions.chat.runs.background import RunFailedError
from tests.aws import aws_client
from tests.unit.runs.harness import Chat, RunHarness
from tests.unit.runs.run_errors import metrics
from tests.unit.runs.table import CHATS, LostResponseClient, Throttled


def fail(error: Exception) -> Callable[[], None]:
    def raise_it() -> None:
        raise error

    return raise_it


@pytest.mark.parametrize(
    ("error", "code", "error_text"),
    [
        (ModelError("no", type="overloaded", provider="openai"), "model_overloaded", "the provider is overloaded"),
        (RequestError("not like this", status=409, code="session_busy"), "session_busy", "not like this"),
        (ConfigError((Problem("llms.x", "is missing"),)), "configuration", "llms.x: is missing"),
        (UnavailableError("table"), "unavailable", "a dependency of the service is unavailable"),
        (ZeroDivisionError("division"), "internal_error", "the service failed"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_a_failed_chat_is_stored_in_the_run_and_fails_every_invocation(
    harness: RunHarness, capsys: pytest.CaptureFixture[str], error: Exception, code: str, error_text: str
) -> None:
    run = harness.start()
    with pytest.raises(RunFailedError) as caught:
        harness.deliver(Chat(between=fail(error)))
    counted = metrics(capsys)
    again = Chat()
    with pytest.raises(RunFailedError):
        harness.deliver(again)

    view = harness.get(run)
    assert caught.value.__cause__ is error
    assert not isinstance(caught.value, FlexchatError)
    assert (view["status"], view["error"]["error"], view["error"]["request_id"]) == ("failed", code, "api-request")
    assert error_text in view["error"]["message"]
    assert view["finished_at"]
    assert len(view["steps"]) == 1
    assert "answer" not in view
    assert (again.calls, counted, metrics(capsys)) == ([], [(code, 1.0)], [])


def test_a_run_rejected_by_lambda_has_failed(harness: RunHarness, capsys: pytest.CaptureFixture[str]) -> None:
    harness.inbox.refuses = True

    with pytest.raises(UnavailableError, match="TooManyRequestsException"):
        harness.start()

    view = harness.get("run-1")
    assert (view["status"], view["error"]["error"]) == ("failed", "unavailable")
    assert metrics(capsys) == [("unavailable", 1.0)]


def test_a_run_accepted_by_lambda_without_a_response_has_failed_and_its_invocation_fails(harness: RunHarness) -> None:
    harness.inbox.loses_answers = True
    with pytest.raises(UnavailableError):
        harness.start()
    chat = Chat()

    with pytest.raises(RunFailedError):
        harness.deliver(chat)
    assert chat.calls == []


def test_a_run_started_by_an_unconfirmed_invocation_continues(harness: RunHarness) -> None:
    harness.inbox.accepted = lambda: harness.deliver(Chat())
    harness.inbox.loses_answers = True

    assert harness.get(harness.start())["status"] == "succeeded"


def test_a_run_with_an_event_dropped_by_lambda_has_failed(
    harness: RunHarness, capsys: pytest.CaptureFixture[str]
) -> None:
    run = harness.start()
    harness.time.passed = QUEUED_SECONDS - 1
    before = harness.get(run)
    harness.time.passed = QUEUED_SECONDS
    after = harness.get(run)

    assert (before["status"], after["status"], after["error"]["error"]) == ("queued", "failed", "not_started")
    assert metrics(capsys) == [("not_started", 1.0)]


def test_a_lost_run_is_failed_for_every_reader(harness: RunHarness, dynamodb: DynamoDBClient) -> None:
    run = harness.start()
    harness.time.passed = QUEUED_SECONDS
    forgetful = RunHarness(cast("DynamoDBClient", LostResponseClient(dynamodb, "update_item")), time=harness.time)

    views = [forgetful.get(run), harness.get(run)]

    assert views[0] == views[1]
    assert views[0]["status"] == "failed"


def test_an_event_of_an_unknown_run_is_an_error(harness: RunHarness) -> None:
    order: Any = {"run": {"id": "nothing", "principal": "alice", "roles": [], "request_id": "r"}}

    with pytest.raises(RunFailedError, match="does not exist"):
        harness.deliver(Chat(), event=order)


def test_a_run_without_its_request_has_failed(harness: RunHarness) -> None:
    run = harness.start()
    harness.blobs.delete(f"run/alice/{run}/request", deadline=harness.soon())

    with pytest.raises(RunFailedError):
        harness.deliver(Chat())

    assert harness.get(run)["error"]["error"] == "unavailable"


def test_a_failed_claim_makes_lambda_deliver_again(dynamodb: DynamoDBClient) -> None:
    harness = RunHarness(dynamodb)
    run = harness.start()
    throttled = RunHarness(cast("DynamoDBClient", Throttled(dynamodb, "update_item")), inbox=harness.inbox)
    chat = Chat()

    with pytest.raises(RunFailedError, match="ThrottlingException"):
        throttled.deliver(chat)
    assert (chat.calls, harness.get(run)["status"]) == ([], "queued")
    assert harness.deliver(chat) == {"run": run, "status": "succeeded"}


def test_a_failed_write_of_a_step_is_repeated_with_the_next_step(dynamodb: DynamoDBClient) -> None:
    table = Throttled(dynamodb, "put_item", on=False)
    harness = RunHarness(cast("DynamoDBClient", table))
    run = harness.start()
    table.on = True

    def recover() -> None:
        assert harness.get(run)["steps"] == []
        table.on = False

    harness.deliver(Chat(between=recover))

    view = harness.get(run)
    assert (view["status"], [step["iteration"] for step in view["steps"]]) == ("succeeded", [1, 2])


def test_an_answer_that_cannot_be_stored_fails_the_run(dynamodb: DynamoDBClient) -> None:
    table = Throttled(dynamodb, "put_item", after=6)  # request, run, two steps with their events
    harness = RunHarness(cast("DynamoDBClient", table))
    run = harness.start()

    with pytest.raises(RunFailedError):
        harness.deliver(Chat())

    view = harness.get(run)
    assert (view["status"], view["error"]["error"], len(view["steps"])) == ("failed", "unavailable", 2)


def test_a_failure_that_cannot_be_written_fails_the_invocation_and_is_readable_after_the_lease(
    dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Throttled(dynamodb, "update_item", on=False)
    harness = RunHarness(cast("DynamoDBClient", table))
    run = harness.start()

    def break_down() -> None:
        table.on = True
        raise ModelError("no", type="server_error", provider="openai")

    with pytest.raises(RunFailedError, match="model_server_error"):
        harness.deliver(Chat(between=break_down))
    assert metrics(capsys) == [("model_server_error", 1.0)]
    table.on = False
    harness.time.passed = LEASE_SECONDS

    assert harness.get(run)["error"]["error"] == "interrupted"


def test_an_unreadable_run_is_no_missing_run() -> None:
    client = aws_client("dynamodb")
    with Stubber(client) as stubber:
        stubber.add_client_error("query", "InternalServerError")

        with pytest.raises(UnavailableError, match="could not read a run from table"):
            RunHarness(client).get("run-1")


class PartialBatchClient:
    """A client that processes one item of each batch, at most `taken` in total."""

    def __init__(self, taken: int) -> None:
        self.taken = taken
        self.delivered: list[str] = []

    def batch_write_item(self, *, RequestItems: Any) -> Any:  # noqa: N803 (botocore's own name)
        [requests] = RequestItems.values()
        if len(self.delivered) == self.taken:
            return {"UnprocessedItems": RequestItems}
        self.delivered.append(requests[0]["PutRequest"]["Item"]["sk"]["S"])
        return {"UnprocessedItems": {CHATS: requests[1:]} if requests[1:] else {}}


def test_steps_that_dynamodb_leaves_unprocessed_are_sent_again(harness: RunHarness) -> None:
    run = Run(RunKey("alice", "r"), "running", "request", "api-request", 0.0, 100)
    slow, stuck = PartialBatchClient(taken=10), PartialBatchClient(taken=1)

    ChatRunStore(cast("Any", slow), CHATS).add_steps(run, ["{}"] * 3, first=7, deadline=harness.soon())
    with pytest.raises(UnavailableError, match="processes no items"):
        ChatRunStore(cast("Any", stuck), CHATS).add_steps(run, ["{}"] * 3, first=0, deadline=harness.soon())

    assert slow.delivered == ["STEP#0007", "STEP#0008", "STEP#0009"]
