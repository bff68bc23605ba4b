"""Time, date, and the time between two dates, through a tool for them."""

import re
from collections.abc import Sequence
from functools import cache
from zoneinfo import available_timezones

from dev.demo_model.conversation import OfferedTool
from dev.demo_model.skills.tool_request import ToolRequest, as_text, core, offered
from flexchat.messages import Json

_NOW = re.compile(
    r"\b(?:what time is it|what(?:'s| is) the (?:current )?(?:time|date)|current (?:time|date)|time (?:is it )?now"
    r"|(?:what|which) day is (?:it|today)|today'?s date|what is today)\b"
    r"(?:[^.?!;]*?\bin (?P<place>[A-Za-z][\w/ .-]*))?",
    re.I,
)
_BETWEEN = re.compile(r"\bbetween (?P<start>\d{4}-\d{2}-\d{2}) and (?P<end>\d{4}-\d{2}-\d{2})", re.I)
_NOT_A_PLACE = re.compile(r"\s+\b(?:and|now|right|please|today|at)\b.*", re.I)


def clock(message: str, tools: Sequence[OfferedTool]) -> list[ToolRequest]:
    tool = offered(tools, "datetime", "date_time", "clock", "time", "date")
    return [*_now(message, tool), *_between(message, tool)]


def _now(message: str, tool: OfferedTool | None) -> list[ToolRequest]:
    match = _NOW.search(message)
    if match is None:
        return []
    place = _NOT_A_PLACE.sub("", match["place"] or "").strip(" .")
    arguments: dict[str, Json] = tool.choices("now", "current") if tool else {}
    zone_parameter = tool.known("timezone", "time_zone", "zone", "tz") if tool else None
    zone = zone_of(place) if place else None
    if zone and zone_parameter:
        arguments[zone_parameter] = zone
    usable = tool is not None and tool.is_satisfied_by(arguments)
    where = f" in {place}" if place else ""
    return [
        ToolRequest(
            subject=f"the time{where}",
            phrase_result=lambda result: f"The time{where}: {as_text(core(result))}.",
            tool=tool if usable else None,
            arguments=arguments if usable else None,
            unaided="I have no clock: no tool for the time is offered to me.",
        )
    ]


def _between(message: str, tool: OfferedTool | None) -> list[ToolRequest]:
    match = _BETWEEN.search(message)
    if match is None:
        return []
    start, end = match["start"], match["end"]
    arguments: dict[str, Json] = {}
    if tool:
        first = tool.known("start", "from", "start_date", "first", "datetime", "date")
        second = tool.known("end", "to", "end_date", "second", "other", "until")
        if first and second:
            arguments = {**tool.choices("diff", "between"), first: start, second: end}
    usable = bool(arguments) and tool is not None and tool.is_satisfied_by(arguments)
    return [
        ToolRequest(
            subject=f"the time between {start} and {end}",
            phrase_result=lambda result: f"Between {start} and {end}: {as_text(core(result))}.",
            tool=tool if usable else None,
            arguments=arguments if usable else None,
            unaided="I cannot count days: no tool for dates is offered to me.",
        )
    ]


def zone_of(place: str) -> str | None:
    """Return the IANA zone named after `place`, or `place` itself when it is one."""
    return _zones().get(place.lower().replace(" ", "_"))


@cache
def _zones() -> dict[str, str]:
    zones = sorted(available_timezones(), key=lambda name: (name.count("/") != 1, name), reverse=True)
    return {name.rsplit("/", 1)[-1].lower(): name for name in zones} | {name.lower(): name for name in zones}
