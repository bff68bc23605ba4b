"""Encoder of `application/vnd.amazon.eventstream`, which botocore only decodes.

https://smithy.io/2.0/aws/amazon-eventstream.html
"""

import json
import struct
from binascii import crc32
from typing import Any

STRING = 7
"""Type of a header whose value is text."""


def frame(headers: dict[str, str], payload: bytes) -> bytes:
    """Return one message of a stream."""
    fields = b"".join(_header(name.encode(), value.encode()) for name, value in headers.items())
    prelude = struct.pack("!II", len(fields) + len(payload) + 16, len(fields))
    message = prelude + struct.pack("!I", crc32(prelude)) + fields + payload
    return message + struct.pack("!I", crc32(message))


def _header(name: bytes, value: bytes) -> bytes:
    return struct.pack("!B", len(name)) + name + struct.pack("!BH", STRING, len(value)) + value


def event_frame(name: str, payload: dict[str, Any]) -> bytes:
    headers = {":event-type": name, ":content-type": "application/json", ":message-type": "event"}
    return frame(headers, json.dumps(payload).encode())


def exception_frame(name: str, message: str) -> bytes:
    headers = {":exception-type": name, ":content-type": "application/json", ":message-type": "exception"}
    return frame(headers, json.dumps({"message": message}).encode())
