"""Log lines of executed tool calls; arguments and results at DEBUG only, redacted and truncated."""

import logging
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct, field

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


type OnResult = Callable[[int, ToolResult], None]
"""Receiver of the result of a call, by the call's position in its turn.

It is called when the call has ended, in the thread of the turn. An exception that it raises ends the turn.
"""


def ignore_result(_index: int, _result: ToolResult) -> None:
    """No-op receiver of results."""


class TurnResults(Struct):
    """Results of the calls of one turn in the order in which they end, each of which is logged and reported."""

    calls: Sequence[ToolCall]
    on_result: OnResult
    _parameters: dict[int, Collection[str]] = field(default_factory=dict[int, Collection[str]])
    _results: dict[int, ToolResult] = field(default_factory=dict[int, ToolResult])

    def passed(self, index: int, parameters: Collection[str]) -> None:
        """Note that a call has passed its checks; `parameters` are the names in its tool's schema."""
        self._parameters[index] = parameters

    def add(self, index: int, result: ToolResult) -> None:
        self._results[index] = result
        report(self.calls[index], result, parameters=self._parameters.get(index, ()))
        self.on_result(index, result)

    def in_order(self) -> tuple[ToolResult, ...]:
        """Return the results in the order of the calls."""
        return tuple(self._results[index] for index in range(len(self.calls)))


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
