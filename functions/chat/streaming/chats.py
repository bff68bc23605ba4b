"""Streamed chats: each is a run, whose events are sent to its client and stored for clients that come back."""

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from types import TracebackType
from typing import Final, Protocol, Self
from uuid import uuid4

from flexchat.api import ChatRequest, ChatResponse, ErrorResponse
from flexchat.aws.blobs import Blobs
from flexchat.deadline import MONOTONIC, Clock, Deadline
from flexchat.errors import FlexchatError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.http_api.streams import StreamClosedError
from flexchat.observability import logger
from flexchat.runs import LEASE_SECONDS, RUN_TTL_SECONDS, Run, RunKey, WallClock
from functions.chat.errors import RunLostError, to_http_error
from functions.chat.generation.events import (
    ChatStarted,
    Emit,
    Event,
    IterationFinished,
    LimitReached,
    ModelFinished,
    PhaseFinished,
    Trace,
)
from functions.chat.response import answer_text
from functions.chat.runs.service import ChatRunRecords, read_settled, report
from functions.chat.streaming.events import AcceptedEvent, json_of
from functions.chat.streaming.log import (
    LAST_STEP,
    EventRecorder,
    Logged,
    LoggedEvent,
    Position,
    after,
    events_of,
    position_after,
    sort_key,
)

MEDIA_TYPE = "text/event-stream"
HEADERS = {"X-Accel-Buffering": "no"}
"""Headers by which proxies send the pieces at once."""

HEARTBEAT_SECONDS = 10.0
HEARTBEAT = b": heartbeat\n\n"


class StreamWriter(Protocol):
    """Streamed body of a response, such as a `StreamedBody`."""

    @property
    def is_live(self) -> bool: ...

    def write(self, data: bytes) -> None: ...


class EventSender:
    """Writes whole events to `body`, and a comment after ten seconds without one.

    `send` may be called from several threads. Once the response is closed, it raises StreamClosedError.
    """

    def __init__(self, body: StreamWriter, *, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        self._body = body
        self._seconds = heartbeat_seconds
        self._lock = threading.Lock()
        self._sent = threading.Event()
        self._stopped = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._body.is_live:
            self._thread = threading.Thread(target=self._beat, name="stream heartbeat", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, stack: TracebackType | None
    ) -> None:
        self._stopped = True
        self._sent.set()
        if self._thread is not None:
            self._thread.join(self._seconds)

    def send(self, data: bytes) -> None:
        with self._lock:
            if self._closed:
                raise StreamClosedError
            try:
                self._body.write(data)
            except StreamClosedError:
                self._closed = True
                raise
        self._sent.set()

    def _beat(self) -> None:
        while not self._stopped:
            if self._sent.wait(self._seconds):
                self._sent.clear()
                continue
            try:
                self.send(HEARTBEAT)
            except StreamClosedError:
                return


STORE_SECONDS: Final = 5.0
"""Limit of one write of the run."""

END_SECONDS: Final = 1.0
"""Reserved before the end of the response, to store the answer and to send it."""

MORE_SECONDS: Final = 3_600
"""Time that an answer outlives its run, for a repeated request with its idempotency key."""

type OpenBody = Callable[[], StreamWriter]
type RunChat = Callable[[Deadline, Emit], ChatResponse]


@dataclass(slots=True, kw_only=True)
class StreamedChat:
    """One streamed chat. It continues when its response cannot be sent any more.

    The response is opened, and the run stored, when the engine starts the chat: an error before that is raised, so
    that it is a response of its own.
    """

    store: ChatRunRecords
    blobs: Blobs
    request: ChatRequest
    caller: Caller
    request_id: str
    deadline: Deadline
    open_body: OpenBody
    now: WallClock = time.time
    clock: Clock = MONOTONIC
    new_id: Callable[[], str] = lambda: uuid4().hex
    key: RunKey = field(init=False)
    answer_blob: str | None = field(default=None, init=False)
    _worker: str = field(init=False)
    _run: Run | None = field(default=None, init=False)
    _recorder: EventRecorder | None = field(default=None, init=False)
    _sender: EventSender | None = field(default=None, init=False)
    _in_order: threading.Lock = field(default_factory=threading.Lock, init=False)
    _open: ExitStack = field(default_factory=ExitStack, init=False)

    def __post_init__(self) -> None:
        self.key = RunKey(self.caller.principal, self.new_id())
        self._worker = f"{self.request_id}/{uuid4().hex}"

    def answer(self, run_chat: RunChat) -> None:
        """Run the chat and send its events, the last of which is its answer or its error.

        Raises the error of a chat that was not started.
        """
        with self._open, logger.append_context_keys(run=self.key.id):
            try:
                response = run_chat(self.deadline.minus(END_SECONDS), self._receive)
            except RunLostError:
                self._end(*self._lost())
            except Exception as error:
                if self._run is None:
                    raise
                self._end("error", self._fail(error))
            else:
                self._end(*self._succeed(response))

    def _receive(self, event: Event) -> None:
        """Send and record an event of the engine."""
        if isinstance(event, ChatStarted):
            self._start()
        if self._recorder is None:
            return
        with self._in_order:  # parallel phases send events from their own threads
            if (logged := self._recorder.record(event)) is not None:
                self._send(logged)

    def _start(self) -> None:
        now = self.now()
        run = Run(
            key=self.key,
            status="running",
            request="",
            request_id=self.request_id,
            created_at=now,
            started_at=now,
            expires_at=int(now) + RUN_TTL_SECONDS,
            deadline_at=now + self.deadline.remaining(),
            worker=self._worker,
            lease_until=now + LEASE_SECONDS,
            client_seconds=self.request.lease_seconds,
            client_until=None if self.request.lease_seconds is None else now + self.request.lease_seconds,
        )
        self.store.add(run, deadline=self._storing())
        self._run = run
        self._recorder = EventRecorder(
            store=self.store,
            run=run,
            worker=self._worker,
            trace=Trace(clock=self.clock),
            now=self.now,
            deadline=self._storing,
        )
        self._recorder.start()
        self._open.callback(self._recorder.stop)
        body = self._opened()
        if body is not None:
            self._sender = self._open.enter_context(EventSender(body))
        accepted = AcceptedEvent(request_id=self.request_id, run_id=self.key.id)
        self._send(self._recorder.add("accepted", json_of(accepted)))

    def _opened(self) -> StreamWriter | None:
        try:
            return self.open_body()
        except StreamClosedError:
            self._closed()
            return None

    def _send(self, logged: Logged) -> None:
        if self._sender is None:
            return
        try:
            self._sender.send(logged.frame)
        except StreamClosedError:
            self._closed()

    def _closed(self) -> None:
        """Continue without a response."""
        self._sender = None
        logger.info("response closed before its end")

    def _end(self, name: str, data: str) -> None:
        if self._recorder is not None:
            self._send(LoggedEvent(LAST_STEP, name, data))

    def _succeed(self, response: ChatResponse) -> tuple[str, str]:
        """Store the answer; return the last event."""
        text = answer_text(response)
        if self._recorder is None or self._run is None:
            return "answer", text
        self._recorder.stop()
        blob, deadline = f"run/{self.key.principal}/{self.key.id}/answer", self._storing()
        try:
            self.blobs.put(blob, text.encode(), expires_at=self._run.expires_at + MORE_SECONDS, deadline=deadline)
            waits, now = response.outcome == "waiting", self.now()
            if not self.store.succeed(
                self.key, worker=self._worker, answer=blob, now=now, deadline=deadline, waits=waits
            ):
                return self._lost()
            self.answer_blob = blob
        except FlexchatError as error:
            logger.error("answer not stored", reason=str(error))
        return "answer", text

    def _fail(self, cause: Exception) -> str:
        """Record the failure, and return the error envelope."""
        error = to_http_error(cause, self.request_id).body
        failure = json_of(error)
        if self._recorder is not None:
            self._recorder.stop()
        try:
            failed = self.store.fail(
                self.key, worker=self._worker, failure=failure, now=self.now(), deadline=self._storing()
            )
        except FlexchatError as unwritten:
            logger.error("run failure not stored", reason=str(unwritten))
        else:
            if failed is not None:
                report(failed, error)
        return failure

    def _lost(self) -> tuple[str, str]:
        """Return the last event of a run that was cancelled, or failed because its lease expired."""
        try:
            run = self.store.head(self.key, now=self.now(), deadline=self._storing())
        except FlexchatError:
            run = None
        if run is not None and run.failure is not None:
            return "error", run.failure
        return "error", json_of(cancelled(self.request_id))

    def _storing(self) -> Deadline:
        return Deadline.after(STORE_SECONDS, clock=self.clock)


def cancelled(request_id: str) -> ErrorResponse:
    """Return the error of a cancelled run."""
    return ErrorResponse(error="cancelled", message="the run was cancelled", request_id=request_id)


POLL_SECONDS: Final = 0.5

READ_SECONDS: Final = 10.0
"""Limit of one reading of the events."""


class RunEvents:
    """Events of the runs of one table."""

    def __init__(
        self, *, store: ChatRunRecords, blobs: Blobs, now: WallClock, wait: Callable[[float], object] = time.sleep
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._now = now
        self._wait = wait

    def follow(self, key: RunKey, position: Position, *, deadline: Deadline) -> Iterator[bytes]:
        """Yield the events of a run after `position`: the stored ones, then new ones until its answer or error.

        Ends without either at the deadline; the client continues with another request.
        """
        while True:
            run = self._store.head(key, now=self._now(), deadline=deadline.within(READ_SECONDS))
            if run is not None and run.is_lost(now=self._now()):
                settled = read_settled(self._store, key, now=self._now, deadline=deadline.within(READ_SECONDS))
                run = settled and settled.run
            if run is None:
                raise UnavailableError(f"run {key.id!r} has expired")
            for each in self._stored(run, position, deadline):
                yield each.frame
                position = position_after(each)
            if run.status not in ("queued", "running"):
                yield self._last(run, deadline).frame
                return
            if deadline.remaining() <= POLL_SECONDS:
                return
            self._wait(POLL_SECONDS)

    def _stored(self, run: Run, position: Position, deadline: Deadline) -> Iterator[Logged]:
        parts = self._store.events(run.key, first=sort_key(position), deadline=deadline.within(READ_SECONDS))
        found = after(chain.from_iterable(map(events_of, parts)), position)
        if position != Position():
            yield from found
            return
        first = next(found, None)
        # A background run has no events of its own front end.
        accepted = AcceptedEvent(request_id=run.request_id, run_id=run.key.id)
        yield first or LoggedEvent(1, "accepted", json_of(accepted))
        yield from found

    def _last(self, run: Run, deadline: Deadline) -> Logged:
        if run.answer is not None:
            content = self._blobs.get(run.answer, now=self._now(), deadline=deadline.within(READ_SECONDS))
            if content is None:
                raise UnavailableError(f"the answer of run {run.key.id!r} has expired")
            return LoggedEvent(LAST_STEP, "answer", content.decode())
        return LoggedEvent(LAST_STEP, "error", run.failure or json_of(cancelled(run.request_id)))


_ENDS_OF_STEPS: Final = (PhaseFinished, ModelFinished, IterationFinished, LimitReached)
"""Events at which everything is stored before the chat continues, so that a cancelled run starts no further step."""


@contextmanager
def observed(recorder: EventRecorder, run: Run) -> Generator[Emit]:
    """Record the events of `run` and renew its lease while the block runs.

    The receiver of events raises RunLostError when the run was cancelled or has failed.
    """

    def emit(event: Event) -> None:
        recorder.record(event)
        if isinstance(event, _ENDS_OF_STEPS):
            recorder.flush()
            if recorder.lost:
                raise RunLostError

    recorder.add("accepted", json_of(AcceptedEvent(request_id=run.request_id, run_id=run.key.id)))
    recorder.start()
    try:
        yield emit
    finally:
        recorder.stop()


class ChatStreams:
    """Creates streamed chats; `events` are those of stored runs."""

    def __init__(self, *, store: ChatRunRecords, blobs: Blobs, now: WallClock, clock: Clock) -> None:
        self._store = store
        self._blobs = blobs
        self._now = now
        self._clock = clock
        self.events = RunEvents(store=store, blobs=blobs, now=now)

    def observe(self, run: Run, worker: str, storing: Callable[[], Deadline]) -> AbstractContextManager[Emit]:
        """Return the observer of a background run of `worker`; `storing` limits each write."""
        trace = Trace(clock=self._clock)
        recorder = EventRecorder(
            store=self._store, run=run, worker=worker, trace=trace, now=self._now, deadline=storing
        )
        return observed(recorder, run)

    def new(
        self, request: ChatRequest, *, caller: Caller, request_id: str, deadline: Deadline, open_body: OpenBody
    ) -> StreamedChat:
        return StreamedChat(
            store=self._store,
            blobs=self._blobs,
            request=request,
            caller=caller,
            request_id=request_id,
            deadline=deadline,
            open_body=open_body,
            now=self._now,
            clock=self._clock,
        )
