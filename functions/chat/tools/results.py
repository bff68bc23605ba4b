"""Results of tool calls: their form for the model and the record of a chat, and their log lines."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import replace
from typing import Literal, Protocol

from msgspec import Struct, field
from pydantic_core import PydanticSerializationError, to_json

from flexchat.audit import AuditOutcome
from flexchat.errors import ToolErrorType
from flexchat.json import dumps
from flexchat.messages import UNNAMED_TOOL, Json, ToolCall
from flexchat.observability import logger, stack_of
from flexchat.redaction import redact
from flexchat.text import MARKER_CHARACTERS, truncate_middle
from flexchat.tools import ToolFault, ToolResult
from functions.chat.tools.marking import marked

SLOW_TOOL_MS = 1_000
"""Execution time above which a warning is logged."""

RESULT_PREVIEW_CHARACTERS = 500
"""Maximum of a result in the log, at DEBUG."""

_REFUSED: frozenset[ToolErrorType] = frozenset(
    ("tool_not_found", "tool_not_allowed", "tool_disabled", "blocked_by_policy")
)


ABANDONED = "abandoned"
"""Reason of a call whose chat ended while it ran."""

type OnResult = Callable[[int, ToolResult], None]
"""Receiver of the result of a call, by the call's position in its iteration.

It is called when the call has ended, in the thread of the iteration. An exception that it raises ends the iteration.
"""


def ignore_result(_index: int, _result: ToolResult) -> None:
    """No-op receiver of results."""


class AuditCall(Protocol):
    """Receiver of every call that a model or a caller requests, once, when it has ended or was refused."""

    def __call__(self, call: ToolCall, outcome: AuditOutcome, reason: str | None, duration_ms: int, /) -> None: ...


class IterationResults(Struct):
    """Results of the calls of one iteration in the order in which they end, each of which is logged, audited and
    reported."""

    calls: Sequence[ToolCall]
    on_result: OnResult
    audit: AuditCall
    _invoked: set[int] = field(default_factory=set[int])
    _parameters: dict[int, Collection[str]] = field(default_factory=dict[int, Collection[str]])
    _results: dict[int, ToolResult] = field(default_factory=dict[int, ToolResult])

    def passed(self, index: int, parameters: Collection[str]) -> None:
        """Note that a call has passed its checks; `parameters` are the names in its tool's schema."""
        self._parameters[index] = parameters

    def invoked(self, index: int) -> None:
        """Note that a call has begun to run."""
        self._invoked.add(index)

    def add(self, index: int, result: ToolResult) -> None:
        self._results[index] = result
        report(self.calls[index], result, parameters=self._parameters.get(index, ()))
        outcome = "succeeded" if result.success else "failed" if index in self._invoked else "refused"
        self.audit(self.calls[index], outcome, result.error_type, result.execution_time_ms)
        self.on_result(index, result)

    def abandon(self) -> None:
        """Audit the calls that have begun to run and have no result."""
        for index in sorted(self._invoked - self._results.keys()):
            self.audit(self.calls[index], "failed", ABANDONED, 0)

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
        parameters=",".join(sorted(name for name in call.arguments or () if name in parameters)),
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


ResultFormat = Literal["json", "text"]

TRACKED_CHARACTERS = 262_144
"""Maximum of one result in a chat's `tool_calls`."""


_OWN_ERRORS: frozenset[ToolErrorType] = frozenset(
    (
        "tool_not_allowed",
        "tool_disabled",
        "blocked_by_policy",
        "malformed_arguments",
        "repeated_call",
        "too_many_calls",
        "previous_call_unfinished",
        "deadline",
    )
)
"""Errors whose messages are the service's: no tool returns them."""


class ResultRendering(Struct, frozen=True):
    """Rendering of results for the model, as JSON envelope or text (decision C04), with a size limit (decision C50).

    `limits` are the characters of one result by tool name, `default_limit` those of other tools. Results of the tools
    `marked` are between tags.
    """

    form: ResultFormat
    default_limit: int
    limits: Mapping[str, int]
    marked: frozenset[str] = frozenset()

    def marks(self, names: Collection[str]) -> bool:
        """Return whether results of some of these tools are between tags."""
        return not self.marked.isdisjoint(names)

    def content(self, result: ToolResult, *, nonce: str) -> str:
        """Return the content of the tool message; `nonce` is the id of tags in the conversation."""
        text = self._text(result)
        if result.tool_name not in self.marked or result.error_type in _OWN_ERRORS:
            return text
        return marked(text, source=result.tool_name, nonce=nonce)

    def _text(self, result: ToolResult) -> str:
        limit = self.limits.get(result.tool_name, self.default_limit)
        if self.form == "text":
            return truncate_middle(_plain(result), limit)
        text = dumps(result.envelope())
        return text if len(text) <= limit else dumps(bounded_envelope(result, limit))


def tracked(result: ToolResult) -> ToolResult:
    """Return `result` truncated to `TRACKED_CHARACTERS` for the record of a chat.

    A tool may return megabytes, and the state of a partial answer has to be stored within a fraction of a second.
    """
    if _is_within(result.result, TRACKED_CHARACTERS):
        return result
    text = _text(result.result)
    # Short enough with its marker that a session does not truncate it again.
    return replace(result, result=truncate_middle(text, TRACKED_CHARACTERS - 2 * MARKER_CHARACTERS), truncated=True)


def bounded_envelope(result: ToolResult, limit: int) -> dict[str, Json]:
    """Return the envelope; a result of more than `limit` characters becomes a truncated text with `truncated: true`.

    The text of an error is truncated likewise.
    """
    envelope = result.envelope()
    if not result.success:
        if result.error is None or len(result.error) <= limit:
            return envelope
        return {**envelope, "error": truncate_middle(result.error, limit)}
    if _is_within(result.result, limit):
        return envelope
    return {**envelope, "result": truncate_middle(_text(result.result), limit), "truncated": True}


def _plain(result: ToolResult) -> str:
    """Return the text form of a result."""
    if result.error_type in ("tool_not_found", "tool_not_allowed"):
        return f'Error: Unknown tool "{result.tool_name}"'
    if not result.success:
        return f"Error: {result.error}"
    return _text(result.result)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else dumps(value)


def _is_within(value: Json, limit: int) -> bool:
    """Return whether the text of `value` has at most `limit` characters.

    Its bytes in pydantic's JSON, which takes a fraction of the time, suffice for all but large values: the texts
    differ in the exponents of numbers, `1e16` and `1e+16`.
    """
    if not isinstance(value, str):
        try:
            if 2 * len(to_json(value)) <= limit:
                return True
        except PydanticSerializationError:  # a lone surrogate, or more levels than pydantic writes
            pass
    return len(_text(value)) <= limit
