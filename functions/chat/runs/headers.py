"""Request headers `Prefer` and `Idempotency-Key`, and the response header `Location` of a run."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from flexchat.errors import RequestError

MAX_KEY_CHARACTERS = 255

_PREFERENCE = re.compile(r'((?:[^",]|"(?:[^"\\]|\\.)*"?)+)')
_KEY = re.compile(rf"[!-~]{{1,{MAX_KEY_CHARACTERS}}}")


def wants_async(event: Mapping[str, Any]) -> bool:
    """Return true if a REST API proxy event (payload v1) has the preference `respond-async` (RFC 7240).

    Unknown preferences and `wait` are ignored.
    """
    return any(_name(preference) == "respond-async" for preference in _preferences(event))


def idempotency_key(event: Mapping[str, Any]) -> str | None:
    """Return the idempotency key of a request, if it has one.

    Raises RequestError for a key that is not 1 to 255 visible ASCII characters, or for several different keys.
    """
    keys = {value.strip() for value in _values(event, "idempotency-key")}
    if not keys:
        return None
    key, *others = keys
    if others or not _KEY.fullmatch(key):
        message = f"Idempotency-Key must be one value of 1 to {MAX_KEY_CHARACTERS} visible ASCII characters"
        raise RequestError(message, code="invalid_idempotency_key")
    return key


def run_location(event: Mapping[str, Any], id: str) -> str:
    """Return the path of the run `id` from the root.

    The path in a request's context begins with the prefix of API Gateway: the stage, or the base path of a custom
    domain.
    """
    whole: str = event["requestContext"].get("path") or event["path"]
    return f"{whole.rstrip('/').removesuffix('/api/chat')}/api/runs/{id}"


def _preferences(event: Mapping[str, Any]) -> Iterator[str]:
    for value in _values(event, "prefer"):
        yield from _PREFERENCE.findall(value)


def _name(preference: str) -> str:
    """A preference without its value and its parameters."""
    return re.split("[=;]", preference, maxsplit=1)[0].strip().lower()


def _values(event: Mapping[str, Any], name: str) -> list[str]:
    """Every value of a header, by its name in lower case."""
    lists: Mapping[str, list[str] | None] = event.get("multiValueHeaders") or {}
    values = [value for key, listed in lists.items() if key.lower() == name for value in listed or ()]
    if values:
        return values
    headers: Mapping[str, str | None] = event.get("headers") or {}
    return [value or "" for key, value in headers.items() if key.lower() == name]
