"""Truncation of records of tool calls to the size of a response.

Lambda returns at most 6,291,556 bytes, and API Gateway makes a 502 of more. A response is JSON inside the JSON of the
proxy response: quotes and backslashes are escaped twice, and characters beyond ASCII count as their UTF-8 bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import omission_marker, truncate_middle

MAX_PAYLOAD_BYTES: Final = 6_000_000
"""Limit of a response. The rest of Lambda's limit is for headers and, for the answer of a run, for the run."""

MIN_CALL_BYTES: Final = 1_000
"""Minimum size of each call, however many calls there are."""


def payload_bytes(value: object) -> int:
    """Return the bytes of a JSON value within the payload that a Lambda returns to API Gateway.

    The payload has its text as a JSON string, where each quote and backslash has another backslash. A JSON text has no
    control characters, which would need more.
    """
    text = dumps(value).encode(errors="replace")
    return len(text) + text.count(b'"') + text.count(b"\\") + len('""')


def fitted_calls(calls: Sequence[dict[str, Json]], room: int) -> Sequence[dict[str, Json]]:
    """Return `calls`, in the form of `ToolCallView`, within `room` bytes of a payload; the largest are truncated first.

    A truncated result is its head and tail as text, with `truncated: true`; truncated arguments are text too.
    """
    sizes = [payload_bytes(call) for call in calls]
    allowed = max(MIN_CALL_BYTES, _largest_allowed(sizes, room))
    return [call if size <= allowed else _cut_call(call, allowed) for call, size in zip(calls, sizes, strict=True)]


def _largest_allowed(sizes: Sequence[int], room: int) -> int:
    """The largest limit for each of `sizes` with a total of at most `room`."""
    for position, size in enumerate(sorted(sizes)):
        share = room // (len(sizes) - position)
        if size > share:
            return share
        room -= size
    return max(sizes, default=0)


def _cut_call(call: Mapping[str, Json], allowed: int) -> dict[str, Json]:
    envelope = cast("dict[str, Json]", call["result"])
    name = "result" if envelope["success"] else "error"
    frame = {key: value for key, value in envelope.items() if key not in (name, "validation_errors")}
    room = max(0, allowed - payload_bytes({**call, "params": "", "result": {**frame, name: "", "truncated": True}}))
    params = _cut_value(call["params"], room // 2)
    result = _cut_value(envelope[name], room - payload_bytes(params))
    if result is not envelope[name] and envelope["success"]:
        frame["truncated"] = True
    return {**call, "params": params, "result": {**frame, name: result}}


def _cut_value(value: Json, room: int) -> Json:
    """`value`, or the head and tail of its text, within `room` bytes if possible."""
    if payload_bytes(value) <= room:
        return value
    text = value if isinstance(value, str) else dumps(value)
    limit = min(len(text), room)  # a character has at least one byte
    while limit > 0:
        shorter = truncate_middle(text, limit)
        size = payload_bytes(shorter)
        if size <= room:
            return shorter
        limit = min(limit - 1, int(limit * max(0, room) / size * 0.95))
    return omission_marker(len(text))
