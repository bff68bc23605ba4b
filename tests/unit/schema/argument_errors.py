"""Errors of arguments for one schema."""

from typing import Any

import pytest

from flexchat.errors import ToolInputError
from flexchat.schema import ArgumentChecker

WEATHER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "location": {"type": "string", "description": "City name or coordinates"},
        "units": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
    },
    "required": ["location"],
}


def schema_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def errors_of(schema: dict[str, Any], arguments: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(ToolInputError) as error:
        ArgumentChecker(schema).check(arguments)
    return error.value.errors


def errors_for(value: Any, **schema: Any) -> tuple[str, ...]:
    """The errors of one parameter `a`."""
    return errors_of(schema_of(a=schema), {"a": value})
