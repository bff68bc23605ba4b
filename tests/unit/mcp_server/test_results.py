"""Results of tools as MCP results."""

from typing import Any

import pytest

from flexchat.tools import ToolResult
from functions.chat.mcp_server.protocol import MAX_BLOCK_BYTES, content_blocks, tool_result

TEXT = {"type": "text", "text": "Hello"}
IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
FILE = {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "a"}}


def succeeded(result: Any) -> ToolResult:
    return ToolResult(success=True, tool_name="tool", execution_time_ms=1, result=result)


@pytest.mark.parametrize(
    "blocks",
    [
        [TEXT],
        [IMAGE, {**IMAGE, "type": "audio", "mimeType": "audio/wav"}],
        [FILE, {"type": "resource", "resource": {"uri": "file:///b", "blob": "AAAA", "mimeType": "x/y"}}],
        [{"type": "resource_link", "uri": "file:///a", "name": "a"}, {**TEXT, "annotations": {"priority": 1}}],
    ],
)
def test_content_blocks_are_returned_as_they_are(blocks: list[Any]) -> None:
    assert tool_result(succeeded({"content": blocks}), max_characters=10) == {"content": blocks, "isError": False}


def test_content_blocks_may_have_a_structured_form() -> None:
    result = tool_result(succeeded({"content": [TEXT], "structuredContent": {"a": 1}}), max_characters=10)

    assert result == {"content": [TEXT], "isError": False, "structuredContent": {"a": 1}}


@pytest.mark.parametrize(
    "value",
    [
        "text",
        [],
        {},
        {"content": []},
        {"content": "text"},
        {"content": [TEXT], "total": 1},
        {"content": [TEXT], "structuredContent": "x"},
        {"content": [TEXT, "text"]},
        {"content": [{"type": "text"}]},
        {"content": [{"type": "video", "data": ""}]},
        {"content": [{"type": ["text"], "text": "a"}]},
        {"content": [{"type": "image", "data": "AAAA"}]},
        {"content": [{"type": "resource", "resource": {"uri": "file:///a"}}]},
        {"content": [{"type": "resource", "resource": "file:///a"}]},
    ],
)
def test_other_results_are_no_content_blocks(value: Any) -> None:
    assert content_blocks(value) is None


def test_blocks_that_are_too_large_are_a_failure() -> None:
    image = {**IMAGE, "data": "A" * MAX_BLOCK_BYTES}

    result = tool_result(succeeded({"content": [image]}), max_characters=10)

    assert result["isError"] is True
    assert f"at most {MAX_BLOCK_BYTES} are returned" in str(result["content"])


def test_the_text_of_a_failure_is_bounded() -> None:
    failed = ToolResult(success=False, tool_name="tool", execution_time_ms=1, error="x" * 500)

    result = tool_result(failed, max_characters=100)

    assert result["isError"] is True
    assert len(str(result["content"])) < 250
