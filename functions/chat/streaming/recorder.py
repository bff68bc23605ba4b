"""Recorder of a run's events: numbers them, and stores them in the background about once a second."""

import threading
from collections.abc import Callable, Sequence
from typing import Final

from flexchat.api import StepView
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.observability import logger
from flexchat.runs import HEARTBEAT_SECONDS, Run, WallClock
from functions.chat.errors import RunLostError
from functions.chat.generation.events import Event, ModelDelta
from functions.chat.generation.trace import Trace
from functions.chat.providers.base import TextDelta
from functions.chat.runs.records import RunRecords
from functions.chat.streaming.conversion import data_of
from functions.chat.streaming.log import Logged, LoggedEvent, LoggedText, Position, merged
from functions.chat.streaming.stored import parts_of

FLUSH_SECONDS: Final = 1.0


class EventRecorder:
    """Numbers the events of a run, and stores them with its steps in a thread of its own, which also renews its lease.

    A table that cannot be reached does not end a run: events that could not be written are written later. `lost`
    is true once the run was cancelled or failed.
    """

    def __init__(
        self,
        *,
        store: RunRecords,
        run: Run,
        worker: str,
        trace: Trace,
        now: WallClock,
        deadline: Callable[[], Deadline],
        stopped: threading.Event | None = None,
    ) -> None:
        self._store = store
        self._run = run
        self._worker = worker
        self._trace = trace
        self._now = now
        self._deadline = deadline
        self._stopped = stopped or threading.Event()
        self._thread = threading.Thread(target=self._work, name="event recorder", daemon=True)
        self._lock = threading.Lock()
        self._flushing = threading.Lock()
        self._pending: list[Logged] = []
        self._steps_written = 0
        self._renewed = now()
        self.position = Position()
        self.lost = False

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Store what is left, and end the thread."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()
        self.flush()

    def record(self, event: Event) -> Logged | None:
        """Return the event in its numbered form, which is stored later; None for one that no client receives.

        Raises RunLostError when the run was cancelled or has failed.
        """
        if self.lost:
            raise RunLostError
        self._trace.emit(event)
        with self._lock:
            if isinstance(event, ModelDelta):
                if not isinstance(event.delta, TextDelta):
                    return None
                text = event.delta.text.encode(errors="replace").decode()
                logged: Logged = LoggedText(self.position.step, self.position.characters, event.iteration, text)
                self.position = Position(self.position.step, logged.end)
            else:
                found = data_of(event)
                if found is None:
                    return None
                logged = self._next(*found)
            self._pending.append(logged)
        return logged

    def add(self, name: str, data: str) -> LoggedEvent:
        """Record an event of the front end."""
        with self._lock:
            logged = self._next(name, data)
            self._pending.append(logged)
        return logged

    def _next(self, name: str, data: str) -> LoggedEvent:
        self.position = Position(self.position.step + 1)
        return LoggedEvent(self.position.step, name, data)

    def _work(self) -> None:
        while not self.lost and not self._stopped.wait(FLUSH_SECONDS):
            self.flush()

    def flush(self) -> None:
        """Store the events and steps since the last time, unless the run is lost; renew its lease where that is due."""
        with self._flushing:  # events are stored in their order
            with self._lock:
                pending, self._pending = merged(self._pending), []
            ended = self._trace.ended(after=self._steps_written)
            if self.lost or not (pending or ended or self._now() >= self._renewed + HEARTBEAT_SECONDS):
                return
            try:
                self._write(pending, ended)
            except FlexchatError as error:
                logger.warning("run events not stored", run=self._run.key.id, events=len(pending), reason=str(error))
                with self._lock:
                    self._pending = [*pending, *self._pending]

    def _write(self, pending: Sequence[Logged], ended: Sequence[StepView]) -> None:
        deadline, now = self._deadline(), self._now()
        if self._store.renew(self._run.key, worker=self._worker, now=now, deadline=deadline) is None:
            self.lost = True
            return
        self._renewed = now
        for key, events in parts_of(pending):
            self._store.add_events(self._run, key, events, deadline=deadline)
        if ended:
            texts = [step.model_dump_json() for step in ended]
            self._store.add_steps(self._run, texts, first=self._steps_written, deadline=deadline)
            self._steps_written += len(ended)
