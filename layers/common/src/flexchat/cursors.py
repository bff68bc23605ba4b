"""Opaque cursors of paginated listings, each valid for one listing only."""

import base64
import binascii
import hashlib
import re
from typing import Any, cast

from flexchat.errors import RequestError
from flexchat.json import JsonError, dumps, safe_loads

_DIGEST_CHARACTERS = 12

MAX_PART_BYTES = 1_024
"""Maximum size of a part of a position, that of a sort key of DynamoDB."""

_NUMBER = re.compile(r"[0-9]{1,9}")


def make_cursor(scope: str, *position: str) -> str:
    """Return the cursor for `position` in the listing `scope`, whose name includes its owner."""
    value = [_digest(scope, position), *position]
    return base64.urlsafe_b64encode(dumps(value).encode()).decode().rstrip("=")


def read_cursor(scope: str, cursor: str, *, fields: int, prefix: str = "") -> tuple[str, ...]:
    """Return the position in a cursor of `make_cursor`, `fields` texts. Raises RequestError for any other cursor (400).

    The digest keeps cursors of different listings apart. It is no signature: a forged position shows nothing outside
    the listing, which its reader may see. Each text of a position is one that a key can have; the first begins with
    `prefix`.
    """
    position = _parts(cursor)
    if position is None or len(position) != fields + 1 or position[0] != _digest(scope, position[1:]):
        raise _invalid()
    if not all(0 < len(part.encode()) <= MAX_PART_BYTES for part in position) or not position[1].startswith(prefix):
        raise _invalid()
    return position[1:]


def read_numbers(scope: str, cursor: str, *, fields: int) -> tuple[int, ...]:
    """Return the position in a cursor of `make_cursor` as `fields` numbers. Raises RequestError (400)."""
    position = read_cursor(scope, cursor, fields=fields)
    if not all(map(_NUMBER.fullmatch, position)):
        raise _invalid()
    return tuple(map(int, position))


def _invalid() -> RequestError:
    message = "cursor is not valid for this listing; send the cursor of the previous page, or none for the first page"
    return RequestError(message, code="invalid_cursor")


def _parts(cursor: str) -> tuple[str, ...] | None:
    try:
        decoded = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        value: Any = safe_loads(decoded)
    except (binascii.Error, ValueError, JsonError):
        return None
    if not isinstance(value, list) or not all(isinstance(part, str) for part in cast("list[object]", value)):
        return None
    return tuple(cast("list[str]", value))


def _digest(scope: str, position: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join((scope, *position)).encode("utf-8", "replace")).hexdigest()[:_DIGEST_CHARACTERS]
