"""Streamed completions: from the events of a provider to deltas and the plain response.

A reader rebuilds the response that the provider would have sent in one piece, and the adapter parses that: a streamed
completion equals the plain one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol

from flexchat.deadline import time_limit
from flexchat.error_bodies import BodyTooLargeError
from flexchat.errors import ModelError
from flexchat.messages import Json
from functions.chat.providers.base import MAX_ANSWER_BYTES, CallDelta, Delta, OnDelta, too_large
from functions.chat.providers.errors import CONNECTION_BROKEN, TransientError
from functions.chat.providers.tool_calls import call_name
from functions.chat.providers.wire_format import to_json

END_SECONDS: Final = 0.5
"""Time in which a stream may end after its last event, so that its connection can be used again."""

PLAIN_ENCODING: Final = {"accept-encoding": "identity"}
"""Headers of a streamed request: a compressed stream may arrive late and costs time for every event."""


class StreamReader[E](Protocol):
    """Reader of one streamed completion; each attempt has its own."""

    @property
    def complete(self) -> bool:
        """True after the last event that is waited for; events that still arrive at once are read too."""
        ...

    def read(self, event: E) -> Sequence[Delta]:
        """Return the deltas of the next event. Raises ValueError, without quoting it, for an unreadable event and for
        an error."""
        ...

    def response(self) -> Json:
        """Return the plain response at the end of the stream; None where its end is missing."""
        ...


class UnreadableEventError(Exception):
    """An event that is none of a completion, such as an error of the provider."""

    def __init__(self, event: bytes, problem: ValueError) -> None:
        super().__init__(str(problem))
        self.event = event
        self.problem = problem


def read_stream(events: Iterator[bytes], reader: StreamReader[bytes], on_delta: OnDelta, *, provider: str) -> bytes:
    """Return the plain response in `events`, whose deltas are reported as they are read.

    `events` raises ModelError, or BodyTooLargeError for one that is too large. Raises ModelError, and
    UnreadableEventError for an event that `reader` cannot read.
    """
    try:
        _read_events(events, reader, on_delta)
        if reader.complete:
            with suppress(ModelError, UnreadableEventError), time_limit(END_SECONDS):
                _read_events(events, reader, on_delta, all=True)
    except BodyTooLargeError as exc:
        raise too_large(provider) from exc
    return plain_response(reader.response(), provider=provider)


def plain_response(response: Json, *, provider: str) -> bytes:
    """Return the response of a finished stream as the provider would have sent it. Raises ModelError without one."""
    if response is None:
        raise TransientError(CONNECTION_BROKEN, type="network", provider=provider)
    body = to_json(response)
    if len(body) > MAX_ANSWER_BYTES:
        raise too_large(provider)
    return body


def _read_events(events: Iterator[bytes], reader: StreamReader[bytes], on_delta: OnDelta, *, all: bool = False) -> None:
    """Read until the completion is complete, or `all` events."""
    for event in events:
        try:
            deltas = reader.read(event)
        except ValueError as exc:
            raise UnreadableEventError(event, exc) from exc
        for delta in deltas:
            on_delta(delta)
        if reader.complete and not all:
            return


def is_json(headers: Mapping[str, str]) -> bool:
    """Return whether a response to a streamed request is a plain one."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


class CallDeltas:
    """Deltas of the calls of one completion, which are numbered in the order of their starts."""

    def __init__(self) -> None:
        self._count = 0

    def start(self, name: Json) -> CallDelta:
        """Return the delta of the next call, with the name that the completion's call has."""
        delta = CallDelta(self._count, call_name(name))
        self._count += 1
        return delta


type SplitEvents = Callable[[Iterable[bytes]], Iterator[bytes]]
"""Returns the payloads of the events in the chunks of a response. Raises BodyTooLargeError."""


_FIELDS: Final = (b":", b"event:", b"id:", b"retry:", b"data")


def sse_events(chunks: Iterable[bytes], *, max_bytes: int = MAX_ANSWER_BYTES) -> Iterator[bytes]:
    """Yield the data of each server-sent event that has any; comments, names and ids are ignored.

    An event at the end of the stream needs no blank line after it. The first line of a body that is no stream, such as
    an error page, is yielded too.
    """
    data: list[bytes] = []
    size = 0
    is_first = True
    for line in lines(chunks, max_bytes=max_bytes):
        if line.startswith(b"data:"):
            if piece := line[6:] if line.startswith(b"data: ") else line[5:]:
                data.append(piece)
            size += len(line)
            if size > max_bytes:
                raise BodyTooLargeError
        elif not line and data:
            yield data[0] if len(data) == 1 else b"\n".join(data)
            data, size = [], 0
        elif is_first and line and not line.startswith(_FIELDS):
            yield line
        is_first = False
    if data:
        yield b"\n".join(data)


def json_lines(chunks: Iterable[bytes], *, max_bytes: int = MAX_ANSWER_BYTES) -> Iterator[bytes]:
    """Yield each line that is not blank."""
    return (line for line in lines(chunks, max_bytes=max_bytes) if line.strip())


def lines(chunks: Iterable[bytes], *, max_bytes: int) -> Iterator[bytes]:
    """Yield the lines of `chunks` without their ends: LF, CRLF or CR.

    A last line without an end is yielded when JSON may end there or no other was received: any other was cut off.
    Raises BodyTooLargeError for a line of more than `max_bytes`.
    """
    start = bytearray()
    after_return = False
    is_first = is_only = True
    for chunk in chunks:
        if not chunk:
            continue
        if is_first:
            chunk, is_first = chunk.removeprefix(b"\xef\xbb\xbf"), False
        if b"\r" in chunk or after_return:
            if after_return:
                chunk = chunk.removeprefix(b"\n")
            after_return = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *complete, rest = chunk.split(b"\n")
        if complete:
            is_only = False
            if start:
                complete[0] = bytes(start + complete[0])
                start.clear()
            if len(complete[0]) > max_bytes:
                raise BodyTooLargeError
            yield from complete
        start += rest
        if len(start) > max_bytes:
            raise BodyTooLargeError
    if start.rstrip().endswith((b"}", b"]")) or (start and is_only):
        yield bytes(start)
