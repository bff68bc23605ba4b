"""A tool's output as an object, for the wires that have a place for one."""

from collections.abc import Callable

from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json

_EXACT = 2**53
"""Beyond it not every integer is a double, which is what these servers read numbers as."""


def as_object(content: str, *, refused_names: frozenset[str] = frozenset()) -> dict[str, Json] | None:
    """The object `content` is the JSON of; `None` when it is none, or cannot be sent as one without loss.

    An integer too large for a double would lose digits; of `refused_names` none may name a value anywhere inside.
    """
    try:
        value = safe_loads(content)
    except JsonError:
        return None
    return value if isinstance(value, dict) and not _holds(value, lambda item: _is_lossy(item, refused_names)) else None


def _is_lossy(value: Json, refused_names: frozenset[str]) -> bool:
    match value:
        case int():
            return abs(value) > _EXACT
        case dict():
            return not refused_names.isdisjoint(value)
        case _:
            return False


def _holds(value: Json, test: Callable[[Json], bool]) -> bool:
    """Whether `test` is true of `value` or of anything in it."""
    if test(value):
        return True
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_holds(item, test) for item in inside)
