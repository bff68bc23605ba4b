"""Weather: `get_weather` for every place in a message."""

import re
from collections.abc import Sequence

from dev.demo_model.conversation import OfferedTool
from dev.demo_model.skills.tool_request import ToolRequest, as_text, core, offered
from flexchat.messages import Json

_ABOUT = r"\b(?:weather|forecast|temperature|rain\w*|sunny|warm|cold)\b[^.?!;]*?"
_IN_PLACES = re.compile(_ABOUT + r"\bin\s+(?P<places>[^.?!;\n]+)", re.I)
_FOR_PLACES = re.compile(_ABOUT + r"\b(?:for|at)\s+(?P<places>[^.?!;\n]+)", re.I)
_END_OF_PLACES = re.compile(
    r"\s*\b(?:and|,)?\s*(?:what|how|when|who|where|which|calculate|compute|tell|also|then|search|find|generate|give|please"
    r"|today|tomorrow|tonight|now|right now|at the moment|this week|like|the (?:time|date|weather)|\d).*",
    re.I,
)
_SEPARATOR = re.compile(r"\s*,?\s+and\s+|\s*,\s*|\s+or\s+", re.I)
_MAX_PLACES = 8


def weather(message: str, tools: Sequence[OfferedTool]) -> list[ToolRequest]:
    tool = offered(tools, "weather", "forecast")
    name = tool.parameter("location", "city", "place", "where") if tool else None
    return [
        ToolRequest(
            subject=f"the weather in {place}",
            phrase_result=lambda result, place=place: f"The weather in {place}: {_conditions(core(result))}.",
            tool=tool if name else None,
            arguments={name: place} if name else None,
            unaided=f"I cannot look out of a window in {place}: no weather tool is offered to me.",
        )
        for place in places(message)
    ]


def places(message: str) -> list[str]:
    """Return the places in a weather request, at most eight."""
    found: list[str] = []
    for match in list(_IN_PLACES.finditer(message)) or _FOR_PLACES.finditer(message):
        text = _END_OF_PLACES.sub("", match["places"]).strip(" ,'\"")
        parts = [part.strip(" '\"") for part in _SEPARATOR.split(text)]
        if len(parts) == 2 and " and " not in text and " or " not in text:
            parts = [text]  # "Paris, France" is one place
        found += [part for part in parts if part and part not in found]
    return found[:_MAX_PLACES]


def _conditions(value: Json) -> str:
    if not isinstance(value, dict):
        return as_text(value)
    return ", ".join(_condition(name, item) for name, item in value.items())


def _condition(name: str, value: Json) -> str:
    match name:
        case "temperature":
            return f"{as_text(value)} degrees"
        case "condition" | "conditions" | "description":
            return as_text(value)
        case _:
            return f"{name.replace('_', ' ')} {as_text(value)}"
