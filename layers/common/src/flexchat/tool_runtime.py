"""The wrapper of every tool Lambda: one contract, whatever the tool does.

    lambda_handler = tool_handler(Implementation, run)

A tool is a function of a call and its parsed `implementation` that returns any JSON value, or raises `ToolError` with
words its model may read. The wrapper answers every event with a `ToolReply`: it never raises, never takes longer than
the call allows, and tells the model nothing of an unexpected error but that it happened (decision C06).
"""

import functools
import time
from collections.abc import Callable
from typing import Final, Protocol, cast

from pydantic import ValidationError

from flexchat.config.models import ConfigModel
from flexchat.cutoff import run_within
from flexchat.deadline import Clock
from flexchat.errors import ToolError, ToolInputError
from flexchat.json import JsonError, byte_size, dumps
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger, stack_of
from flexchat.tools import CONTRACT_VERSION, CallTool, ToolFault, ToolReply

MAX_RESULT_BYTES: Final = 5_500_000
"""Below the 6 MB that a Lambda may return, with room for the reply around the result."""

MARGIN_MS: Final = 250
"""Kept of the Lambda's own time, so that a cut-off is still answered."""


class InvocationContext(Protocol):
    """What the wrapper needs of Lambda's context."""

    def get_remaining_time_in_millis(self) -> int: ...


type ToolHandler = Callable[[object, InvocationContext | None], dict[str, Json]]


def tool_handler[I: ConfigModel](
    implementation: type[I], run: Callable[[CallTool, I], object], *, clock: Clock = time.monotonic
) -> ToolHandler:
    """The Lambda handler for a tool type.

    `implementation` is the tool type's own part of a tool's configuration; parsed once per content. `run` gets the call
    and that part; what it returns must be JSON.
    """

    parse = functools.lru_cache(maxsize=256)(implementation.model_validate_json)

    def handler(event: object, context: InvocationContext | None = None) -> dict[str, Json]:
        started = clock()
        try:
            call = CallTool.model_validate(event)
        except ValidationError as exc:
            logger.error("tool event refused", problems=_problems(exc))
            return _failure(ToolFault(type="configuration", message=f"Not a tool call: {'; '.join(_problems(exc))}"))
        timeout_ms = call.timeout_ms
        if context is not None:
            timeout_ms = min(timeout_ms, context.get_remaining_time_in_millis() - MARGIN_MS)
        logger.debug("tool arguments", tool=call.tool, call_id=call.call_id, arguments=call.arguments)
        try:
            part = _parsed(call, parse)
            result = run_within(timeout_ms / 1000, lambda: run(call, part))
            size = _checked_size(result, call.tool)
            reply: dict[str, Json] = {
                "version": CONTRACT_VERSION,
                "ok": True,
                "result": cast("Json", result),
                "error": None,
            }
            fault = None
        except (Exception, SystemExit) as exc:  # noqa: BLE001 # a tool's fault is a result, whatever it is
            fault = _fault(exc, call, max(0, timeout_ms))
            reply = _failure(fault)
            size = 0
        _report(call, fault, duration_ms=round((clock() - started) * 1000), size=size)
        return reply

    return handler


def _parsed[I](call: CallTool, parse: Callable[[str], I]) -> I:
    """The tool's own part of the configuration. Raises `ToolError` that names what is wrong with it.

    An error whose context holds a `fault` says itself what the model is told.
    """
    try:
        return parse(dumps(call.implementation))
    except JsonError as exc:
        raise ToolError(f"Tool '{call.tool}' is misconfigured: {exc}", type="configuration") from exc
    except ValidationError as exc:
        problems = [f"implementation.{problem}" for problem in _problems(exc)]
        logger.error("tool misconfigured", tool=call.tool, problems=problems)
        fault = exc.errors()[0].get("ctx", {}).get("fault")
        message = str(fault) if fault else f"Tool '{call.tool}' is misconfigured: {'; '.join(problems)}"
        raise ToolError(message, type="configuration") from exc


def _checked_size(result: object, tool: str) -> int:
    """The bytes of a result as JSON. Raises `ToolError` for what cannot be returned."""
    try:
        size = byte_size(result)
    except JsonError as exc:
        raise ToolError(f"Tool '{tool}' returned something that is not JSON") from exc
    if size > MAX_RESULT_BYTES:
        raise ToolError(
            f"The result of tool '{tool}' has {size} bytes, at most {MAX_RESULT_BYTES} can be returned",
            type="result_too_large",
        )
    return size


def _fault(exc: BaseException, call: CallTool, timeout_ms: int) -> ToolFault:
    """What the model is told about `exc`. Of an error nobody foresaw only that it happened; the log has its stack."""
    match exc:
        case ToolError():
            return ToolFault(type=exc.type, message=exc.message, user_message=exc.user_message)
        case ToolInputError():
            return ToolFault(
                type="invalid_arguments", message=f"Invalid parameters: {exc}", validation_errors=exc.errors
            )
        case TimeoutError():
            return ToolFault(
                type="timeout",
                message=f"Tool execution timed out after {timeout_ms}ms",
                user_message="The tool took too long to answer.",
            )
        case _:
            logger.error(
                "tool crashed", tool=call.tool, call_id=call.call_id, error=type(exc).__name__, stack=stack_of(exc)
            )
            logger.debug("tool crash message", call_id=call.call_id, text=str(exc))
            return ToolFault(
                message=f"Tool '{call.tool}' failed unexpectedly",
                user_message="The tool could not complete the request.",
            )


def _problems(exc: ValidationError) -> list[str]:
    """Where and what, without the values that were sent."""
    return [
        ": ".join(part for part in (".".join(map(str, error["loc"])), error["msg"]) if part)
        for error in exc.errors(include_url=False, include_context=False, include_input=False)[:10]
    ]


def _failure(fault: ToolFault) -> dict[str, Json]:
    return cast("dict[str, Json]", ToolReply(ok=False, error=fault).model_dump(mode="json"))


def _report(call: CallTool, fault: ToolFault | None, *, duration_ms: int, size: int) -> None:
    log = logger.info if fault is None else logger.warning
    log(
        "tool called",
        tool=call.tool,
        call_id=call.call_id,
        request_id=call.request_id,
        success=fault is None,
        error_type=fault.type if fault else None,
        duration_ms=duration_ms,
        result_bytes=size,
        trial=call.trial,
    )
    prefix = "Trial" if call.trial else ""
    emit_metrics(
        dimension=("tool", call.tool),
        counts={f"{prefix}ToolCalls": 1, f"{prefix}ToolFaults": 0 if fault is None else 1},
        milliseconds={f"{prefix}ToolDuration": duration_ms},
    )
    if fault is not None:
        emit_metrics(
            dimension=("error_type", fault.type),
            also=({"tool": call.tool, "error_type": fault.type},),
            counts={f"{prefix}ToolFaults": 1},
        )
