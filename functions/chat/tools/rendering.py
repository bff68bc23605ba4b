"""What a model and a caller are shown of a tool's result: always complete enough, never without bound."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import MARKER_CHARACTERS, truncate_middle
from flexchat.tools import ToolResult

ResultFormat = Literal["json", "text"]

TRACKED_CHARACTERS = 262_144
"""One result in a chat's `tool_calls` is kept whole up to this size."""


@dataclass(frozen=True, slots=True)
class ResultRendering:
    """How results are given to the model: as JSON envelope or text (decision C04), each bounded (decision C50).

    `limits` are characters of one result by tool name, `default_limit` those of the others.
    """

    form: ResultFormat
    default_limit: int
    limits: Mapping[str, int]

    def content(self, result: ToolResult) -> str:
        """The content of the tool message: always a string."""
        limit = self.limits.get(result.tool_name, self.default_limit)
        if self.form == "text":
            return truncate_middle(_plain(result), limit)
        return dumps(bounded_envelope(result, limit))


def tracked(result: ToolResult) -> ToolResult:
    """Return the result as a chat keeps it, with at most `TRACKED_CHARACTERS` of it: a tool may return megabytes, and
    what a partial answer leaves behind has to be written within a fraction of a second."""
    text = result.result if isinstance(result.result, str) else dumps(result.result)
    if len(text) <= TRACKED_CHARACTERS:
        return result
    # With its marker it is shorter than what a session cuts once more.
    return replace(result, result=truncate_middle(text, TRACKED_CHARACTERS - 2 * MARKER_CHARACTERS), truncated=True)


def bounded_envelope(result: ToolResult, limit: int) -> dict[str, Json]:
    """The envelope; a result longer than `limit` characters becomes its shortened text with `truncated: true`."""
    envelope = result.envelope()
    if not result.success:
        return envelope
    text = result.result if isinstance(result.result, str) else dumps(result.result)
    if len(text) <= limit:
        return envelope
    return {**envelope, "result": truncate_middle(text, limit), "truncated": True}


def _plain(result: ToolResult) -> str:
    """The text form of a result."""
    if result.error_type in ("tool_not_found", "tool_not_allowed"):
        return f'Error: Unknown tool "{result.tool_name}"'
    if not result.success:
        return f"Error: {result.error}"
    return result.result if isinstance(result.result, str) else dumps(result.result)
