"""Protocols of the storage of traces and of the logs."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from flexchat.api.traces import FeedbackView, TraceSummary
from flexchat.deadline import Deadline
from flexchat.traces import TraceRecord
from functions.traces.filters import TimeRange, TraceFilters
from functions.traces.usage import Usage


class StoredTrace(Struct, frozen=True):
    """Entry of the index. `key` is that of the object with the record; `expires_at` is in seconds since the epoch.

    `partition` is the number of its partition of each index, 0 for a trace of a version without partitions.
    """

    summary: TraceSummary
    key: str
    expires_at: int
    partition: int = 0
    feedback: tuple[FeedbackView, ...] = ()


class TracePage(Struct, frozen=True):
    """Summaries, the newest first; `cursor` is that of the next page, None after the last."""

    summaries: Sequence[TraceSummary]
    cursor: str | None


class TraceIndex(Protocol):
    """Index of the stored traces, with their feedback and the counters of usage."""

    def add(self, trace: StoredTrace, usage: Usage, *, deadline: Deadline) -> bool: ...

    def get(self, id: str, *, deadline: Deadline) -> StoredTrace | None: ...

    def list(
        self, filters: TraceFilters, within: TimeRange, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> TracePage: ...

    def rate(self, trace: StoredTrace, feedback: FeedbackView, *, deadline: Deadline) -> bool: ...


class TraceRecords(Protocol):
    """Stored records, by their keys."""

    def put(self, record: TraceRecord) -> str: ...

    def get(self, key: str) -> TraceRecord | None: ...
