"""Traces of chats on the local stack: the route, the commands, log lines, feedback, cases and usage."""

import json
import time
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.e2e.commands import flexchat

WAIT_SECONDS = 30


@pytest.fixture
def request_id(api: httpx2.Client) -> str:
    """The id of a chat with a tool call, whose trace is stored."""
    response = api.post("/api/chat", json={"message": "What is 15% of 45?"})
    assert response.status_code == 200, response.text
    trace(api, response.json()["request_id"])
    return response.json()["request_id"]


def trace(api: httpx2.Client, id: str) -> dict[str, Any]:
    """Return a trace as soon as the traces function has stored it."""
    end = time.monotonic() + WAIT_SECONDS
    while (response := api.get(f"/api/traces/{id}")).status_code == 404 and time.monotonic() < end:
        time.sleep(0.2)
    assert response.status_code == 200, response.text
    return response.json()


def test_a_chat_is_explained_by_its_request_id(api: httpx2.Client, request_id: str) -> None:
    stored = trace(api, request_id)

    assert (stored["outcome"], stored["tools"]) == ("answered", ["calculate"])
    assert [span["kind"] for span in stored["spans"]] == ["model", "tool", "model"]
    assert request_id in [each["id"] for each in api.get("/api/traces", params={"tool": "calculate"}).json()["traces"]]


def test_a_failed_chat_is_found_and_shown_by_the_commands(api: httpx2.Client) -> None:
    failed = api.post("/api/chat", json={"message": "[demo:status=401] Hello"}).json()
    trace(api, failed["request_id"])

    listed = json.loads(flexchat("traces", "--failed", "--since", "10m", "--json"))
    shown = flexchat("trace", failed["request_id"])

    assert failed["request_id"] in [each["id"] for each in listed["traces"]]
    assert failed["error"] in shown
    assert "status 401 was asked for" in shown


def test_log_lines_of_a_request_are_those_of_its_functions(api: httpx2.Client, request_id: str) -> None:
    lines = api.get(f"/api/traces/{request_id}/logs").raise_for_status().json()["lines"]

    assert {"chat-stream", "tool-builtin", "traces"} <= {line["function"] for line in lines}
    assert "tool executed" in [line["message"] for line in lines]


def test_the_last_rating_of_an_answer_counts(api: httpx2.Client, request_id: str) -> None:
    for rating in ("up", "down"):
        api.post(f"/api/runs/{request_id}/feedback", json={"rating": rating}).raise_for_status()

    def rated(rating: str) -> list[str]:
        return [each["id"] for each in api.get("/api/traces", params={"rating": rating}).json()["traces"]]

    assert request_id in rated("down")
    assert request_id not in rated("up")


def test_usage_counts_the_calls_of_a_tool(api: httpx2.Client, request_id: str) -> None:
    rows = api.get("/api/usage", params={"group": "tool"}).raise_for_status().json()["rows"]

    assert sum(row["tool_calls"] for row in rows if row.get("name") == "calculate") >= 1
    assert trace(api, request_id)["tool_calls"] == 1


def test_a_trace_of_another_token_is_not_found(api: httpx2.Client) -> None:
    assert api.get(f"/api/traces/{uuid4()}").status_code == 404
