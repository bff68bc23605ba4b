"""Numbered events of a run: their log, its stored form, and the recorder that stores it in the background."""

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import replace
from typing import Any, Final

from msgspec import Struct

from flexchat.api import StepView
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.json import dumps
from flexchat.observability import logger
from flexchat.runs import HEARTBEAT_SECONDS, Run, WallClock
from functions.chat.errors import RunLostError
from functions.chat.generation.events import Event, ModelDelta, Trace
from functions.chat.providers.base import TextDelta
from functions.chat.runs.service import ChatRunRecords
from functions.chat.streaming.events import data_of

_ID: Final = re.compile(r"(\d{1,6})\.(\d{1,9})", re.ASCII)


LAST_STEP: Final = 999_999
"""Number of the last event, the answer or the error, of every run."""


class Position(Struct, frozen=True):
    """Place in the events of a run: `characters` of text were received after event number `step`."""

    step: int = 0
    characters: int = 0

    @classmethod
    def of(cls, last_event_id: str) -> "Position":
        """Return the position of a `Last-Event-ID`; an empty one is the start. Raises RequestError for other forms."""
        if not last_event_id.strip():
            return cls()
        found = _ID.fullmatch(last_event_id.strip())
        if found is None:
            message = f"Last-Event-ID is {last_event_id!r}; send the id of an event, such as 3.120, or leave it out"
            raise RequestError(message, code="invalid_last_event_id")
        return cls(int(found[1]), int(found[2]))


class LoggedEvent(Struct, frozen=True):
    """Event of a run with its JSON `data`."""

    step: int
    name: str
    data: str

    @property
    def frame(self) -> bytes:
        return _frame(f"{self.step}.0", self.name, self.data)


class LoggedText(Struct, frozen=True):
    """Text of deltas after event number `step`, from character `start` on."""

    step: int
    start: int
    iteration: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def frame(self) -> bytes:
        data = dumps({"iteration": self.iteration, "text": self.text})
        return _frame(f"{self.step}.{self.end}", "delta", data)


type Logged = LoggedEvent | LoggedText


def merged(logged: Iterable[Logged]) -> list[Logged]:
    """Return the same events with consecutive texts as one."""
    result: list[Logged] = []
    for each in logged:
        last = result[-1] if result else None
        if isinstance(each, LoggedText) and isinstance(last, LoggedText) and last.step == each.step:
            result[-1] = replace(last, text=last.text + each.text)
        else:
            result.append(each)
    return result


def after(logged: Iterable[Logged], position: Position) -> Iterator[Logged]:
    """Yield the events, and the rest of the text, that follow `position`; repeated ones only once."""
    for each in logged:
        if each.step > position.step:
            found = each
        elif each.step == position.step and isinstance(each, LoggedText) and each.end > position.characters:
            received = max(0, position.characters - each.start)
            found = replace(each, start=each.start + received, text=each.text[received:])
        else:
            continue
        position = position_after(found)
        yield found


def position_after(each: Logged) -> Position:
    return Position(each.step, each.end if isinstance(each, LoggedText) else 0)


def _frame(id: str, name: str, data: str) -> bytes:
    return f"id: {id}\nevent: {name}\ndata: {data}\n\n".encode(errors="replace")


MAX_CHARACTERS: Final = 40_000
"""Characters of a part; in JSON, at up to six bytes each, they fit into an item. A single event may be longer."""


def parts_of(logged: Iterable[Logged]) -> Iterator[tuple[str, str]]:
    """Yield the sort key and the content of each part, in order."""
    part: list[Logged] = []
    characters = 0
    for each in _pieces(logged):
        size = len(each.data if isinstance(each, LoggedEvent) else each.text)
        if part and characters + size > MAX_CHARACTERS:
            yield _item(part)
            part, characters = [], 0
        part.append(each)
        characters += size
    if part:
        yield _item(part)


def sort_key(position: Position) -> str:
    """Return the lowest sort key of a part with events after `position`."""
    return f"EVENT#{position.step:06}#{position.characters:09}"


def events_of(content: str) -> Iterator[Logged]:
    """Yield the events of a part."""
    rows: list[list[Any]] = json.loads(content)
    for name, *fields in rows:
        yield LoggedText(*fields) if name == "delta" else LoggedEvent(fields[0], name, fields[1])


def _pieces(logged: Iterable[Logged]) -> Iterator[Logged]:
    """Yield the events, with long texts in pieces."""
    for each in logged:
        if isinstance(each, LoggedEvent) or len(each.text) <= MAX_CHARACTERS:
            yield each
            continue
        for offset in range(0, len(each.text), MAX_CHARACTERS):
            text = each.text[offset : offset + MAX_CHARACTERS]
            yield LoggedText(each.step, each.start + offset, each.iteration, text)


def _item(part: Sequence[Logged]) -> tuple[str, str]:
    return sort_key(position_after(part[-1])), dumps([_row(each) for each in part])


def _row(each: Logged) -> list[str | int]:
    if isinstance(each, LoggedText):
        return ["delta", each.step, each.start, each.iteration, each.text]
    return [each.name, each.step, each.data]


FLUSH_SECONDS: Final = 1.0


class EventRecorder:
    """Numbers the events of a run, and stores them with its steps in a thread of its own, which also renews its lease.

    A table that cannot be reached does not end a run: events that could not be written are written later. `lost`
    is true once the run was cancelled or failed.
    """

    def __init__(
        self,
        *,
        store: ChatRunRecords,
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
        run = self._store.renew(self._run.key, worker=self._worker, now=now, deadline=deadline)
        if run is not None and run.is_abandoned(now=now):
            logger.info("run cancelled: lease of its client expired", run=run.key.id)
            self._store.cancel(run.key, now=now, deadline=deadline)
            run = None
        if run is None:
            self.lost = True
            return
        self._renewed = now
        for key, events in parts_of(pending):
            self._store.add_events(self._run, key, events, deadline=deadline)
        if ended:
            texts = [step.model_dump_json() for step in ended]
            self._store.add_steps(self._run, texts, first=self._steps_written, deadline=deadline)
            self._steps_written += len(ended)
