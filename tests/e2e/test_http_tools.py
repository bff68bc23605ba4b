"""Tools of type http against a server of this machine: configuration, secrets, timeouts, shared state."""

import json
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, override

import httpx2
import pytest

from cli.layout import Layout
from dev.local_stack.emulator import free_port
from flexchat.api import ChatResponse, ToolCallView, ToolFailureView, ToolSuccessView
from tests.e2e.commands import flexchat

pytestmark = pytest.mark.usefixtures("default_configuration")

STAGE = ("--stage", "local")
SLOW_SECONDS = 4
OPEN_SECONDS = 5
"""Time for which the circuit breaker refuses calls; two chats in a row take less."""

RECOVERY_SECONDS = 60
CANARY = "canary-key-of-the-weather-service"


@dataclass(frozen=True)
class Received:
    """Request that the server received."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class WeatherServer:
    """API on loopback that records its requests; `/slow` answers after the timeout of a tool.

    With the port 0 it takes a free one.
    """

    received: list[Received] = field(default_factory=list[Received])
    status: int = 200
    port: int = 0

    @contextmanager
    def running(self) -> Generator["WeatherServer"]:
        weather = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                weather.received.append(Received(self.command, self.path, headers, body))
                if self.path.startswith("/slow"):
                    time.sleep(SLOW_SECONDS)
                answer = json.dumps({"data": {"temperature": 7, "condition": "fog", "key": self.headers.get("X-Key")}})
                self.send_response(weather.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer.encode())

            do_GET = do_POST = handle_request  # noqa: N815 # names of http.server

            @override
            def log_message(self, format: str, *args: Any) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", self.port), Handler) as server:
            self.port = server.server_port
            thread = Thread(target=server.serve_forever, daemon=True)
            thread.start()
            yield self
            server.shutdown()
            thread.join()


@pytest.fixture
def server() -> Iterator[WeatherServer]:
    with WeatherServer().running() as server:
        yield server


@pytest.fixture
def weather_key() -> Iterator[None]:
    yield
    flexchat("secrets", "delete", "WEATHER_API_KEY", *STAGE)


def serve(layout: Layout, folder: Path, implementation: dict[str, Any], **changes: Any) -> None:
    """Serve the default configuration with another implementation of its weather tool."""
    authored = json.loads((layout.root / "config" / "flexchat.json").read_text())
    weather = next(tool for tool in authored["tools"]["registry"] if tool["name"] == "get_weather")
    weather |= {"implementation": implementation, **changes}
    path = folder / "flexchat.json"
    path.write_text(json.dumps(authored))
    flexchat("local", "up", "--config", str(path))


def chat(api: httpx2.Client) -> ChatResponse:
    response = api.post("/api/chat", json={"message": "How is the weather in Paris?"})
    assert response.status_code == 200, response.text
    return ChatResponse.model_validate(response.json())


def outcome(call: ToolCallView) -> object:
    """Return the result of a call, or the type of its error."""
    return call.result.result if isinstance(call.result, ToolSuccessView) else call.result.error_type


@pytest.mark.usefixtures("weather_key")
def test_mock_tool_is_replaced_by_an_http_tool_with_a_secret(
    api: httpx2.Client, layout: Layout, server: WeatherServer, tmp_path: Path
) -> None:
    flexchat("secrets", "set", "WEATHER_API_KEY", "--host", "127.0.0.1", *STAGE, input=CANARY)
    serve(
        layout,
        tmp_path,
        {
            "type": "http",
            "url": f"http://127.0.0.1:{server.port}/weather",
            "headers": {"X-Key": "${WEATHER_API_KEY}"},
            "params_mapping": {"location": "q"},
            "response_path": "$.data",
        },
    )

    answer = chat(api)

    [call] = answer.tool_calls
    assert isinstance(call.result, ToolSuccessView)
    assert call.result.result == {"temperature": 7, "condition": "fog", "key": "[redacted]"}
    [request] = server.received
    assert (request.method, request.path) == ("GET", "/weather?q=Paris&units=celsius")
    assert request.headers["x-key"] == CANARY
    assert CANARY not in answer.model_dump_json()


@pytest.mark.usefixtures("weather_key")
def test_secret_is_not_sent_to_a_host_that_it_is_not_bound_to(
    api: httpx2.Client, layout: Layout, server: WeatherServer, tmp_path: Path
) -> None:
    flexchat("secrets", "set", "WEATHER_API_KEY", "--host", "api.example.com", *STAGE, input=CANARY)
    url = f"http://127.0.0.1:{server.port}/weather"
    serve(layout, tmp_path, {"type": "http", "url": url, "headers": {"X-Key": "${WEATHER_API_KEY}"}})

    [call] = chat(api).tool_calls

    assert isinstance(call.result, ToolFailureView)
    assert (call.result.error_type, server.received) == ("configuration", [])


def test_post_whose_server_answers_after_the_timeout_is_sent_once(
    api: httpx2.Client, layout: Layout, server: WeatherServer, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{server.port}/slow"
    retry = {"max_attempts": 3, "backoff_ms": 0}
    implementation = {"type": "http", "url": url, "method": "POST", "timeout_ms": 1_000, "retry": retry}
    serve(layout, tmp_path, implementation, idempotent=False)

    [call] = chat(api).tool_calls
    time.sleep(SLOW_SECONDS)

    assert isinstance(call.result, ToolFailureView)
    assert call.result.error_type == "timeout"
    assert [(request.method, request.body) for request in server.received] == [
        ("POST", b'{"location":"Paris","units":"celsius"}')
    ]


def test_an_equal_call_gets_the_cached_result_without_a_request(
    api: httpx2.Client, layout: Layout, server: WeatherServer, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{server.port}/weather"
    serve(layout, tmp_path, {"type": "http", "url": url, "response_path": "$.data.condition", "cache_seconds": 600})

    calls = [call for _ in range(2) for call in chat(api).tool_calls]

    assert [outcome(call) for call in calls] == ["fog", "fog"]
    assert len(server.received) == 1


def test_calls_beyond_the_rate_limit_are_not_sent(
    api: httpx2.Client, layout: Layout, server: WeatherServer, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{server.port}/weather"
    # Periods of another length have another counter: earlier tests do not count.
    limit = {"calls": 1, "period_ms": 80_000_000 + server.port}
    serve(layout, tmp_path, {"type": "http", "url": url, "response_path": "$.data.condition", "rate_limit": limit})

    calls = [call for _ in range(2) for call in chat(api).tool_calls]

    assert [outcome(call) for call in calls] == ["fog", "rate_limited"]
    assert len(server.received) == 1


def test_the_calls_of_a_caller_to_a_failing_api_are_refused_until_the_api_recovers(
    api: httpx2.Client, layout: Layout, server: WeatherServer, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{server.port}/weather"
    breaker = {"failures": 1, "open_ms": OPEN_SECONDS * 1000}
    serve(
        layout, tmp_path, {"type": "http", "url": url, "response_path": "$.data.condition", "circuit_breaker": breaker}
    )
    server.status = 503

    refused = [outcome(call) for _ in range(2) for call in chat(api).tool_calls]
    server.status = 200
    until = time.monotonic() + RECOVERY_SECONDS
    while (later := outcome(*chat(api).tool_calls)) == "circuit_open" and time.monotonic() < until:
        time.sleep(1)
    closed = outcome(*chat(api).tool_calls)

    assert refused == ["unavailable", "circuit_open"]
    assert (later, closed) == ("fog", "fog")
    assert len(server.received) == 3


def test_the_circuit_of_an_api_that_no_connection_reaches_closes_when_the_api_starts(
    api: httpx2.Client, layout: Layout, tmp_path: Path
) -> None:
    server = WeatherServer(port=free_port())
    url = f"http://127.0.0.1:{server.port}/weather"
    breaker = {"failures": 1, "open_ms": OPEN_SECONDS * 1000}
    serve(
        layout, tmp_path, {"type": "http", "url": url, "response_path": "$.data.condition", "circuit_breaker": breaker}
    )

    refused = [outcome(call) for _ in range(2) for call in chat(api).tool_calls]
    with server.running():
        until = time.monotonic() + RECOVERY_SECONDS
        while (later := outcome(*chat(api).tool_calls)) == "circuit_open" and time.monotonic() < until:
            time.sleep(1)
        closed = outcome(*chat(api).tool_calls)

    assert refused == ["unavailable", "circuit_open"]
    assert (later, closed) == ("fog", "fog")
    assert len(server.received) == 2


@pytest.mark.usefixtures("weather_key")
def test_an_operator_tries_a_tool_and_sees_its_request_without_the_secret(
    layout: Layout, server: WeatherServer, tmp_path: Path
) -> None:
    flexchat("secrets", "set", "WEATHER_API_KEY", "--host", "127.0.0.1", *STAGE, input=CANARY)
    url = f"http://127.0.0.1:{server.port}/weather"
    headers = {"X-Key": "${WEATHER_API_KEY}"}
    serve(layout, tmp_path, {"type": "http", "url": url, "headers": headers, "response_path": "$.data"})

    shown = flexchat("tools", "try", "get_weather", "--args", '{"location": "Paris"}')

    [request] = server.received
    assert (request.path, request.headers["x-key"]) == ("/weather?location=Paris&units=celsius", CANARY)
    assert f"GET {url}?location=Paris&units=celsius" in shown
    assert '"condition": "fog"' in shown
    assert CANARY not in shown
