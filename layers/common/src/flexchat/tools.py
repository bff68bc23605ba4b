"""Contract between the chat function and the tool Lambdas, and the result for a model.

chat ──CallTool──> tool Lambda ──ToolReply──> chat ──ToolResult.envelope()──> model
"""

import hashlib
from collections.abc import Mapping
from copy import replace
from typing import Annotated, Any, Literal, override

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple
from pydantic import ConfigDict, Field, SkipValidation

from flexchat.deferred_model import DeferredModel
from flexchat.errors import ToolErrorType
from flexchat.messages import Image, Json
from flexchat.tool_inspection import Inspection
from flexchat.trace_context import TRACEPARENT, TRACESTATE

CONTRACT_VERSION: Literal[1] = 1

START_SECONDS = 10.0
"""Maximum time for a call to start: Lambda's limit for the initialisation of a cold function."""


class CallTool(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="version",
    tag=CONTRACT_VERSION,
):
    """Event of a tool Lambda.

    `arguments` are validated against the tool's schema, with defaults applied. `handler` is the tool's own, for a type
    with handlers whose `implementation` names none (decision C21). `implementation` is the tool's
    own part of the configuration, which the chat function never reads. `timeout_ms` is the tool's time limit,
    enforced by `flexchat.tool_runtime`. `idempotency_key` is the same whenever the same call is sent again; an
    `idempotent` tool may be called again with it. `trial` marks a call of a trial, which counts in metrics of its own.
    With `inspect`, the reply has an inspection, if the tool's type records one. `principal` is a hash of the caller,
    only for a tool that is per-principal (`principal_hash`). `caller` is the same hash, only for a type that
    `counts_callers`. `collections` are the names of the collections that the caller may search, where `*` stands for
    any characters; None for every one. `traceparent` and `tracestate` are the trace context of the call, for the
    requests of the tool (https://www.w3.org/TR/trace-context/).

    The JSON leaves out default values, so that a tool function of an earlier version accepts a call without new fields.
    """

    tool: str
    arguments: dict[str, Any]
    implementation: dict[str, Any]
    call_id: str
    idempotency_key: str
    request_id: str
    timeout_ms: Annotated[int, Meta(ge=1)]
    handler: str | None = None
    idempotent: bool = False
    principal: str | None = None
    caller: str | None = None
    collections: tuple[str, ...] | None = None
    trial: bool = False
    inspect: bool = False
    traceparent: str | None = None
    tracestate: str | None = None

    @property
    def trace_headers(self) -> dict[str, str]:
        """Return the trace context as headers of a request; empty for a call without one."""
        fields = ((TRACEPARENT, self.traceparent), (TRACESTATE, self.tracestate))
        return {name: value for name, value in fields if value}

    @property
    def trace_id(self) -> str | None:
        """Return the id of the call's trace, for log lines."""
        return self.traceparent.split("-")[1] if self.traceparent else None

    @classmethod
    def from_event(cls, event: object) -> "CallTool":
        """Parse the event of an invocation, whose values are JSON. Raises ValueError with the first problem."""
        try:
            return msgspec.convert(event, cls)
        except msgspec.ValidationError as exc:
            if "$.version" in str(exc):
                raise ValueError(f"{exc}: this function accepts version {CONTRACT_VERSION}") from exc
            raise

    @classmethod
    def from_json(cls, text: bytes) -> "CallTool":
        """Parse the output of `as_json`. Raises ValueError with the first problem."""
        return msgspec.json.decode(text, type=cls)

    def as_json(self) -> bytes:
        return msgspec.json.encode(self)


def principal_hash(principal: str) -> str:
    """Return a stable name of a caller for tools, which need no more than to distinguish callers."""
    return hashlib.sha256(principal.encode()).hexdigest()[:32]


class ToolFault(DeferredModel):
    """Reason of a failed call, in a text that the model may read: no host, address, secret or stack."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: ToolErrorType = "execution_failed"
    message: str
    user_message: str | None = None
    validation_errors: tuple[str, ...] = ()


class CallGrant(Struct, frozen=True):
    """Number of calls that may run, from the first of an iteration; `fault` is the result of each further call."""

    calls: int
    fault: ToolFault | None = None


class ToolProgress(DeferredModel):
    """Progress that a tool reported, `at_ms` after the start of its call, towards `total` if it is known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    progress: Annotated[float, Field(allow_inf_nan=False)]
    total: Annotated[float | None, Field(allow_inf_nan=False, exclude_if=lambda total: total is None)] = None
    message: Annotated[str | None, Field(exclude_if=lambda message: message is None)] = None
    at_ms: int


class ToolImage(DeferredModel):
    """Picture of a result; `data` is base64."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    media_type: str
    data: Annotated[str, Field(repr=False)]


class ToolMeasures(DeferredModel):
    """Facts about a call for its trace, as the tool's function measured them.

    `duration_ms` is the time of the call within the function. Of an http tool, `http_status` is that of the last
    response, and `retries` the requests that repeated a failed one. Unknown fields, of a later version, are ignored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    duration_ms: Annotated[int, Field(ge=0)]
    http_status: Annotated[int | None, Field(exclude_if=lambda status: status is None)] = None
    retries: Annotated[int, Field(ge=0, exclude_if=lambda retries: not retries)] = 0


class ToolReply(DeferredModel):
    """Reply of a tool Lambda: `result` when `ok`, else `error`; `inspection` of a call that wants one. `images` are the
    pictures of the result. `measures` are those of a call with a trace context, None from a function of an earlier
    version; a chat function that sends no trace context does not know them.

    `progress` has the last reports of a tool that reported some. `result` is parsed JSON, which may be large: it is not
    validated again; `result_bytes` is its size as JSON within the tool's function, which is not sent.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = CONTRACT_VERSION
    ok: bool
    result: SkipValidation[Json] = None
    result_bytes: Annotated[int, Field(exclude=True)] = 0
    error: ToolFault | None = None
    inspection: Annotated[Inspection | None, Field(exclude_if=lambda inspection: inspection is None)] = None
    progress: Annotated[tuple[ToolProgress, ...], Field(exclude_if=lambda progress: not progress)] = ()
    images: Annotated[tuple[ToolImage, ...], Field(exclude_if=lambda images: not images)] = ()
    measures: Annotated[ToolMeasures | None, Field(exclude_if=lambda measures: measures is None)] = None


class ToolResult(Struct, frozen=True, eq=False):
    """Result of one call, from the executor.

    `execution_time_ms` is measured from the check of the call to its end; `started` is that moment on the executor's
    clock. On failure `error` is the documents' own wording and `error_type` its stable name. A `result` that is the
    shortened text of a larger one is `truncated`. `progress` is for people: a model does not receive it. `images` are
    pictures for a model that sees, of which the record of a chat has none. `measures` are those of the tool's function,
    for the trace.
    """

    success: bool
    tool_name: str
    execution_time_ms: int
    result: Json = None
    error: str | None = None
    error_type: ToolErrorType | None = None
    user_message: str | None = None
    validation_errors: tuple[str, ...] = ()
    started: float = 0.0
    truncated: bool = False
    progress: tuple[ToolProgress, ...] = ()
    images: tuple[Image, ...] = ()
    measures: ToolMeasures | None = None

    @override
    def __eq__(self, other: object) -> bool:
        """Compare everything but `started` and `measures`, which are those of one process."""
        if not isinstance(other, ToolResult):
            return NotImplemented
        return astuple(self._comparable()) == astuple(other._comparable())

    def _comparable(self) -> "ToolResult":
        return replace(self, started=0.0, measures=None)

    def envelope(self) -> dict[str, Json]:
        """Return the result for the model and the caller, without keys that do not apply."""
        if self.success:
            return {
                "success": True,
                "result": self.result,
                "tool_name": self.tool_name,
                "execution_time_ms": self.execution_time_ms,
                **({"truncated": True} if self.truncated else {}),
            }
        envelope: dict[str, Json] = {
            "success": False,
            "error": self.error,
            "error_type": self.error_type,
            "tool_name": self.tool_name,
            "execution_time_ms": self.execution_time_ms,
        }
        if self.user_message:
            envelope["user_message"] = self.user_message
        if self.validation_errors:
            envelope["validation_errors"] = list(self.validation_errors)
        return envelope


class ToolExecution(Struct, frozen=True):
    """One entry of a chat's `tool_calls`: arguments, result, iteration from 1."""

    tool: str
    params: Mapping[str, Json] | str
    result: ToolResult
    iteration: int
    call_id: str
