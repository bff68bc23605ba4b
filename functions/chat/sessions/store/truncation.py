"""Truncation of a conversation's parts to the size of an item; a value that is not JSON becomes a note."""

import hashlib
from collections.abc import Mapping
from copy import replace

from flexchat.json import JsonError, dumps
from flexchat.messages import Json, ProviderState, Reasoning, Text, ToolCall, ToolOutput
from flexchat.sessions import RecordedCall
from flexchat.text import truncate_middle
from flexchat.tools import ToolExecution, ToolResult

LEFT_OUT = "this could not be kept"

_SMALL = 200
_VALIDATION_ERRORS = 20


def cut_part(part: Text | Reasoning | ToolOutput, limit: int) -> Text | Reasoning | ToolOutput | None:
    """Return the part with at most `limit` characters; None for reasoning with a larger state, which must be whole."""
    match part:
        case Text():
            return replace(part, text=truncate_middle(part.text, limit), state=_state(part.state, limit))
        case Reasoning():
            state = _state(part.state, limit)
            return Reasoning(state, truncate_middle(part.text, limit)) if state else None
        case ToolOutput():
            return cut_output(part, limit)


def cut_output(output: ToolOutput, limit: int) -> ToolOutput:
    return replace(output, content=truncate_middle(output.content, limit))


def cut_call(call: ToolCall, limit: int) -> ToolCall:
    """Return the call; arguments of more than `limit` characters become a text with a problem."""
    arguments = _fitting(call.arguments, limit)
    if call.arguments is None or arguments is not None:
        raw = call.raw if len(call.raw) <= limit else arguments or truncate_middle(call.raw, limit)
        return replace(call, raw=raw, state=_state(call.state, limit))
    problem = "the arguments were too large to be kept"
    return ToolCall(call.id, call.name, None, truncate_middle(call.raw, limit), problem, _state(call.state, limit))


def cut_execution(execution: ToolExecution, limit: int) -> tuple[ToolExecution, bool]:
    """Return the execution with texts of at most `limit` characters, and True when its result was truncated."""
    params, _ = _cut_json(execution.params, limit)
    result = execution.result
    value, truncated = _cut_json(result.result, limit)
    shortened = replace(
        result,
        result=value,
        error=_cut_text(result.error, limit),
        user_message=_cut_text(result.user_message, limit),
        validation_errors=tuple(
            truncate_middle(error, limit) for error in result.validation_errors[:_VALIDATION_ERRORS]
        ),
    )
    return replace(
        execution, params=params if isinstance(params, dict) else str(params), result=shortened
    ), truncated or result.truncated


def smallest_call(call: RecordedCall) -> RecordedCall:
    """Return the smallest record of a call: its tool and its success."""
    call_id = "call_" + hashlib.sha256(call.call.id.encode("utf-8", "replace")).hexdigest()[:24]
    name, tool = truncate_middle(call.call.name, _SMALL), truncate_middle(call.execution.tool, _SMALL)
    result = call.execution.result
    return RecordedCall(
        call=ToolCall(call_id, name, None, "", LEFT_OUT),
        output=ToolOutput(call_id, name, LEFT_OUT, call.output.is_error),
        execution=ToolExecution(
            tool=tool,
            params=LEFT_OUT,
            result=ToolResult(
                success=result.success,
                tool_name=tool,
                execution_time_ms=result.execution_time_ms,
                result=LEFT_OUT if result.success else None,
                error=None if result.success else LEFT_OUT,
                error_type=result.error_type,
            ),
            iteration=call.execution.iteration,
            call_id=call_id,
        ),
        truncated=True,
    )


def _fitting(value: Mapping[str, Json] | None, limit: int) -> str | None:
    """Return `value` as JSON; None without a value, or for more than `limit` characters."""
    if value is None:
        return None
    try:
        text = dumps(dict(value))
    except JsonError:
        return None
    return text if len(text) <= limit else None


def _cut_json(value: Mapping[str, Json] | Json, limit: int) -> tuple[Json, bool]:
    plain = dict(value) if isinstance(value, Mapping) else value
    try:
        text = plain if isinstance(plain, str) else dumps(plain)
    except JsonError:
        return LEFT_OUT, True
    return (plain, False) if len(text) <= limit else (truncate_middle(text, limit), True)


def _cut_text(text: str | None, limit: int) -> str | None:
    return None if text is None else truncate_middle(text, limit)


def _state(state: ProviderState | None, limit: int) -> ProviderState | None:
    if state is None:
        return None
    return state if _fitting({"value": state.value}, limit) is not None else None
