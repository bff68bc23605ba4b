"""Recorder of the finished steps of a run, which also stops a run that its worker has lost."""

import threading
from collections.abc import Callable

from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.observability import logger
from flexchat.runs import Run, WallClock
from functions.chat.errors import RunLostError
from functions.chat.generation.events import Event, ToolFinished
from functions.chat.generation.trace import Trace
from functions.chat.runs.records import RunRecords


class StepRecorder:
    """Event observer of a run's chat that stores every finished step.

    The tool calls of a turn are written together, at the end of the turn. A table that cannot be reached does not end a
    run: steps that could not be written are written with a later one.
    """

    def __init__(
        self,
        *,
        store: RunRecords,
        run: Run,
        worker: str,
        trace: Trace,
        now: WallClock,
        lost: Callable[[], bool],
        deadline: Callable[[], Deadline],
    ) -> None:
        self._store = store
        self._run = run
        self._worker = worker
        self._trace = trace
        self._now = now
        self._lost = lost
        self._deadline = deadline
        self._written = 0
        self._lock = threading.Lock()

    def emit(self, event: Event) -> None:
        """Store the step that `event` finishes, if any. Raises RunLostError when the run is cancelled or has failed."""
        self._trace.emit(event)
        if self._lost():
            raise RunLostError
        if isinstance(event, ToolFinished):
            return
        with self._lock:
            self._write()

    def _write(self) -> None:
        ended = self._trace.ended(after=self._written)
        if not ended:
            return
        try:
            deadline = self._deadline()
            if self._store.renew(self._run.key, worker=self._worker, now=self._now(), deadline=deadline) is None:
                raise RunLostError
            texts = [step.model_dump_json() for step in ended]
            self._store.add_steps(self._run, texts, first=self._written, deadline=deadline)
            self._written += len(ended)
        except FlexchatError as error:
            logger.warning("run steps not stored", run=self._run.key.id, steps=len(ended), reason=str(error))
