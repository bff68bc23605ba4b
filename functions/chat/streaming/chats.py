"""Streamed chats: each is a run, whose events are sent to its client and stored for clients that come back."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final
from uuid import uuid4

from flexchat.api import ChatRequest, ChatResponse, ErrorResponse
from flexchat.aws.blobs import Blobs
from flexchat.deadline import MONOTONIC, Clock, Deadline
from flexchat.errors import FlexchatError
from flexchat.http_api.caller import Caller
from flexchat.http_api.streams import StreamClosedError
from flexchat.observability import logger
from flexchat.runs import LEASE_SECONDS, RUN_TTL_SECONDS, Run, RunKey, WallClock
from functions.chat.errors import RunLostError, to_http_error
from functions.chat.generation.events import ChatStarted, Emit, Event
from functions.chat.generation.trace import Trace
from functions.chat.response import answer_text
from functions.chat.runs.records import RunRecords, report
from functions.chat.streaming.conversion import json_of
from functions.chat.streaming.log import LAST_STEP, Logged, LoggedEvent
from functions.chat.streaming.models import AcceptedEvent
from functions.chat.streaming.recorder import EventRecorder
from functions.chat.streaming.sender import Body, EventSender

STORE_SECONDS: Final = 5.0
"""Limit of one write of the run."""

END_SECONDS: Final = 1.0
"""Reserved before the end of the response, to store the answer and to send it."""

MORE_SECONDS: Final = 3_600
"""Time that an answer outlives its run, for a repeated request with its idempotency key."""

type OpenBody = Callable[[], Body]
type RunChat = Callable[[Deadline, Emit], ChatResponse]


@dataclass(slots=True, kw_only=True)
class StreamedChat:
    """One streamed chat. A client that disconnects ends it if the request has `on_disconnect: "cancel"`.

    The response is opened, and the run stored, when the engine starts the chat: an error before that is raised, so
    that it is a response of its own.
    """

    store: RunRecords
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
    _disconnected: bool = field(default=False, init=False)
    _in_order: threading.Lock = field(default_factory=threading.Lock, init=False)
    _open: ExitStack = field(default_factory=ExitStack, init=False)

    def __post_init__(self) -> None:
        self.key = RunKey(self.caller.principal, self.new_id())
        self._worker = f"{self.request_id}/{uuid4().hex}"

    def answer(self, run_chat: RunChat) -> None:
        """Run the chat and send its events, the last of which is its answer or its error.

        Raises the error of a chat that was not started, and StreamClosedError when a disconnected client has ended it.
        """
        with self._open, logger.append_context_keys(run=self.key.id):
            try:
                response = run_chat(self.deadline.minus(END_SECONDS), self._receive)
            except StreamClosedError:
                self._cancel()
                raise
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

    def _opened(self) -> Body | None:
        try:
            return self.open_body()
        except StreamClosedError:
            self._client_closed()
            return None

    def _send(self, logged: Logged) -> None:
        if self._sender is None or self._disconnected:
            return
        try:
            self._sender.send(logged.frame)
        except StreamClosedError:
            self._client_closed()

    def _client_closed(self) -> None:
        self._disconnected = True
        logger.info("client disconnected", on_disconnect=self.request.on_disconnect)
        if self.request.on_disconnect == "cancel":
            raise StreamClosedError

    def _end(self, name: str, data: str) -> None:
        if self._recorder is None:
            return
        try:
            self._send(LoggedEvent(LAST_STEP, name, data))
        except StreamClosedError:
            return

    def _succeed(self, response: ChatResponse) -> tuple[str, str]:
        """Store the answer; return the last event."""
        text = answer_text(response)
        if self._recorder is None or self._run is None:
            return "answer", text
        self._recorder.stop()
        blob, deadline = f"run/{self.key.principal}/{self.key.id}/answer", self._storing()
        try:
            self.blobs.put(blob, text.encode(), expires_at=self._run.expires_at + MORE_SECONDS, deadline=deadline)
            if not self.store.succeed(self.key, worker=self._worker, answer=blob, now=self.now(), deadline=deadline):
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

    def _cancel(self) -> None:
        """Cancel the run of a client that has disconnected."""
        try:
            self.store.cancel(self.key, now=self.now(), deadline=self._storing())
        except FlexchatError as error:
            logger.error("run not cancelled", reason=str(error))

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
