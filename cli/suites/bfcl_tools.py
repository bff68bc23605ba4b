"""BFCL's function documents as tools: its words for types become those of JSON Schema."""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from flexchat.config.models.tools import ToolDefinition
from flexchat.messages import Json
from flexchat.validation.values import type_of

TYPES: Final[Mapping[str, str]] = {"dict": "object", "float": "number", "tuple": "array", "list": "array"}
"""Python's names, where JSON Schema has another; `any` has no type."""

_MAX_DESCRIPTION: Final = 4_096

_ANSWER: Final[dict[str, Json]] = {"type": "mock", "mock_response": {"status": "ok", "message": "Done."}}
"""Every call gets it: BFCL says what to call, not what comes of it."""


class BfclFunction(BaseModel):
    """A function as BFCL documents it."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str = ""
    parameters: dict[str, Json] = Field(default_factory=dict[str, Json])


class ToolNames:
    """The tools of a suite: functions that share a name without being the same get one of their own each.

    The second `get_weather` becomes `get_weather_2`: every case of BFCL has functions of its own, a suite one list.
    """

    def __init__(self) -> None:
        self._tools: dict[str, ToolDefinition] = {}

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        return tuple(self._tools.values())

    def add(self, function: BfclFunction) -> ToolDefinition:
        """The tool for a function, the same one for the same function."""
        tool = tool_of(function)
        name, number = tool.name, 1
        while self._tools.setdefault(name, tool) != tool:
            number += 1
            name = f"{function.name}_{number}"
            tool = tool.model_copy(update={"name": name})
        return tool


def tool_of(function: BfclFunction) -> ToolDefinition:
    """A tool of type mock. Raises pydantic's ValidationError for a name that tools cannot have."""
    return ToolDefinition(
        name=function.name,
        description=function.description[:_MAX_DESCRIPTION] or function.name,
        parameters={**_schema(function.parameters), "type": "object"},
        implementation=_ANSWER,
    )


def _schema(source: Mapping[str, Json]) -> dict[str, Json]:
    """A schema in JSON Schema's words; a default that does not fit it is left out, and so is the key `optional`."""
    schema = {name: value for name, value in source.items() if name not in {"type", "optional", "default"}}
    kind = source.get("type")
    if isinstance(kind, str) and kind != "any":
        schema["type"] = TYPES.get(kind, kind)
    properties, items = source.get("properties"), source.get("items")
    if isinstance(properties, dict):
        schema["properties"] = {
            name: _schema(value) if isinstance(value, dict) else value for name, value in properties.items()
        }
    if isinstance(items, dict):
        schema["items"] = _schema(items)
    if "default" in source and _fits(source["default"], schema):
        schema["default"] = source["default"]
    return schema


def _fits(default: Json, schema: Mapping[str, Json]) -> bool:
    """Whether a plain default fits. Lists and objects often do not; the descriptions tell those as well."""
    if isinstance(default, dict | list):
        return False
    kind, values = schema.get("type"), schema.get("enum")
    if isinstance(values, list) and default not in values:
        return False
    given = type_of(default)
    return kind is None or given == kind or (given, kind) == ("integer", "number")
