"""Errors of tool calls: results for the model, after which the chat continues."""

import threading
from typing import Any

import pytest

from flexchat.messages import Completion, Message, Usage
from flexchat.tools import ToolReply
from functions.chat.providers.tool_calls import WireCall, parse_tool_calls
from tests.functional.chat.harness import (
    CALCULATE,
    configuration,
    deploy,
    mock_tool,
)
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.tool_chat import last_output, results, send_chat


@pytest.mark.parametrize("name", ["get_wether", "GET_WEATHER", "get_weather ", "g\u0435t_weather"])
def test_unknown_tool_returns_an_error_result_and_the_chat_continues(name: str) -> None:
    chat = deploy(
        [call_completion((name, {"location": "Paris"})), text_completion("sorry")], configuration(tools=[mock_tool()])
    )
    body = send_chat(chat)
    assert results(body) == [
        {"success": False, "tool_name": name, "error": f"Tool '{name}' not found", "error_type": "tool_not_found"}
    ]
    assert body["content"] == "sorry"
    assert chat.lambdas.executed == []


def test_tool_outside_the_rule_is_not_executed() -> None:
    rule = {"tools": {"enabled": True, "allowed_tools": ["calculate"]}}
    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("no")],
        configuration(tools=[mock_tool(), CALCULATE], rule=rule),
    )
    body = send_chat(chat)
    assert results(body)[0]["error_type"] == "tool_not_allowed"
    assert "calculate" not in str(results(body))
    assert chat.lambdas.executed == []
    offered = chat.model.options[0].tools
    assert [tool["function"]["name"] for tool in offered] == ["calculate"]  # type: ignore[index,call-overload]


def test_disabled_tools_are_neither_offered_nor_run_and_return_the_reason() -> None:
    off = {**mock_tool("off"), "enabled": False}
    far = {**mock_tool("far"), "implementation": {"type": "http", "url": "https://example.com"}}
    rule = {"tools": {"enabled": True, "allowed_tools": ["off", "far", "calculate", "get_weather"]}}
    chat = deploy(
        [
            call_completion(("off", {"location": "x"}), ("calculate", {"expression": "1"}), ("far", {"location": "x"})),
            text_completion("no"),
        ],
        configuration(tools=[off, CALCULATE, mock_tool(), far], disabled_types=["builtin"], rule=rule),
    )
    body = send_chat(chat)
    assert [(result["error_type"], result["error"]) for result in results(body)] == [
        ("tool_disabled", "Tool 'off' is disabled in this deployment"),
        ("tool_disabled", "Tool 'calculate' cannot run: tools of type 'builtin' are disabled in this deployment"),
        ("configuration", "Unknown implementation type: http"),
    ]
    assert chat.lambdas.executed == []
    offered = chat.model.options[0].tools
    assert [tool["function"]["name"] for tool in offered] == ["get_weather"]  # type: ignore[index,call-overload]


def test_invalid_arguments_are_reported_together_and_the_tool_is_not_run() -> None:
    chat = deploy(
        [
            call_completion(("get_weather", {"units": "kelvin"})),
            call_completion(("get_weather", {"location": "Paris"}), turn=2),
            text_completion("22"),
        ],
        configuration(tools=[mock_tool()]),
    )
    body = send_chat(chat)
    errors = ["Missing required parameter: location", "units must be one of: celsius, fahrenheit"]
    assert results(body)[0] == {
        "success": False,
        "tool_name": "get_weather",
        "error": f"Invalid parameters: {', '.join(errors)}",
        "error_type": "invalid_arguments",
        "validation_errors": errors,
    }
    assert results(body)[1]["success"] is True
    assert len(chat.lambdas.executed) == 1


def test_arguments_without_valid_json_return_an_error_result() -> None:
    chat = deploy(
        [call_completion(("get_weather", '{"location": "Par')), text_completion("again?")],
        configuration(tools=[mock_tool()]),
    )
    body = send_chat(chat)
    assert body["tool_calls"][0]["params"] == '{"location": "Par'
    assert results(body) == [
        {
            "success": False,
            "tool_name": "get_weather",
            "error": "Invalid JSON in tool arguments: not valid JSON. Send one JSON object.",
            "error_type": "malformed_arguments",
        }
    ]
    assert chat.lambdas.executed == []


def test_call_without_a_name_is_one_error_result_and_the_other_calls_run() -> None:
    calls = parse_tool_calls([WireCall(None, {}), WireCall("get_weather", {"location": "Paris"})], ())
    odd = Completion(Message("assistant", calls), "tool_calls", Usage(10, 5), "scripted")
    chat = deploy([odd, text_completion("22 degrees")], configuration(tools=[mock_tool()]))
    body = send_chat(chat)
    assert body["content"] == "22 degrees"
    assert results(body)[0] == {
        "success": False,
        "tool_name": "unnamed_tool",
        "error": "Invalid tool call: the call has no tool name",
        "error_type": "tool_not_found",
    }
    assert results(body)[1]["success"] is True
    assert len(chat.lambdas.executed) == 1


def test_tool_error_is_a_result_for_the_model() -> None:
    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("no weather today")],
        configuration(tools=[mock_tool(error="no data for Paris")]),
    )
    body = send_chat(chat)
    assert results(body)[0]["error"] == "no data for Paris"
    assert '"success":false' in last_output(chat)


def test_crashed_tool_is_an_error_result_without_details() -> None:
    def crash(_event: Any, _context: Any) -> Any:
        raise ZeroDivisionError("at 10.0.0.7 with password=hunter2")

    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("sorry")],
        configuration(tools=[mock_tool()]),
        handlers={"mock": crash},
    )
    body = send_chat(chat)
    assert results(body)[0]["error"] == "The tool failed unexpectedly"
    assert "hunter2" not in last_output(chat)


def test_invalid_tool_response_is_an_error_result() -> None:
    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("sorry")],
        configuration(tools=[mock_tool()]),
        handlers={"mock": lambda _event, _context: {"hello": "world"}},
    )
    assert results(send_chat(chat))[0]["error_type"] == "execution_failed"


@pytest.mark.slow
def test_hanging_tool_times_out_once_and_its_late_response_is_dropped() -> None:
    released = threading.Event()

    def hangs(_event: Any, _context: Any) -> dict[str, Any]:
        released.wait(30)
        return ToolReply(ok=True, result="late").model_dump()

    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("too slow")],
        configuration(tools=[{**mock_tool(timeout_ms=20), "idempotent": True}]),
        handlers={"mock": hangs},
    )
    try:
        body = send_chat(chat, deadline_ms=3_000)
    finally:
        released.set()
    assert results(body) == [
        {
            "success": False,
            "tool_name": "get_weather",
            "error": "Tool execution timed out after 20ms",
            "error_type": "timeout",
            "user_message": "The tool took too long to answer.",
        }
    ]
    assert len(chat.lambdas.executed) == 1
