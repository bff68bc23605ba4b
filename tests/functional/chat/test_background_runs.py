"""Background runs of chats over HTTP."""

import json
from typing import Any, cast

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.errors import ModelError
from functions.chat.runs.background import RunFailedError
from tests.functional.chat.background import BackgroundChat, deploy_with_background
from tests.functional.chat.harness import CALCULATE, EVENTS, LambdaContext, Unreachable, configuration
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.unit.runs.table import Throttled

LATER = {"Prefer": "respond-async, wait=5"}
HELLO = {"message": "What is 15% of 45?"}


@pytest.fixture
def chat(dynamodb: DynamoDBClient) -> BackgroundChat:
    script = [call_completion(("calculate", {"expression": "0.15 * 45"})), text_completion("6.75")]
    return deploy_with_background(script, configuration(tools=[CALCULATE]), dynamodb)


def test_chat_is_accepted_answered_in_the_background_and_polled(chat: BackgroundChat) -> None:
    accepted = chat.post(HELLO, headers=LATER)
    run = accepted.body["id"]
    queued = chat.get(f"/api/runs/{run}")
    calls_before = len(chat.model.seen)
    chat.deliver()
    succeeded = chat.get(f"/api/runs/{run}")

    assert (accepted.status, accepted.body["status"], calls_before) == (202, "queued", 0)
    assert accepted.headers["location"] == f"/dev/api/runs/{run}"
    assert (accepted.headers["preference-applied"], accepted.headers["retry-after"]) == ("respond-async", "2")
    assert (queued.status, queued.body) == (200, accepted.body)
    assert (succeeded.status, succeeded.body["status"]) == (200, "succeeded")
    assert succeeded.body["answer"]["content"] == "6.75"
    assert succeeded.body["answer"]["tool_calls"][0]["result"]["result"] == {"result": 6.75}
    assert [step["step"] for step in succeeded.body["steps"]] == ["model", "tool", "model"]


def test_steps_of_one_turn_are_written_together(dynamodb: DynamoDBClient) -> None:
    renewals = Throttled(dynamodb, "update_item", on=False)
    batches = Throttled(cast("DynamoDBClient", renewals), "batch_write_item", on=False)
    calls = [("calculate", {"expression": f"{number} + 1"}) for number in range(250)]
    chat = deploy_with_background(
        [call_completion(*calls), text_completion("done")], configuration(tools=[CALCULATE]), batches
    )
    run = chat.post(HELLO, headers=LATER).body["id"]
    chat.deliver()
    succeeded = chat.get(f"/api/runs/{run}").body

    steps = succeeded["steps"]
    assert [step["step"] for step in steps] == ["model", *["tool"] * 250, "model"]
    assert {step.get("call_id") for step in steps} == {None, *(f"call_1_{number}" for number in range(250))}
    assert (renewals.calls, batches.calls) == (5, 10)


def test_run_is_executed_by_the_named_function(dynamodb: DynamoDBClient) -> None:
    chat = deploy_with_background([], configuration(), dynamodb, runs_function="arn:of:the-chat-function:live")

    assert chat.post(HELLO, headers=LATER).status == 202

    assert [function for function, _ in chat.background.queued] == ["arn:of:the-chat-function:live"]


def test_run_is_invoked_by_the_function_alias(chat: BackgroundChat) -> None:
    accepted = chat.post(HELLO, headers=LATER)

    ((function, order),) = chat.background.queued
    trace = order["run"].pop("trace")
    assert accepted.headers["traceresponse"] == f"00-{trace['trace_id']}-{trace['span_id']}-01"
    assert function == "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test-chat:live"
    assert order == {
        "run": {
            "id": accepted.body["id"],
            "principal": "k7m2p9qx4d",
            "roles": ["user"],
            "request_id": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
        }
    }


def test_invalid_request_is_rejected_before_it_is_queued(chat: BackgroundChat) -> None:
    answer = chat.post({"message": " "}, headers=LATER)

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")
    assert chat.background.queued == []


def test_cancelled_run_is_not_executed(chat: BackgroundChat) -> None:
    run = chat.post(HELLO, headers=LATER).body["id"]
    cancelled = chat.delete(f"/api/runs/{run}")
    chat.deliver()

    assert (cancelled.status, cancelled.body["status"]) == (200, "cancelled")
    assert chat.get(f"/api/runs/{run}").body == cancelled.body
    assert chat.model.seen == []


@pytest.mark.parametrize("id", ["run", "nothing", "%23", "a-b_c"])
def test_run_is_not_visible_to_other_callers(chat: BackgroundChat, id: str) -> None:
    run = chat.post(HELLO, headers=LATER).body["id"] if id == "run" else id

    for answer in (
        chat.get(f"/api/runs/{run}", principal="bob"),
        chat.delete(f"/api/runs/{run}", principal="bob"),
    ):
        assert (answer.status, answer.body["error"]) == (404, "not_found")


def test_failed_run_has_the_error_of_the_synchronous_request(dynamodb: DynamoDBClient) -> None:
    overloaded = ModelError("busy", type="invalid_request", provider="openai")
    chat = deploy_with_background([overloaded, overloaded], configuration(), dynamodb)
    run = chat.post(HELLO, headers=LATER).body["id"]
    with pytest.raises(RunFailedError):
        chat.deliver()
    at_once = chat.post(HELLO)

    failed = chat.get(f"/api/runs/{run}").body
    assert (failed["status"], at_once.status) == ("failed", 502)
    assert {**failed["error"], "request_id": ""} == {**at_once.body, "request_id": ""}


def test_run_rejected_by_lambda_is_a_503(chat: BackgroundChat) -> None:
    chat.background.refuses = True
    answer = chat.post(HELLO, headers=LATER)

    assert (answer.status, answer.body["error"], answer.headers["retry-after"]) == (503, "unavailable", "2")


def test_missing_table_rejects_runs_and_answers_synchronous_chats() -> None:
    chat = deploy_with_background([text_completion("hi")], configuration(), Unreachable())

    assert chat.post(HELLO, headers=LATER).status == 503
    assert chat.post(HELLO).body["content"] == "hi"


def test_location_of_a_run_is_exposed_to_allowed_origins(dynamodb: DynamoDBClient) -> None:
    origin = "https://app.example.com"
    chat = deploy_with_background([], configuration(), dynamodb, allowed_origins=(origin,))
    answer = chat.post(HELLO, headers={**LATER, "Origin": origin})

    assert answer.headers["access-control-allow-origin"] == origin
    assert answer.headers["access-control-expose-headers"].split(",") == [
        "Idempotent-Replayed",
        "Location",
        "Preference-Applied",
        "Retry-After",
        "Traceresponse",
        "X-RateLimit-Limit-Requests",
        "X-RateLimit-Remaining-Requests",
        "X-RateLimit-Reset-Requests",
        "X-RateLimit-Limit-Tokens",
        "X-RateLimit-Remaining-Tokens",
        "X-RateLimit-Reset-Tokens",
        "X-Request-Id",
        "X-Should-Retry",
    ]


def test_openapi_document_has_the_run_routes(chat: BackgroundChat) -> None:
    document = chat.get("/api/openapi.json").body
    run: dict[str, Any] = document["paths"]["/api/runs/{id}"]

    assert run.keys() == {"get", "delete"}
    assert document["paths"]["/api/chat"]["post"]["responses"].keys() >= {"200", "202", "409", "422"}
    assert "RunView" in document["components"]["schemas"]


@pytest.mark.parametrize(
    ("name", "status"),
    [("chat-async-http", 202), ("run-http", 404), ("sessions-http", 200), ("topic-http", 409)],
)
def test_local_run_events_are_accepted(chat: BackgroundChat, name: str, status: int) -> None:
    event = json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))

    assert chat.send(event).status == status


def test_local_work_event_has_the_sent_format(chat: BackgroundChat) -> None:
    chat.post(HELLO, headers=LATER)
    order = json.loads((EVENTS / "run-order.json").read_text(encoding="utf-8"))

    assert order.keys() == chat.background.queued[0][1].keys()
    assert order["run"].keys() == chat.background.queued[0][1]["run"].keys()
    with pytest.raises(RunFailedError, match="does not exist"):
        chat.function.handle(order, LambdaContext())
