"""Response bodies of other services, bounded in time and size before they are parsed."""

from collections.abc import Iterable, Iterator
from typing import Final

from pydantic_core import from_json, to_json

from flexchat.deadline import Deadline

MAX_ERROR_BYTES: Final = 65_536


class BodyTooLargeError(Exception):
    """Successful response with a body above the limit of its reader."""


def read_bounded(chunks: Iterable[bytes], *, is_success: bool, max_bytes: int, due: Deadline) -> bytes:
    """Return the body of a success completely, of an error its beginning.

    A body that is sent byte by byte, or without end, is cut off: read timeouts only limit its pauses. Raises
    BodyTooLargeError for a success of more than `max_bytes`, and TimeoutError when `due` is reached before its end.
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


def bounded_chunks(chunks: Iterable[bytes], *, max_bytes: int, due: Deadline) -> Iterator[bytes]:
    """Yield the chunks of a body as they arrive.

    Raises BodyTooLargeError above `max_bytes` in total, and TimeoutError when `due` is reached before the end.
    """
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > max_bytes:
            raise BodyTooLargeError
        if due.expired:
            raise TimeoutError
        yield chunk


def bounded_error(body: bytes) -> bytes:
    """Return `body`, or its first 64 KiB with open JSON strings, arrays and objects closed."""
    if len(body) <= MAX_ERROR_BYTES:
        return body
    head = body[:MAX_ERROR_BYTES]
    try:
        return to_json(from_json(head, allow_partial="trailing-strings"))
    except ValueError:
        return head
