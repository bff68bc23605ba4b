"""`datetime`: the time now, conversion between zones, differences, and calendar arithmetic."""

import calendar
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from difflib import get_close_matches
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from flexchat.errors import ToolError, ToolInputError
from flexchat.messages import Json
from functions.tools.builtin.params import Params

_OF_THE_MACHINE = {"Factory", "localtime"}
"""Names in a system's zone directory that are not places."""


_OFFSET: Final = re.compile(r"(?:UTC|GMT)?\s?([+-])(\d{1,2})(?::?([0-5]\d))?", re.I)

_MAX_OFFSET: Final = timedelta(hours=14)

ABBREVIATIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "acst": ("Australia/Darwin",),
    "aedt": ("Australia/Sydney",),
    "aest": ("Australia/Sydney", "Australia/Brisbane"),
    "akst": ("America/Anchorage",),
    "ast": ("America/Halifax", "Asia/Riyadh"),
    "awst": ("Australia/Perth",),
    "brt": ("America/Sao_Paulo",),
    "bst": ("Europe/London", "Asia/Dhaka"),
    "cat": ("Africa/Harare",),
    "cdt": ("America/Chicago", "America/Havana"),
    "cest": ("Europe/Berlin", "Europe/Paris"),
    "cst": ("America/Chicago", "Asia/Shanghai", "America/Havana"),
    "eat": ("Africa/Nairobi",),
    "edt": ("America/New_York",),
    "eest": ("Europe/Athens", "Europe/Kyiv"),
    "gst": ("Asia/Dubai", "Atlantic/South_Georgia"),
    "hkt": ("Asia/Hong_Kong",),
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "jst": ("Asia/Tokyo",),
    "kst": ("Asia/Seoul",),
    "mdt": ("America/Denver",),
    "msk": ("Europe/Moscow",),
    "nzdt": ("Pacific/Auckland",),
    "nzst": ("Pacific/Auckland",),
    "pdt": ("America/Los_Angeles",),
    "pkt": ("Asia/Karachi",),
    "pst": ("America/Los_Angeles", "Asia/Manila"),
    "sast": ("Africa/Johannesburg",),
    "sgt": ("Asia/Singapore",),
    "wat": ("Africa/Lagos",),
    "west": ("Europe/Lisbon",),
    "wib": ("Asia/Jakarta",),
}
"""Zones that an abbreviation may mean: it is no name, since several zones share many of them."""


def zone_named(name: str, *, param: str) -> tzinfo:
    """Return the zone of an IANA name, ignoring case, or of an offset such as `+02:00`, `UTC+2` or `GMT+02:00`.

    `GMT+2` is two hours ahead of UTC, as people write it; the IANA name `Etc/GMT+2` is two behind. Raises
    `ToolInputError` with similar names, for an abbreviation with those that it may mean.
    """
    known = _names()
    wanted = name.strip().lower().replace(" ", "_")
    exact = known.get(wanted)
    if exact is not None:
        return UTC if exact == "UTC" else ZoneInfo(exact)
    offset = _OFFSET.fullmatch(name.strip())
    if offset is not None:
        return _offset_zone(offset, name, param=param)
    if meant := ABBREVIATIONS.get(wanted):
        hint = f"it may mean {' or '.join(map(repr, meant))}"
    elif near := _nearest(wanted, known):
        hint = f"did you mean {' or '.join(map(repr, near))}?"
    else:
        hint = "such as 'Europe/Paris', 'UTC' or '+02:00'"
    raise ToolInputError((f"{param} must be an IANA time zone, not {name[:60]!r}; {hint}",))


def _offset_zone(offset: re.Match[str], name: str, *, param: str) -> tzinfo:
    distance = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
    if distance > _MAX_OFFSET:
        raise ToolInputError((f"{param} must be an offset of at most 14 hours, not {name[:60]!r}",))
    return timezone(distance if offset[1] == "+" else -distance) if distance else UTC


@cache
def _names() -> dict[str, str]:
    return {name.lower(): name for name in sorted(available_timezones() - _OF_THE_MACHINE)}


def _nearest(name: str, known: dict[str, str]) -> list[str]:
    """Return zones of that city first, then similar names."""
    cities = [zone for lowered, zone in known.items() if lowered.rsplit("/", 1)[-1] == name]
    return cities[:3] or [known[near] for near in get_close_matches(name, known, n=3)]


_OPERATIONS: Final = ("now", "convert", "difference", "add")
_ELAPSED: Final = {"seconds": 1, "minutes": 60, "hours": 3_600}
_DAYS: Final = {"days": 1, "weeks": 7}
_MONTHS: Final = {"months": 1, "years": 12}
_UNITS: Final = (*_ELAPSED, *_DAYS, *_MONTHS)
_MAX_AMOUNT: Final = 1_000_000_000
_MAX_TEXT: Final = 64


class DateTime:
    """Params: `operation` and

    - now: `timezone` (default UTC)
    - convert: `datetime`, `to_timezone`, `timezone`
    - difference: `datetime`, `other`, `timezone`; from `datetime` to `other`, negative when `other` is earlier
    - add: `datetime` (default now), `amount` (negative to go back), `unit`, `timezone`

    Dates and times are ISO 8601; `timezone` is what one without an offset is meant in (default UTC). Zones are IANA
    names or offsets. `now` gives the time with its zone.
    """

    def __init__(self, *, now: Callable[[], datetime]) -> None:
        self._now = now

    def __call__(self, arguments: Mapping[str, Json]) -> Json:
        params = Params(arguments)
        operation = params.choice("operation", _OPERATIONS)
        zone_name = params.optional_text("timezone", max_length=_MAX_TEXT)
        zone = zone_named(zone_name, param="timezone") if zone_name else None
        try:
            match operation:
                case "now":
                    return _described(self._now().astimezone(zone or UTC))
                case "convert":
                    target = zone_named(params.text("to_timezone", max_length=_MAX_TEXT), param="to_timezone")
                    return _described(_moment(params, "datetime", zone).astimezone(target))
                case "difference":
                    return _difference(_moment(params, "datetime", zone), _moment(params, "other", zone))
                case _:
                    return _described(self._add(params, zone))
        except OverflowError as exc:
            raise ToolError("The result must be in the years 1 to 9999") from exc

    def _add(self, params: Params, zone: tzinfo | None) -> datetime:
        """Add hours or less as elapsed time, days or more with the same time of day across a change of clocks."""
        given = params.optional_text("datetime", max_length=_MAX_TEXT)
        start = self._now() if given is None else _moment(params, "datetime", zone)
        amount = params.integer("amount", minimum=-_MAX_AMOUNT, maximum=_MAX_AMOUNT)
        unit = _unit(params)
        start = start.astimezone(zone) if zone else start
        if unit in _ELAPSED:
            elapsed = timedelta(seconds=amount * _ELAPSED[unit])
            return (start.astimezone(UTC) + elapsed).astimezone(start.tzinfo)
        moved = (
            start + timedelta(days=amount * _DAYS[unit])
            if unit in _DAYS
            else _months_later(start, amount * _MONTHS[unit])
        )
        return moved.astimezone(UTC).astimezone(start.tzinfo)


def _moment(params: Params, name: str, zone: tzinfo | None) -> datetime:
    text = params.text(name, max_length=_MAX_TEXT).strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as exc:
        raise ToolInputError(
            (f"{name} must be a date and time in ISO 8601, such as '2026-03-29T14:30:00+02:00' or '2026-03-29'",)
        ) from exc
    return moment if moment.tzinfo else moment.replace(tzinfo=zone or UTC)


def _unit(params: Params) -> str:
    unit = params.text("unit", max_length=_MAX_TEXT).strip().lower()
    unit = unit if unit.endswith("s") else f"{unit}s"
    if unit not in _UNITS:
        raise ToolInputError((f"unit must be one of: {', '.join(_UNITS)}",))
    return unit


def _months_later(start: datetime, months: int) -> datetime:
    """Return the same day `months` later, or the last day of that month if it has no such day."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError
    day = min(start.day, calendar.monthrange(year, month + 1)[1])
    return start.replace(year=year, month=month + 1, day=day)


def _described(moment: datetime) -> Json:
    return {
        "datetime": moment.isoformat(timespec="seconds"),
        "timezone": str(moment.tzinfo),
        "weekday": calendar.day_name[moment.weekday()],
        "unix": int(moment.timestamp()),
    }


def _difference(start: datetime, end: datetime) -> Json:
    """Return the elapsed time, and the calendar's years, months and days between the two in the first one's zone."""
    seconds = (end.astimezone(UTC) - start.astimezone(UTC)).total_seconds()
    earlier, later = sorted((start, end.astimezone(start.tzinfo)), key=datetime.timestamp)
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    months = max(0, months - (_months_later(earlier, months) > later))
    days = max(0, (later - _months_later(earlier, months)).days)
    minutes, rest = divmod(int(abs(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return {
        "seconds": int(seconds) if seconds == int(seconds) else seconds,
        "other_is": "later" if seconds > 0 else "earlier" if seconds < 0 else "equal",
        "elapsed": {"days": hours // 24, "hours": hours % 24, "minutes": minutes, "seconds": rest},
        "calendar": {"years": months // 12, "months": months % 12, "days": days},
    }
