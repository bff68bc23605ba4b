"""Behaviour of the tool runtime that the contract suite cannot observe."""

import json
import os
from typing import Any

import pytest

from flexchat.errors import ToolError
from flexchat.observability import logger
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_runtime import MAX_PREVIEW, tool_handler
from flexchat.tools import CallTool
from functions.tools.mock.implementation import Implementation
from functions.tools.mock.mock import MockTool


class Part(ToolImplementation):
    """Fake tool type."""

    type: str
    colour: str = "red"


def event(**implementation: Any) -> dict[str, Any]:
    return {
        "tool": "t",
        "arguments": {"token": "canary", "city": "Paris"},
        "implementation": {"type": "part", **implementation},
        "call_id": "call_1",
        "idempotency_key": "k",
        "request_id": "r",
        "timeout_ms": 1_000,
    }


def test_an_implementation_is_parsed_once_per_content():
    parts: list[Part] = []
    handler = tool_handler(Part, lambda _call, part: parts.append(part))

    for colour in ("red", "blue", "red"):
        handler(event(colour=colour), None)

    assert [part.colour for part in parts] == ["red", "blue", "red"]
    assert parts[0] is parts[2]


def test_the_duration_is_measured_with_the_given_clock(capsys: pytest.CaptureFixture[str]):
    times = [10.0, 10.25]
    handler = tool_handler(Part, lambda _call, _part: None, clock=lambda: times.pop(0))

    handler(event(), None)

    (called, counted) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (called["duration_ms"], counted["ToolDuration"]) == (250, [250.0])


def test_arguments_are_logged_at_debug_only_and_redacted(capsys: pytest.CaptureFixture[str]):
    handler = tool_handler(Part, lambda _call, _part: None)
    level = logger.log_level

    logger.setLevel("DEBUG")
    try:
        handler(event(), None)
    finally:
        logger.setLevel(level)

    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (first["level"], first["arguments"]) == ("DEBUG", {"token": "[redacted]", "city": "Paris"})


def test_all_log_lines_of_a_call_have_its_request_id(capsys: pytest.CaptureFixture[str]):
    def crashes(call: CallTool, _part: Part) -> None:
        logger.warning("request retried", target="docs")
        raise LookupError(call.tool)

    handler = tool_handler(Part, crashes)
    handler(event(), None)
    handler({**event(), "request_id": "r2"}, None)
    handler({**event(shape="round"), "request_id": "r3"}, None)
    handler({"tool": "t"}, None)

    written = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["message"], line.get("request_id")) for line in written if "message" in line] == [
        ("request retried", "r"),
        ("tool crashed", "r"),
        ("tool called", "r"),
        ("request retried", "r2"),
        ("tool crashed", "r2"),
        ("tool called", "r2"),
        ("tool misconfigured", "r3"),
        ("tool called", "r3"),
        ("tool event refused", None),
    ]


def result_line(result: object, capsys: pytest.CaptureFixture[str]) -> dict[str, Any] | None:
    """Return the DEBUG log line about a call's result, if there is one."""
    handler = tool_handler(Part, lambda _call, _part: result)
    level = logger.log_level
    logger.setLevel("DEBUG")
    try:
        handler(event(), None)
    finally:
        logger.setLevel(level)
    written = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return next((line for line in written if line.get("message") == "tool result returned"), None)


def test_a_result_preview_is_logged_at_debug_redacted_and_with_its_size(capsys: pytest.CaptureFixture[str]):
    line = result_line({"city": "Zürich", "api_key": "canary", "note": "sk-live-canary-canary-canary"}, capsys)

    assert line is not None
    assert {key: line[key] for key in ("level", "tool", "call_id", "result_bytes", "preview")} == {
        "level": "DEBUG",
        "tool": "t",
        "call_id": "call_1",
        "result_bytes": 75,
        "preview": '{"city":"Zürich","api_key":"[redacted]","note":"[redacted]"}',
    }


@pytest.mark.parametrize("result", ["x" * 3_000_000, ["y" * 900] * 5_000, {f"k{n}": n for n in range(100_000)}])
def test_the_preview_of_a_large_result_is_limited(result: object, capsys: pytest.CaptureFixture[str]):
    line = result_line(result, capsys)

    assert line is not None
    assert len(line["preview"]) < MAX_PREVIEW + 100
    assert line["result_bytes"] > 900_000


def test_no_result_is_logged_above_debug(capsys: pytest.CaptureFixture[str]):
    tool_handler(Part, lambda _call, _part: "canary")(event(), None)

    assert "canary" not in capsys.readouterr().out


def test_a_failed_call_has_no_result_preview(capsys: pytest.CaptureFixture[str]):
    assert result_line(object(), capsys) is None


def test_an_endless_computation_is_killed_and_the_next_call_answered():
    def run(call: CallTool, _part: Part) -> str:
        while call.arguments.get("spin"):
            pass
        return "answered"

    handler = tool_handler(Part, run, preload=lambda _part: None)
    spinning = event() | {"arguments": {"spin": True}, "timeout_ms": 20}

    replies = [handler(event() | spinning, None)["ok"] for _ in range(5)]

    assert replies == [False] * 5
    assert handler(event(), None)["result"] == "answered"


def test_a_tool_with_a_crashed_process_has_the_same_error_as_one_that_raises(capsys: pytest.CaptureFixture[str]):
    def run(call: CallTool, _part: Part) -> str:
        if call.arguments.get("die"):
            os._exit(9)  # pyright: ignore[reportPrivateUsage]
        return "answered"

    handler = tool_handler(Part, run, preload=lambda _part: None)

    reply = handler(event() | {"arguments": {"die": True}}, None)

    assert reply["error"] == {
        "type": "execution_failed",
        "message": "Tool 't' failed unexpectedly",
        "user_message": "The tool could not complete the request.",
        "validation_errors": [],
    }
    crash = next(line for line in map(json.loads, capsys.readouterr().out.splitlines()) if "stack" in line)
    assert (crash["message"], crash["error"]) == ("tool crashed", "WorkerDiedError")
    assert handler(event(), None)["result"] == "answered"


def test_a_tool_that_cannot_be_imported_has_the_same_error_as_one_that_raises():
    def fail(_part: Part) -> None:
        raise ImportError("no such module")

    handler = tool_handler(Part, lambda _call, _part: None, preload=fail)

    assert handler(event(), None)["ok"] is False


def test_a_mock_sleeps_for_its_delay_before_it_answers():
    waited: list[float] = []
    mock = MockTool(sleep=waited.append)
    call = CallTool.from_event(event() | {"timeout_ms": 2_000})

    prepared = Implementation(type="mock", mock_response=[1], delay_ms=1_500)
    assert mock(call, prepared) == [1]
    assert mock(call, Implementation(type="mock")) is None
    assert waited == [1.5]


def test_a_mock_never_sleeps_longer_than_its_remaining_time():
    waited: list[float] = []
    prepared = Implementation(type="mock", mock_response=[1], delay_ms=60_000)

    with pytest.raises(TimeoutError):
        MockTool(sleep=waited.append)(CallTool.from_event(event()), prepared)

    assert waited == [1.0]


def test_a_mock_returns_its_configured_error():
    with pytest.raises(ToolError) as error:
        MockTool(sleep=lambda _: None)(
            CallTool.from_event(event()), Implementation(type="mock", error="The service is closed")
        )

    assert (error.value.message, error.value.type) == ("The service is closed", "execution_failed")
