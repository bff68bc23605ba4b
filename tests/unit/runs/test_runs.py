"""Background runs: executed once, readable by their owner, with every failure recorded."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, cast

import pytest
from botocore.stub import Stubber
from mypy_boto3_dynamodb import DynamoDBClient
from pydantic import ValidationError

from flexchat.api import ChatResponse
from flexchat.errors import ConfigError, FlexchatError, ModelError, Problem, RequestError, UnavailableError
from flexchat.runs import LEASE_SECONDS, QUEUED_SECONDS, RUN_SECONDS, RUN_TTL_SECONDS, Run, RunKey
from functions.chat.aws.runs import RunStore
from functions.chat.runs.background import END_SECONDS, MARGIN_SECONDS, RunFailedError
from functions.chat.runs.events import BackgroundRunEvent, own_alias
from tests.unit.runs.harness import ALICE, BOB, FUNCTION, Chat, Context, RunHarness, answer
from tests.unit.runs.table import CHATS, Dying, Forgetful, ProcessDiedError, Throttled


@pytest.fixture
def harness(dynamodb: DynamoDBClient) -> RunHarness:
    return RunHarness(dynamodb)


def die() -> None:
    raise ProcessDiedError


def fail(error: Exception) -> Callable[[], None]:
    def raise_it() -> None:
        raise error

    return raise_it


def refused(call: Callable[[], object]) -> tuple[int, str]:
    with pytest.raises(RequestError) as caught:
        call()
    return caught.value.status, caught.value.code


def metrics(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, float]]:
    """Return the errors and counts of the RunsFailed metric."""
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    counted = [line for line in lines if "RunsFailed" in line]
    assert all(
        line["_aws"]["CloudWatchMetrics"]
        == [{"Namespace": "Flexchat", "Dimensions": [["error"]], "Metrics": [{"Name": "RunsFailed", "Unit": "Count"}]}]
        for line in counted
    )
    return [(line["error"], line["RunsFailed"][0]) for line in counted]


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


def test_an_answer_of_five_megabytes_is_stored(harness: RunHarness) -> None:
    run = harness.start()
    content = Random(1).randbytes(2_500_000).hex()  # noqa: S311 (not a secret)
    harness.deliver(Chat(content=content))

    assert harness.get(run)["answer"]["content"] == content


def test_a_lone_surrogate_does_not_lose_the_answer(harness: RunHarness) -> None:
    run = harness.start()
    harness.deliver(Chat(content="cut \ud83d"))

    assert harness.get(run)["answer"]["content"] == "cut ?"


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
    harness = RunHarness(cast("DynamoDBClient", Forgetful(dynamodb, "update_item")))
    order = {"run": {"id": run, "principal": "alice", "roles": ["user"], "request_id": "api-request"}}
    chat = Chat()

    assert harness.deliver(chat, event=cast("Any", order)) == {"run": run, "status": "succeeded"}
    assert len(chat.calls) == 1


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


def test_the_first_read_after_the_lease_marks_a_crashed_run_as_failed(
    harness: RunHarness, capsys: pytest.CaptureFixture[str]
) -> None:
    run = harness.start()
    with pytest.raises(ProcessDiedError):
        harness.deliver(Chat(between=die))
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
    with pytest.raises(ProcessDiedError):
        harness.deliver(Chat(between=die))
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
            assert harness.beats.all[-1]()
            assert harness.get(run)["status"] == "running"

    harness.deliver(Chat(between=take_long))

    assert harness.get(run)["status"] == "succeeded"


def test_a_crash_at_any_write_of_a_start_leaves_no_unfinished_run(dynamodb: DynamoDBClient) -> None:
    whole = Dying(dynamodb, at=-1)
    RunHarness(cast("DynamoDBClient", whole)).start()
    assert whole.writes == 2

    for at in range(whole.writes):
        harness = RunHarness(cast("DynamoDBClient", Dying(dynamodb, at=at)))
        with pytest.raises(ProcessDiedError):
            harness.start(caller=BOB)
        assert harness.inbox.sent == []
        assert refused(lambda harness=harness: harness.get("run-1", caller=BOB)) == (404, "not_found")


def test_a_crash_at_any_write_of_a_run_leaves_a_failed_or_repeatable_run(
    dynamodb: DynamoDBClient,
) -> None:
    starter = RunHarness(dynamodb)
    starter.start()
    whole = Dying(dynamodb, at=-1)
    RunHarness(cast("DynamoDBClient", whole), inbox=starter.inbox).deliver(Chat())
    assert whole.writes == 7  # claim, two steps with a heartbeat each, answer, end
    outcomes: list[str] = []

    for at in range(whole.writes):
        harness = RunHarness(dynamodb, inbox=starter.inbox)
        run = starter.start()
        with pytest.raises(ProcessDiedError):
            RunHarness(cast("DynamoDBClient", Dying(dynamodb, at=at)), inbox=starter.inbox).deliver(Chat())
        harness.time.passed = 60.0
        try:
            harness.deliver(Chat())
        except RunFailedError:
            assert harness.get(run)["error"]["error"] == "interrupted"
        outcomes.append(harness.get(run)["status"])

    assert outcomes == ["succeeded"] + ["failed"] * 6


def test_a_run_cancelled_in_the_queue_is_never_executed(harness: RunHarness) -> None:
    run = harness.start()
    cancelled = harness.cancel(run)
    chat = Chat()

    assert (cancelled["status"], cancelled["finished_at"]) == ("cancelled", "2027-01-15T08:00:00Z")
    assert harness.deliver(chat) == {"run": run, "status": "cancelled"}
    assert (chat.calls, harness.get(run)) == ([], cancelled)


def test_a_cancelled_run_stops_at_its_next_step(harness: RunHarness) -> None:
    run = harness.start()
    chat = Chat(between=lambda: harness.cancel(run))

    assert harness.deliver(chat) == {"run": run, "status": "cancelled"}
    view = harness.get(run)
    assert (view["status"], [step["iteration"] for step in view["steps"]]) == ("cancelled", [1])
    assert "answer" not in view


def test_a_heartbeat_detects_the_cancellation_before_the_next_step(harness: RunHarness) -> None:
    run = harness.start()

    def cancel() -> None:
        harness.cancel(run)
        heartbeat = harness.beats.heartbeats[-1]
        heartbeat.lost = not harness.beats.all[-1]()

    chat = Chat(between=cancel)

    assert harness.deliver(chat) == {"run": run, "status": "cancelled"}
    assert chat.begun == 1


def test_the_answer_of_a_run_cancelled_at_its_end_is_discarded(harness: RunHarness) -> None:
    run = harness.start()

    def chat(*_: object) -> ChatResponse:
        harness.cancel(run)
        return answer("too late")

    assert harness.deliver(chat, context=Context()) == {"run": run, "status": "cancelled"}
    assert "answer" not in harness.get(run)


def test_the_error_of_a_cancelled_run_is_no_failure(harness: RunHarness, capsys: pytest.CaptureFixture[str]) -> None:
    run = harness.start()

    def chat(*_: object) -> ChatResponse:
        harness.cancel(run)
        raise ModelError("no", type="server_error", provider="openai")

    assert harness.deliver(chat, context=Context()) == {"run": run, "status": "cancelled"}
    assert metrics(capsys) == []


def test_cancelling_a_finished_run_changes_nothing(harness: RunHarness) -> None:
    run = harness.start()
    harness.deliver(Chat())
    before = harness.get(run)

    assert harness.cancel(run) == before
    assert harness.get(run) == before


@pytest.mark.parametrize("id", ["run-1", "run-2", "", "a b", "x" * 65, "x" * 5_000, "alice#run-1", "ä"])
def test_runs_of_other_callers_and_missing_runs_have_the_same_error(harness: RunHarness, id: str) -> None:
    harness.start(caller=ALICE)

    assert refused(lambda: harness.get(id, caller=BOB)) == (404, "not_found")
    assert refused(lambda: harness.cancel(id, caller=BOB)) == (404, "not_found")
    assert harness.get("run-1")["status"] == "queued"


@pytest.mark.parametrize("id", ["", "a b", "x" * 65, "x" * 5_000, "alice#run-1", "ä"])
def test_an_invalid_id_is_not_read(dynamodb: DynamoDBClient, id: str) -> None:
    with Stubber(dynamodb):  # without any answer
        assert refused(lambda: RunHarness(dynamodb).get(id)) == (404, "not_found")


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
    assert len(items) == 5
    assert {item["expires_at"].get("N") for item in items} == {str(1_800_000_000 + RUN_TTL_SECONDS)}
    assert dynamodb.scan(TableName=CHATS, IndexName="by_owner")["Items"] == []


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
    forgetful = RunHarness(cast("DynamoDBClient", Forgetful(dynamodb, "update_item")), time=harness.time)

    views = [forgetful.get(run), harness.get(run)]

    assert views[0] == views[1]
    assert views[0]["status"] == "failed"


def test_an_event_of_an_unknown_run_is_an_error(harness: RunHarness) -> None:
    order: Any = {"run": {"id": "nothing", "principal": "alice", "roles": [], "request_id": "r"}}

    with pytest.raises(RunFailedError, match="does not exist"):
        harness.deliver(Chat(), event=order)


@pytest.mark.parametrize("order", [{}, {"run": {}}, {"run": {"id": "x", "principal": "p", "roles": ["root"]}}])
def test_an_event_of_another_format_is_rejected(order: Any) -> None:
    with pytest.raises((KeyError, ValidationError)):
        BackgroundRunEvent.parse(order)


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
    table = Throttled(dynamodb, "put_item", after=4)  # request, run, two steps
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


def test_an_unreadable_run_is_no_missing_run(dynamodb: DynamoDBClient) -> None:
    with Stubber(dynamodb) as stubber:
        stubber.add_client_error("query", "InternalServerError")

        with pytest.raises(UnavailableError, match="could not read a run from table"):
            RunHarness(dynamodb).get("run-1")


class Hesitant:
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
    slow, stuck = Hesitant(taken=10), Hesitant(taken=1)

    RunStore(cast("Any", slow), CHATS).add_steps(run, ["{}"] * 3, first=7, deadline=harness.soon())
    with pytest.raises(UnavailableError, match="processes no items"):
        RunStore(cast("Any", stuck), CHATS).add_steps(run, ["{}"] * 3, first=0, deadline=harness.soon())

    assert slow.delivered == ["STEP#0007", "STEP#0008", "STEP#0009"]


@pytest.mark.parametrize("qualifier", ["", ":live", ":7", ":$LATEST"])
def test_a_run_is_invoked_by_its_alias_after_any_invocation(qualifier: str) -> None:
    function = "arn:aws:lambda:eu-central-1:123456789012:function:flexchat-dev-chat"

    assert own_alias(function + qualifier) == f"{function}:live"
