from typing import Any

import pytest

from flexchat.api.answer import (
    ChatResponse,
    ModelErrorView,
    TimingsView,
    ToolCallView,
    ToolFailureView,
    ToolSuccessView,
    UsageView,
)
from flexchat.validation.verdicts import Limit, MadeCall, Outcome, outcome_of

SUCCESS = ToolSuccessView(success=True, tool_name="get_weather", execution_time_ms=3, result={"temp": 20})
FAILURE = ToolFailureView(
    success=False, tool_name="get_weather", execution_time_ms=0, error="no", error_type="malformed_arguments"
)


def response(**changes: Any) -> ChatResponse:
    return ChatResponse.model_validate(
        {
            "content": "It is mild.",
            "service": "openai",
            "model": "gpt-4o",
            "finish_reason": "stop",
            "request_id": "r-1",
            "usage": UsageView(input_tokens=1, output_tokens=1, total_tokens=2),
            "timings": TimingsView(total_ms=1, steps=()),
            **changes,
        }
    )


def test_an_outcome_has_every_call_with_its_result() -> None:
    calls = (
        ToolCallView(tool="get_weather", params="{city", result=FAILURE, iteration=1, call_id="a"),
        ToolCallView(tool="get_weather", params={"city": "Paris"}, result=SUCCESS, iteration=2, call_id="b"),
    )
    assert outcome_of(response(tool_calls=calls)) == Outcome(
        calls=(
            MadeCall("get_weather", None, iteration=1, success=False, error_type="malformed_arguments"),
            MadeCall("get_weather", {"city": "Paris"}, iteration=2, success=True),
        ),
        content="It is mild.",
    )


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({}, None),
        ({"max_iterations_reached": True}, "iterations"),
        ({"circular_calls_detected": True}, "repeated_calls"),
        ({"max_tool_calls_reached": True, "finish_reason": "tool_calls"}, "tool_calls"),
        ({"max_tool_calls_reached": True}, None),
        ({"deadline_reached": True}, None),
        ({"status": "partial", "finish_reason": "tool_calls"}, "deadline"),
    ],
)
def test_a_limit_that_ended_the_chat_is_in_the_outcome(changes: dict[str, Any], limit: Limit | None) -> None:
    assert outcome_of(response(**changes)) == Outcome(calls=(), content="It is mild.", limit=limit)


def test_a_provider_failure_in_the_middle_is_an_error_and_no_limit() -> None:
    error = ModelErrorView(type="overloaded", message="try later", provider="openai")
    found = outcome_of(response(status="partial", finish_reason="error", error=error))
    assert found == Outcome(calls=(), content="It is mild.", error="overloaded: try later")
