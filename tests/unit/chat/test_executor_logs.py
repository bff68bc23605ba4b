"""Log lines of tool calls, without arguments and results."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.errors import ToolError
from flexchat.messages import Json, ToolCall
from flexchat.observability import logger
from flexchat.tools import ToolReply
from functions.chat.tools.executor import ToolExecutor
from functions.chat.tools.registry import ToolRegistry
from tests.unit.chat.executor_fakes import OK, Invoker, call, context, executor, lines


def test_a_slow_tool_is_logged_as_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    moments = iter([0.0, 0.0, 0.0, 1.5])
    result = executor(Invoker([OK]), clock=lambda: next(moments, 1.5)).execute("t", {}, context())
    assert result.execution_time_ms == 1_500
    [line] = lines(capsys, "slow tool detected")
    assert (line["level"], line["tool"], line["execution_time_ms"]) == ("WARNING", "t", 1_500)


def test_log_lines_contain_no_arguments_and_no_results(capsys: pytest.CaptureFixture[str]) -> None:
    executor(Invoker([ToolReply(ok=True, result="canary-r")])).execute("t", {"a": "canary-a"}, context())
    logged = capsys.readouterr().out
    assert "tool executed" in logged
    assert "canary" not in logged


@pytest.mark.parametrize("tool", ["t", "nothing"])
def test_unreadable_arguments_are_logged_with_the_reason_and_without_the_text(
    tool: str, capsys: pytest.CaptureFixture[str]
) -> None:
    malformed = ToolCall(id="c0", name=tool, arguments=None, raw='{"a": "canary', problem="not valid JSON")

    executor(Invoker([OK])).execute_all([malformed], context())

    output = capsys.readouterr().out
    [line] = [json.loads(line) for line in output.splitlines() if "not parsed" in line]
    assert {key: line[key] for key in ("level", "message", "tool", "call_id", "reason", "characters")} == {
        "level": "WARNING",
        "message": "tool arguments not parsed",
        "tool": tool,
        "call_id": "c0",
        "reason": "not valid JSON",
        "characters": 13,
    }
    assert "canary" not in output


@pytest.fixture
def debug() -> Iterator[None]:
    """Set the level DEBUG for one test."""
    logger.setLevel("DEBUG")
    yield
    logger.setLevel("INFO")


@pytest.mark.usefixtures("debug")
def test_unreadable_arguments_are_logged_at_debug_redacted_and_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    raw = '{"password": "hunter2hunter2", "a": "' + "x" * 100_000
    malformed = ToolCall(id="c0", name="t", arguments=None, raw=raw, problem="not valid JSON")

    executor(Invoker([OK])).execute_all([malformed], context())

    [line] = lines(capsys, "raw tool arguments received")
    assert (line["level"], line["tool"], line["call_id"]) == ("DEBUG", "t", "c0")
    assert "hunter2" not in line["raw"]
    assert line["raw"].startswith('{"password": "[redacted]')
    assert len(line["raw"]) < 3_000


@pytest.mark.usefixtures("debug")
def test_result_is_logged_at_debug_as_a_redacted_bounded_preview_with_its_size(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows: list[Json] = ["x" * 100] * 40
    result: Json = {"api_key": "canary-key", "rows": rows}

    executor(Invoker([ToolReply(ok=True, result=result)])).execute("t", {}, context())

    [line] = lines(capsys, "tool result received")
    assert (line["level"], line["tool"], line["call_id"], line["characters"]) == ("DEBUG", "t", "t_0", 4_153)
    assert line["preview"].startswith('{"api_key":"[redacted]","rows":["xxx')
    assert len(line["preview"]) < 500 + 50


@pytest.mark.usefixtures("debug")
def test_a_failed_call_has_no_result_preview(capsys: pytest.CaptureFixture[str]) -> None:
    executor(Invoker([ToolError("no")])).execute("t", {}, context())

    assert lines(capsys, "tool result received") == []


def test_every_call_is_logged_with_its_outcome_when_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    calls: Sequence[ToolCall] = [call(0), call(1, "nothing")]

    executor(Invoker([OK])).execute_all(calls, context())

    executed = lines(capsys, "tool executed")
    assert [(line["tool"], line["call_id"], line["success"], line.get("error_type")) for line in executed] == [
        ("nothing", "c1", False, "tool_not_found"),
        ("t", "c0", True, None),
    ]


def test_a_log_line_contains_the_given_parameter_names_of_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    """The model invents names that are not in the schema, and they may repeat user input."""
    given = {"location": "Paris", "my_password_is_hunter2": True}
    parameters: dict[str, Any] = {"type": "object", "properties": {"units": {}, "location": {}, "day": {}}}
    tool = ToolDefinition.model_validate(
        {"name": "weather", "description": "d", "parameters": parameters, "implementation": {"type": "mock"}}
    )
    registry = ToolRegistry()
    registry.register(tool)
    ToolExecutor(registry=registry, invoker=Invoker([OK])).execute("weather", {**given, "day": 1}, context())

    [line] = lines(capsys, "tool executed")
    assert line["parameters"] == "day,location"
