"""Wrapper of every tool Lambda, which implements the tool contract.

    lambda_handler = tool_handler(Implementation, run)
    lambda_handler = tool_handler(Implementation, run, preload=load)

A tool is a function of a call and its parsed `implementation` that returns any JSON value, or raises `ToolError` with a
text that the model may read. The wrapper returns a `ToolReply` to every event: it raises nothing, ends within the time
of the call, and returns no detail of an unexpected error (decision C06).
"""

import functools
import logging
import time
from collections.abc import Callable
from copy import replace
from typing import TYPE_CHECKING, Final, Protocol, cast

from pydantic import ValidationError

from flexchat.deadline import Clock
from flexchat.errors import ToolError
from flexchat.json import JsonError, dumps
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from flexchat.redaction import redact
from flexchat.text import truncate_middle
from flexchat.timeouts import call_with_timeout
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_inspection import Recorder, recording
from flexchat.tool_outcome import Outcome, checked_size, decode, encode, failed, problems_of, timed_out, without_secrets
from flexchat.tool_progress import Progress, reporting
from flexchat.tool_secrets import SecretReader, resolve_secrets
from flexchat.tools import CONTRACT_VERSION, CallTool, ToolFault, ToolReply

if TYPE_CHECKING:
    from flexchat.worker_process import WorkerProcess

MARGIN_MS: Final = 250
"""Part of the Lambda's own time reserved for the reply to a call that timed out."""


MAX_PREVIEW: Final = 500
"""Characters of a result that are logged at DEBUG."""


class InvocationContext(Protocol):
    """Part of Lambda's context that the wrapper uses."""

    def get_remaining_time_in_millis(self) -> int: ...


type ToolHandler = Callable[[object, InvocationContext | None], dict[str, Json]]


def tool_handler[I: ToolImplementation](
    implementation: type[I],
    run: Callable[[CallTool, I], object],
    *,
    preload: Callable[[I], object] | None = None,
    secrets: SecretReader | None = None,
    clock: Clock = time.monotonic,
) -> ToolHandler:
    """Return the Lambda handler of a tool type.

    `implementation` is the model of the type's part of a tool's configuration; parsed once per content. `run` receives
    the call, with the time that it has left, and that part; it returns JSON. It runs in a thread that is abandoned at
    the timeout and ends by its own timeouts. With `preload`, for a `run` that computes instead of waiting, it runs in a
    child process that is killed at the timeout; `preload` imports what the calls of a part need. With `secrets`, the
    references in the model's `secret_fields` are resolved, and the secrets removed from results, errors and log lines.
    """
    if preload is not None and secrets is not None:
        raise ValueError("a tool that runs in a child process cannot resolve secrets")
    parse = functools.lru_cache(maxsize=256)(implementation.model_validate_json)

    def serve(request: bytes) -> bytes:
        call = CallTool.from_json(request)
        logger.append_keys(request_id=call.request_id)
        return encode(_attempt(call, lambda: run(call, parse(dumps(call.implementation)))))

    worker = None if preload is None else _worker(serve)

    def outcome_of(call: CallTool, timeout_ms: int, recorder: Recorder | None) -> Outcome:
        values: tuple[str, ...] = ()
        try:
            source = implementation.with_handler(call.implementation, call.handler)
            source, values = resolve_secrets(source, implementation, secrets) if secrets else (source, ())
            if recorder is not None:
                recorder.hide(values)
            call = replace(call, implementation=source)
            part = _parsed(call, parse)
            if timeout_ms <= 0:
                return timed_out(timeout_ms)
            timed = replace(call, timeout_ms=timeout_ms)
            if worker is None or preload is None:
                attempt = functools.partial(_attempt, timed, lambda: run(timed, part))
                return without_secrets(call_with_timeout(timeout_ms / 1000, attempt), values)
            return decode(worker.call(timed.as_json(), timeout_ms / 1000, preload=functools.partial(preload, part)))
        except TimeoutError:
            return timed_out(timeout_ms)
        except (Exception, SystemExit) as exc:  # noqa: BLE001 # any fault of a tool is a result
            return without_secrets(failed(exc, call), values)

    def handler(event: object, context: InvocationContext | None = None) -> dict[str, Json]:
        started = clock()
        try:
            call = CallTool.from_event(event)
        except ValueError as exc:
            logger.remove_keys(["request_id"])
            logger.error("tool event refused", problem=str(exc))
            return _failure(ToolFault(type="configuration", message=f"Not a tool call: {exc}"))
        # In every line until the next call: a call that timed out may still log.
        logger.append_keys(request_id=call.request_id)
        timeout_ms = call.timeout_ms
        if context is not None:
            timeout_ms = min(timeout_ms, context.get_remaining_time_in_millis() - MARGIN_MS)
        logger.debug("tool arguments received", tool=call.tool, call_id=call.call_id, arguments=call.arguments)
        recorder = Recorder(clock=clock) if call.inspect else None
        progress = Progress(started=started, clock=clock)
        with recording(recorder), reporting(progress):
            outcome = outcome_of(call, timeout_ms, recorder)
        _report(call, outcome, duration_ms=round((clock() - started) * 1000))
        more = ({} if recorder is None else _inspection(recorder, call)) | _reported(progress)
        if outcome.fault is not None:
            return _failure(outcome.fault) | more
        return {"version": CONTRACT_VERSION, "ok": True, "result": outcome.result, "error": None, **more}

    return handler


def _worker(serve: Callable[[bytes], bytes]) -> "WorkerProcess":
    from flexchat.worker_process import WorkerProcess  # and multiprocessing, which other tools do not need

    return WorkerProcess(serve)


def _attempt(call: CallTool, run: Callable[[], object]) -> Outcome:
    try:
        result = run()
        return Outcome(result=cast("Json", result), size=checked_size(result, call.tool))
    except (Exception, SystemExit) as exc:  # noqa: BLE001 # any fault of a tool is a result
        return failed(exc, call)


def _parsed[I](call: CallTool, parse: Callable[[str], I]) -> I:
    """Return the tool's part of the configuration. Raises `ToolError` with the problems.

    An error with a `fault` in its context has its own text for the model.
    """
    try:
        return parse(dumps(call.implementation))
    except JsonError as exc:
        raise ToolError(f"Tool '{call.tool}' is misconfigured: {exc}", type="configuration") from exc
    except ValidationError as exc:
        problems = problems_of(exc, "implementation")
        logger.error("tool misconfigured", tool=call.tool, problems=problems)
        fault = exc.errors()[0].get("ctx", {}).get("fault")
        message = str(fault) if fault else f"Tool '{call.tool}' is misconfigured: {'; '.join(problems)}"
        raise ToolError(message, type="configuration") from exc


def _inspection(recorder: Recorder, call: CallTool) -> dict[str, Json]:
    """Return the part of the reply for an operator; empty without a record."""
    try:
        inspection = recorder.inspection()
    except Exception as exc:  # noqa: BLE001 # the call itself is complete
        logger.error("inspection failed", tool=call.tool, call_id=call.call_id, error=type(exc).__name__)
        return {}
    return {} if inspection is None else {"inspection": inspection.model_dump(mode="json")}


def _reported(progress: Progress) -> dict[str, Json]:
    """Return the part of the reply with the progress that the tool reported."""
    reports = progress.reports()
    return {"progress": [report.model_dump(mode="json") for report in reports]} if reports else {}


def _failure(fault: ToolFault) -> dict[str, Json]:
    return cast("dict[str, Json]", ToolReply(ok=False, error=fault).model_dump(mode="json"))


def _report(call: CallTool, outcome: Outcome, *, duration_ms: int) -> None:
    fault, crash = outcome.fault, outcome.crash
    if crash is not None:
        logger.error("tool crashed", tool=call.tool, call_id=call.call_id, error=crash.error, stack=crash.stack)
        logger.debug("tool crash message logged", call_id=call.call_id, text=crash.text)
    if fault is None and logger.log_level <= logging.DEBUG:
        preview = truncate_middle(dumps(redact(outcome.result, max_text=MAX_PREVIEW)), MAX_PREVIEW)
        logger.debug(
            "tool result returned", tool=call.tool, call_id=call.call_id, preview=preview, result_bytes=outcome.size
        )
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
