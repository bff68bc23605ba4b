"""An MCP endpoint of the handshake era whose tools misbehave, by the name of the tool."""

import json
import socket
import struct
from collections.abc import Mapping
from typing import Any

from tests.contract.http_wire import misbehaviours as http
from tests.contract.http_wire.hostile_server import Exchange, Misbehaviour

JSON = "Content-Type: application/json"
SESSION = "session-1"
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def message_of(exchange: Exchange) -> dict[str, Any]:
    return json.loads(exchange.request.body) if exchange.request.body else {}


def response(exchange: Exchange, result: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": message_of(exchange).get("id"), "result": result}).encode()


def text_result(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


def good(exchange: Exchange) -> None:
    exchange.answer(response(exchange, text_result("fine")), JSON)


def echo(exchange: Exchange) -> None:
    """Return everything that was received, as a server in debug mode does."""
    request = exchange.request
    exchange.answer(response(exchange, text_result(f"{request.target} {request.headers} {request.body!r}")), JSON)


def echo_failure(exchange: Exchange) -> None:
    request = exchange.request
    result = {**text_result(f"bad request {request.target} {request.headers}"), "isError": True}
    exchange.answer(response(exchange, result), JSON)


def echo_protocol_error(exchange: Exchange) -> None:
    request = exchange.request
    error = {"code": -32602, "message": f"bad {request.target} {request.headers}"}
    body = json.dumps({"jsonrpc": "2.0", "id": message_of(exchange)["id"], "error": error})
    exchange.answer(body.encode(), JSON, status="400 Bad Request")


def endless_events(exchange: Exchange) -> None:
    exchange.send(EVENTS)
    exchange.repeat(b": " + b"x" * 65_536 + b"\n\n")


def endless_event(exchange: Exchange) -> None:
    exchange.send(EVENTS, b"data: ")
    exchange.repeat(b"x" * 65_536)


def slow_events(exchange: Exchange) -> None:
    exchange.send(EVENTS)
    exchange.repeat(b": x\n\n", pause=http.DRIP_SECONDS)


def slow_body(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
    exchange.repeat(b" ", pause=http.DRIP_SECONDS)


def reset(exchange: Exchange) -> None:
    exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n")
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def ended_events(exchange: Exchange) -> None:
    exchange.send(EVENTS, b": nothing\n\n")


def resumable_events(exchange: Exchange) -> None:
    """End each stream with an event id, without a response."""
    exchange.send(EVENTS, b"id: 1\nretry: 0\ndata: \n\n")


def events_with_a_long_delay(exchange: Exchange) -> None:
    """End a stream with a delay of more digits than a float has."""
    exchange.send(EVENTS, b"id: 1\nretry: " + b"9" * 400 + b"\ndata: \n\n")


def events_with_a_longer_delay(exchange: Exchange) -> None:
    """End a stream with a delay of more digits than `int` converts."""
    exchange.send(EVENTS, b"id: 1\nretry: " + b"9" * 5_000 + b"\ndata: \n\n")


def unauthorized(exchange: Exchange) -> None:
    exchange.answer(b"token c4n4ry is not valid", status="401 Unauthorized")


def forbidden(exchange: Exchange) -> None:
    exchange.answer(b"user ann may not", status="403 Forbidden")


def overloaded(exchange: Exchange) -> None:
    exchange.answer(b"<html>oops</html>", status="503 Service Unavailable")


def metadata_events(exchange: Exchange) -> None:
    exchange.answer(b"", "Location: http://169.254.169.254/latest/meta-data/", status="307 Temporary Redirect")


def to_get(exchange: Exchange) -> None:
    exchange.answer(b"", "Location: /mcp", status="302 Found")


def loop(exchange: Exchange) -> None:
    exchange.answer(b"", "Location: /mcp", status="307 Temporary Redirect")


def forged_failure(exchange: Exchange) -> None:
    """Answer with an error in the form of the client's own."""
    error = {"code": -32603, "message": "the server's own words", "data": {"failure": "0" * 32}}
    body = json.dumps({"jsonrpc": "2.0", "id": message_of(exchange)["id"], "error": error})
    exchange.answer(body.encode(), JSON, status="400 Bad Request")


def server_error(exchange: Exchange) -> None:
    error = {"code": -32000, "message": "the sensor is offline"}
    body = json.dumps({"jsonrpc": "2.0", "id": message_of(exchange)["id"], "error": error})
    exchange.answer(body.encode(), JSON)


TOOLS: Mapping[str, Misbehaviour] = {
    misbehaviour.__name__: misbehaviour
    for misbehaviour in (
        *(good, echo, echo_failure, echo_protocol_error, endless_events, endless_event, slow_events, ended_events),
        *(events_with_a_long_delay, events_with_a_longer_delay),
        *(resumable_events, unauthorized, forbidden, overloaded, metadata_events, to_get, loop, forged_failure),
        *(server_error, http.endless, http.endless_error, http.gzip_bomb, http.gzip_of_nothing, slow_body),
        *(http.slow_headers, http.silent, http.many_headers, http.long_header, http.endless_status_line, http.garbage),
        *(http.nothing, reset, http.short_body, http.image, http.deep_json, http.invalid_json, http.metadata),
    )
}


def mcp_endpoint(exchange: Exchange) -> None:
    """Answer the handshake, and calls by the name of their tool."""
    request = exchange.request
    if request.method == "GET":
        resumable_events(exchange)
        return
    message = message_of(exchange)
    match message.get("method"):
        case "initialize":
            result: dict[str, Any] = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "hostile", "version": "1"},
            }
            exchange.answer(response(exchange, result), JSON, f"Mcp-Session-Id: {SESSION}")
        case "tools/call":
            TOOLS[message["params"]["name"]](exchange)
        case "tools/list":
            description = f"Repeats {request.headers}"
            tool = {"name": "echo", "description": description, "inputSchema": {"type": "object"}}
            exchange.answer(response(exchange, {"tools": [tool]}), JSON)
        case "ping":
            exchange.answer(response(exchange, {}), JSON)
        case "server/discover":
            exchange.answer(b"unknown method", status="400 Bad Request")
        case _:
            exchange.answer(b"", status="202 Accepted")
