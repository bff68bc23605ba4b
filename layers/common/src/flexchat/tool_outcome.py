"""Outcome of one tool call: a result with its size, or the fault that the model reads."""

import json
from copy import replace
from typing import Final

from msgspec import Struct
from pydantic import ValidationError

from flexchat.errors import ToolError, ToolInputError
from flexchat.json import JsonError, byte_size
from flexchat.messages import Json
from flexchat.observability import stack_of
from flexchat.redaction import redact_secrets
from flexchat.tools import CallTool, ToolFault

MAX_RESULT_BYTES: Final = 5_500_000
"""Below the 6 MB that a Lambda may return, with room for the reply around the result."""


class Crash(Struct, frozen=True):
    """Unexpected error of a tool; `text` may quote arguments."""

    error: str
    stack: list[str]
    text: str


class Outcome(Struct, frozen=True):
    """The result of one call with its size as JSON, or the fault that the model reads."""

    result: Json = None
    size: int = 0
    fault: ToolFault | None = None
    crash: Crash | None = None


def without_secrets(outcome: Outcome, secrets: tuple[str, ...]) -> Outcome:
    """Return the outcome with each of `secrets` redacted."""
    if not secrets:
        return outcome
    result = redact_secrets(outcome.result, secrets)
    fault = outcome.fault and ToolFault.model_validate(redact_secrets(outcome.fault.model_dump(mode="json"), secrets))
    return replace(outcome, result=result, fault=fault, size=byte_size(result))


def encode(outcome: Outcome) -> bytes:
    crash = outcome.crash
    return json.dumps(
        {
            "result": outcome.result,
            "size": outcome.size,
            "fault": outcome.fault and outcome.fault.model_dump(mode="json"),
            "crash": crash and {"error": crash.error, "stack": crash.stack, "text": crash.text},
        }
    ).encode()


def decode(answer: bytes) -> Outcome:
    parts = json.loads(answer)
    fault, crash = parts["fault"], parts["crash"]
    return Outcome(
        result=parts["result"],
        size=parts["size"],
        fault=fault and ToolFault.model_validate(fault),
        crash=crash and Crash(**crash),
    )


def checked_size(result: object, tool: str) -> int:
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


def timed_out(timeout_ms: int) -> Outcome:
    return Outcome(
        fault=ToolFault(
            type="timeout",
            message=f"Tool execution timed out after {max(0, timeout_ms)}ms",
            user_message="The tool took too long to answer.",
        )
    )


def failed(exc: BaseException, call: CallTool) -> Outcome:
    """Return the fault that the model reads; that of an unexpected error has no details."""
    match exc:
        case ToolError():
            return Outcome(fault=ToolFault(type=exc.type, message=exc.message, user_message=exc.user_message))
        case ToolInputError():
            message = f"Invalid parameters: {exc}"
            return Outcome(
                fault=ToolFault(type="invalid_arguments", message=message, validation_errors=exc.errors),
            )
        case TimeoutError():
            return timed_out(call.timeout_ms)
        case _:
            return Outcome(
                fault=ToolFault(
                    message=f"Tool '{call.tool}' failed unexpectedly",
                    user_message="The tool could not complete the request.",
                ),
                crash=Crash(type(exc).__name__, stack_of(exc), str(exc)),
            )


def problems_of(exc: ValidationError, *parents: str) -> list[str]:
    """Return the path, below `parents`, and the message of each error, without the value."""
    return [
        ": ".join(part for part in (".".join(map(str, (*parents, *error["loc"]))), error["msg"]) if part)
        for error in exc.errors(include_url=False, include_context=False, include_input=False)[:10]
    ]
