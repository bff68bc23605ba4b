"""Moments on the command line: `2h`, dates and ISO 8601; times of output in UTC."""

import re
import time
from datetime import UTC, datetime, timedelta

import typer

_AGO = re.compile(r"(\d{1,6})([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def now() -> datetime:
    return datetime.fromtimestamp(time.time(), UTC)


def read_moment(text: str) -> datetime:
    """Return the moment of a text: a time ago such as `30m`, or ISO 8601, in UTC unless it has an offset.

    Raises BadParameter for any other text.
    """
    try:
        if (found := _AGO.fullmatch(text)) is not None:
            return now() - timedelta(**{_UNITS[found[2]]: int(found[1])})
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        message = f"must be a time ago such as 30m, 2h or 7d, or ISO 8601 such as 2026-11-27T08:00, not {text!r}"
        raise typer.BadParameter(message) from error


def iso(moment: datetime) -> str:
    """Return a moment as ISO 8601 in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def exact(moment: datetime) -> str:
    """Return a moment in UTC to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def ago(moment: datetime) -> str:
    """Return the time since a moment in its largest unit: `5 s`, `3 min`, `2 h`, `4 d`."""
    seconds = max(0, int((now() - moment).total_seconds()))
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"


def duration(milliseconds: int) -> str:
    """Return a duration: `912 ms`, `12.3 s`, `14 min 5 s`."""
    if milliseconds < 1_000:
        return f"{milliseconds} ms"
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes} min {seconds} s"
