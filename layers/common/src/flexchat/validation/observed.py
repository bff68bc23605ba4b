"""Observed outcome of a chat, as grading needs it."""

from flexchat.api.answer import ChatResponse, ToolCallView, ToolFailureView
from flexchat.validation.verdicts import Limit, MadeCall, Outcome


def outcome_of(response: ChatResponse) -> Outcome:
    """Return the calls of a chat in order, its answer, and the limit that prevented an answer, if any."""
    return Outcome(
        calls=tuple(_made(call) for call in response.tool_calls),
        content=response.content,
        limit=_limit(response),
        error=f"{response.error.type}: {response.error.message}" if response.error else None,
    )


def _made(call: ToolCallView) -> MadeCall:
    return MadeCall(
        tool=call.tool,
        arguments=call.params if isinstance(call.params, dict) else None,
        iteration=call.iteration,
        success=call.result.success,
        error_type=call.result.error_type if isinstance(call.result, ToolFailureView) else None,
    )


def _limit(response: ChatResponse) -> Limit | None:
    if response.max_iterations_reached:
        return "iterations"
    if response.circular_calls_detected:
        return "repeated_calls"
    if response.max_tool_calls_reached and response.finish_reason == "tool_calls":
        return "tool_calls"
    return "deadline" if response.status == "partial" and response.error is None else None
