"""Records of runs: the protocol of their storage, and failures in records, in the log and as a metric."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from flexchat.api import ErrorResponse
from flexchat.deadline import Deadline
from flexchat.observability import emit_metrics, logger
from flexchat.runs import Run, RunKey, WallClock


class StoredRun(Struct, frozen=True):
    """A run with its steps in the order they finished, each the JSON text that was stored."""

    run: Run
    steps: tuple[str, ...]


class RunRecords(Protocol):
    """Storage of runs, such as a `RunStore`; a change returns None when it does not apply to the run's state."""

    def add(self, run: Run, *, deadline: Deadline) -> None: ...

    def read(self, key: RunKey, *, now: float, deadline: Deadline) -> StoredRun | None: ...

    def head(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None: ...

    def add_events(self, run: Run, sort_key: str, events: str, *, deadline: Deadline) -> None: ...

    def events(self, key: RunKey, *, first: str, deadline: Deadline) -> Iterator[str]: ...

    def claim(self, key: RunKey, *, worker: str, now: float, seconds: float, deadline: Deadline) -> Run | None: ...

    def renew(self, key: RunKey, *, worker: str, now: float, deadline: Deadline) -> Run | None: ...

    def add_steps(self, run: Run, steps: Sequence[str], *, first: int, deadline: Deadline) -> None: ...

    def succeed(self, key: RunKey, *, worker: str, answer: str, now: float, deadline: Deadline) -> Run | None: ...

    def fail(self, key: RunKey, *, worker: str, failure: str, now: float, deadline: Deadline) -> Run | None: ...

    def fail_queued(self, key: RunKey, *, failure: str, now: float, deadline: Deadline) -> Run | None: ...

    def fail_lost(self, key: RunKey, *, failure: str, now: float, deadline: Deadline) -> Run | None: ...

    def cancel(self, key: RunKey, *, now: float, deadline: Deadline) -> Run | None: ...


def not_accepted(request_id: str) -> ErrorResponse:
    """Return the error of a run that Lambda did not accept."""
    return _unfinished("unavailable", "the run could not be started; send the request again", request_id)


def report(run: Run, error: ErrorResponse) -> None:
    """Log a failed run and count it in the metric `RunsFailed`."""
    logger.error("run failed", run=run.key.id, error=error.error, request_id=error.request_id, worker=run.worker)
    emit_metrics(dimension=("error", error.error), counts={"RunsFailed": 1})


def read_settled(store: RunRecords, key: RunKey, *, now: WallClock, deadline: Deadline) -> StoredRun | None:
    """Return a run; one whose worker has lost its lease is failed first."""
    stored = store.read(key, now=now(), deadline=deadline)
    if stored is None or not stored.run.is_lost(now=now()):
        return stored
    error = _lost(stored.run)
    failed = store.fail_lost(key, failure=error.model_dump_json(), now=now(), deadline=deadline)
    if failed:
        report(failed, error)
    return store.read(key, now=now(), deadline=deadline)


def _lost(run: Run) -> ErrorResponse:
    if run.status == "queued":
        return _unfinished("not_started", "the run was never started; send the request again", run.request_id)
    return _unfinished("interrupted", "the run was interrupted before its end; send the request again", run.request_id)


def _unfinished(code: str, message: str, request_id: str) -> ErrorResponse:
    return ErrorResponse(error=code, message=message, request_id=request_id)
