"""The wrapper of every tool Lambda: one contract, whatever the tool does.

    lambda_handler = tool_handler(Implementation, run)
    lambda_handler = tool_handler(Implementation, run, preload=load)

A tool is a function of a call and its parsed `implementation` that returns any JSON value, or raises `ToolError` with
words its model may read. The wrapper answers every event with a `ToolReply`: it never raises, never takes longer than
the call allows, and tells the model nothing of an unexpected error but that it happened (decision C06).
"""

import functools
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, cast

from pydantic import ValidationError

from flexchat.config.models.base import ConfigModel
from flexchat.deadline import Clock
from flexchat.errors import ToolError, ToolInputError
from flexchat.json import JsonError, byte_size, dumps
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger, stack_of
from flexchat.redaction import redact
from flexchat.text import truncate_middle
from flexchat.timeouts import call_with_timeout
from flexchat.tools import CONTRACT_VERSION, CallTool, ToolFault, ToolReply
from flexchat.worker_process import WorkerProcess

MAX_RESULT_BYTES: Final = 5_500_000
"""Below the 6 MB that a Lambda may return, with room for the reply around the result."""

MARGIN_MS: Final = 250
"""Kept of the Lambda's own time, so that a cut-off is still answered."""


MAX_PREVIEW: Final = 500
"""Characters of a result that are logged at DEBUG."""


class InvocationContext(Protocol):
    """What the wrapper needs of Lambda's context."""

    def get_remaining_time_in_millis(self) -> int: ...


type ToolHandler = Callable[[object, InvocationContext | None], dict[str, Json]]


@dataclass(frozen=True, slots=True)
class _Crash:
    """An error that the tool did not raise on purpose; `text` may quote what the caller sent."""

    error: str
    stack: list[str]
    text: str


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The result of one call with its size as JSON, or the fault that the model reads."""

    result: Json = None
    size: int = 0
    fault: ToolFault | None = None
    crash: _Crash | None = None


def tool_handler[I: ConfigModel](
    implementation: type[I],
    run: Callable[[CallTool, I], object],
    *,
    preload: Callable[[I], object] | None = None,
    clock: Clock = time.monotonic,
) -> ToolHandler:
    """Return the Lambda handler of a tool type.

    `implementation` is the tool type's own part of a tool's configuration; parsed once per content. `run` gets the
    call, with the timeout that it really has, and that part; it returns JSON. It runs in a thread, where a call that
    timed out is left behind and has to end by its own timeouts. With a `preload`, for a `run` that computes instead of
    waiting, it runs in a child process, which is killed then. `preload` gets the part and imports what its calls need.
    """

    parse = functools.lru_cache(maxsize=256)(implementation.model_validate_json)

    def serve(request: bytes) -> bytes:
        call = CallTool.model_validate(json.loads(request))
        logger.append_keys(request_id=call.request_id)
        return _encoded(_attempt(call, lambda: run(call, parse(dumps(call.implementation)))))

    worker = WorkerProcess(serve)

    def outcome_of(call: CallTool, timeout_ms: int) -> _Outcome:
        try:
            part = _parsed(call, parse)
            if timeout_ms <= 0:
                return _timed_out(timeout_ms)
            timed = call.model_copy(update={"timeout_ms": timeout_ms})
            if preload is None:
                return call_with_timeout(timeout_ms / 1000, lambda: _attempt(timed, lambda: run(timed, part)))
            request = json.dumps(timed.model_dump()).encode()
            return _decoded(worker.call(request, timeout_ms / 1000, preload=functools.partial(preload, part)))
        except TimeoutError:
            return _timed_out(timeout_ms)
        except (Exception, SystemExit) as exc:  # noqa: BLE001 # a tool's fault is a result, whatever it is
            return _failed(exc, call)

    def handler(event: object, context: InvocationContext | None = None) -> dict[str, Json]:
        started = clock()
        try:
            call = CallTool.model_validate(event)
        except ValidationError as exc:
            logger.remove_keys(["request_id"])
            logger.error("tool event refused", problems=_problems(exc))
            return _failure(ToolFault(type="configuration", message=f"Not a tool call: {'; '.join(_problems(exc))}"))
        # In every line until the next call: one that timed out may still log.
        logger.append_keys(request_id=call.request_id)
        timeout_ms = call.timeout_ms
        if context is not None:
            timeout_ms = min(timeout_ms, context.get_remaining_time_in_millis() - MARGIN_MS)
        logger.debug("tool arguments", tool=call.tool, call_id=call.call_id, arguments=call.arguments)
        outcome = outcome_of(call, timeout_ms)
        _report(call, outcome, duration_ms=round((clock() - started) * 1000))
        if outcome.fault is not None:
            return _failure(outcome.fault)
        return {"version": CONTRACT_VERSION, "ok": True, "result": outcome.result, "error": None}

    return handler


def _attempt(call: CallTool, run: Callable[[], object]) -> _Outcome:
    try:
        result = run()
        return _Outcome(result=cast("Json", result), size=_checked_size(result, call.tool))
    except (Exception, SystemExit) as exc:  # noqa: BLE001 # a tool's fault is a result, whatever it is
        return _failed(exc, call)


def _encoded(outcome: _Outcome) -> bytes:
    crash = outcome.crash
    return json.dumps(
        {
            "result": outcome.result,
            "size": outcome.size,
            "fault": outcome.fault and outcome.fault.model_dump(mode="json"),
            "crash": crash and {"error": crash.error, "stack": crash.stack, "text": crash.text},
        }
    ).encode()


def _decoded(answer: bytes) -> _Outcome:
    parts = json.loads(answer)
    fault, crash = parts["fault"], parts["crash"]
    return _Outcome(
        result=parts["result"],
        size=parts["size"],
        fault=fault and ToolFault.model_validate(fault),
        crash=crash and _Crash(**crash),
    )


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


def _timed_out(timeout_ms: int) -> _Outcome:
    return _Outcome(
        fault=ToolFault(
            type="timeout",
            message=f"Tool execution timed out after {max(0, timeout_ms)}ms",
            user_message="The tool took too long to answer.",
        )
    )


def _failed(exc: BaseException, call: CallTool) -> _Outcome:
    """Return the fault that the model reads; of an unforeseen error it says only that one occurred."""
    match exc:
        case ToolError():
            return _Outcome(fault=ToolFault(type=exc.type, message=exc.message, user_message=exc.user_message))
        case ToolInputError():
            message = f"Invalid parameters: {exc}"
            return _Outcome(
                fault=ToolFault(type="invalid_arguments", message=message, validation_errors=exc.errors),
            )
        case TimeoutError():
            return _timed_out(call.timeout_ms)
        case _:
            return _Outcome(
                fault=ToolFault(
                    message=f"Tool '{call.tool}' failed unexpectedly",
                    user_message="The tool could not complete the request.",
                ),
                crash=_Crash(type(exc).__name__, stack_of(exc), str(exc)),
            )


def _problems(exc: ValidationError) -> list[str]:
    """Where and what, without the values that were sent."""
    return [
        ": ".join(part for part in (".".join(map(str, error["loc"])), error["msg"]) if part)
        for error in exc.errors(include_url=False, include_context=False, include_input=False)[:10]
    ]


def _failure(fault: ToolFault) -> dict[str, Json]:
    return cast("dict[str, Json]", ToolReply(ok=False, error=fault).model_dump(mode="json"))


def _report(call: CallTool, outcome: _Outcome, *, duration_ms: int) -> None:
    fault, crash = outcome.fault, outcome.crash
    if crash is not None:
        logger.error("tool crashed", tool=call.tool, call_id=call.call_id, error=crash.error, stack=crash.stack)
        logger.debug("tool crash message", call_id=call.call_id, text=crash.text)
    if fault is None and logger.log_level <= logging.DEBUG:
        preview = truncate_middle(dumps(redact(outcome.result, max_text=MAX_PREVIEW)), MAX_PREVIEW)
        logger.debug("tool result", tool=call.tool, call_id=call.call_id, preview=preview, result_bytes=outcome.size)
    log = logger.info if fault is None else logger.warning
    log(
        "tool called",
        tool=call.tool,
        call_id=call.call_id,
        success=fault is None,
        error_type=fault.type if fault else None,
        duration_ms=duration_ms,
        result_bytes=outcome.size,
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
