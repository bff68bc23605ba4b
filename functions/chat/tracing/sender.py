"""Sender of the traces and audit records of one environment: without secrets, after the answer where the platform
allows.

Traces are sampled; audit records are always sent, with the trace of their request where it is.
"""

import gzip
import random
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from copy import replace
from itertools import count, zip_longest
from types import TracebackType
from typing import Final, Protocol, Self

import msgspec
from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.audit import AuditOutcome, AuditRecord, safe_name, tool_arguments
from flexchat.config.models.traces import TracesConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, ModelError
from flexchat.http_api.caller import Caller
from flexchat.messages import Json, ToolCall
from flexchat.observability import logger, stack_of
from flexchat.redaction import redact_error_message, redact_known_secrets
from flexchat.runs import WallClock
from flexchat.traces import TraceError, TraceRecord
from functions.chat.generation.events import Emit, ignore_event
from functions.chat.metrics import error_kind
from functions.chat.runtime import Runtime
from functions.chat.sessions.turn import Turn
from functions.chat.tools.approvals import RequestedCall
from functions.chat.tools.results import AuditCall
from functions.chat.tracing.recorder import ChatRecorder, StepOutcome, TraceOrigin

MAX_PLAIN_BYTES: Final = 100_000
"""Largest record that is sent as it is. Lambda accepts 256 KB for an asynchronous invocation."""

MAX_PACKED_BYTES: Final = 240_000

MAX_AUDIT_BYTES: Final = 100_000
"""Largest group of audit records that is sent together."""

SEND_SECONDS: Final = 2.0
"""Time for the one request that hands a trace over."""


class Invoker(Protocol):
    """Asynchronous invocations, such as `BackgroundInvoker`."""

    def invoke_bytes(self, function: str, body: bytes, *, deadline: Deadline) -> None: ...


class TracedChat(Struct):
    """Context manager that records one chat and keeps its trace for `TraceSender.flush`.

    Without a `recorder` the chat leaves no trace. A block that raises leaves the trace of a failed chat.
    """

    sender: "TraceSender"
    settings: TracesConfig
    message: str
    recorder: ChatRecorder | None = None
    _response: ChatResponse | None = None
    _turn: Turn | None = None
    _tested: StepOutcome | None = None

    @property
    def observe(self) -> Emit:
        """Return the receiver of the events of the chat."""
        return ignore_event if self.recorder is None else self.recorder.receive

    def opened(self, turn: Turn) -> None:
        """Keep the turn of the session, which has the text of an answer that its client stops."""
        self._turn = turn

    def answered(self, response: ChatResponse) -> None:
        """Keep the answer."""
        self._response = response

    def tested(self, outcome: StepOutcome) -> None:
        """Keep the end of a test of one phase or tool, or of a title."""
        self._tested = outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.recorder is None or not (error is None or isinstance(error, Exception)):
            return
        try:
            self.sender.add(self._record(self.recorder, error), self.settings)
        except Exception as fault:  # noqa: BLE001 # no fault of a trace may change the answer of its chat
            logger.error("trace not recorded", error=type(fault).__name__, stack=stack_of(fault))

    def _record(self, recorder: ChatRecorder, error: Exception | None) -> TraceRecord:
        stopped = self._turn.stopped if self._turn is not None else None
        is_stored = stopped is not None or (self._response is not None and self._response.session is not None)
        turn = self._turn if is_stored else None
        titled = self._tested.session_id if self._tested is not None else None
        return recorder.record(
            self.settings,
            stage=self.sender.stage,
            message=self.message,
            response=self._response,
            tested=self._tested,
            stopped=stopped,
            error=None if error is None or stopped is not None else trace_error(error),
            session_id=titled if turn is None else turn.session_id,
            turn=None if turn is None else turn.number,
        )


class TraceSender:
    """Traces and audit records of an invocation, which `flush` hands to the traces function `function`.

    `draw` returns a number from 0 to 1 for the sample, `now` seconds since the epoch.
    """

    def __init__(
        self,
        function: str,
        invoker: Callable[[], Invoker],
        *,
        stage: str = "",
        now: WallClock = time.time,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self.stage = stage
        self._function = function
        self._invoker = invoker
        self._now = now
        self._draw = draw
        self._waiting: list[TraceRecord] = []
        self._audited: list[tuple[AuditRecord, ToolCall | None]] = []
        self._numbers = count(1)

    def chat(
        self,
        origin: TraceOrigin,
        runtime: Runtime,
        *,
        message: str,
        clock: Clock,
        tool_type: Callable[[str], str | None] | None = None,
    ) -> TracedChat:
        """Return the context manager of one chat; `message` is the user's.

        `tool_type` returns the type of a tool, instead of that of the configured one.
        """
        configuration = runtime.catalog.configuration
        settings = configuration.traces
        if not self._function or settings.sample <= 0:
            return TracedChat(self, settings, message)
        recorder = ChatRecorder(
            origin,
            llms=configuration.llms,
            tool_type=tool_type or _tool_types(runtime),
            configuration=runtime.catalog.version,
            clock=clock,
            now=self._now,
        )
        return TracedChat(self, settings, message, recorder)

    def add(self, record: TraceRecord, settings: TracesConfig) -> None:
        """Keep a trace for `flush`, if it is in the sample; those of failed chats always are."""
        if record.is_failed or settings.sample >= 1 or self._draw() < settings.sample:
            self._waiting.append(record)

    def calls(self, origin: TraceOrigin) -> AuditCall:
        """Return the receiver of the tool calls of one request."""

        def receive(call: ToolCall, outcome: AuditOutcome, reason: str | None, duration_ms: int, /) -> None:
            record = AuditRecord(
                id=self._audit_id(origin.request_id),
                at=self._now(),
                kind="tool_call",
                action="call",
                principal=origin.caller,
                request_id=origin.request_id,
                outcome=outcome,
                reason=reason,
                front_end=origin.front_end,
                details={"duration_ms": duration_ms},
            )
            self._keep(record, call)

        return receive

    def exported(self, action: str, target: str, *, caller: Caller, request_id: str, **details: Json) -> None:
        """Keep the record of an export of a caller's data, or of a link to it, for `flush`."""
        record = AuditRecord(
            id=self._audit_id(request_id),
            at=self._now(),
            kind="export",
            action=action,
            principal=caller.principal,
            name=caller.name or None,
            request_id=request_id,
            outcome="succeeded",
            target=target,
            details=details,
        )
        self._keep(record)

    def decided(self, approval: str, call: RequestedCall, *, approved: bool, caller: Caller, request_id: str) -> None:
        """Keep the record of a person's decision on a tool call that waited, for `flush`."""
        record = AuditRecord(
            id=self._audit_id(request_id),
            at=self._now(),
            kind="approval",
            action="approve" if approved else "deny",
            principal=caller.principal,
            name=caller.name or None,
            request_id=request_id,
            outcome="succeeded",
            tool=call.tool,
            target=approval,
            details={"call_id": safe_name(call.call_id), "digest": call.digest, **tool_arguments(call.arguments)},
        )
        self._keep(record)

    def _audit_id(self, request_id: str) -> str:
        return f"{request_id}:{next(self._numbers)}"

    def _keep(self, record: AuditRecord, call: ToolCall | None = None) -> None:
        if self._function:
            self._audited.append((record, call))

    def flush(self) -> None:
        """Send the traces and audit records so far. What cannot be sent is lost, with a line in the log of each."""
        traces, self._waiting = self._waiting, []
        audited, self._audited = self._audited, []
        self._numbers = count(1)
        groups = tuple(_groups(_completed(record, call) for record, call in audited))
        for trace, group in zip_longest(traces, groups):
            payload = b"" if trace is None else self._payload(trace)
            if trace is not None and payload and group and len(payload) + group.size <= MAX_PACKED_BYTES:
                self._send(group.beside(payload), trace.id, group.records)
                continue
            if trace is not None and payload:
                self._send(payload, trace.id, ())
            if group is not None:
                self._send(group.alone(), None, group.records)

    def _payload(self, trace: TraceRecord) -> bytes:
        """Return the event of a trace; empty for one that has none, with a line in the log."""
        try:
            return payload_of(trace)
        except Exception as fault:  # noqa: BLE001 # the answer of the chat is complete
            logger.error("trace not sent", trace=trace.id, error=type(fault).__name__, stack=stack_of(fault))
            return b""

    def _send(self, payload: bytes, trace: str | None, records: Sequence[AuditRecord]) -> None:
        try:
            self._invoker().invoke_bytes(self._function, payload, deadline=Deadline.after(SEND_SECONDS))
        except FlexchatError as error:
            reason, stack = str(error), None
        except Exception as fault:  # noqa: BLE001 # the answer of the chat is complete
            reason, stack = type(fault).__name__, stack_of(fault)
        else:
            return
        if trace is not None:
            log = logger.warning if stack is None else logger.error
            log("trace not sent", trace=trace, reason=reason, stack=stack)
        for record in records:
            facts = msgspec.to_builtins(replace(record, details={}))
            logger.error("audit record not sent", record=facts, cause=reason, stack=stack)


class _Group(Struct, frozen=True):
    """Audit records that are sent together, each with its JSON."""

    records: tuple[AuditRecord, ...]
    texts: tuple[bytes, ...]

    @property
    def size(self) -> int:
        return sum(map(len, self.texts)) + len(self.texts) + len(b'"audit":[]}')

    def beside(self, payload: bytes) -> bytes:
        """Return the event of a trace with these records."""
        return payload[:-1] + b"," + self.alone()[1:]

    def alone(self) -> bytes:
        return b'{"audit":[' + b",".join(self.texts) + b"]}"


def _completed(record: AuditRecord, call: ToolCall | None) -> AuditRecord:
    """Return the record of a tool call with the facts that take time, after the answer; any other as it is."""
    if call is None:
        return record
    details = {"call_id": safe_name(call.id), **record.details}
    tool = safe_name(call.name)
    try:
        arguments = tool_arguments(call.raw if call.arguments is None else call.arguments)
    except Exception as fault:  # noqa: BLE001 # the record is more important than the arguments
        logger.error("arguments not audited", tool=tool, error=type(fault).__name__, stack=stack_of(fault))
        arguments = {}
    return replace(record, tool=tool, details={**details, **arguments})


def _groups(records: Iterator[AuditRecord]) -> Iterator[_Group]:
    group: list[tuple[AuditRecord, bytes]] = []
    size = 0
    for record in records:
        text = msgspec.json.encode(record)
        if group and size + len(text) > MAX_AUDIT_BYTES:
            yield _Group(*zip(*group, strict=True))
            group, size = [], 0
        group.append((record, text))
        size += len(text)
    if group:
        yield _Group(*zip(*group, strict=True))


def _tool_types(runtime: Runtime) -> Callable[[str], str | None]:
    registry = runtime.tools.get_registry()

    def type_of(name: str) -> str | None:
        tool = registry.get(name)
        return None if tool is None else tool.implementation_type

    return type_of


def payload_of(record: TraceRecord) -> bytes:
    """Return the event for the traces function; a record that is too large loses its content."""
    text = _text(record)
    if len(text) <= MAX_PLAIN_BYTES:
        return b'{"trace":' + text + b"}"
    packed = _packed(text)
    return packed if len(packed) <= MAX_PACKED_BYTES else _packed(_text(record.without_content()))


def _text(record: TraceRecord) -> bytes:
    found: Json = redact_known_secrets(record.as_json().decode())
    return str(found).encode()


def _packed(text: bytes) -> bytes:
    return b'{"packed":"' + b64encode(gzip.compress(text, 1, mtime=0)) + b'"}'


def trace_error(error: Exception) -> TraceError:
    """Return the error that ended a chat; of an unexpected one its class alone."""
    text = str(error) if isinstance(error, FlexchatError) else type(error).__name__
    status = error.status if isinstance(error, ModelError) else getattr(error, "status", None)
    return TraceError(type=error_kind(error), message=redact_error_message(text), status=status)
