"""Calls of mcp tools through the handler of the type, with servers of both eras of the protocol."""

import json
import time
from typing import Any

import pytest

from flexchat.messages import Json
from flexchat.tool_runtime import ToolHandler, tool_handler
from functions.tools.mcp.implementation import Implementation
from functions.tools.mcp.tool import McpCaller
from tests.unit.mcp_tool.conftest import Logged
from tests.unit.mcp_tool.handler import CANARY, Secrets, error_of, event


def test_a_server_of_the_era_of_handshakes_answers_a_call(handler: ToolHandler) -> None:
    assert handler(event("structured"), None)["result"] == {"degrees": 21}


def test_a_server_without_handshakes_answers_a_call(handler: ToolHandler) -> None:
    reply = handler(event("read", {"lamp_id": 7}, server="lamps"), None)

    assert reply["result"] == {"lamp": 7, "brightness": 80}


def test_a_failed_result_is_an_error_with_the_words_of_the_server(handler: ToolHandler) -> None:
    assert error_of(handler(event("fail"), None)) == ("execution_failed", "the lamp is\nnot reachable: 42")
    assert error_of(handler(event("broken", server="lamps"), None)) == (
        "execution_failed",
        "Error executing tool broken: the lamp is broken",
    )


def test_an_unknown_tool_is_an_error_with_the_words_of_the_server(handler: ToolHandler) -> None:
    assert error_of(handler(event("nothing"), None)) == ("execution_failed", "Unknown tool: nothing")


def test_a_server_that_ends_during_a_call_is_unavailable_and_answers_the_next_call(
    handler: ToolHandler, logged: Logged
) -> None:
    assert error_of(handler(event("crash"), None)) == (
        "unavailable",
        "The MCP server 'plain' ended during the call: the process ended with exit code 3",
    )
    assert handler(event("echo", {"text": "again"}), None)["result"] == "again"
    assert [line["stderr"] for line in logged("mcp connection ended")] == ["out of memory in the cellar"]


def test_a_call_of_an_idempotent_tool_runs_again_once_when_its_server_ends(
    handler: ToolHandler, logged: Logged
) -> None:
    assert error_of(handler(event("crash", idempotent=True), None))[0] == "unavailable"
    assert len(logged("mcp connection ended")) == 2


def test_a_call_that_takes_too_long_is_a_timeout(handler: ToolHandler, logged: Logged) -> None:
    handler(event("echo", {"text": "started"}), None)

    reply = handler(event("silent", timeout_ms=200), None)

    assert error_of(reply) == ("timeout", "Tool execution timed out after 200ms")
    # The server reads the cancellation beside the calls: the first of them may come before it.
    end = time.monotonic() + 30
    while not (cancelled := json.loads(str(handler(event("cancelled"), None)["result"]))):
        assert time.monotonic() < end, "the server was not told"
    assert len(cancelled) == 1
    assert [line["outcome"] for line in logged("mcp tool called")][:3] == ["ok", "timeout", "ok"]


def test_every_call_has_a_line_with_its_server_size_and_outcome(handler: ToolHandler, logged: Logged) -> None:
    handler(event("echo", {"text": "hello"}), None)
    handler(event("fail"), None)

    lines = [{**line, "duration_ms": 0} for line in logged("mcp tool called")]
    common = {"server": "plain", "transport": "stdio", "duration_ms": 0}
    assert lines == [
        {
            **common,
            "tool": "plain/echo",
            "server_tool": "echo",
            "request_bytes": 16,
            "response_bytes": 84,
            "outcome": "ok",
        },
        {
            **common,
            "tool": "plain/fail",
            "server_tool": "fail",
            "request_bytes": 2,
            "response_bytes": 108,
            "outcome": "error",
        },
    ]


def test_names_of_arguments_are_those_of_the_schema_in_the_call(handler: ToolHandler) -> None:
    arguments: dict[str, Json] = {"snake_name": 1, "device_name": 2}
    schema: Json = {"type": "object", "properties": {"snake_name": {}, "deviceName": {}}}

    reply = handler(event("camel", arguments, parameters=schema), None)

    assert json.loads(str(reply["result"])) == {"snake_name": 1, "deviceName": 2}


def test_names_of_arguments_are_those_of_the_listed_schema_for_a_call_without_one(handler: ToolHandler) -> None:
    reply = handler(event("camel", {"snake_name": 1, "device_name": 2}), None)

    assert json.loads(str(reply["result"])) == {"snake_name": 1, "deviceName": 2}


def test_configured_names_of_arguments_apply(handler: ToolHandler) -> None:
    names = {"device_name": "deviceName", "command": "action"}

    reply = handler(event("camel", {"device_name": "Switch One", "command": "on"}, argument_names=names), None)

    assert json.loads(str(reply["result"])) == {"deviceName": "Switch One", "action": "on"}


def test_a_result_that_does_not_fit_the_output_schema_is_an_error(handler: ToolHandler) -> None:
    schema = {"type": "object", "properties": {"degrees": {"type": "string"}}}

    assert error_of(handler(event("structured", output_schema=schema), None)) == (
        "execution_failed",
        "The result of the MCP server 'plain' does not fit the tool's output schema: degrees must be a string",
    )


def test_a_question_of_the_server_to_a_person_is_declined(handler: ToolHandler) -> None:
    kind, message = error_of(handler(event("ask", server="lamps"), None))

    assert (kind, message) == ("execution_failed", "The MCP server 'lamps' asks for input, which is not supported")
    assert handler(event("read", {"lamp_id": 7}, server="lamps"), None)["ok"]


def test_a_server_that_wants_the_same_request_again_receives_it(handler: ToolHandler) -> None:
    assert handler(event("later", server="lamps"), None)["result"] == {"result": "done"}


def test_progress_is_returned_with_the_reply(handler: ToolHandler) -> None:
    plain = handler(event("progress"), None)
    modern = handler(event("slow", server="lamps"), None)

    reports: Any = [*plain["progress"], *modern["progress"]]  # type: ignore[misc] # a list of objects
    assert [{**report, "at_ms": 0} for report in reports] == [
        {"progress": 1.0, "total": 2.0, "message": "step 1", "at_ms": 0},
        {"progress": 2.0, "total": 2.0, "message": "step 2", "at_ms": 0},
        {"progress": 1.0, "total": 2.0, "message": "halfway", "at_ms": 0},
        {"progress": 2.0, "total": 2.0, "at_ms": 0},
    ]


def test_an_inspected_call_has_what_was_sent_and_received(handler: ToolHandler) -> None:
    reply: Any = handler(event("camel", {"device_name": "lamp"}, inspect=True), None)

    (exchange,) = reply["inspection"]["exchanges"]
    received = json.loads(exchange["response_body"])
    assert (exchange["method"], exchange["url"], exchange["status"], exchange["error"]) == (
        "tools/call",
        "stdio:plain",
        None,
        None,
    )
    assert json.loads(exchange["request_body"]) == {"name": "camel", "arguments": {"deviceName": "lamp"}}
    assert received["content"] == [{"type": "text", "text": '{"deviceName": "lamp"}'}]


def test_an_inspected_call_of_a_server_that_ends_has_its_stderr(handler: ToolHandler) -> None:
    reply: Any = handler(event("crash", inspect=True), None)

    assert reply["inspection"]["notes"] == {"stderr": "out of memory in the cellar"}
    assert [exchange["error"] for exchange in reply["inspection"]["exchanges"]] == [
        "the process ended with exit code 3"
    ]


def test_a_secret_reaches_the_process_and_no_reply_log_or_inspection(
    handler: ToolHandler, capsys: pytest.CaptureFixture[str]
) -> None:
    reply = handler(event("environment", inspect=True), None)

    assert '"TOKEN": "[redacted]"' in str(reply["result"])
    assert CANARY not in json.dumps(reply) + capsys.readouterr().out


def test_a_secret_is_not_sent_to_an_address_that_it_is_not_bound_to(tool: McpCaller) -> None:
    handler = tool_handler(Implementation, tool, secrets=Secrets({"TOKEN": CANARY}))
    call: Any = event("echo")
    call["implementation"]["connection"] = {"url": "https://mcp.example.com", "headers": {"X-Key": "${TOKEN}"}}

    assert error_of(handler(call, None)) == (
        "configuration",
        "The tool's secrets cannot be resolved: secret 'TOKEN' is not bound to the host of this tool",
    )


def test_a_tool_of_a_server_that_is_not_configured_is_an_error(handler: ToolHandler) -> None:
    call: Any = event("echo")
    del call["implementation"]["connection"]

    assert error_of(handler(call, None)) == ("configuration", "The MCP server 'plain' is not configured")
