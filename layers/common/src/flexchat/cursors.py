"""Opaque cursors: where the next page of a listing begins, good for that listing only."""

import base64
import binascii
import hashlib
from typing import Any, cast

from flexchat.errors import RequestError
from flexchat.json import JsonError, dumps, safe_loads

_DIGEST_CHARACTERS = 12


def cursor_of(scope: str, *position: str) -> str:
    """The cursor for `position` in the listing `scope`, which names its owner too."""
    value = [_digest(scope, position), *position]
    return base64.urlsafe_b64encode(dumps(value).encode()).decode().rstrip("=")


def position_of(scope: str, cursor: str, *, fields: int) -> tuple[str, ...]:
    """The `fields` texts that `cursor_of` was given. Raises RequestError (400) for a cursor of anything else.

    The digest keeps cursors of different listings apart; it is no proof of origin, and needs to be none: a position
    leads nowhere outside the listing that its reader may see.
    """
    position = _parts(cursor)
    if position is None or len(position) != fields + 1 or position[0] != _digest(scope, position[1:]):
        raise _invalid()
    return position[1:]


def numbers_of(scope: str, cursor: str, *, fields: int) -> tuple[int, ...]:
    """The `fields` numbers that `cursor_of` was given as texts. Raises RequestError (400)."""
    try:
        return tuple(int(text) for text in position_of(scope, cursor, fields=fields))
    except ValueError as exc:
        raise _invalid() from exc


def _invalid() -> RequestError:
    message = "cursor is not one of this listing; send the cursor of its last page, or none to begin anew"
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
