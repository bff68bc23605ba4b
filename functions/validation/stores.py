"""Protocols of the storage of runs and suites, of the queue and of the event bus."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.messages import Json
from flexchat.validation.cases import Suite
from flexchat.validation.records import RecordPage
from flexchat.validation.statistics import Decision
from flexchat.validation.verdicts import Category
from functions.validation.runs import RunModel, RunProgress, ValidationRun


class RunPage(Struct, frozen=True):
    """Runs, the newest first; `cursor` is that of the next page, None after the last."""

    runs: tuple[ValidationRun, ...]
    cursor: str | None = None


class SuiteEntry(Struct, frozen=True):
    """An operator's suite in a listing. `updated_at` is in seconds since the epoch."""

    name: str
    description: str
    cases: int
    categories: Mapping[Category, int]
    updated_at: float


class RunRecords(Protocol):
    """Storage of runs, such as a `RunStore`; a change returns None when it does not apply to the run's state."""

    def create(self, run: ValidationRun, *, deadline: Deadline) -> bool: ...

    def get(self, run: str, *, deadline: Deadline) -> RunProgress | None: ...

    def list(self, *, limit: int, cursor: str | None = None, deadline: Deadline) -> RunPage: ...

    def results(self, run: str, *, limit: int, cursor: str | None = None, deadline: Deadline) -> RecordPage: ...

    def start(self, run: str, *, deadline: Deadline) -> ValidationRun | None: ...

    def mark_planned(self, run: str, *, deadline: Deadline) -> ValidationRun | None: ...

    def finish(self, run: str, *, deadline: Deadline) -> ValidationRun | None: ...

    def stop(self, run: str, *, reason: str, deadline: Deadline) -> ValidationRun | None: ...

    def fail(self, run: str, *, reason: str, deadline: Deadline) -> ValidationRun | None: ...

    def fail_finished(self, run: str, *, reason: str, deadline: Deadline) -> ValidationRun | None: ...

    def decide(self, run: str, model: str, decision: Decision, *, deadline: Deadline) -> RunModel | None: ...


class SuiteRecords(Protocol):
    """Storage of suites, such as a `SuiteStore`."""

    def put(self, suite: Suite, *, now: float, deadline: Deadline) -> None: ...

    def get(self, name: str, *, now: float, deadline: Deadline) -> Suite | None: ...

    def list(self, *, deadline: Deadline) -> tuple[SuiteEntry, ...]: ...

    def delete(self, name: str, *, deadline: Deadline) -> bool: ...

    def keep_for_run(self, run: str, suite: Suite, *, expires_at: int, deadline: Deadline) -> None: ...

    def of_run(self, run: str, *, now: float, deadline: Deadline) -> Suite | None: ...


class Queue(Protocol):
    """Queue of work, such as a `WorkQueue`."""

    def send(self, messages: Iterable[Mapping[str, Json]], *, deadline: Deadline) -> int: ...

    def delay(self, receipt: str, *, seconds: int, deadline: Deadline) -> None: ...


class Events(Protocol):
    """Destination of events, such as an `EventBus`."""

    def put(self, detail_type: str, detail: Mapping[str, Json], *, deadline: Deadline) -> None: ...
