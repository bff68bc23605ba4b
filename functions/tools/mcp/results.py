"""Results of calls as JSON: texts as text, structured content as it is, other content described by type and size.

The text of an embedded resource is text too: many servers return files in this way.
"""

import json
from base64 import b64decode
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from flexchat.errors import ToolError
from flexchat.json import JsonError, dumps, safe_loads
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.redaction import redact_known_secrets
from flexchat.schema import ResultChecker
from flexchat.text import truncate_middle
from flexchat.tool_progress import Images

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ContentBlock


MAX_ERROR_CHARACTERS = 100_000
"""Longest text of a failed call: the reply of a Lambda is limited."""

MAX_COMPARED_BYTES = 5_500_000


def read_result(result: "CallToolResult", server: str, images: Images | None = None) -> Json:
    """Return the result of a call, and add its pictures to `images`.

    Raises ToolError with the server's words for a failed one (decision C44).

    Secrets that the server repeats are redacted, access tokens too.
    """
    if result.is_error:
        texts = [text for block in result.content if (text := _text_of(block))]
        text = redact_known_secrets(_error_text("\n".join(texts), result, server))
        raise ToolError(truncate_middle(text, MAX_ERROR_CHARACTERS))
    if images is not None:
        for block in result.content:
            if (content := _picture_of(block)) is not None:
                images.add(content)
    return cast("Json", redact_known_secrets(_read(result)))


def _picture_of(block: "ContentBlock") -> bytes | None:
    """Return the bytes of a picture, also of one that is an embedded resource; None for other content."""
    text: str | None = None
    if block.type == "image":
        text = block.data
    elif block.type == "resource" and str(block.resource.mime_type or "").startswith("image/"):
        text = getattr(block.resource, "blob", None)
    try:
        return None if text is None else b64decode(text)
    except ValueError:
        return None


def _read(result: "CallToolResult") -> Json:
    if len(result.content) == 1 and result.structured_content is None and (text := _text_of(result.content[0])):
        return text
    text = "\n".join(block.text for block in result.content if block.type == "text")
    attachments: list[Json] = [_described(block) for block in result.content if block.type != "text"]
    structured = cast("Json", result.structured_content)
    if structured is None:
        if not attachments:
            return text
        return {**({"text": text} if text else {}), "attachments": attachments}
    repeated = not text or _is_same(text, structured)
    if repeated and not attachments:
        return structured
    whole: dict[str, Json] = {} if repeated else {"text": text}
    whole["structured_content"] = structured
    return {**whole, "attachments": attachments} if attachments else whole


def _text_of(block: "ContentBlock") -> str:
    """Return the text of a text block or of an embedded resource, empty for other content."""
    text = getattr(block.resource if block.type == "resource" else block, "text", None)
    return text if isinstance(text, str) else ""


def _error_text(text: str, result: "CallToolResult", server: str) -> str:
    if text:
        return text
    if result.structured_content is not None:
        return json.dumps(result.structured_content, ensure_ascii=False)
    return f"The MCP server '{server}' reported a failure without a reason"


def _is_same(text: str, structured: Json) -> bool:
    """Return true for a text that repeats the structured content: as its JSON, or the only value inside of it."""
    inner = structured["result"] if isinstance(structured, dict) and list(structured) == ["result"] else structured
    if inner == text:
        return True
    try:
        parsed = safe_loads(text.encode(), max_bytes=MAX_COMPARED_BYTES)
    except JsonError:
        return False
    return parsed in (structured, inner)


def _described(block: "ContentBlock") -> dict[str, Json]:
    """Return an embedded text, and type, name, media type and size of other content."""
    match block.type:
        case "image" | "audio":
            return _known(type=block.type, mime_type=block.mime_type, size_bytes=_decoded_size(block.data))
        case "resource_link":
            return _known(
                type="resource_link",
                name=block.name,
                uri=str(block.uri),
                mime_type=block.mime_type,
                size_bytes=block.size,
                description=block.description,
            )
        case "resource":
            resource: Any = block.resource
            text = getattr(resource, "text", None)
            size = _decoded_size(resource.blob) if text is None else None
            return _known(
                type="resource", uri=str(resource.uri), mime_type=resource.mime_type, size_bytes=size, text=text
            )
        case _:
            return {"type": block.type}


def _known(**facts: Json) -> dict[str, Json]:
    return {name: value for name, value in facts.items() if value is not None}


def _decoded_size(base64: str) -> int:
    """Return the number of bytes of a base64 text."""
    return max(0, len(base64) * 3 // 4 - base64[-2:].count("="))


MAX_SCHEMA_BYTES = 1_000_000


def check_output(structured: Json, schema: Mapping[str, Json], *, tool: str, server: str) -> None:
    """Check the structured content of a successful result. Raises ToolError for none, or one that does not fit."""
    if structured is None:
        raise ToolError(f"The MCP server '{server}' returned no structured content, which its output schema requires")
    checker = _checker(dumps(schema))
    if checker.problems:
        logger.warning("mcp output not checked", server=server, tool=tool, problems=list(checker.problems[:5]))
        return
    if errors := checker.errors(structured):
        raise ToolError(
            f"The result of the MCP server '{server}' does not fit the tool's output schema: {', '.join(errors[:10])}"
        )


@lru_cache(maxsize=256)
def _checker(schema: str) -> ResultChecker:
    found = safe_loads(schema.encode(), max_bytes=MAX_SCHEMA_BYTES)
    return ResultChecker(found if isinstance(found, dict) else {})
