"""Deadlines of HTTP requests, counted from their receipt by API Gateway."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.http_api.deadline import RequestDeadlines
from functions.chat.api.api import ChatApi
from functions.retrieval.routes import CollectionsApi
from functions.validation.api import ValidationApi

EVENT = json.loads((Path(__file__).parents[2] / "events" / "chat-http.json").read_text())
NOW = 1_800_000_000.0
ABSENT = object()

type Resolve = Callable[[str, dict[str, Any], "Context"], float]


@dataclass(frozen=True)
class Context:
    remaining_ms: int = 900_000
    aws_request_id: str = "invocation"
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:flexchat-test"

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


@dataclass
class Recorder:
    """Service whose methods record their deadline and fail, or return the recorder if they have none."""

    deadlines: list[Deadline] = field(default_factory=list[Deadline])

    def __getattr__(self, _method: str) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            due = [value for value in (*arguments, *named.values()) if isinstance(value, Deadline)]
            self.deadlines += due
            if due:
                raise UnavailableError("recorded")
            return self

        return call


@dataclass(frozen=True)
class Services:
    """Services replaced by one recorder."""

    recorder: Recorder

    @property
    def operations(self) -> "Services":
        return self

    def __getattr__(self, _service: str) -> Recorder:
        return self.recorder


@pytest.fixture(scope="module")
def seconds_left() -> Resolve:
    """Return a function that returns the seconds left for an event's handler."""
    recorder = Recorder()
    deadlines = RequestDeadlines(clock=lambda: 0.0, now=lambda: NOW)

    services: Any = Services(recorder)
    chat = ChatApi(services, deadlines=deadlines)
    collections = CollectionsApi(services, deadlines=deadlines)
    validation = ValidationApi(services, deadlines=deadlines)

    def resolve(route: str, event: dict[str, Any], context: Context) -> float:
        method, path = route.split()
        apis = {"collections": collections, "validation": validation}
        answer = apis.get(path.split("/")[2], chat).resolve(
            {**event, "httpMethod": method, "path": path, "resource": path}, context
        )
        assert answer["statusCode"] == 503, answer
        return recorder.deadlines.pop().at

    return resolve


def event(received: Any = ABSENT, body: Any = None) -> dict[str, Any]:
    context = {**EVENT["requestContext"], "authorizer": {"principal": "k7m2p9qx4d", "roles": "operator"}}
    del context["requestTimeEpoch"]
    if received is not ABSENT:
        context["requestTimeEpoch"] = received
    return {**EVENT, "requestContext": context, "body": None if body is None else json.dumps(body)}


def milliseconds_ago(seconds: float) -> int:
    return round((NOW - seconds) * 1000)


@pytest.mark.parametrize(
    ("route", "body", "left"),
    [
        ("POST /api/chat", {"message": "Hello"}, 23.0),
        ("POST /api/tools/test", {"model": "openai:gpt-4o", "query": "Hello"}, 23.0),
        ("POST /api/tools/call", {"tool": "calculate"}, 23.0),
        ("POST /api/topic/test", {"message": "Hello"}, 23.0),
        ("POST /api/intent/test", {"message": "Hello"}, 23.0),
        ("GET /api/tools/list", None, 23.0),
        ("GET /api/models/list", None, 23.0),
        ("POST /api/connections/llm/discovery/models", {}, 23.0),
        ("GET /api/sessions", None, 20.0),
        ("POST /api/collections/handbook/query", {"query": "refund"}, 23.0),
        ("GET /api/validation/runs", None, 23.0),
        ("GET /api/validation/suites", None, 23.0),
    ],
)
def test_time_waited_in_the_gateway_reduces_the_deadline(
    route: str, body: Any, left: float, seconds_left: Resolve
) -> None:
    assert seconds_left(route, event(milliseconds_ago(5), body), Context()) == left


@pytest.mark.parametrize(
    ("received", "left"),
    [
        (ABSENT, 28.0),
        (None, 28.0),
        ("1800000000000", 28.0),
        (True, 28.0),
        (milliseconds_ago(0), 28.0),
        (milliseconds_ago(0.25), 27.75),
        (milliseconds_ago(20), 8.0),
        (milliseconds_ago(28.5), 0.0),
        (milliseconds_ago(29), 28.0),
        (milliseconds_ago(3_600), 28.0),
        (EVENT["requestContext"]["requestTimeEpoch"], 28.0),
        (int(NOW), 28.0),
        (milliseconds_ago(-0.5), 28.0),
        (milliseconds_ago(-3_600), 28.0),
        (float("nan"), 28.0),
    ],
    ids=[
        "absent", "null", "text", "boolean", "now", "a quarter of a second ago", "20 seconds ago",
        "after the time of a response", "at the timeout of API Gateway", "an hour ago", "recorded event",
        "in seconds instead of milliseconds", "half a second ahead", "an hour ahead", "nan",
    ],
)  # fmt: skip
def test_receipt_time_is_used_only_within_the_gateway_timeout(
    received: Any, left: float, seconds_left: Resolve
) -> None:
    assert seconds_left("POST /api/chat", event(received, {"message": "Hello"}), Context()) == left


@pytest.mark.parametrize(
    ("deadline_ms", "remaining_ms", "left"),
    [(10_000, 900_000, 10.0), (28_000, 900_000, 23.0), (28_000, 15_000, 14.0), (10_000, 500, 0.0)],
    ids=["the caller's", "API Gateway's", "the invocation's", "none left"],
)
def test_earliest_of_three_deadlines_applies_to_a_chat(
    deadline_ms: int, remaining_ms: int, left: float, seconds_left: Resolve
) -> None:
    body = {"message": "Hello", "deadline_ms": deadline_ms}
    assert seconds_left("POST /api/chat", event(milliseconds_ago(5), body), Context(remaining_ms)) == left
