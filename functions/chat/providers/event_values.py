"""Values in the events of a stream, checked by hand: a model of each event would cost more than reading it."""

from typing import cast

from pydantic_core import from_json

from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json


def parse_event(event: bytes) -> dict[str, Json]:
    """Parse an event in JSON. Raises ValueError, without quoting it, for anything but an object."""
    return an_object(cast("Json", from_json(event)), "event")


def an_object(value: Json, path: str) -> dict[str, Json]:
    """Return `value` at `path` of an event. Raises ValueError for anything but an object."""
    if isinstance(value, dict):
        return value
    raise ValueError(f"{path}: must be an object")


def a_list(value: Json, path: str) -> list[Json]:
    """Return `value`, an empty list for null. Raises ValueError for anything else but a list."""
    if value is None or isinstance(value, list):
        return value or []
    raise ValueError(f"{path}: must be a list")


def a_text(value: Json, path: str) -> str:
    """Return `value`, an empty text for null. Raises ValueError for anything else but a string."""
    if value is None or isinstance(value, str):
        return value or ""
    raise ValueError(f"{path}: must be a string")


def streamed_arguments(text: str, default: Json) -> Json:
    """Return the arguments of a tool call in JSON text, `default` for an empty one.

    Invalid JSON is returned as text: `parse_tool_calls` describes the fault.
    """
    if not text.strip():
        return default
    try:
        return safe_loads(text)
    except JsonError:
        return text
