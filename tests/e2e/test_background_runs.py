"""Background runs, idempotent requests and resumed answers on the deployed stack."""

import time
from typing import Any
from uuid import uuid4

import httpx2

from flexchat.api import ChatResponse
from flexchat.api.runs import RunView
from tests.e2e.conftest import AwsClients

LATER = {"Prefer": "respond-async"}
QUESTION = {"message": "What is 15% of 45, and the weather in Paris?"}
RUN_SECONDS = 45
POLL_SECONDS = 0.25


def ended(api: httpx2.Client, run: str) -> RunView:
    """Poll a run and return it after its end."""
    until = time.monotonic() + RUN_SECONDS
    while time.monotonic() < until:
        view = RunView.model_validate(api.get(f"/api/runs/{run}").json())
        if view.status not in ("queued", "running"):
            return view
        time.sleep(POLL_SECONDS)
    raise AssertionError(f"run {run!r} has not ended within {RUN_SECONDS} s")


def test_background_run_returns_its_answer_and_steps(api: httpx2.Client) -> None:
    accepted = api.post("/api/chat", json=QUESTION, headers=LATER)
    run = accepted.json()["id"]
    view = ended(api, run)

    assert accepted.status_code == 202
    assert accepted.headers["location"].endswith(f"/api/runs/{run}")
    assert view.status == "succeeded"
    assert view.answer is not None
    assert "6.75" in view.answer.content
    assert [step.step for step in view.steps] == ["model", "tool", "tool", "model"]


def test_run_delivered_twice_executes_once(api: httpx2.Client, aws: AwsClients) -> None:
    run = api.post("/api/chat", json={"message": "What is 2+2?"}, headers=LATER).json()["id"]
    first = ended(api, run)
    [item] = aws.client("dynamodb").scan(
        TableName="flexchat-local-chats",
        FilterExpression="sk = :run AND contains(pk, :id)",
        ExpressionAttributeValues={":run": {"S": "RUN"}, ":id": {"S": run}},
    )["Items"]
    principal = item["pk"]["S"].split("#")[1]
    order = {"id": run, "principal": principal, "roles": ["user"], "request_id": "again"}
    again = aws.lambdas().invoke(
        FunctionName="flexchat-local-chat", Payload=httpx2.Request("", "http://x", json={"run": order}).content
    )

    assert b"succeeded" in again["Payload"].read()
    assert RunView.model_validate(api.get(f"/api/runs/{run}").json()) == first


def test_run_is_visible_to_its_owner_only(anonymous: httpx2.Client, api: httpx2.Client) -> None:
    run = api.post("/api/chat", json={"message": "Hello"}, headers=LATER).json()["id"]
    assert anonymous.get(f"/api/runs/{run}").status_code == 401
    assert api.get("/api/runs/0123456789abcdef0123456789abcdef").json()["error"] == "not_found"


def test_repeated_request_gets_the_first_answer(api: httpx2.Client) -> None:
    key = {"Idempotency-Key": uuid4().hex}
    first = api.post("/api/chat", json=QUESTION, headers=key)
    second = api.post("/api/chat", json=QUESTION, headers=key)
    other = api.post("/api/chat", json={"message": "Hello"}, headers=key)

    assert (first.status_code, second.status_code) == (200, 200)
    assert second.json() == first.json()
    assert second.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert (other.status_code, other.json()["error"]) == (422, "idempotency_key_reused")


def test_partial_answer_is_continued_with_its_resume_token(api: httpx2.Client) -> None:
    slow = {"message": "What is 3+4? [demo:slow=1500]", "deadline_ms": 3_000}
    api.post("/api/chat", json={"message": "What is 3+4?"})  # Warm-up: a cold start must not use the deadline
    partial = ChatResponse.model_validate(api.post("/api/chat", json=slow).json())
    rest: dict[str, Any] = {"resume_token": partial.resume_token}
    whole = ChatResponse.model_validate(api.post("/api/chat", json=rest).json())
    again = api.post("/api/chat", json=rest)

    assert (partial.status, [call.tool for call in partial.tool_calls]) == ("partial", ["calculate"])
    assert (whole.status, whole.tool_calls) == ("complete", partial.tool_calls)
    assert "7" in whole.content
    assert [step.step for step in whole.timings.steps] == ["model"]
    assert (again.status_code, again.json()["error"]) == (409, "resume_token_used")
