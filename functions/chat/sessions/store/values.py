"""Stored messages and calls: JSON text, compressed when long, truncated to the size of an item.

No output of a model or a tool can make its item impossible to write.
"""

import gzip
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from flexchat.json import dumps
from flexchat.messages import Json, Message, Part, Text, ToolCall, ToolOutput
from flexchat.sessions import MAX_CALL_CHARACTERS, RecordedCall
from flexchat.text import MARKER_CHARACTERS, truncate_middle
from functions.chat.sessions.store.truncation import cut_call, cut_execution, cut_output, cut_part, smallest_call
from functions.chat.transcript import execution_from_json, execution_to_json, message_from_json, message_to_json

PLAIN_BYTES = 4_096
"""Longer values are compressed."""

MAX_VALUE_BYTES = 350_000
"""An item of DynamoDB has at most 400 KB, its keys and other attributes included."""

COMPRESSION = 3
"""Twice as fast as gzip's usual 6, for JSON a few per cent larger."""

_LIMITS = (262_144, 65_536, 16_384, 4_096, 1_024, 256)
"""Limits of each text of a value, tried in this order until the value fits."""


def message_value(message: Message) -> str | bytes:
    """Return a message with the positions of its calls, which have items of their own."""

    def cut_to(limit: int) -> Json:
        parts: list[Part] = []
        places: list[Json] = []
        for part in message.parts:
            if isinstance(part, ToolCall):
                places.append(len(parts) + len(places))
            elif (truncated := cut_part(part, limit)) is not None:
                parts.append(truncated)
        return {**message_to_json(Message(message.role, tuple(parts))), "calls": places}

    def smallest() -> Json:
        parts = (Text(truncate_middle(message.text, _LIMITS[-1])), *message.tool_calls)
        places = list[Json](range(1, len(parts)))
        return {**message_to_json(Message(message.role, parts[:1])), "calls": places}

    return _fitted(cut_to, smallest)


def read_message(value: str | bytes, calls: Mapping[int, RecordedCall]) -> tuple[Message, tuple[RecordedCall, ...]]:
    """Return a message with its own calls among `calls`, by number."""
    stored = _unpacked(value)
    parts = list(message_from_json(stored).parts)
    own: list[RecordedCall] = []
    for number, place in enumerate(stored["calls"]):
        if number in calls:
            parts.insert(place, calls[number].call)
            own.append(calls[number])
    return Message(stored["role"], tuple(parts)), tuple(own)


def call_value(call: RecordedCall, characters: int = MAX_CALL_CHARACTERS) -> str | bytes:
    """Return a tool call in the model's form and as executed, with at most `characters` of its result."""

    def cut_to(limit: int) -> Json:
        execution, truncated = cut_execution(call.execution, min(limit, characters - MARKER_CHARACTERS))
        return _call_to_json(
            RecordedCall(cut_call(call.call, limit), cut_output(call.output, limit), execution, truncated=truncated)
        )

    return _fitted(cut_to, lambda: _call_to_json(smallest_call(call)))


def read_call(value: str | bytes) -> RecordedCall:
    """Return the call that `call_value` wrote."""
    stored = _unpacked(value)
    return RecordedCall(
        call=cast("ToolCall", message_from_json(stored["call"]).parts[0]),
        output=cast("ToolOutput", message_from_json(stored["output"]).parts[0]),
        execution=execution_from_json(stored["execution"]),
        truncated=stored["truncated"],
    )


def text_value(text: str, limit: int) -> str:
    """Return a short text truncated to about `limit` characters, with lone surrogates replaced."""
    return truncate_middle(text, limit).encode("utf-8", "replace").decode()


def _call_to_json(call: RecordedCall) -> Json:
    return {
        "call": message_to_json(Message("assistant", (call.call,))),
        "output": message_to_json(Message("tool", (call.output,))),
        "execution": execution_to_json(call.execution),
        "truncated": call.truncated,
    }


def _fitted(cut_to: Callable[[int], Json], smallest: Callable[[], Json]) -> str | bytes:
    for limit in _LIMITS:
        packed = _packed(cut_to(limit))
        if isinstance(packed, str) or len(packed) <= MAX_VALUE_BYTES:
            return packed
    return _packed(smallest())


def _packed(value: Json) -> str | bytes:
    data = dumps(value).encode("utf-8", "replace")
    if len(data) <= PLAIN_BYTES:
        return data.decode()
    return gzip.compress(data, compresslevel=COMPRESSION, mtime=0)


def _unpacked(value: str | bytes) -> dict[str, Any]:
    return json.loads(value if isinstance(value, str) else gzip.decompress(value))
