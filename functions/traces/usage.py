"""Counters of usage: what one chat adds to them, and the report that they make."""

from collections.abc import Iterator, Mapping
from copy import replace
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import asdict

from flexchat.api.traces import UsageGroup, UsageReport, UsageRow
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.http_api.caller import Caller
from flexchat.runs import WallClock
from flexchat.traces import Span, TraceRecord, TraceUsage
from functions.traces.summaries import MODEL_CALLS, called_tools, short

RETENTION_DAYS: Final = 400
"""Days that counters are kept."""

DEFAULT_DAYS: Final = 30
MAX_DAYS: Final = 100
"""Most days of one report: each is one query."""

MAX_ROWS: Final = 20_000
"""Most rows of one report, some 6 MB of JSON less than Lambda returns."""

MAX_MODELS: Final = 10
"""Most models of a chat with counters of their own: each is one write in a transaction of 100."""

MICROS: Final = 1_000_000


class UsageCounts(Struct, frozen=True):
    """Numbers of one counter; `cost_micros` is in millionths of a US dollar."""

    chats: int = 0
    failed: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    cost_micros: int = 0
    unpriced_tokens: int = 0

    def __add__(self, other: "UsageCounts") -> "UsageCounts":
        added = asdict(other)
        return UsageCounts(**{name: number + added[name] for name, number in asdict(self).items()})


class UsageKey(Struct, frozen=True):
    """Value of a group; `name` is empty for the group `day`."""

    group: UsageGroup
    name: str = ""


type Usage = Mapping[UsageKey, UsageCounts]


class UsageCounters(Protocol):
    """Stored counters by day, such as `2026-11-27`."""

    def of_day(self, day: str, group: UsageGroup, name: str | None, *, deadline: Deadline) -> Usage: ...


def usage_of(record: TraceRecord) -> Usage:
    """Return what a chat adds to the counters of its day.

    Day, caller and rule get the whole chat. A model gets its own calls, and a tool the number of its calls; the chat
    is failed there if such a call failed.
    """
    chat = _chat_counts(record)
    counts = {UsageKey("day"): chat, UsageKey("caller", record.caller): chat}
    if record.rule is not None:
        counts[UsageKey("rule", short(record.rule))] = chat
    for model in tuple(dict.fromkeys(map(short, record.models)))[:MAX_MODELS]:
        counts[UsageKey("model", model)] = _model_counts(_spans(record, model, MODEL_CALLS))
    if record.front_end == "title":  # its tokens count, and it is no chat of the caller
        return {key: replace(each, chats=0, failed=0) for key, each in counts.items()}
    for tool in called_tools(record):
        calls = _spans(record, tool, frozenset({"tool"}))
        failed = int(any(span.error for span in calls))
        counts[UsageKey("tool", tool)] = UsageCounts(chats=1, failed=failed, tool_calls=len(calls))
    return counts


def _spans(record: TraceRecord, name: str, kinds: frozenset[str]) -> tuple[Span, ...]:
    return tuple(span for span in record.spans if span.kind in kinds and short(span.name) == name)


def _chat_counts(record: TraceRecord) -> UsageCounts:
    """Return the numbers of a chat. Without a cost of the whole chat, the priced calls count and the others' tokens
    are unpriced."""
    priced = [span for span in record.spans if span.usage is not None and span.cost_usd is not None]
    if record.cost_usd is not None:
        cost, unpriced = record.cost_usd, 0
    else:
        cost = sum(span.cost_usd or 0 for span in priced)
        unpriced = max(0, _tokens(record.usage) - sum(_tokens(span.usage) for span in priced))
    return UsageCounts(
        chats=1,
        failed=int(record.is_failed),
        model_calls=sum(span.kind in MODEL_CALLS for span in record.spans),
        tool_calls=sum(span.kind == "tool" for span in record.spans),
        cost_micros=round(cost * MICROS),
        unpriced_tokens=unpriced,
        **asdict(record.usage),
    )


def _model_counts(calls: tuple[Span, ...]) -> UsageCounts:
    total = UsageCounts(
        chats=1,
        failed=int(any(span.error for span in calls)),
        model_calls=len(calls),
        cost_micros=round(sum(span.cost_usd or 0 for span in calls) * MICROS),
        unpriced_tokens=sum(_tokens(span.usage) for span in calls if span.cost_usd is None),
    )
    for span in calls:
        total += UsageCounts(**asdict(span.usage or TraceUsage()))
    return total


def _tokens(usage: TraceUsage | None) -> int:
    return 0 if usage is None else usage.input_tokens + usage.output_tokens


class UsageReports:
    """Reports of the stored counters. `clock` gives today, in UTC."""

    def __init__(self, counters: UsageCounters, *, clock: WallClock) -> None:
        self._counters = counters
        self._clock = clock

    def report(
        self, caller: Caller, group: UsageGroup, *, since: date | None, until: date | None, deadline: Deadline
    ) -> UsageReport:
        """Return the usage of whole days, by default of the last 30.

        A caller without the role `operator` gets their own. Raises RequestError for groups of others (403), and for
        a range that is empty or too large (400).
        """
        if not caller.is_operator and group not in ("day", "caller"):
            caller.require_operator()
        until = until or datetime.fromtimestamp(self._clock(), UTC).date()
        since = since or until - timedelta(days=DEFAULT_DAYS - 1)
        _check_range(since, until)
        own = None if caller.is_operator else caller.principal
        rows: list[UsageRow] = []
        for day in _days(since, until):
            rows += self._rows(day, group, own, deadline)
            if len(rows) > MAX_ROWS:
                message = f"the report has more than {MAX_ROWS} rows; send a later 'since' or an earlier 'until'"
                raise RequestError(message, status=HTTPStatus.BAD_REQUEST, code="range_too_large")
        return UsageReport(group=group, since=since.isoformat(), until=until.isoformat(), rows=tuple(rows))

    def _rows(self, day: str, group: UsageGroup, own: str | None, deadline: Deadline) -> Iterator[UsageRow]:
        """Return the rows of a day, the largest costs first; `own` is the caller to limit them to."""
        if own is None:
            counted = self._counters.of_day(day, group, None, deadline=deadline)
        else:
            counted = self._counters.of_day(day, "caller", own, deadline=deadline)
        if not counted:
            return
        for key, counts in sorted(counted.items(), key=lambda item: (-item[1].cost_micros, item[0].name)):
            yield _row(day, None if group == "day" else key.name, counts)


def _row(day: str, name: str | None, counts: UsageCounts) -> UsageRow:
    numbers = asdict(counts)
    cost = numbers.pop("cost_micros") / MICROS
    return UsageRow(day=day, name=name, cost_usd=cost, **numbers)


def _check_range(since: date, until: date) -> None:
    if since > until:
        raise RequestError(f"'since' {since.isoformat()!r} is after 'until' {until.isoformat()!r}; send an earlier one")
    if (until - since).days >= MAX_DAYS:
        raise RequestError(
            f"the days from {since.isoformat()!r} to {until.isoformat()!r} are more than {MAX_DAYS}; send fewer",
            code="range_too_large",
        )


def _days(since: date, until: date) -> Iterator[str]:
    """Return the days of a range, the newest first."""
    for days in range((until - since).days + 1):
        yield (until - timedelta(days=days)).isoformat()
