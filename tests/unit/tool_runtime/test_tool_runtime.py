"""What the contract suite cannot see from outside."""

import json
from typing import Any

import pytest

from flexchat.config.models import ConfigModel
from flexchat.errors import ToolError
from flexchat.observability import logger
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool
from functions.tools.mock.implementation import Implementation
from functions.tools.mock.mock import MockTool


class Part(ConfigModel):
    """A tool type's own part, for these tests."""

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


def test_the_duration_is_measured_on_the_clock_given(capsys: pytest.CaptureFixture[str]):
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


def test_a_mock_waits_its_delay_before_it_answers():
    waited: list[float] = []
    mock = MockTool(sleep=waited.append)
    call = CallTool.model_validate(event())

    prepared = Implementation(type="mock", mock_response=[1], delay_ms=1_500)
    assert mock(call, prepared) == [1]
    assert mock(call, Implementation(type="mock")) is None
    assert waited == [1.5]


def test_a_mock_fails_with_its_prepared_error():
    with pytest.raises(ToolError) as error:
        MockTool(sleep=lambda _: None)(
            CallTool.model_validate(event()), Implementation(type="mock", error="The service is closed")
        )

    assert (error.value.message, error.value.type) == ("The service is closed", "execution_failed")
