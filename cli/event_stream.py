"""Server-sent events, parsed as their bytes arrive."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cli.errors import ServiceError

LONGEST_EVENT = 32 * 1024 * 1024
"""Maximum bytes of one event; the largest is the complete answer."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its name, its data, and the id to continue after it."""

    name: str
    data: str
    id: str = ""


def read_events(pieces: Iterable[bytes], *, last_id: str = "", longest: int = LONGEST_EVENT) -> Iterator[ServerEvent]:
    """Yield the events of a response; an incomplete one at its end is dropped, as are comments and unknown fields.

    Raises ServiceError for an event of more than `longest` bytes.
    """
    event, size = _Event(last_id), 0
    for line in _lines(pieces, longest):
        size += len(line)
        if size > longest:
            raise _too_long(longest)
        if line:
            event.add(line.decode(errors="replace"))
            continue
        if event.data:
            yield ServerEvent(event.name, "\n".join(event.data), event.id)
        event, size = _Event(event.id), 0


class _Event:
    """Fields of an event whose end has not arrived."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.name = "message"
        self.data: list[str] = []

    def add(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match field:
            case "event":
                self.name = value
            case "data":
                self.data.append(value)
            case "id":
                self.id = value
            case _:
                pass


def _lines(pieces: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """Yield the complete lines; they end with a line feed, a carriage return or both."""
    line, after_return = bytearray(), False
    for piece in pieces:
        for part in piece.splitlines(keepends=True):
            is_rest = after_return and part == b"\n" and not line
            after_return = part.endswith(b"\r")
            if is_rest:
                continue
            line += part
            if len(line) > longest:
                raise _too_long(longest)
            if part.endswith((b"\n", b"\r")):
                yield bytes(line.rstrip(b"\r\n"))
                line.clear()


def _too_long(longest: int) -> ServiceError:
    return ServiceError(f"the service sent an event of more than {longest:,} bytes")
