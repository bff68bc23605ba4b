"""Function documents of BFCL as tools with JSON Schema types."""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from flexchat.config.models.tools import ToolDefinition
from flexchat.messages import Json
from flexchat.validation.values import type_of

TYPES: Final[Mapping[str, str]] = {"dict": "object", "float": "number", "tuple": "array", "list": "array"}
"""Python types by their name in JSON Schema; `any` has no type."""

_MAX_DESCRIPTION: Final = 4_096

_ANSWER: Final[dict[str, Json]] = {"type": "mock", "mock_response": {"status": "ok", "message": "Done."}}
"""Result of every call: BFCL defines expected calls only."""


class BfclFunction(BaseModel):
    """Function document of BFCL."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str = ""
    parameters: dict[str, Json] = Field(default_factory=dict[str, Json])


class ToolNames:
    """Tools of a suite: different functions with a shared name get different names.

    The second `get_weather` becomes `get_weather_2`: every case of BFCL has its own functions, a suite has one list.
    """

    def __init__(self) -> None:
        self._tools: dict[str, ToolDefinition] = {}

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        return tuple(self._tools.values())

    def add(self, function: BfclFunction) -> ToolDefinition:
        """Return the tool for a function, the same one for the same function."""
        tool = tool_of(function)
        name, number = tool.name, 1
        while self._tools.setdefault(name, tool) != tool:
            number += 1
            name = f"{function.name}_{number}"
            tool = tool.model_copy(update={"name": name})
        return tool


def tool_of(function: BfclFunction) -> ToolDefinition:
    """Return a tool of type mock. Raises pydantic's ValidationError for an invalid tool name."""
    return ToolDefinition(
        name=function.name,
        description=function.description[:_MAX_DESCRIPTION] or function.name,
        parameters={**_schema(function.parameters), "type": "object"},
        implementation=_ANSWER,
    )


def _schema(source: Mapping[str, Json]) -> dict[str, Json]:
    """Return a schema with JSON Schema types, without invalid defaults and without the key `optional`."""
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
    """Return true when a plain default is valid.

    Defaults of lists and objects are often invalid; the descriptions contain them as well.
    """
    if isinstance(default, dict | list):
        return False
    kind, values = schema.get("type"), schema.get("enum")
    if isinstance(values, list) and default not in values:
        return False
    given = type_of(default)
    return kind is None or given == kind or (given, kind) == ("integer", "number")
