"""Tool results for the model and the caller, limited in size."""

from collections.abc import Mapping
from copy import replace
from typing import Literal

from msgspec import Struct
from pydantic_core import PydanticSerializationError, to_json

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import MARKER_CHARACTERS, truncate_middle
from flexchat.tools import ToolResult

ResultFormat = Literal["json", "text"]

TRACKED_CHARACTERS = 262_144
"""Maximum of one result in a chat's `tool_calls`."""


class ResultRendering(Struct, frozen=True):
    """Rendering of results for the model, as JSON envelope or text (decision C04), with a size limit (decision C50).

    `limits` are the characters of one result by tool name, `default_limit` those of other tools.
    """

    form: ResultFormat
    default_limit: int
    limits: Mapping[str, int]

    def content(self, result: ToolResult) -> str:
        """Return the content of the tool message."""
        limit = self.limits.get(result.tool_name, self.default_limit)
        if self.form == "text":
            return truncate_middle(_plain(result), limit)
        text = dumps(result.envelope())
        return text if len(text) <= limit else dumps(bounded_envelope(result, limit))


def tracked(result: ToolResult) -> ToolResult:
    """Return `result` truncated to `TRACKED_CHARACTERS` for the record of a chat.

    A tool may return megabytes, and the state of a partial answer has to be stored within a fraction of a second.
    """
    if _is_within(result.result, TRACKED_CHARACTERS):
        return result
    text = _text(result.result)
    # Short enough with its marker that a session does not truncate it again.
    return replace(result, result=truncate_middle(text, TRACKED_CHARACTERS - 2 * MARKER_CHARACTERS), truncated=True)


def bounded_envelope(result: ToolResult, limit: int) -> dict[str, Json]:
    """Return the envelope; a result of more than `limit` characters becomes a truncated text with `truncated: true`.

    The text of an error is truncated likewise.
    """
    envelope = result.envelope()
    if not result.success:
        if result.error is None or len(result.error) <= limit:
            return envelope
        return {**envelope, "error": truncate_middle(result.error, limit)}
    if _is_within(result.result, limit):
        return envelope
    return {**envelope, "result": truncate_middle(_text(result.result), limit), "truncated": True}


def _plain(result: ToolResult) -> str:
    """Return the text form of a result."""
    if result.error_type in ("tool_not_found", "tool_not_allowed"):
        return f'Error: Unknown tool "{result.tool_name}"'
    if not result.success:
        return f"Error: {result.error}"
    return _text(result.result)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else dumps(value)


def _is_within(value: Json, limit: int) -> bool:
    """Return whether the text of `value` has at most `limit` characters.

    Its bytes in pydantic's JSON, which takes a fraction of the time, suffice for all but large values: the texts
    differ in the exponents of numbers, `1e16` and `1e+16`.
    """
    if not isinstance(value, str):
        try:
            if 2 * len(to_json(value)) <= limit:
                return True
        except PydanticSerializationError:  # a lone surrogate, or more levels than pydantic writes
            pass
    return len(_text(value)) <= limit
