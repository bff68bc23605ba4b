"""The page's source with a stubbed API of traces and usage, for the tests of these views."""

import json
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Page, Request, Route

from dev.local_stack.page import PageServer
from flexchat.messages import Json

type Response = Json | tuple[int, Json]
type Handler = Callable[[Request], Response]

SOURCES = Path(__file__).parents[2] / "functions" / "page" / "src"
API = re.compile(r"/(?:api/|v1/|health)")

PRINCIPAL = "k3m9x2p7qd"
ID = "0f6d2c9e-0001"
OTHER = "0f6d2c9e-0002"
WEATHER = "What's the weather in Paris, and 15% of 45?"

USAGE: dict[str, Any] = {
    "input_tokens": 1_100,
    "output_tokens": 112,
    "cached_tokens": 640,
    "cache_write_tokens": 0,
    "reasoning_tokens": 40,
}


def summary(id: str = ID, **changes: Any) -> dict[str, Any]:
    """Entry of the list: a chat that answered."""
    return {
        "id": id,
        "started_at": "2026-11-27T02:00:00.000Z",
        "duration_ms": 2_410,
        "first_token_ms": 300,
        "front_end": "chat",
        "caller": PRINCIPAL,
        "session_id": "s-1",
        "turn": 2,
        "rule": "weather",
        "model": "openai:gpt-4o",
        "outcome": "answered",
        "failed": False,
        "tools": ["get_weather", "calculate"],
        "tool_calls": 2,
        "model_calls": 2,
        "usage": USAGE,
        "cost_usd": 0.0031,
        "message": WEATHER,
        **changes,
    }


def model_span(id: str, *, start: int, messages: list[int], answer: Json, **changes: Any) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        "finish_reason": "stop",
        "streamed": True,
        "temperature": 0.2,
        "tools": 2,
        "provider": "openai",
        "http_status": 200,
        "response_id": f"resp_{id}",
        "provider_request_id": f"req_{id}",
        "retries": 1,
        "failed_attempts": [{"error": "overloaded", "status": 503, "duration_ms": 120, "wait_ms": 500}],
        "fallback_of": "ollama:qwen3",
        "fallback_reason": "timeout",
    }
    return {
        "id": id,
        "kind": "model",
        "name": "openai:gpt-4o",
        "start_ms": start,
        "duration_ms": 800,
        "iteration": 1,
        "usage": {**USAGE, "input_tokens": 500},
        "cost_usd": 0.0015,
        "attributes": attributes,
        "content": {"messages": messages, "answer": answer},
        **changes,
    }


def tool_span(id: str, name: str, arguments: Json, result: Json, **changes: Any) -> dict[str, Any]:
    attributes: dict[str, Any] = {"call_id": f"call_{id}", "type": "http", "function_ms": 60, "http_status": 200}
    return {
        "id": id,
        "kind": "tool",
        "name": name,
        "start_ms": 850,
        "duration_ms": 96,
        "iteration": 1,
        "attributes": attributes,
        "content": {"arguments": arguments, "result": result},
        **changes,
    }


def text(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "text": content}]}


CALLS: dict[str, Any] = {
    "role": "assistant",
    "parts": [{"type": "tool_call", "id": "call_c", "name": "get_weather", "arguments": {"city": "Paris"}}],
}
RESULT: dict[str, Any] = {
    "role": "tool",
    "parts": [{"type": "tool_output", "call_id": "call_c", "name": "get_weather", "content": "18 degrees"}],
}


def trace(id: str = ID, **changes: Any) -> dict[str, Any]:
    """Whole trace of `summary`: two model calls, two tool calls of which one failed."""
    spans = [
        model_span("a", start=10, messages=[0, 1, 2, 3], answer=CALLS, attributes={"finish_reason": "tool_calls"}),
        tool_span("c", "get_weather", {"city": "Paris"}, {"degrees": 18}),
        tool_span(
            "d",
            "calculate",
            {"expression": "0.15 * 45"},
            "HTTP 503 from the service",
            error="http_error",
            message="HTTP 503 from the service",
            start_ms=860,
        ),
        model_span("b", start=1_000, messages=[0, 1, 2, 3, 4, 5], answer=text("assistant", "18 degrees."), iteration=2),
    ]
    return {
        **summary(id),
        "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
        "span_id": "00f067aa0ba902b7",
        "streamed": True,
        "configuration": "7c1d",
        "warnings": [],
        "limits": [],
        "expires_at": "2026-12-27T02:00:00Z",
        "has_content": True,
        "answer": "It is **18 degrees** in Paris. 15% of 45 is 6.75.",
        "messages": [
            text("system", "You help with the weather."),
            text("user", "Hello"),
            text("assistant", "Good morning."),
            text("user", WEATHER),
            CALLS,
            RESULT,
        ],
        "offered_tools": [{"name": "get_weather", "description": "Weather of a city", "parameters": {}}],
        "spans": spans,
        "failures": [],
        "feedback": [],
        **changes,
    }


def other_trace() -> dict[str, Any]:
    """Trace of the same message with another model: one call with other arguments, one more, one less."""
    spans = [
        model_span("e", start=0, messages=[], answer=None, name="anthropic:claude"),
        tool_span("f", "get_weather", {"city": "Paris", "unit": "celsius"}, {"degrees": 18}),
        tool_span("g", "search", {"query": "weather"}, []),
    ]
    numbers: dict[str, Any] = {"duration_ms": 1_205, "cost_usd": None, "tool_calls": 2}
    answer = "It is 18 degrees in Lyon. 15% of 45 is 6.75."
    return trace(OTHER, model="anthropic:claude", outcome="cut_off", spans=spans, answer=answer, **numbers)


def usage_row(day: str, name: str | None = None, **changes: Any) -> dict[str, Any]:
    counters = {"chats": 4, "failed": 1, "model_calls": 8, "tool_calls": 5, "cost_usd": 0.02, "unpriced_tokens": 0}
    return {"day": day, "name": name, **counters, **USAGE, **changes}


FILES_ORIGIN = "http://127.0.0.1:9"
"""Origin of uploads and downloads; a test intercepts its requests."""


@dataclass
class StubApi:
    """Responses of the API by method and path, such as `GET /api/traces`; a test replaces single ones."""

    handlers: dict[str, Response | Handler] = field(default_factory=dict[str, Response | Handler])
    requests: list[Request] = field(default_factory=list[Request])

    def set(self, route: str, response: Response | Handler) -> None:
        self.handlers[route] = response

    def sent(self, route: str) -> list[Request]:
        """Return the requests to a route, the oldest first."""
        return [request for request in self.requests if route_of(request) == route]

    def queries(self, route: str) -> list[Mapping[str, str]]:
        return [dict(parse_qsl(urlsplit(request.url).query)) for request in self.sent(route)]

    def bodies(self, route: str) -> list[Json]:
        return [request.post_data_json for request in self.sent(route)]

    def install(self, page: Page) -> None:
        page.route(lambda url: API.match(urlsplit(url).path) is not None, self._fulfil)

    def _fulfil(self, route: Route, request: Request) -> None:
        self.requests.append(request)
        response = self.handlers.get(route_of(request), not_found(f"no stub for {route_of(request)}"))
        if callable(response):
            response = response(request)
        status, body = response if isinstance(response, tuple) else (200, response)
        route.fulfill(status=status, content_type="application/json", body=json.dumps(body))


def route_of(request: Request) -> str:
    return f"{request.method} {urlsplit(request.url).path}"


def not_found(message: str = "trace not found") -> tuple[int, Json]:
    return 404, {"error": "trace_not_found", "message": message, "request_id": "r-404"}


def stub_api(*roles: str) -> StubApi:
    """The API of a caller with the given roles."""
    traces: dict[str, Json] = {"traces": [summary(), summary(OTHER, outcome="refused")], "cursor": None}
    api = StubApi()
    api.handlers.update(
        {
            "GET /health": {"status": "ok"},
            "GET /api/me": {"principal": PRINCIPAL, "roles": [*roles]},
            "GET /api/models/list": {"models": [], "errors": []},
            "GET /api/tools/list": {"tools": [], "disabled": []},
            "GET /api/approvals": {"approvals": []},
            "GET /api/traces": traces,
            f"GET /api/traces/{ID}": deepcopy(trace()),
            f"GET /api/traces/{OTHER}": other_trace(),
            "GET /v1/models": {"data": [{"id": "flexchat"}, {"id": "flexchat/weather"}, {"id": "openai:gpt-4o"}]},
        }
    )
    return api


@contextmanager
def page_server(variables: Mapping[str, str] | None = None) -> Generator[str]:
    """Serve the page from its sources; yields the URL without a trailing slash. API requests have to be stubbed.

    `variables` are those of the API's stage.
    """

    def no_stack() -> str:
        raise LookupError("the API is stubbed")

    with PageServer(SOURCES, no_stack, files_origin=FILES_ORIGIN, variables=variables) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.url.rstrip("/")
        finally:
            server.shutdown()
            thread.join()
