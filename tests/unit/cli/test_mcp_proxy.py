"""The MCP server over stdio as a proxy of a service."""

import io
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Barrier, Event
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.errors import ServiceError
from cli.invocation import trace_hint
from cli.mcp_proxy import McpProxy, header_value
from functions.chat.mcp_server.server import decoded
from tests.unit.cli.command_runner import Flexchat, SentRequest

VERSION = "io.modelcontextprotocol/protocolVersion"
INITIALIZE: dict[str, Any] = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}


def request(id: Any, method: str = "ping", **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def result(id: Any, value: Any = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": value or {}}


def answered(status: int, body: Any = None, text: str = "") -> httpx2.Response:
    content = text.encode() if body is None else json.dumps(body).encode()
    return httpx2.Response(status, content=content, request=httpx2.Request("POST", "https://chat.example/mcp"))


def echo(message: Any) -> httpx2.Response:
    return answered(200, result(message["id"], {"method": message["method"]}))


@dataclass
class Session:
    """Client of a proxy whose service is `reply`."""

    reply: Callable[[Any], httpx2.Response] = echo
    sent: list[tuple[Any, Mapping[str, str]]] = field(default_factory=list[tuple[Any, Mapping[str, str]]])
    written: list[Any] = field(default_factory=list[Any])
    reported: list[str] = field(default_factory=list[str])

    def run(self, *messages: Any) -> list[Any]:
        """Return what was written for messages, or lines as bytes."""
        lines = [each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages]
        McpProxy(self._send, write=self._write, report=self.reported.append).run(lines)
        return self.written

    def _send(self, text: bytes, headers: Mapping[str, str]) -> httpx2.Response:
        message = json.loads(text)
        self.sent.append((message, headers))
        return self.reply(message)

    def _write(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        self.written.append(json.loads(line))


def test_messages_are_forwarded_and_their_responses_written() -> None:
    session = Session()

    written = session.run(request("a"), b"\n", b"  \r\n", request(2, "tools/list"))

    assert sorted(written, key=str) == sorted(
        [result("a", {"method": "ping"}), result(2, {"method": "tools/list"})], key=str
    )
    assert session.reported == []


def test_notifications_are_forwarded_and_not_answered() -> None:
    session = Session(lambda _message: answered(202))

    assert session.run({"jsonrpc": "2.0", "method": "notifications/initialized"}) == []
    assert len(session.sent) == 1


def test_the_version_of_the_handshake_is_sent_with_later_messages() -> None:
    session = Session(
        lambda message: (
            answered(200, result(message["id"], {"protocolVersion": "2025-11-25"}))
            if message["method"] == "initialize"
            else echo(message)
        )
    )

    session.run(INITIALIZE, request(1, "tools/list"))

    assert [headers for _, headers in session.sent] == [{}, {"MCP-Protocol-Version": "2025-11-25"}]


def test_a_request_of_the_later_era_has_the_headers_of_its_body() -> None:
    session = Session()
    call = request(1, "tools/call", name="größe", _meta={VERSION: "2026-07-28"})

    session.run(call)

    assert session.sent == [
        (
            call,
            {
                "MCP-Protocol-Version": "2026-07-28",
                "Mcp-Method": "tools/call",
                "Mcp-Name": "=?base64?Z3LDtsOfZQ==?=",
            },
        )
    ]


@given(st.text())
def test_the_service_reads_every_name_that_the_proxy_sends(text: str) -> None:
    name = text.encode(errors="replace").decode()

    assert decoded(header_value(name)) == name
    assert header_value(name).isascii()


def test_requests_run_at_the_same_time() -> None:
    together = Barrier(3, timeout=20)

    def reply(message: Any) -> httpx2.Response:
        together.wait()
        return echo(message)

    assert len(Session(reply).run(request(1), request(2), request(3))) == 3


def test_a_cancelled_request_is_not_answered() -> None:
    cancelled = Event()

    def reply(message: Any) -> httpx2.Response:
        if message["method"] == "notifications/cancelled":
            cancelled.set()
            return answered(202)
        assert cancelled.wait(20)
        return echo(message)

    session = Session(reply)

    notification = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert session.run(request(1), request("1"), notification) == [result("1", {"method": "ping"})]


@pytest.mark.parametrize("line", [b"hello\n", b'{"a":\n', b"\xff\n", b"[" * 100 + b"\n"])
def test_a_line_that_is_no_message_is_answered_and_the_next_one_is_served(line: bytes) -> None:
    session = Session()

    broken, served = session.run(line, request(1))

    assert (broken["id"], broken["error"]["code"]) == (None, -32700)
    assert served == result(1, {"method": "ping"})
    assert session.reported[0].startswith("a line that is no message was received")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            answered(429, {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "too many"}}),
            {"code": -32000, "message": "too many"},
        ),
        (
            answered(400, {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no"}}),
            {"code": -32600, "message": "no"},
        ),
        (
            answered(404, {"error": "not_found", "message": "route not found", "request_id": "r-1"}),
            {"code": -32000, "message": f"HTTP 404: route not found\n  request id: {trace_hint('r-1')}"},
        ),
        (
            answered(502, text="<html>"),
            {
                "code": -32000,
                "message": "HTTP 502 from https://chat.example/mcp, which does not look like Flexchat\n"
                "  try again in a minute",
            },
        ),
        (answered(202), {"code": -32000, "message": "the service answered with HTTP 202 and no message"}),
        (answered(200, {"ok": True}), {"code": -32000, "message": "the service answered with HTTP 200 and no message"}),
    ],
)
def test_errors_of_the_service_are_errors_with_the_id_of_the_request(response: Any, expected: Any) -> None:
    assert Session(lambda _message: response).run(request(1)) == [{"jsonrpc": "2.0", "id": 1, "error": expected}]


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (ServiceError("https://chat.example cannot be reached"), "https://chat.example cannot be reached"),
        (RuntimeError("secret"), "the message could not be sent: RuntimeError"),
    ],
)
def test_an_unreachable_service_is_an_error_and_the_proxy_lives_on(failure: Exception, message: str) -> None:
    def reply(sent: Any) -> httpx2.Response:
        if sent["id"] == 1:
            raise failure
        return echo(sent)

    session = Session(reply)

    by_id = {each["id"]: each for each in session.run(request(1), request(2))}

    assert by_id[1]["error"] == {"code": -32000, "message": message}
    assert by_id[2] == result(2, {"method": "ping"})
    assert session.reported == [message]


def test_batches_are_forwarded_whole() -> None:
    session = Session(lambda batch: answered(200, [result(each["id"]) for each in batch]))
    assert session.run([request(1), request(2)]) == [result(1), result(2)]

    failing = Session(lambda _batch: answered(403, {"message": "forbidden"}))
    assert [each["id"] for each in failing.run([request(1), request(2)])] == [1, 2]


def test_the_command_writes_nothing_but_messages_to_its_output(
    flexchat: Flexchat, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = json.dumps(request(1, "tools/list")).encode() + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    service = flexchat.serve(result(1, {"tools": []}))

    code, printed, reported = flexchat.type("mcp", "serve")

    assert (code, json.loads(printed)) == (0, result(1, {"tools": []}))
    assert reported == "flexchat mcp serve: serving https://chat.example/mcp"
    sent = SentRequest("POST", "/mcp", request(1, "tools/list"), {"accept": "application/json"})
    assert service.requests == [sent]
