"""Arguments of a handler, with errors in the wording of the schema check.

The chat function has validated the arguments against the tool's schema, which an operator writes and which may be
weaker than a handler needs.
"""

from collections.abc import Mapping

from flexchat.errors import ToolInputError
from flexchat.messages import Json


class Params:
    """Arguments of one call. Every method raises `ToolInputError` for an invalid value."""

    def __init__(self, arguments: Mapping[str, Json]) -> None:
        self._arguments = arguments

    def text(self, name: str, *, max_length: int, default: str | None = None) -> str:
        value = self._given(name, default)
        if not isinstance(value, str):
            raise ToolInputError((f"{name} must be a string",))
        if len(value) > max_length:
            raise ToolInputError((f"{name} must have at most {max_length} characters",))
        return value

    def optional_text(self, name: str, *, max_length: int) -> str | None:
        return None if self._arguments.get(name) is None else self.text(name, max_length=max_length)

    def choice(self, name: str, choices: tuple[str, ...], *, default: str | None = None) -> str:
        value = self._given(name, default)
        if value not in choices:
            raise ToolInputError((f"{name} must be one of: {', '.join(choices)}",))
        return str(value)

    def integer(self, name: str, *, minimum: int, maximum: int, default: int | None = None) -> int:
        value = self._given(name, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ToolInputError((f"{name} must be an integer",))
        if not minimum <= value <= maximum:
            raise ToolInputError((f"{name} must be at least {minimum} and at most {maximum}",))
        return value

    def _given(self, name: str, default: Json) -> Json:
        value = self._arguments.get(name)
        if value is None:
            value = default
        if value is None:
            raise ToolInputError((f"Missing required parameter: {name}",))
        return value
