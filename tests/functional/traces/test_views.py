"""A whole trace, as an operator and as its caller see it, and the roles of the routes."""

from typing import Any

import pytest

from flexchat.traces import TraceError
from tests.functional.traces.harness import BUCKET, MESSAGES, TOOLS, Service, chat, model_call, tool_call


@pytest.fixture
def traced(service: Service) -> Service:
    """Service with the failed chat `r1` of ana."""
    attempt = {"error": "overloaded", "status": 503, "wait_ms": 500, "message": "upstream.internal is busy"}
    failed = model_call(
        error="server_error",
        message="upstream.internal answered 500",
        content={"messages": [0, 3]},
        attributes={"retries": 1, "failed_attempts": [attempt]},
    )
    call = tool_call(arguments={"city": "Bern"}, result="timed out", error="timeout")
    error = TraceError(type="model_failed", message="the model failed", status=502)
    service.store(chat("r1", spans=(failed, call), outcome="error", error=error, topic="weather"))
    return service


def test_operator_sees_the_whole_trace(traced: Service) -> None:
    answer = traced.get("/api/traces/r1")

    assert answer.status == 200
    body = answer.body
    assert (body["messages"], body["offered_tools"], body["answer"]) == (MESSAGES, TOOLS, "6 degrees.")
    assert body["error"] == {"type": "model_failed", "message": "the model failed", "status": 502}
    assert (body["failed"], body["topic"], body["expires_at"]) == (True, "weather", "2026-12-04T02:59:00Z")
    assert [(span["kind"], span["error"]) for span in body["spans"]] == [("model", "server_error"), ("tool", "timeout")]
    assert body["spans"][0]["message"] == "upstream.internal answered 500"
    (attempt,) = body["spans"][0]["attributes"]["failed_attempts"]
    assert attempt["message"] == "upstream.internal is busy"
    assert body["spans"][1]["content"] == {"arguments": {"city": "Bern"}, "result": "timed out"}


def test_user_sees_no_system_message_and_no_text_for_operators(traced: Service) -> None:
    body = traced.get("/api/traces/r1", caller="ana").body

    assert body["messages"] == [{"role": "system", "parts": []}, *MESSAGES[1:]]
    assert all("message" not in span for span in body["spans"])
    assert body["spans"][0]["attributes"] == {
        "retries": 1,
        "failed_attempts": [{"error": "overloaded", "status": 503, "wait_ms": 500}],
    }
    assert "upstream.internal" not in str(body)
    assert "10.0.0.7" not in str(body)


def test_user_sees_no_name_of_a_resource_that_did_not_answer(service: Service) -> None:
    reason = "could not read: DynamoDB did not answer for flexchat-prod-chats"
    error = TraceError(type="unavailable", message=reason, status=503)
    service.store(chat("r9", outcome="error", error=error))

    shown = service.get("/api/traces/r9", caller="ana").body
    (listed,) = service.get("/api/traces", caller="ana").body["traces"]

    for body in (shown, listed):
        assert body["error"]["message"] == "a dependency of the service is unavailable; try again in a moment"
        assert "flexchat-prod-chats" not in str(body)
    assert service.get("/api/traces/r9").body["error"]["message"] == reason


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("GET", "/api/traces/r1", None), ("POST", "/api/runs/r1/feedback", {"rating": "up"})],
)
def test_trace_of_another_caller_is_not_found(traced: Service, method: str, path: str, body: Any) -> None:
    answer = traced.request(method, path, caller="bob", body=body)

    assert (answer.status, answer.body["error"]) == (404, "trace_not_found")
    assert answer.body["message"].startswith("trace 'r1' not found")


@pytest.mark.parametrize("path", ["/api/traces/r1/logs", "/api/traces/r1/case"])
def test_logs_and_case_need_an_operator(traced: Service, path: str) -> None:
    assert traced.get(path, caller="ana").status == 403


@pytest.mark.parametrize("path", ["/api/traces/r2", "/api/traces/r2/logs", "/api/traces/r2/case"])
def test_unknown_trace_is_not_found(traced: Service, path: str) -> None:
    assert traced.get(path).status == 404


def test_trace_whose_object_is_deleted_is_not_found(traced: Service) -> None:
    traced.s3.delete_object(Bucket=BUCKET, Key="traces/2026/11/27/r1.json.gz")

    assert traced.get("/api/traces/r1").status == 404
