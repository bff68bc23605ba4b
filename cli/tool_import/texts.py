"""Names and texts of tools from those of other documents."""

import re
from collections.abc import Collection
from typing import Final

from flexchat.redaction import contains_key, redact_patterns
from flexchat.text import truncate

MAX_NAME: Final = 64
"""Longest name that every provider accepts."""

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_SPACE = re.compile(r"\s+")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
_NOT_IN_TOOL_NAMES = re.compile(r"[^A-Za-z0-9_./:-]+")
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_NOT_IN_SECRETS = re.compile(r"[^A-Za-z0-9]+")


def plain(text: str, limit: int) -> str:
    """Return a description on one line without markup and keys, of at most `limit` characters."""
    short = truncate(_SPACE.sub(" ", _TAG.sub(" ", text[: 4 * limit])).strip(), limit)
    return redact_patterns(short) if contains_key(short) else short


def tool_name(text: str, taken: Collection[str]) -> str:
    """Return `text` as the name of a tool that is not `taken`."""
    return unique(_NOT_IN_TOOL_NAMES.sub("_", text).strip("_")[:MAX_NAME] or "tool", taken)


def name_of_path(method: str, path: str, taken: Collection[str]) -> str:
    """Return a name such as `get_users_id` for `GET /users/{id}`."""
    words = _NOT_IN_NAMES.sub("_", path.partition("?")[0]).strip("_")
    return unique(f"{method.lower()}_{words}"[:MAX_NAME].rstrip("_"), taken)


def parameter_name(text: str, taken: Collection[str]) -> str:
    """Return `text` as the name of a parameter that every provider accepts and that is not `taken`."""
    if _PARAMETER.fullmatch(text):
        return unique(text, taken)
    words = _NOT_IN_NAMES.sub("_", text).strip("_-")[:MAX_NAME]
    return unique(words if _PARAMETER.fullmatch(words) else f"_{words}"[:MAX_NAME], taken)


def unique(name: str, taken: Collection[str]) -> str:
    """Return `name`, with a number if it is `taken`."""
    if name not in taken:
        return name
    number = 2
    while (numbered := f"{name[: MAX_NAME - 4]}_{number}") in taken:
        number += 1
    return numbered


def secret_prefix(host: str) -> str:
    """Return the beginning of names of secrets for a host: `STRIPE` for `api.stripe.com`."""
    labels = host.split(".")
    if len(labels) > 2 and labels[-2] in ("co", "com", "org", "net", "gov", "ac"):
        labels = labels[:-1]
    return secret_name(labels[-2] if len(labels) > 1 and not labels[-1].isdecimal() else host)


def secret_name(*words: str) -> str:
    """Return `words` as the name of a secret, as `STRIPE_API_KEY`."""
    name = _NOT_IN_SECRETS.sub("_", "_".join(words)).strip("_").upper()[:100]
    reserved = name.startswith(("AWS_", "LAMBDA_")) or name in ("AWS", "LAMBDA")
    return f"API_{name}" if reserved or not name[:1].isalpha() else name
