"""Results of servers as JSON for a model."""

from typing import Any

import pytest
from mcp_types import CallToolResult

from flexchat.errors import ToolError
from flexchat.messages import Json
from flexchat.tool_progress import Images
from functions.tools.mcp.results import MAX_ERROR_CHARACTERS, check_output, read_result
from tests.pictures import JPEG, base64, png
from tests.unit.mcp_tool.conftest import Logged


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


IMAGE = {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}


def read(*content: dict[str, Any], **fields: Any) -> Json:
    return read_result(CallToolResult.model_validate({"content": list(content), **fields}), "lamps")


def test_text_is_text_and_several_texts_are_lines() -> None:
    assert read(text("hello")) == "hello"
    assert read(text("one"), text("two")) == "one\ntwo"
    assert read() == ""


@pytest.mark.parametrize(
    ("content", "structured"),
    [
        ('{"degrees": 21}', {"degrees": 21}),
        ("21", {"result": 21}),
        ("warm", {"result": "warm"}),
        ('["a", "b"]', {"result": ["a", "b"]}),
        ("", {"degrees": 21}),
    ],
)
def test_structured_content_that_the_text_repeats_is_the_result(content: str, structured: Any) -> None:
    assert read(text(content), structuredContent=structured) == structured


def test_text_that_differs_from_the_structured_content_remains() -> None:
    assert read(text("It is warm."), structuredContent={"degrees": 21}) == {
        "text": "It is warm.",
        "structured_content": {"degrees": 21},
    }


NOTES = {"type": "resource", "resource": {"uri": "file:///notes.txt", "mimeType": "text/plain", "text": "größe"}}


def test_the_text_of_a_resource_is_text() -> None:
    assert read(NOTES) == "größe"
    assert read(text("1 file"), NOTES) == {
        "text": "1 file",
        "attachments": [
            {"type": "resource", "uri": "file:///notes.txt", "mime_type": "text/plain", "text": "größe"},
        ],
    }
    with pytest.raises(ToolError, match="no such file\ngröße"):
        read(text("no such file"), NOTES, isError=True)


def test_images_audio_and_files_are_described_without_their_data() -> None:
    result = read(
        text("a lamp"),
        IMAGE,
        {"type": "audio", "data": "aGVsbG8h", "mimeType": "audio/wav"},
        NOTES,
        {"type": "resource", "resource": {"uri": "file:///lamp.bin", "blob": "aGVsbG8="}},
        {"type": "resource_link", "name": "lamps", "uri": "file:///lamps.csv", "mimeType": "text/csv", "size": 12},
    )

    assert result == {
        "text": "a lamp",
        "attachments": [
            {"type": "image", "mime_type": "image/png", "size_bytes": 5},
            {"type": "audio", "mime_type": "audio/wav", "size_bytes": 6},
            {"type": "resource", "uri": "file:///notes.txt", "mime_type": "text/plain", "text": "größe"},
            {"type": "resource", "uri": "file:///lamp.bin", "size_bytes": 5},
            {
                "type": "resource_link",
                "name": "lamps",
                "uri": "file:///lamps.csv",
                "mime_type": "text/csv",
                "size_bytes": 12,
            },
        ],
    }


def test_pictures_are_returned_beside_the_result() -> None:
    resource = {"type": "resource", "resource": {"uri": "file:///b", "mimeType": "image/jpeg", "blob": base64(JPEG)}}
    picture = {"type": "image", "data": base64(png()), "mimeType": "image/png"}
    found = CallToolResult.model_validate({"content": [text("a lamp"), picture, resource, IMAGE]})
    images = Images()

    read_result(found, "lamps", images)

    assert [(each.media_type, each.data) for each in images.of_call()] == [
        ("image/png", base64(png())),
        ("image/jpeg", base64(JPEG)),
    ]


def test_structured_content_with_an_image_has_both() -> None:
    assert read(text('{"degrees": 21}'), IMAGE, structuredContent={"degrees": 21}) == {
        "structured_content": {"degrees": 21},
        "attachments": [{"type": "image", "mime_type": "image/png", "size_bytes": 5}],
    }


def test_a_failed_result_is_an_error_with_the_words_of_the_server_unchanged() -> None:
    words = "Error: ENOENT: no such file or directory,\n  open '/tmp/nothing'  "

    with pytest.raises(ToolError) as caught:
        read(text(words), isError=True)

    assert (caught.value.message, caught.value.type) == (words, "execution_failed")


def test_a_failed_result_without_text_has_its_structured_content_or_the_name_of_the_server() -> None:
    with pytest.raises(ToolError, match='"code": 7'):
        read(isError=True, structuredContent={"code": 7})
    with pytest.raises(ToolError, match="The MCP server 'lamps' reported a failure without a reason"):
        read(IMAGE, isError=True)


def test_the_text_of_a_failed_result_is_limited() -> None:
    with pytest.raises(ToolError) as caught:
        read(text("x" * 3_000_000), isError=True)

    assert len(caught.value.message) < MAX_ERROR_CHARACTERS + 100


SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"degrees": {"type": "number"}},
    "required": ["degrees"],
}


def check(structured: Json, schema: dict[str, Json] = SCHEMA) -> None:
    check_output(structured, schema, tool="lamps/read", server="lamps")


def test_structured_content_that_fits_the_output_schema_passes() -> None:
    check({"degrees": 21.5, "more": True})


@pytest.mark.parametrize(
    ("structured", "message"),
    [
        (None, "The MCP server 'lamps' returned no structured content, which its output schema requires"),
        (
            {"degrees": "warm"},
            "The result of the MCP server 'lamps' does not fit the tool's output schema: degrees must be a number",
        ),
        ({}, "The result of the MCP server 'lamps' does not fit the tool's output schema: Missing property: degrees"),
    ],
)
def test_structured_content_that_does_not_fit_the_output_schema_is_an_error(structured: Json, message: str) -> None:
    with pytest.raises(ToolError) as caught:
        check(structured)

    assert caught.value.message == message


def test_an_output_schema_beyond_the_limits_is_not_checked_and_logged(logged: Logged) -> None:
    check({"degrees": "warm"}, {"type": "object", "unevaluatedProperties": False})

    assert [line["server"] for line in logged("mcp output not checked")] == ["lamps"]


def test_a_pattern_of_an_output_schema_runs_in_linear_time() -> None:
    hostile: dict[str, Json] = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}

    with pytest.raises(ToolError, match="must match the pattern"):
        check({"x": "a" * 5_000 + "!"}, hostile)
