"""Wrapper of every tool Lambda, which implements the tool contract.

    lambda_handler = tool_handler(Implementation, run)
    lambda_handler = tool_handler(Implementation, run, preload=load)

A tool is a function of a call and its parsed `implementation` that returns any JSON value, or raises `ToolError` with a
text that the model may read. The wrapper returns a `ToolReply` to every event: it raises nothing, ends within the time
of the call, and returns no detail of an unexpected error (decision C06).
"""

import functools
import json
import logging
import time
from collections.abc import Callable
from copy import replace
from typing import TYPE_CHECKING, Final, Protocol, cast

from pydantic import ValidationError

from flexchat.deadline import Clock, call_with_timeout
from flexchat.errors import ToolError, ToolInputError
from flexchat.json import JsonError, byte_size, dumps
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger, stack_of
from flexchat.redaction import redact, redact_secrets
from flexchat.text import truncate_middle
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_inspection import Recorder, recording
from flexchat.tool_progress import Images, Progress, Requests, collecting, counting, reporting
from flexchat.tool_secrets import SecretReader, resolve_secrets
from flexchat.tools import CONTRACT_VERSION, CallTool, ToolFault, ToolReply

if TYPE_CHECKING:
    from flexchat.worker_process import WorkerProcess

MARGIN_MS: Final = 250
"""Part of the Lambda's own time reserved for the reply to a call that timed out."""

MAX_RESULT_BYTES: Final = 5_500_000
"""Below the 6 MB that a Lambda may return, with room for the reply around the result."""

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
        logger.append_keys(request_id=call.request_id, trace_id=call.trace_id)
        reply = _attempt(call, lambda: run(call, parse(dumps(call.implementation))))
        return json.dumps({**_as_event(reply), "result_bytes": reply.result_bytes}).encode()

    worker = None if preload is None else _worker(serve)

    def reply_to(call: CallTool, timeout_ms: int, recorder: Recorder | None) -> ToolReply:
        values: tuple[str, ...] = ()
        try:
            source = implementation.with_handler(call.implementation, call.handler)
            source, values = resolve_secrets(source, implementation, secrets) if secrets else (source, ())
            if recorder is not None:
                recorder.hide(values)
            call = replace(call, implementation=source)
            part = _parsed(call, parse)
            if timeout_ms <= 0:
                return _timed_out(timeout_ms)
            timed = replace(call, timeout_ms=timeout_ms)
            if worker is None or preload is None:
                attempt = functools.partial(_attempt, timed, lambda: run(timed, part))
                return _without_secrets(call_with_timeout(timeout_ms / 1000, attempt), values)
            answer = worker.call(timed.as_json(), timeout_ms / 1000, preload=functools.partial(preload, part))
            return ToolReply.model_validate(json.loads(answer))
        except TimeoutError:
            return _timed_out(timeout_ms)
        except (Exception, SystemExit) as exc:  # noqa: BLE001 # any fault of a tool is a result
            return _without_secrets(_failed(exc, call), values)

    def handler(event: object, context: InvocationContext | None = None) -> dict[str, Json]:
        started = clock()
        try:
            call = CallTool.from_event(event)
        except ValueError as exc:
            logger.remove_keys(["request_id", "trace_id"])
            logger.error("tool event refused", problem=str(exc))
            fault = ToolFault(type="configuration", message=f"Not a tool call: {exc}")
            return _as_event(ToolReply(ok=False, error=fault))
        # In every line until the next call: a call that timed out may still log.
        logger.append_keys(request_id=call.request_id, trace_id=call.trace_id)
        timeout_ms = call.timeout_ms
        if context is not None:
            timeout_ms = min(timeout_ms, context.get_remaining_time_in_millis() - MARGIN_MS)
        logger.debug("tool arguments received", tool=call.tool, call_id=call.call_id, arguments=call.arguments)
        recorder = Recorder(clock=clock) if call.inspect else None
        progress, images, requests = Progress(started=started, clock=clock), Images(), Requests()
        with recording(recorder), reporting(progress), collecting(images), counting(requests):
            reply = reply_to(call, timeout_ms, recorder)
        pictures = [each.model_dump(mode="json") for each in images.of_call()] if reply.ok else []
        duration_ms = round((clock() - started) * 1000)
        _report(call, reply, duration_ms=duration_ms)
        event = _as_event(reply) | ({} if recorder is None else _inspection(recorder, call)) | _reported(progress)
        if pictures:
            event["images"] = [*pictures]
        if call.traceparent is not None:
            event["measures"] = _measures(requests, duration_ms)
        return event

    return handler


def _worker(serve: Callable[[bytes], bytes]) -> "WorkerProcess":
    from flexchat.worker_process import WorkerProcess  # and multiprocessing, which other tools do not need

    return WorkerProcess(serve)


def _attempt(call: CallTool, run: Callable[[], object]) -> ToolReply:
    try:
        result = run()
        return ToolReply(ok=True, result=cast("Json", result), result_bytes=_checked_size(result, call.tool))
    except (Exception, SystemExit) as exc:  # noqa: BLE001 # any fault of a tool is a result
        return _failed(exc, call)


def _checked_size(result: object, tool: str) -> int:
    """Return the size of a result as JSON. Raises `ToolError` for a result that cannot be returned."""
    try:
        size = byte_size(result)
    except JsonError as exc:
        raise ToolError(f"Tool '{tool}' returned a value that is not JSON") from exc
    if size > MAX_RESULT_BYTES:
        raise ToolError(
            f"The result of tool '{tool}' has {size} bytes, at most {MAX_RESULT_BYTES} can be returned",
            type="result_too_large",
        )
    return size


def _failed(exc: BaseException, call: CallTool) -> ToolReply:
    """Return the fault that the model reads; an unexpected error is logged, and its fault has no details."""
    match exc:
        case ToolError():
            fault = ToolFault(type=exc.type, message=exc.message, user_message=exc.user_message)
        case ToolInputError():
            message = f"Invalid parameters: {exc}"
            fault = ToolFault(type="invalid_arguments", message=message, validation_errors=exc.errors)
        case TimeoutError():
            return _timed_out(call.timeout_ms)
        case _:
            logger.error(
                "tool crashed", tool=call.tool, call_id=call.call_id, error=type(exc).__name__, stack=stack_of(exc)
            )
            logger.debug("tool crash message logged", call_id=call.call_id, text=str(exc))
            message = f"Tool '{call.tool}' failed unexpectedly"
            fault = ToolFault(message=message, user_message="The tool could not complete the request.")
    return ToolReply(ok=False, error=fault)


def _timed_out(timeout_ms: int) -> ToolReply:
    fault = ToolFault(
        type="timeout",
        message=f"Tool execution timed out after {max(0, timeout_ms)}ms",
        user_message="The tool took too long to answer.",
    )
    return ToolReply(ok=False, error=fault)


def _without_secrets(reply: ToolReply, secrets: tuple[str, ...]) -> ToolReply:
    """Return the reply with each of `secrets` redacted."""
    if not secrets:
        return reply
    result = redact_secrets(reply.result, secrets)
    fault = reply.error and ToolFault.model_validate(redact_secrets(reply.error.model_dump(mode="json"), secrets))
    return reply.model_copy(update={"result": result, "result_bytes": byte_size(result), "error": fault})


def _parsed[I](call: CallTool, parse: Callable[[str], I]) -> I:
    """Return the tool's part of the configuration. Raises `ToolError` with the problems.

    An error with a `fault` in its context has its own text for the model.
    """
    try:
        return parse(dumps(call.implementation))
    except JsonError as exc:
        raise ToolError(f"Tool '{call.tool}' is misconfigured: {exc}", type="configuration") from exc
    except ValidationError as exc:
        problems = _problems_of(exc, "implementation")
        logger.error("tool misconfigured", tool=call.tool, problems=problems)
        fault = exc.errors()[0].get("ctx", {}).get("fault")
        message = str(fault) if fault else f"Tool '{call.tool}' is misconfigured: {'; '.join(problems)}"
        raise ToolError(message, type="configuration") from exc


def _problems_of(exc: ValidationError, *parents: str) -> list[str]:
    """Return the path, below `parents`, and the message of each error, without the value."""
    return [
        ": ".join(part for part in (".".join(map(str, (*parents, *error["loc"]))), error["msg"]) if part)
        for error in exc.errors(include_url=False, include_context=False, include_input=False)[:10]
    ]


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


def _measures(requests: Requests, duration_ms: int) -> dict[str, Json]:
    """Return the part of the reply for the trace of the chat, as `ToolMeasures`."""
    measures: dict[str, Json] = {"duration_ms": duration_ms}
    if requests.status is not None:
        measures["http_status"] = requests.status
    if requests.retries:
        measures["retries"] = requests.retries
    return measures


def _as_event(reply: ToolReply) -> dict[str, Json]:
    """Return a reply as JSON; its result, which may be large, is not converted."""
    error = reply.error and reply.error.model_dump(mode="json")
    return {"version": CONTRACT_VERSION, "ok": reply.ok, "result": reply.result, "error": error}


def _report(call: CallTool, reply: ToolReply, *, duration_ms: int) -> None:
    fault = reply.error
    if fault is None and logger.log_level <= logging.DEBUG:
        preview = truncate_middle(dumps(redact(reply.result, max_text=MAX_PREVIEW)), MAX_PREVIEW)
        logger.debug(
            "tool result returned",
            tool=call.tool,
            call_id=call.call_id,
            preview=preview,
            result_bytes=reply.result_bytes,
        )
    log = logger.info if fault is None else logger.warning
    log(
        "tool called",
        tool=call.tool,
        call_id=call.call_id,
        success=fault is None,
        error_type=fault.type if fault else None,
        duration_ms=duration_ms,
        result_bytes=reply.result_bytes,
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
