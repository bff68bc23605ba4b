"""Requests for the tools of a server."""

import sys
from typing import Any

import pytest

from functions.tools.mcp.list_tools import list_tools
from functions.tools.mcp.tool import McpCaller
from tests.unit.mcp_tool.handler import CANARY, PLAIN, Secrets, error_of


def request(**changes: Any) -> dict[str, Any]:
    connection = {"command": sys.executable, "args": ["-S", "-E", PLAIN], "connect_timeout_ms": 20_000}
    return {
        "version": 1,
        "action": "list_tools",
        "server": "plain",
        "connection": connection,
        "request_id": "request-1",
        "timeout_ms": 30_000,
        **changes,
    }


def listed(tool: McpCaller, **changes: Any) -> Any:
    return list_tools(request(**changes), secrets=Secrets({"TOKEN": CANARY}), listed=tool.listing)


def test_the_tools_of_a_server_are_listed_with_its_account_of_itself(tool: McpCaller) -> None:
    result = listed(tool)["result"]

    assert result["tools"][0] == {
        "name": "echo",
        "description": "The tool echo",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    }
    assert {**result, "tools": len(result["tools"])} == {
        "tools": 13,
        "protocol_version": "2025-11-25",
        "server": {"name": "plain", "version": "1.2.3"},
        "instructions": "Be brief.",
    }


def test_a_server_without_handshakes_is_listed_with_its_version(tool: McpCaller) -> None:
    result = listed(tool, server="lamps")["result"]

    assert [entry["name"] for entry in result["tools"]] == ["read", "broken", "ask", "later", "slow"]
    assert (result["protocol_version"], result["server"], result["instructions"]) == (
        "2026-07-28",
        {"name": "lamps", "version": "4.5"},
        "Be brief.",
    )


def test_a_server_that_cannot_be_listed_is_an_error_for_operators_with_its_stderr(tool: McpCaller) -> None:
    connection = {"command": sys.executable, "args": ["-S", "-E", PLAIN, "--crash-at-start"], "hints": ["broker"]}

    reply = listed(tool, connection={**connection, "connect_timeout_ms": 20_000})

    assert error_of(reply) == (
        "unavailable",
        """\
MCP connection failed after 1 attempt: tools of 'plain' are not available
   Reason: Connection to stdio server 'plain' failed: the process ended with exit code 1
   MCP server stderr: the broker does not answer
   Check: broker
Continuing with local tools only""",
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"server": None}, "Not a request for tools: server: must be text"),
        ({"connection": {}}, "The MCP server 'plain' is misconfigured: connection.stdio.command: is required"),
        ({"connection": {"command": "sh"}}, "The command of the MCP server 'plain' is not among"),
    ],
)
def test_a_request_for_tools_that_is_not_valid_is_an_error(
    tool: McpCaller, changes: dict[str, Any], message: str
) -> None:
    kind, text = error_of(listed(tool, **changes))

    assert (kind, text.startswith(message)) == ("configuration", True), text
