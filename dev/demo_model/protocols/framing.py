"""Encodings of streamed events, and the split of texts into pieces."""

import json
import struct
from collections.abc import Iterator, Mapping
from zlib import crc32

from flexchat.messages import Json

_TEXT_HEADER = 7
"""Type of a header with a text value in `application/vnd.amazon.eventstream`."""


def split(text: str, characters: int) -> Iterator[str]:
    """Split `text` into pieces of so many characters; none of an empty text."""
    for start in range(0, len(text), characters):
        yield text[start : start + characters]


def split_json(value: Mapping[str, Json], characters: int) -> Iterator[str]:
    """Split an object into pieces of its JSON, the first one empty, as providers do; `{}` has no other piece."""
    yield ""
    if value:
        yield from split(json.dumps(dict(value), ensure_ascii=False), characters)


def json_bytes(value: Json, padding: int = 0) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", errors="replace") + b" " * padding


def server_sent_event(event: Json, *, name: str | None = None, padding: int = 0) -> bytes:
    """Encode an event of `text/event-stream`."""
    head = b"" if name is None else b"event: %b\n" % name.encode()
    return head + b"data: %b\n\n" % json_bytes(event, padding)


def amazon_event(headers: Mapping[str, str], payload: bytes) -> bytes:
    """Encode a message of `application/vnd.amazon.eventstream`, with both checksums."""
    fields = b"".join(_text_header(name, value) for name, value in headers.items())
    total = 12 + len(fields) + len(payload) + 4
    prelude = struct.pack(">II", total, len(fields))
    message = prelude + struct.pack(">I", crc32(prelude)) + fields + payload
    return message + struct.pack(">I", crc32(message))


def _text_header(name: str, value: str) -> bytes:
    key, text = name.encode(), value.encode()
    return struct.pack(">B", len(key)) + key + struct.pack(">BH", _TEXT_HEADER, len(text)) + text
