"""Messages, tool calls and results of a conversation in the forms that providers accept in a history."""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256

from flexchat.json import JsonError, safe_loads
from flexchat.messages import UNNAMED_TOOL, Json, Message, Text, ToolCall, ToolOutput

MAX_WIRE_NAME_CHARACTERS = 64

NO_USER_MESSAGE = "(no user message)"
"""Text of the user message that comes first where a conversation begins with the assistant, which some APIs refuse."""

STORED_RESULTS = 256
"""Most parsed results of one environment: those of the last turns of a long chat."""

STORED_NAMES = 1_024
"""Most names of tools of one environment: every request has those of all earlier calls."""

MAX_STORED_CHARACTERS = 8_192
"""Size of a result above which it is parsed for each request, so that stored results take little memory."""

_INVALID_NAME_CHARACTER = re.compile(r"[^a-zA-Z0-9_-]")

_MAX_EXACT_INTEGER = 2**53
"""Servers parse numbers as doubles, which hold every integer up to this one."""


@lru_cache(maxsize=STORED_NAMES)
def wire_name(name: str, *, invalid: re.Pattern[str] = _INVALID_NAME_CHARACTER) -> str:
    """Return `name` without the characters that a provider refuses in a history.

    A name that was never offered (`functions.get_weather`), or an empty one, would have the whole request refused.
    """
    safe = invalid.sub("_", name) or UNNAMED_TOOL
    return (safe if safe[0].isalpha() or safe[0] == "_" else f"_{safe}")[:MAX_WIRE_NAME_CHARACTERS]


def hashed_id(call_id: str) -> str:
    """Return an id that every provider accepts, for a call whose own is too long or has refused characters."""
    return f"call_{sha256(call_id.encode('utf-8', errors='replace')).hexdigest()[:32]}"


def object_arguments(call: ToolCall) -> dict[str, Json]:
    """Return the arguments of `call` as an object, for an API that accepts nothing else.

    Anything else that the model sent is returned under a name of its own, since the model needs it to correct the call.
    """
    if call.arguments is not None:
        return dict(call.arguments)
    return {"unreadable_arguments": call.raw} if call.raw.strip() else {}


def result_object(content: str, *, refused_names: frozenset[str] = frozenset()) -> dict[str, Json] | None:
    """Parse `content` as a JSON object; `None` when it is none, or cannot be sent as one without loss.

    An integer too large for a double would lose digits; a server refuses `refused_names` at every level. The object is
    shared by the requests of a chat, each of which sends all earlier results: it must not be changed.
    """
    parse = _parsed_result if len(content) <= MAX_STORED_CHARACTERS else _parsed_result.__wrapped__
    return parse(content, refused_names)


@lru_cache(maxsize=STORED_RESULTS)
def _parsed_result(content: str, refused_names: frozenset[str]) -> dict[str, Json] | None:
    try:
        value = safe_loads(content)
    except JsonError:
        return None
    return value if isinstance(value, dict) and not _has_loss(value, refused_names) else None


def _has_loss(value: Json, refused_names: frozenset[str]) -> bool:
    match value:
        case int():
            return abs(value) > _MAX_EXACT_INTEGER
        case dict():
            return not refused_names.isdisjoint(value) or any(_has_loss(item, refused_names) for item in value.values())
        case list():
            return any(_has_loss(item, refused_names) for item in value)
        case _:
            return False


def plain_texts(message: Message) -> Iterator[str]:
    """Yield the non-blank texts of `message`, with tool calls and results as text and without reasoning.

    For requests that offer no tools, where some APIs refuse calls and results in the history.
    """
    for part in message.parts:
        match part:
            case Text() if part.text.strip():
                yield part.text
            case ToolCall():
                yield f"(called {part.name} with {part.raw or '{}'})"
            case ToolOutput():
                yield f"({part.name} {'failed' if part.is_error else 'answered'}: {part.content})"
            case _:
                continue
