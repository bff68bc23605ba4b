"""Time zones by IANA name, with suggestions for unknown names."""

from datetime import UTC, tzinfo
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from flexchat.errors import ToolInputError

_OF_THE_MACHINE = {"Factory", "localtime"}
"""Names in a system's zone directory that are not places."""


def zone_named(name: str, *, param: str) -> tzinfo:
    """Return the zone, ignoring case. Raises `ToolInputError` with similar names."""
    known = _names()
    exact = known.get(name.strip().lower().replace(" ", "_"))
    if exact is None:
        near = _nearest(name.strip().lower().replace(" ", "_"), known)
        hint = (
            f"did you mean {' or '.join(repr(zone) for zone in near)}?" if near else "such as 'Europe/Paris' or 'UTC'"
        )
        raise ToolInputError((f"{param} must be an IANA time zone, not {name[:60]!r}; {hint}",))
    return UTC if exact == "UTC" else ZoneInfo(exact)


@cache
def _names() -> dict[str, str]:
    return {name.lower(): name for name in sorted(available_timezones() - _OF_THE_MACHINE)}


def _nearest(name: str, known: dict[str, str]) -> list[str]:
    """Return zones of that city first, then similar names."""
    cities = [zone for lowered, zone in known.items() if lowered.rsplit("/", 1)[-1] == name]
    return cities[:3] or [known[near] for near in get_close_matches(name, known, n=3)]
