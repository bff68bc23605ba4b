"""Pictures that a tool returns beside its result."""

from typing import Literal

import pytest

from flexchat.errors import ToolError
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_progress import MAX_IMAGES, current_images
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool, ToolImage, ToolReply
from tests.pictures import base64, png
from tests.unit.tool_runtime.test_tool_progress import event


class Part(ToolImplementation):
    type: Literal["reports"]


def drawn(*contents: bytes, fails: bool = False) -> ToolReply:
    """Reply of a tool that adds `contents` as pictures."""

    def run(_call: CallTool, _part: Part) -> int:
        images = current_images()
        assert images is not None
        added = [images.add(content) for content in contents]
        if fails:
            raise ToolError("no")
        return sum(added)

    return ToolReply.model_validate(tool_handler(Part, run)(event(), None))


def test_pictures_are_part_of_the_reply() -> None:
    reply = drawn(png())

    assert (reply.result, reply.images) == (1, (ToolImage(media_type="image/png", data=base64(png())),))


def test_at_most_8_pictures_of_3_75_mb_together_are_returned() -> None:
    assert drawn(*[png()] * 10).result == MAX_IMAGES
    assert drawn(png(padding=2_000_000), png(padding=2_000_000), png()).result == 2


@pytest.mark.parametrize("content", [b"", b"text", b"<svg/>"])
def test_other_contents_are_no_pictures(content: bytes) -> None:
    assert drawn(content).images == ()


def test_a_failed_call_has_no_pictures() -> None:
    assert drawn(png(), fails=True).images == ()


def test_a_reply_without_pictures_has_no_such_key() -> None:
    assert "images" not in drawn().model_dump()
