"""Outcomes of cases and verdicts on them."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from flexchat.api.answer import ChatResponse, ToolCallView, ToolFailureView
from flexchat.messages import Json

Category = Literal[
    "single",
    "choice",
    "parallel",
    "parallel_choice",
    "irrelevance",
    "multi_turn",
    "error_recovery",
    "types",
    "clarification",
]
"""Skill that a case tests: one tool; one of several; several calls at once, of one tool or of several; no suitable
tool; a result that the next call needs; a call that fails first; arguments of every type; missing information."""

CATEGORIES: tuple[Category, ...] = get_args(Category)

Result = Literal["passed", "failed", "no_tool_call", "error", "skipped"]
"""`passed` and `failed` count for a model.

The others are recorded without counting: `no_tool_call` is a manual test that was answered without a call, `error` a
provider that did not answer, `skipped` a case that was not run.
"""


Limit = Literal["iterations", "repeated_calls", "tool_calls", "deadline"]


class MadeCall(Struct, frozen=True):
    """A call made by the model. `arguments` is None when it sent no JSON object; `iteration` counts from 1."""

    tool: str
    arguments: Mapping[str, Json] | None
    iteration: int
    success: bool
    error_type: str | None = None


class Outcome(Struct, frozen=True):
    """Outcome of a case: the model's calls in order, and its answer.

    `limit` is set when a limit prevented the answer, `error` when the provider failed; the latter is no evidence about
    the model.
    """

    calls: tuple[MadeCall, ...]
    content: str
    limit: Limit | None = None
    error: str | None = None


class Verdict(Struct, frozen=True):
    """Verdict on an outcome; `reasons` explain a failure in words."""

    result: Result
    reasons: tuple[str, ...] = ()


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
