"""Error bodies of other services, bounded before anything reads them."""

from typing import Final

from pydantic_core import from_json, to_json

MAX_ERROR_BYTES: Final = 65_536


def bounded_error(body: bytes) -> bytes:
    """Return `body`, or its first 64 KiB with the JSON strings, arrays and objects that the cut left open closed."""
    if len(body) <= MAX_ERROR_BYTES:
        return body
    head = body[:MAX_ERROR_BYTES]
    try:
        return to_json(from_json(head, allow_partial="trailing-strings"))
    except ValueError:
        return head
