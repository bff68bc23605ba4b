"""Events of a streamed response: server-sent events and lines of JSON, from chunks of any size.

A line is bounded: the body of a stream may be larger than the answer in it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from flexchat.error_bodies import BodyTooLargeError
from functions.chat.providers.bodies import MAX_ANSWER_BYTES

type SplitEvents = Callable[[Iterable[bytes]], Iterator[bytes]]
"""Returns the payloads of the events in the chunks of a response. Raises BodyTooLargeError."""


_FIELDS: Final = (b":", b"event:", b"id:", b"retry:", b"data")


def sse_events(chunks: Iterable[bytes], *, max_bytes: int = MAX_ANSWER_BYTES) -> Iterator[bytes]:
    """Yield the data of each server-sent event; comments, names and ids are ignored.

    An event at the end of the stream needs no blank line after it. The first line of a body that is no stream, such as
    an error page, is yielded too.
    """
    data: list[bytes] = []
    size = 0
    is_first = True
    for line in lines(chunks, max_bytes=max_bytes):
        if line.startswith(b"data:"):
            data.append(line[6:] if line.startswith(b"data: ") else line[5:])
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
