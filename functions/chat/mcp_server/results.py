"""Results of tools as MCP results: text, structured content, or content blocks that the tool itself returned."""

from collections.abc import Sequence
from typing import Final

from flexchat.json import byte_size, dumps
from flexchat.messages import Json
from flexchat.text import truncate_middle
from flexchat.tools import ToolResult

MAX_BLOCK_BYTES: Final = 4_194_304
"""Maximum size of content blocks as JSON: API Gateway returns at most 6 MB."""

_BLOCKS: Final[dict[Json, tuple[str, ...]]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
}
"""Texts that a content block must have, by its type."""

type CallResult = dict[str, Json]


def text_result(text: str, structured: Json = None) -> CallResult:
    """Return a successful result; `structured` is an object for programs, if there is one."""
    result: CallResult = {"content": [{"type": "text", "text": text}], "isError": False}
    return result | {"structuredContent": structured} if isinstance(structured, dict) else result


def failed_result(text: str) -> CallResult:
    """Return the result of a failed call, which the model of the client reads."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


def tool_result(result: ToolResult, *, max_characters: int) -> CallResult:
    """Return the result of an executed call.

    Its text has at most `max_characters`; a larger object has no structured content. A result that consists of MCP
    content blocks is returned as they are.
    """
    if not result.success:
        return failed_result(truncate_middle(result.error or "the tool failed", max_characters))
    blocks = content_blocks(result.result)
    if blocks is not None:
        return _block_result(result.result, blocks)
    text = result.result if isinstance(result.result, str) else dumps(result.result)
    structured = result.result if len(text) <= max_characters else None
    return text_result(truncate_middle(text, max_characters), structured)


def content_blocks(value: Json) -> list[Json] | None:
    """Return the blocks of a result of the form `{"content": [block, …], "structuredContent"?: {…}}`, else None."""
    if not isinstance(value, dict) or value.keys() - {"content", "structuredContent"}:
        return None
    blocks = value.get("content")
    if not isinstance(blocks, list) or not blocks or not isinstance(value.get("structuredContent", {}), dict):
        return None
    return blocks if all(map(_is_block, blocks)) else None


def _is_block(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind == "resource":
        resource = value.get("resource")
        return isinstance(resource, dict) and _has_texts(resource, ("uri",)) and _has_one(resource, ("text", "blob"))
    return isinstance(kind, str) and kind in _BLOCKS and _has_texts(value, _BLOCKS[kind])


def _has_texts(value: dict[str, Json], names: Sequence[str]) -> bool:
    return all(isinstance(value.get(name), str) for name in names)


def _has_one(value: dict[str, Json], names: Sequence[str]) -> bool:
    return any(isinstance(value.get(name), str) for name in names)


def _block_result(value: Json, blocks: list[Json]) -> CallResult:
    size = byte_size(value)
    if size > MAX_BLOCK_BYTES:
        return failed_result(f"the result has {size} bytes; at most {MAX_BLOCK_BYTES} are returned")
    structured = value.get("structuredContent") if isinstance(value, dict) else None
    result: CallResult = {"content": blocks, "isError": False}
    return result | {"structuredContent": structured} if isinstance(structured, dict) else result
