"""Sender of the traces of one environment: sampled, without secrets, after the answer where the platform allows."""

import gzip
import random
import time
from base64 import b64encode
from collections.abc import Callable
from types import TracebackType
from typing import Final, Protocol, Self

from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.config.models.traces import TracesConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, ModelError
from flexchat.messages import Json
from flexchat.observability import logger, stack_of
from flexchat.redaction import redact_error_message, redact_known_secrets
from flexchat.runs import WallClock
from flexchat.traces import TraceError, TraceRecord
from functions.chat.generation.events import Emit, ignore_event
from functions.chat.metrics import error_kind
from functions.chat.runtime import Runtime
from functions.chat.sessions.turn import Turn
from functions.chat.tracing.recorder import ChatRecorder, StepOutcome, TraceOrigin

MAX_PLAIN_BYTES: Final = 100_000
"""Largest record that is sent as it is. Lambda accepts 256 KB for an asynchronous invocation."""

MAX_PACKED_BYTES: Final = 240_000

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
    """Traces of the chats of an invocation, which `flush` hands to the traces function `function`.

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

    def flush(self) -> None:
        """Send the traces so far. A trace that cannot be sent is lost, with a line in the log."""
        records, self._waiting = self._waiting, []
        for record in records:
            try:
                payload = payload_of(record)
                self._invoker().invoke_bytes(self._function, payload, deadline=Deadline.after(SEND_SECONDS))
            except FlexchatError as error:
                logger.warning("trace not sent", trace=record.id, reason=str(error))
            except Exception as fault:  # noqa: BLE001 # the answer of the chat is complete
                logger.error("trace not sent", trace=record.id, error=type(fault).__name__, stack=stack_of(fault))


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
