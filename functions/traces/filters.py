"""Filters of a list of traces, and the index that serves them."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from msgspec import Struct

from flexchat.errors import RequestError
from flexchat.json import dumps
from flexchat.runs import iso

type Rating = Literal["up", "down"]

_RELATIVE: Final = re.compile(r"([0-9]{1,6})([smhdw])")
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

AFTER_IDS: Final = "~"
"""Character that sorts after the `#` and the id of a sort key."""


class TraceFilters(Struct, frozen=True, kw_only=True):
    """Filters as the caller sent them; None admits every value. `since` and `until` are ISO 8601, or an age as `2h`."""

    since: str | None = None
    until: str | None = None
    caller: str | None = None
    session: str | None = None
    model: str | None = None
    rule: str | None = None
    tool: str | None = None
    outcome: str | None = None
    failed: bool | None = None
    rating: Rating | None = None
    min_ms: int | None = None

    @property
    def scope(self) -> str:
        """Name of the list for its cursors."""
        return "traces\0" + dumps({name: getattr(self, name) for name in self.__struct_fields__})

    @property
    def partition(self) -> str | None:
        """Partition of the most selective index; None for that of each day."""
        if self.session is not None:
            return f"S#{self.session}"
        if self.caller is not None:
            return f"C#{self.caller}"
        if self.rating is not None:
            return f"R#{self.rating}"
        if self.tool is not None:
            return f"L#{self.tool}"
        if self.model is not None:
            return f"M#{self.model}"
        if self.failed:
            return FAILED
        if self.outcome is not None:
            return f"O#{self.outcome}"
        return None


FAILED: Final = "F#failed"


class TimeRange(Struct, frozen=True):
    """Sort keys of the first and the last trace of a list, by time."""

    first: str
    last: str

    def days(self, *, before: str | None) -> Iterator[str]:
        """Return the days of the range, such as `2026-11-27`, the newest first, from that of the sort key `before`."""
        day = datetime.fromisoformat(min(self.last, before or self.last)[:10])
        while (text := day.date().isoformat()) >= self.first[:10]:
            yield text
            day -= timedelta(days=1)


def time_range(since: str | None, until: str | None, *, now: float, retention_days: int) -> TimeRange:
    """Return the range of `since` and `until`, at most the retention. Raises RequestError for other texts."""
    oldest = now - retention_days * 86_400
    first = oldest if since is None else max(oldest, _time("since", since, now))
    last = now if until is None else min(now, _time("until", until, now))
    if first > last and since is not None:
        raise RequestError(f"'since' {since!r} is after 'until'; send an earlier one")
    return TimeRange(iso(first), iso(last) + AFTER_IDS)


def _time(name: str, text: str, now: float) -> float:
    if relative := _RELATIVE.fullmatch(text):
        number, unit = relative.groups()
        return now - timedelta(**{_UNITS[unit]: int(number)}).total_seconds()
    try:
        at = datetime.fromisoformat(text)
    except ValueError as exc:
        message = f"{name!r} is {text!r}; send a time such as '2026-11-27T08:00:00Z', or an age such as '2h' or '7d'"
        raise RequestError(message) from exc
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
