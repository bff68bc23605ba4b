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
        "tools": 18,
        "protocol_version": "2025-11-25",
        "server": {"name": "plain", "version": "1.2.3"},
        "instructions": "Be brief.",
        "left_out": [],
    }


def test_a_server_without_handshakes_is_listed_with_its_version(tool: McpCaller) -> None:
    result = listed(tool, server="lamps")["result"]

    assert [entry["name"] for entry in result["tools"]] == ["read", "broken", "ask", "later", "slow"]
    assert (result["protocol_version"], result["server"], result["instructions"]) == (
        "2026-07-28",
        {"name": "lamps", "version": "4.5"},
        "Be brief.",
    )


def plain(*switches: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-S", "-E", PLAIN, *switches], "connect_timeout_ms": 20_000}


def test_an_entry_that_does_not_fit_never_loses_its_server(tool: McpCaller) -> None:
    result = listed(tool, connection=plain("--odd-list"))["result"]

    tools = {entry["name"]: entry for entry in result["tools"]}
    assert len(tools) == 8 + 18
    assert {name: tools[name]["inputSchema"] for name in ("any_of", "empty", "without", "list_type")} == {
        "any_of": {"type": "object", "anyOf": [{"properties": {"a": {"type": "string"}}}, {}]},
        "empty": {"type": "object"},
        "without": {"type": "object"},
        "list_type": {"type": "object"},
    }
    assert tools["untyped_output"]["outputSchema"] == {"type": "object", "properties": {}}
    assert not {"outputSchema", "title", "annotations"} & {*tools["bad_output"], *tools["bad_fields"]}
    assert {entry["tool"]: entry["reason"] for entry in result["left_out"]} == {
        "text_schema": "its inputSchema is not an object",
        "array_schema": "its inputSchema is of type 'array', not 'object'",
        "entry 11": "it has no name",
        "entry 12": "it has no name",
        "echo": "the list has an earlier tool of this name",
    }


def test_the_error_in_place_of_a_list_has_the_words_of_the_server(tool: McpCaller) -> None:
    reply = listed(tool, connection=plain("--list-error"))

    assert error_of(reply)[1] == "The MCP server 'plain' answered tools/list with an error: the catalog is locked"


@pytest.mark.parametrize(
    ("switch", "words"),
    [
        ("--refuse", "the licence has expired"),
        ("--old", "2020-01-01"),
        ("--exit-at-start", "usage: plain --broker HOST"),
    ],
)
def test_a_failed_handshake_says_what_the_server_said(tool: McpCaller, switch: str, words: str) -> None:
    _, message = error_of(listed(tool, connection=plain(switch)))

    assert words in message


def test_a_server_that_cannot_be_listed_is_an_error_for_operators_with_its_stderr(tool: McpCaller) -> None:
    connection = {"command": sys.executable, "args": ["-S", "-E", PLAIN, "--crash-at-start"], "hints": ["broker"]}

    reply = listed(tool, connection={**connection, "connect_timeout_ms": 20_000})

    assert error_of(reply) == (
        "unavailable",
        """\
MCP connection failed after 1 attempt: tools of 'plain' are not available
   Reason: Connection to stdio server 'plain' failed: the process ended with exit code 1
   MCP server stderr: the broker does not answer
   Check: broker""",
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
