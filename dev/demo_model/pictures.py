"""Pictures and files in the latest messages of a request of any provider: types, and pixels by the header."""

import json
import struct
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from flexchat.attachments import image_type

_ANSWERS: Final = ("assistant", "model")
"""Roles of the model's own messages."""


def shown_pictures(body: bytes) -> tuple[str, ...]:
    """Return a phrase for each picture and file after the model's last message in a request.

    Such as `a PNG picture of 2 by 1 pixels`. `body` is the JSON of the request.
    """
    request: Any = json.loads(body)
    messages: list[Any] = request.get("messages") or request.get("contents") or []
    latest = next((place for place in range(len(messages), 0, -1) if messages[place - 1].get("role") in _ANSWERS), 0)
    return tuple(dict.fromkeys(_phrase(content) for content in _contents(messages[latest:])))


def _contents(value: Any) -> Iterator[bytes]:
    """Yield the decoded contents in a part of a request: data URLs, and base64 by the names that APIs have for it."""
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            if isinstance(inner, str) and name in ("url", "file_data") and inner.startswith("data:"):
                yield b64decode(inner.partition(",")[2])
            elif isinstance(inner, str) and name in ("data", "bytes"):
                yield b64decode(inner)
            elif name == "images" and isinstance(inner, Sequence):
                yield from (b64decode(each) for each in cast("Sequence[str]", inner))
            else:
                yield from _contents(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _contents(inner)


def _phrase(content: bytes) -> str:
    media_type = image_type(content)
    if media_type is None:
        return "a PDF file" if content.startswith(b"%PDF-") else "a file"
    width, height = pixels(content)
    kind = media_type.removeprefix("image/").upper()
    return f"a {kind} picture" + (f" of {width} by {height} pixels" if width else "")


def pixels(content: bytes) -> tuple[int, int]:
    """Return width and height of a picture by its header; zeros where they are not found."""
    try:
        match image_type(content):
            case "image/png":
                width, height = struct.unpack(">II", content[16:24])
            case "image/gif":
                width, height = struct.unpack("<HH", content[6:10])
            case "image/jpeg":
                height, width = _jpeg(content)
            case _:
                return 0, 0
    except struct.error:
        return 0, 0
    return width, height


def _jpeg(content: bytes) -> tuple[int, int]:
    """Return height and width in the first frame of a JPEG."""
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker, length = content[place + 1], int.from_bytes(content[place + 2 : place + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return struct.unpack(">HH", content[place + 5 : place + 9])
        place += 2 + length
    return 0, 0
