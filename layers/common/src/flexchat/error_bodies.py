"""Bodies of other services' responses, bounded in time and size before anything parses them."""

from collections.abc import Iterable
from typing import Final

from pydantic_core import from_json, to_json

from flexchat.deadline import Deadline

MAX_ERROR_BYTES: Final = 65_536


class BodyTooLargeError(Exception):
    """A success whose body is larger than its reader accepts."""


def read_bounded(chunks: Iterable[bytes], *, is_success: bool, max_bytes: int, due: Deadline) -> bytes:
    """Return a body: of an error the beginning, of a success all of it.

    A body that is sent byte by byte, or without end, stops here: read timeouts only bound its pauses. Raises
    BodyTooLargeError for a success of more than `max_bytes`, and TimeoutError when `due` comes before its end.
    """
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > (max_bytes if is_success else MAX_ERROR_BYTES):
            if is_success:
                raise BodyTooLargeError
            break
        if due.expired:
            raise TimeoutError
    return bytes(body)


def bounded_error(body: bytes) -> bytes:
    """Return `body`, or its first 64 KiB with the JSON strings, arrays and objects that the cut left open closed."""
    if len(body) <= MAX_ERROR_BYTES:
        return body
    head = body[:MAX_ERROR_BYTES]
    try:
        return to_json(from_json(head, allow_partial="trailing-strings"))
    except ValueError:
        return head
