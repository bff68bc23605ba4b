"""Events of a stored run: replayed from a position, and followed until its answer or error."""

import time
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from flexchat.aws.blobs import Blobs
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.runs import Run, RunKey, WallClock
from functions.chat.runs.records import RunRecords, read_settled
from functions.chat.streaming.chats import cancelled
from functions.chat.streaming.conversion import json_of
from functions.chat.streaming.log import LAST_STEP, Logged, LoggedEvent, Position, after, position_after
from functions.chat.streaming.models import AcceptedEvent
from functions.chat.streaming.stored import events_of, sort_key

POLL_SECONDS: Final = 0.5

READ_SECONDS: Final = 10.0
"""Limit of one reading of the events."""


class RunEvents:
    """Events of the runs of one table."""

    def __init__(
        self, *, store: RunRecords, blobs: Blobs, now: WallClock, wait: Callable[[float], object] = time.sleep
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
            if run.status in ("succeeded", "failed", "cancelled"):
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
