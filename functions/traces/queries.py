"""Lists, views and feedback of stored traces, as far as a caller may see them."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

from flexchat.api.traces import (
    Feedback,
    FeedbackView,
    TraceList,
    TraceProfile,
    TraceProfileList,
    TraceSummary,
    TraceView,
)
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller
from flexchat.runs import WallClock, iso
from flexchat.text import truncate
from flexchat.traces import TraceRecord
from flexchat.validation.cases import Suite
from functions.traces.cases import suite_of
from functions.traces.filters import TimeRange, TraceFilters, time_range
from functions.traces.stores import StoredTrace, TraceIndex, TraceRecords
from functions.traces.summaries import MESSAGE_CHARACTERS, for_user, record_key, trace_view

READERS: Final = 8
"""Records that are read at the same time."""


class TraceQueries:
    """Traces of one stage. A caller without the role `operator` sees their own; another one is not found."""

    def __init__(self, index: TraceIndex, records: TraceRecords, *, retention_days: int, clock: WallClock) -> None:
        self._index = index
        self._records = records
        self._retention_days = retention_days
        self._clock = clock

    def list(
        self, caller: Caller, filters: TraceFilters, *, limit: int, cursor: str | None, deadline: Deadline
    ) -> TraceList:
        """Return the newest traces of the filters. Raises RequestError for other callers' (403)."""
        if not caller.is_operator:
            if filters.caller not in (None, caller.principal):
                caller.require_operator()
            filters = replace(filters, caller=caller.principal)
        within = self._range(filters.since, filters.until)
        page = self._index.list(filters, within, limit=limit, cursor=cursor, deadline=deadline)
        summaries = page.summaries if caller.is_operator else map(for_user, page.summaries)
        return TraceList(traces=tuple(summaries), cursor=page.cursor)

    def profiles(self, since: str | None, *, limit: int, deadline: Deadline) -> TraceProfileList:
        """Return the profiles of the newest chats that have one, of all callers."""
        within = self._range(since, None)
        page = self._index.list(TraceFilters(since=since), within, limit=limit, cursor=None, deadline=deadline)
        records = tuple(self._records_of(page.summaries))
        profiles = tuple(
            TraceProfile(
                id=record.id,
                started_at=datetime.fromisoformat(iso(record.started_at)),
                message=truncate(record.message, MESSAGE_CHARACTERS),
                rule=record.rule,
                fields=record.profile,
            )
            for record in records
            if record is not None and record.profile
        )
        return TraceProfileList(profiles=profiles, without_profile=len(records) - len(profiles))

    def _range(self, since: str | None, until: str | None) -> TimeRange:
        return time_range(since, until, now=self._clock(), retention_days=self._retention_days)

    def _records_of(self, summaries: Sequence[TraceSummary]) -> Iterator[TraceRecord | None]:
        with ThreadPoolExecutor(max_workers=READERS) as readers:
            yield from readers.map(self._record_of, summaries)

    def _record_of(self, summary: TraceSummary) -> TraceRecord | None:
        return self._records.get(record_key(summary.id, iso(summary.started_at.timestamp())))

    def show(self, caller: Caller, id: str, *, deadline: Deadline) -> TraceView:
        """Return a whole trace. Raises RequestError (404)."""
        trace, record = self._read(caller, id, deadline)
        return trace_view(
            record, trace.summary, trace.feedback, expires_at=trace.expires_at, operator=caller.is_operator
        )

    def case(self, caller: Caller, id: str, *, deadline: Deadline) -> Suite:
        """Return a suite with a validation case of a trace. Raises RequestError (404, 409)."""
        _, record = self._read(caller, id, deadline)
        return suite_of(record)

    def find(self, caller: Caller, id: str, *, deadline: Deadline) -> StoredTrace:
        """Return the entry of a trace. Raises RequestError (404)."""
        trace = self._index.get(id, deadline=deadline)
        if trace is None or not (caller.is_operator or trace.summary.caller == caller.principal):
            raise _not_found(id)
        return trace

    def rate(self, caller: Caller, id: str, feedback: Feedback, *, deadline: Deadline) -> FeedbackView:
        """Store the feedback of the caller of a chat in place of an earlier one.

        Raises RequestError for a chat without a trace (404), and for an operator who rates that of another (403).
        """
        trace = self.find(caller, id, deadline=deadline)
        if trace.summary.caller != caller.principal:
            message = "only the caller of a chat rates its answer"
            raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="forbidden")
        view = FeedbackView(
            rating=feedback.rating,
            comment=feedback.comment,
            by=caller.principal,
            created_at=datetime.fromtimestamp(self._clock(), UTC),
        )
        if not self._index.rate(trace, view, deadline=deadline):
            raise _not_found(id)
        return view

    def _read(self, caller: Caller, id: str, deadline: Deadline) -> tuple[StoredTrace, TraceRecord]:
        trace = self.find(caller, id, deadline=deadline)
        record = self._records.get(trace.key)
        if record is None:
            raise _not_found(id)
        return trace, record


def _not_found(id: str) -> RequestError:
    message = (
        f"trace {id!r} not found; it is stored some seconds after the chat if the configuration's `traces` has it, "
        "until it expires"
    )
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="trace_not_found")
