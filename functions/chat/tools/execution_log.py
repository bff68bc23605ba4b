"""Log lines of executed tool calls; arguments and results at DEBUG only, redacted and truncated."""

import logging
from collections.abc import Collection

from flexchat.errors import ToolErrorType
from flexchat.json import dumps
from flexchat.messages import UNNAMED_TOOL, ToolCall
from flexchat.observability import logger, stack_of
from flexchat.redaction import redact
from flexchat.text import truncate_middle
from flexchat.tools import ToolFault, ToolResult

SLOW_TOOL_MS = 1_000
"""Execution time above which a warning is logged."""

RESULT_PREVIEW_CHARACTERS = 500
"""Maximum of a result in the log, at DEBUG."""

_REFUSED: frozenset[ToolErrorType] = frozenset(("tool_not_found", "tool_not_allowed", "tool_disabled"))


def report(call: ToolCall, result: ToolResult, *, parameters: Collection[str]) -> None:
    """Log one executed call: outcome at INFO, problems at WARNING, arguments and result at DEBUG.

    `parameters` are the names in the tool's schema, for a call that passed its checks; names that the model invented
    are not logged.
    """
    logger.info(
        "tool executed",
        tool=call.name,
        call_id=call.id,
        success=result.success,
        error_type=result.error_type,
        execution_time_ms=result.execution_time_ms,
        parameters=",".join(sorted(set(parameters) & set(call.arguments or {}))),
    )
    if result.error_type in _REFUSED:
        logger.warning("tool call refused", tool=call.name, error_type=result.error_type)
    if result.execution_time_ms > SLOW_TOOL_MS:
        logger.warning("slow tool detected", tool=call.name, execution_time_ms=result.execution_time_ms)
    if call.arguments is None and call.name != UNNAMED_TOOL:
        logger.warning(
            "tool arguments not parsed",
            tool=call.name,
            call_id=call.id,
            reason=call.problem,
            characters=len(call.raw),
        )
    if logger.log_level <= logging.DEBUG:
        _report_contents(call, result)


def crashed(tool: str, call_id: str, error: BaseException) -> ToolFault:
    """Log an unexpected error with its stack; return a fault without its text."""
    logger.error("tool call crashed", tool=tool, call_id=call_id, error=type(error).__name__, stack=stack_of(error))
    return ToolFault(
        message=f"Tool '{tool}' failed unexpectedly", user_message="The tool could not complete the request."
    )


def _report_contents(call: ToolCall, result: ToolResult) -> None:
    """Log arguments and result at DEBUG; the logger redacts and truncates both."""
    if call.arguments is None:
        logger.debug("raw tool arguments received", tool=call.name, call_id=call.id, raw=call.raw)
    else:
        logger.debug("tool arguments parsed", tool=call.name, call_id=call.id, params=call.arguments)
    if result.success:
        logger.debug(
            "tool result received",
            tool=call.name,
            call_id=call.id,
            characters=len(dumps(result.result)),
            preview=truncate_middle(dumps(redact(result.result)), RESULT_PREVIEW_CHARACTERS),
        )
