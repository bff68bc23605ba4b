"""Trace context in the requests to MCP servers: in `_meta` of the message, and in the headers of its request."""

import json
from typing import Any

from tests.contract.http_wire.hostile_server import HostileServer
from tests.contract.mcp_wire.conftest import McpLambda

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
OWN = "00-11111111111111111111111111111111-2222222222222222-00"


def calls_of(server: HostileServer) -> list[tuple[dict[str, Any], dict[str, str]]]:
    """Return the `_meta` and the headers of each call of a tool."""
    messages = [(json.loads(request.body), request.headers) for request in server.requests if request.body]
    return [
        (message["params"].get("_meta", {}), headers)
        for message, headers in messages
        if message.get("method") == "tools/call"
    ]


def test_a_call_has_its_trace_context_in_its_message_and_in_its_headers(mcp: McpLambda, server: HostileServer) -> None:
    url = server.url("/mcp")

    assert mcp.call(url, "good", trace={"traceparent": PARENT, "tracestate": "a=1"})["ok"]
    assert mcp.call(url, "good", trace={"traceparent": PARENT})["ok"]
    assert mcp.call(url, "good")["ok"]

    names = ("traceparent", "tracestate")
    assert [[meta.get(name) for name in names] for meta, _ in calls_of(server)] == [
        [PARENT, "a=1"],
        [PARENT, None],
        [None, None],
    ]
    assert [[headers.get(name) for name in names] for _, headers in calls_of(server)] == [
        [PARENT, "a=1"],
        [PARENT, None],
        [None, None],
    ]


def test_a_header_of_the_server_s_configuration_takes_precedence(mcp: McpLambda, server: HostileServer) -> None:
    assert mcp.call(server.url("/mcp"), "good", trace={"traceparent": PARENT}, headers={"Traceparent": OWN})["ok"]

    [(meta, headers)] = calls_of(server)
    assert (meta["traceparent"], headers["traceparent"]) == (PARENT, OWN)
