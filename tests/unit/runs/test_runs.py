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
from tests.unit.runs.table import CHATS, Dying, Forgetful, ProcessDiedError, Throttled
from tests.unit.runs.world import ALICE, BOB, FUNCTION, Chat, Context, World, answer


@pytest.fixture
def world(dynamodb: DynamoDBClient) -> World:
    return World(dynamodb)


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


def test_a_run_is_queued_executed_and_stored_with_its_answer(world: World) -> None:
    run = world.start()
    queued = world.get(run)
    world.time.passed = 2.0
    returned = world.deliver(Chat())
    succeeded = world.get(run)

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


def test_the_event_has_the_owner_of_the_run_and_nothing_of_the_request(world: World) -> None:
    run = world.start(message="my secret", caller=BOB)

    assert world.inbox.sent == [
        (
            FUNCTION,
            {"run": {"id": run, "principal": "bob", "roles": ["operator", "user"], "request_id": "api-request"}},
        )
    ]


def test_the_chat_gets_the_unchanged_request_and_caller(world: World) -> None:
    world.start(caller=BOB, message="What is 15% of 45?", profile={"intent": "x"}, session_id="s")
    chat = Chat()
    world.deliver(chat)

    ((request, caller, _, request_id),) = chat.calls
    assert request.model_dump(exclude_unset=True) == {
        "message": "What is 15% of 45?",
        "profile": {"intent": "x"},
        "session_id": "s",
    }
    assert (caller, request_id) == (BOB, "api-request")


def test_steps_are_readable_while_the_run_continues(world: World) -> None:
    run = world.start()
    seen: list[dict[str, Any]] = []
    world.deliver(Chat(between=lambda: seen.append(world.get(run))))

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
    world: World, deadline_ms: int | None, queued_for: float, remaining_ms: int, due: float
) -> None:
    world.start(deadline_ms=deadline_ms)
    world.time.passed = queued_for
    chat = Chat()
    world.deliver(chat, context=Context(remaining_ms=remaining_ms))

    assert [call[2] for call in chat.calls] == [pytest.approx(due)]


def test_a_requested_deadline_is_readable_at_once(world: World) -> None:
    assert world.get(world.start(deadline_ms=60_000))["deadline_at"] == "2027-01-15T08:01:00Z"


def test_a_partial_answer_is_a_successful_run(world: World) -> None:
    run = world.start()
    partial = answer("").model_copy(update={"status": "partial", "resume_token": "go-on"})

    def chat(*_: object) -> ChatResponse:
        return partial

    world.deliver(chat, context=Context())

    view = world.get(run)
    assert (view["status"], view["answer"]["status"], view["answer"]["resume_token"]) == (
        "succeeded",
        "partial",
        "go-on",
    )


def test_an_answer_of_five_megabytes_is_stored(world: World) -> None:
    run = world.start()
    content = Random(1).randbytes(2_500_000).hex()  # noqa: S311 (not a secret)
    world.deliver(Chat(content=content))

    assert world.get(run)["answer"]["content"] == content


def test_a_lone_surrogate_does_not_lose_the_answer(world: World) -> None:
    run = world.start()
    world.deliver(Chat(content="cut \ud83d"))

    assert world.get(run)["answer"]["content"] == "cut ?"


def test_an_event_delivered_again_after_the_end_changes_nothing(world: World) -> None:
    run = world.start()
    world.deliver(Chat())
    before = world.get(run)
    again = Chat()

    assert world.deliver(again) == {"run": run, "status": "succeeded"}
    assert (again.calls, world.get(run)) == ([], before)


def test_an_event_delivered_during_its_run_is_ignored(world: World) -> None:
    run = world.start()
    twin = Chat()
    returned: list[Any] = []
    chat = Chat(between=lambda: returned.append(world.deliver(twin)))  # under the same request id, as Lambda does
    world.deliver(chat)

    assert returned == [{"run": run, "status": "running"}]
    assert (len(chat.calls), twin.calls, world.get(run)["status"]) == (1, [], "succeeded")


def test_a_claim_with_a_lost_response_is_still_a_claim(dynamodb: DynamoDBClient) -> None:
    run = World(dynamodb).start()
    world = World(cast("DynamoDBClient", Forgetful(dynamodb, "update_item")))
    order = {"run": {"id": run, "principal": "alice", "roles": ["user"], "request_id": "api-request"}}
    chat = Chat()

    assert world.deliver(chat, event=cast("Any", order)) == {"run": run, "status": "succeeded"}
    assert len(chat.calls) == 1


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (ModelError("no", type="overloaded", provider="openai"), "model_overloaded", "the provider is overloaded"),
        (RequestError("not like this", status=409, code="session_busy"), "session_busy", "not like this"),
        (ConfigError((Problem("llms.x", "is missing"),)), "configuration", "llms.x: is missing"),
        (UnavailableError("table"), "unavailable", "cannot reach something it needs"),
        (ZeroDivisionError("division"), "internal_error", "the service failed"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_a_failed_chat_is_stored_in_the_run_and_fails_every_invocation(
    world: World, capsys: pytest.CaptureFixture[str], error: Exception, code: str, says: str
) -> None:
    run = world.start()
    with pytest.raises(RunFailedError) as caught:
        world.deliver(Chat(between=fail(error)))
    counted = metrics(capsys)
    again = Chat()
    with pytest.raises(RunFailedError):
        world.deliver(again)

    view = world.get(run)
    assert caught.value.__cause__ is error
    assert not isinstance(caught.value, FlexchatError)
    assert (view["status"], view["error"]["error"], view["error"]["request_id"]) == ("failed", code, "api-request")
    assert says in view["error"]["message"]
    assert view["finished_at"]
    assert len(view["steps"]) == 1
    assert "answer" not in view
    assert (again.calls, counted, metrics(capsys)) == ([], [(code, 1.0)], [])


def test_the_first_read_after_the_lease_marks_a_crashed_run_as_failed(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    run = world.start()
    with pytest.raises(ProcessDiedError):
        world.deliver(Chat(between=die))
    world.time.passed = LEASE_SECONDS - 0.1
    before = world.get(run)
    world.time.passed = LEASE_SECONDS
    after = [world.get(run), world.get(run)]

    assert before["status"] == "running"
    assert [view["status"] for view in after] == ["failed", "failed"]
    assert after[0]["error"] == {
        "error": "interrupted",
        "message": "the run was interrupted before its end; send the request again",
        "request_id": "api-request",
    }
    assert metrics(capsys) == [("interrupted", 1.0)]


def test_the_next_delivery_marks_a_crashed_run_as_failed(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    run = world.start()
    with pytest.raises(ProcessDiedError):
        world.deliver(Chat(between=die))
    world.time.passed = 60.0
    again = Chat()

    with pytest.raises(RunFailedError, match="has failed"):
        world.deliver(again)

    assert (again.calls, world.get(run)["error"]["error"]) == ([], "interrupted")
    assert metrics(capsys) == [("interrupted", 1.0)]


def test_a_run_marked_as_failed_stays_failed_when_its_worker_continues(world: World) -> None:
    run = world.start()

    def sleep() -> None:
        world.time.passed += LEASE_SECONDS
        assert world.get(run)["status"] == "failed"

    chat = Chat(between=sleep)
    with pytest.raises(RunFailedError, match="has failed"):
        world.deliver(chat)

    view = world.get(run)
    assert (view["status"], view["error"]["error"], len(view["steps"])) == ("failed", "interrupted", 1)


def test_heartbeats_extend_the_lease_of_a_run(world: World) -> None:
    run = world.start()

    def take_long() -> None:
        for _ in range(10):
            world.time.passed += LEASE_SECONDS - 1
            assert world.beats.all[-1]()
            assert world.get(run)["status"] == "running"

    world.deliver(Chat(between=take_long))

    assert world.get(run)["status"] == "succeeded"


def test_a_crash_at_any_write_of_a_start_leaves_no_unfinished_run(dynamodb: DynamoDBClient) -> None:
    whole = Dying(dynamodb, at=-1)
    World(cast("DynamoDBClient", whole)).start()
    assert whole.writes == 2

    for at in range(whole.writes):
        world = World(cast("DynamoDBClient", Dying(dynamodb, at=at)))
        with pytest.raises(ProcessDiedError):
            world.start(caller=BOB)
        assert world.inbox.sent == []
        assert refused(lambda world=world: world.get("run-1", caller=BOB)) == (404, "not_found")


def test_a_crash_at_any_write_of_a_run_leaves_a_failed_or_repeatable_run(
    dynamodb: DynamoDBClient,
) -> None:
    starter = World(dynamodb)
    starter.start()
    whole = Dying(dynamodb, at=-1)
    World(cast("DynamoDBClient", whole), inbox=starter.inbox).deliver(Chat())
    assert whole.writes == 7  # claim, two steps with a heartbeat each, answer, end
    outcomes: list[str] = []

    for at in range(whole.writes):
        world = World(dynamodb, inbox=starter.inbox)
        run = starter.start()
        with pytest.raises(ProcessDiedError):
            World(cast("DynamoDBClient", Dying(dynamodb, at=at)), inbox=starter.inbox).deliver(Chat())
        world.time.passed = 60.0
        try:
            world.deliver(Chat())
        except RunFailedError:
            assert world.get(run)["error"]["error"] == "interrupted"
        outcomes.append(world.get(run)["status"])

    assert outcomes == ["succeeded"] + ["failed"] * 6


def test_a_run_cancelled_in_the_queue_is_never_executed(world: World) -> None:
    run = world.start()
    cancelled = world.cancel(run)
    chat = Chat()

    assert (cancelled["status"], cancelled["finished_at"]) == ("cancelled", "2027-01-15T08:00:00Z")
    assert world.deliver(chat) == {"run": run, "status": "cancelled"}
    assert (chat.calls, world.get(run)) == ([], cancelled)


def test_a_cancelled_run_stops_at_its_next_step(world: World) -> None:
    run = world.start()
    chat = Chat(between=lambda: world.cancel(run))

    assert world.deliver(chat) == {"run": run, "status": "cancelled"}
    view = world.get(run)
    assert (view["status"], [step["iteration"] for step in view["steps"]]) == ("cancelled", [1])
    assert "answer" not in view


def test_a_heartbeat_detects_the_cancellation_before_the_next_step(world: World) -> None:
    run = world.start()

    def cancel() -> None:
        world.cancel(run)
        heartbeat = world.beats.heartbeats[-1]
        heartbeat.lost = not world.beats.all[-1]()

    chat = Chat(between=cancel)

    assert world.deliver(chat) == {"run": run, "status": "cancelled"}
    assert chat.begun == 1


def test_the_answer_of_a_run_cancelled_at_its_end_is_discarded(world: World) -> None:
    run = world.start()

    def chat(*_: object) -> ChatResponse:
        world.cancel(run)
        return answer("too late")

    assert world.deliver(chat, context=Context()) == {"run": run, "status": "cancelled"}
    assert "answer" not in world.get(run)


def test_the_error_of_a_cancelled_run_is_no_failure(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    run = world.start()

    def chat(*_: object) -> ChatResponse:
        world.cancel(run)
        raise ModelError("no", type="server_error", provider="openai")

    assert world.deliver(chat, context=Context()) == {"run": run, "status": "cancelled"}
    assert metrics(capsys) == []


def test_cancelling_a_finished_run_changes_nothing(world: World) -> None:
    run = world.start()
    world.deliver(Chat())
    before = world.get(run)

    assert world.cancel(run) == before
    assert world.get(run) == before


@pytest.mark.parametrize("id", ["run-1", "run-2", "", "a b", "x" * 65, "x" * 5_000, "alice#run-1", "ä"])
def test_runs_of_other_callers_and_missing_runs_have_the_same_error(world: World, id: str) -> None:
    world.start(caller=ALICE)

    assert refused(lambda: world.get(id, caller=BOB)) == (404, "not_found")
    assert refused(lambda: world.cancel(id, caller=BOB)) == (404, "not_found")
    assert world.get("run-1")["status"] == "queued"


@pytest.mark.parametrize("id", ["", "a b", "x" * 65, "x" * 5_000, "alice#run-1", "ä"])
def test_an_invalid_id_is_not_read(dynamodb: DynamoDBClient, id: str) -> None:
    with Stubber(dynamodb):  # without any answer
        assert refused(lambda: World(dynamodb).get(id)) == (404, "not_found")


def test_an_expired_run_is_not_found_before_its_items_are_deleted(world: World) -> None:
    run = world.start()
    world.deliver(Chat())
    world.time.passed = RUN_TTL_SECONDS - 0.5
    assert world.get(run)["status"] == "succeeded"
    world.time.passed = RUN_TTL_SECONDS

    assert refused(lambda: world.get(run)) == (404, "not_found")


def test_all_items_of_a_run_expire_and_none_is_listed_as_a_session(world: World, dynamodb: DynamoDBClient) -> None:
    world.start()
    world.deliver(Chat())

    items = dynamodb.scan(TableName=CHATS)["Items"]
    assert len(items) == 5
    assert {item["expires_at"].get("N") for item in items} == {str(1_800_000_000 + RUN_TTL_SECONDS)}
    assert dynamodb.scan(TableName=CHATS, IndexName="by_owner")["Items"] == []


def test_a_run_rejected_by_lambda_has_failed(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    world.inbox.refuses = True

    with pytest.raises(UnavailableError, match="TooManyRequestsException"):
        world.start()

    view = world.get("run-1")
    assert (view["status"], view["error"]["error"]) == ("failed", "unavailable")
    assert metrics(capsys) == [("unavailable", 1.0)]


def test_a_run_accepted_by_lambda_without_a_response_has_failed_and_its_invocation_fails(world: World) -> None:
    world.inbox.loses_answers = True
    with pytest.raises(UnavailableError):
        world.start()
    chat = Chat()

    with pytest.raises(RunFailedError):
        world.deliver(chat)
    assert chat.calls == []


def test_a_run_started_by_an_unconfirmed_invocation_continues(world: World) -> None:
    world.inbox.accepted = lambda: world.deliver(Chat())
    world.inbox.loses_answers = True

    assert world.get(world.start())["status"] == "succeeded"


def test_a_run_with_an_event_dropped_by_lambda_has_failed(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    run = world.start()
    world.time.passed = QUEUED_SECONDS - 1
    before = world.get(run)
    world.time.passed = QUEUED_SECONDS
    after = world.get(run)

    assert (before["status"], after["status"], after["error"]["error"]) == ("queued", "failed", "not_started")
    assert metrics(capsys) == [("not_started", 1.0)]


def test_a_lost_run_is_failed_for_every_reader(world: World, dynamodb: DynamoDBClient) -> None:
    run = world.start()
    world.time.passed = QUEUED_SECONDS
    forgetful = World(cast("DynamoDBClient", Forgetful(dynamodb, "update_item")), time=world.time)

    views = [forgetful.get(run), world.get(run)]

    assert views[0] == views[1]
    assert views[0]["status"] == "failed"


def test_an_event_of_an_unknown_run_is_an_error(world: World) -> None:
    order: Any = {"run": {"id": "nothing", "principal": "alice", "roles": [], "request_id": "r"}}

    with pytest.raises(RunFailedError, match="does not exist"):
        world.deliver(Chat(), event=order)


@pytest.mark.parametrize("order", [{}, {"run": {}}, {"run": {"id": "x", "principal": "p", "roles": ["root"]}}])
def test_an_event_of_another_format_is_rejected(order: Any) -> None:
    with pytest.raises((KeyError, ValidationError)):
        BackgroundRunEvent.parse(order)


def test_a_run_without_its_request_has_failed(world: World) -> None:
    run = world.start()
    world.blobs.delete(f"run/alice/{run}/request", deadline=world.soon())

    with pytest.raises(RunFailedError):
        world.deliver(Chat())

    assert world.get(run)["error"]["error"] == "unavailable"


def test_a_failed_claim_makes_lambda_deliver_again(dynamodb: DynamoDBClient) -> None:
    world = World(dynamodb)
    run = world.start()
    throttled = World(cast("DynamoDBClient", Throttled(dynamodb, "update_item")), inbox=world.inbox)
    chat = Chat()

    with pytest.raises(RunFailedError, match="ThrottlingException"):
        throttled.deliver(chat)
    assert (chat.calls, world.get(run)["status"]) == ([], "queued")
    assert world.deliver(chat) == {"run": run, "status": "succeeded"}


def test_a_failed_write_of_a_step_is_repeated_with_the_next_step(dynamodb: DynamoDBClient) -> None:
    table = Throttled(dynamodb, "put_item", on=False)
    world = World(cast("DynamoDBClient", table))
    run = world.start()
    table.on = True

    def recover() -> None:
        assert world.get(run)["steps"] == []
        table.on = False

    world.deliver(Chat(between=recover))

    view = world.get(run)
    assert (view["status"], [step["iteration"] for step in view["steps"]]) == ("succeeded", [1, 2])


def test_an_answer_that_cannot_be_stored_fails_the_run(dynamodb: DynamoDBClient) -> None:
    table = Throttled(dynamodb, "put_item", after=4)  # request, run, two steps
    world = World(cast("DynamoDBClient", table))
    run = world.start()

    with pytest.raises(RunFailedError):
        world.deliver(Chat())

    view = world.get(run)
    assert (view["status"], view["error"]["error"], len(view["steps"])) == ("failed", "unavailable", 2)


def test_a_failure_that_cannot_be_written_fails_the_invocation_and_is_readable_after_the_lease(
    dynamodb: DynamoDBClient, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Throttled(dynamodb, "update_item", on=False)
    world = World(cast("DynamoDBClient", table))
    run = world.start()

    def break_down() -> None:
        table.on = True
        raise ModelError("no", type="server_error", provider="openai")

    with pytest.raises(RunFailedError, match="model_server_error"):
        world.deliver(Chat(between=break_down))
    assert metrics(capsys) == [("model_server_error", 1.0)]
    table.on = False
    world.time.passed = LEASE_SECONDS

    assert world.get(run)["error"]["error"] == "interrupted"


def test_an_unreadable_run_is_no_missing_run(dynamodb: DynamoDBClient) -> None:
    with Stubber(dynamodb) as stubber:
        stubber.add_client_error("query", "InternalServerError")

        with pytest.raises(UnavailableError, match="could not read a run from table"):
            World(dynamodb).get("run-1")


class Hesitant:
    """A client that processes one item of each batch, at most `taken` in total."""

    def __init__(self, taken: int) -> None:
        self.taken = taken
        self.kept: list[str] = []

    def batch_write_item(self, *, RequestItems: Any) -> Any:  # noqa: N803 (botocore's own name)
        [requests] = RequestItems.values()
        if len(self.kept) == self.taken:
            return {"UnprocessedItems": RequestItems}
        self.kept.append(requests[0]["PutRequest"]["Item"]["sk"]["S"])
        return {"UnprocessedItems": {CHATS: requests[1:]} if requests[1:] else {}}


def test_steps_that_dynamodb_leaves_unprocessed_are_sent_again(world: World) -> None:
    run = Run(RunKey("alice", "r"), "running", "request", "api-request", 0.0, 100)
    slow, stuck = Hesitant(taken=10), Hesitant(taken=1)

    RunStore(cast("Any", slow), CHATS).add_steps(run, ["{}"] * 3, first=7, deadline=world.soon())
    with pytest.raises(UnavailableError, match="processes no items"):
        RunStore(cast("Any", stuck), CHATS).add_steps(run, ["{}"] * 3, first=0, deadline=world.soon())

    assert slow.kept == ["STEP#0007", "STEP#0008", "STEP#0009"]


@pytest.mark.parametrize("qualifier", ["", ":live", ":7", ":$LATEST"])
def test_a_run_is_invoked_by_its_alias_after_any_invocation(qualifier: str) -> None:
    function = "arn:aws:lambda:eu-central-1:123456789012:function:flexchat-dev-chat"

    assert own_alias(function + qualifier) == f"{function}:live"
