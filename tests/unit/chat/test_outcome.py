"""Outcome of a chat: one word for every way in which it can end."""

from typing import Any, get_args

import pytest

from flexchat.errors import ModelError
from flexchat.messages import AnswerOutcome, FinishReason
from functions.chat.generation.result import GenerationResult

FAILED = ModelError("down", type="network", provider="openai")

ENDS: dict[FinishReason, AnswerOutcome] = {
    "stop": "answered",
    "tool_calls": "unknown",
    "length": "cut_off",
    "content_filter": "filtered",
    "refusal": "refused",
    "error": "model_failed",
    "unknown": "unknown",
}


def outcome(finish_reason: FinishReason = "stop", **how: Any) -> AnswerOutcome:
    return GenerationResult("", "openai", "gpt-4o", finish_reason, **how).outcome


def test_every_finish_reason_has_its_outcome() -> None:
    assert set(ENDS) == set(get_args(FinishReason))
    assert {reason: outcome(reason) for reason in get_args(FinishReason)} == ENDS


@pytest.mark.parametrize(
    ("finish_reason", "how", "expected"),
    [
        ("stop", {"is_empty": True}, "empty"),
        ("unknown", {"is_empty": True}, "empty"),
        ("length", {"is_empty": True}, "cut_off"),
        ("refusal", {"is_empty": True}, "refused"),
        ("tool_calls", {"max_iterations_reached": True}, "iteration_limit"),
        ("tool_calls", {"circular_calls_detected": True}, "repeated_calls"),
        ("tool_calls", {"max_tool_calls_reached": True}, "tool_call_limit"),
        ("stop", {"max_tool_calls_reached": True}, "answered"),
        ("stop", {"deadline_reached": True}, "answered"),
        ("error", {"status": "partial"}, "out_of_time"),
        ("error", {"status": "partial", "error": FAILED}, "model_failed"),
    ],
)
def test_limits_and_empty_answers_have_separate_outcomes(
    finish_reason: FinishReason, how: dict[str, Any], expected: AnswerOutcome
) -> None:
    assert outcome(finish_reason, **how) == expected
