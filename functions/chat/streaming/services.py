"""Streamed chats and the events of runs, on the tables of one environment."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from flexchat.api import ChatRequest
from flexchat.aws.blobs import Blobs
from flexchat.deadline import Clock, Deadline
from flexchat.http_api.caller import Caller
from flexchat.runs import Run, WallClock
from functions.chat.generation.events import Emit
from functions.chat.generation.trace import Trace
from functions.chat.runs.records import RunRecords
from functions.chat.streaming.background import observed
from functions.chat.streaming.chats import OpenBody, StreamedChat
from functions.chat.streaming.following import RunEvents
from functions.chat.streaming.recorder import EventRecorder


class ChatStreams:
    """Creates streamed chats; `events` are those of stored runs."""

    def __init__(self, *, store: RunRecords, blobs: Blobs, now: WallClock, clock: Clock) -> None:
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
