"""Body of a streamed response as the openai package reads it."""

from collections.abc import Iterator
from typing import Final

from flexchat.error_bodies import BodyTooLargeError
from functions.chat.providers.bodies import MAX_ANSWER_BYTES

_FIRST_BYTES: Final = b":deir"
"""First bytes of the lines of a stream: comments, `data`, `event`, `id` and `retry`."""


class EventBody:
    """Chunks of a response with what `openai.Stream` does not do for compatible servers.

    A byte order mark is removed. A last event without a blank line after it is completed where JSON may end there. A
    line is bounded: the package stores it whole.
    """

    def __init__(self, chunks: Iterator[bytes], *, max_bytes: int = MAX_ANSWER_BYTES) -> None:
        self._chunks = chunks
        self._max_bytes = max_bytes
        self._head = next((chunk for chunk in chunks if chunk.strip()), b"").removeprefix(b"\xef\xbb\xbf")
        self.is_ended = False

    @property
    def has_events(self) -> bool:
        """Return whether the body begins as a stream of events, which an empty one does."""
        return self._head.lstrip()[:1] in _FIRST_BYTES

    def __iter__(self) -> Iterator[bytes]:
        """Yield the chunks. Raises BodyTooLargeError for a line of more than `max_bytes`."""
        last, line = b"", 0
        for chunk in self.plain():
            end = chunk.rfind(b"\n") + 1
            line = len(chunk) - end if end else line + len(chunk)
            if line > self._max_bytes:
                raise BodyTooLargeError
            last = chunk.rstrip() or last
            yield chunk
        if last.endswith((b"}", b"]")):
            yield b"\n\n"
        self.is_ended = True

    def plain(self) -> Iterator[bytes]:
        """Yield the chunks of a body that is no stream."""
        yield self._head
        for chunk in self._chunks:  # noqa: UP028 - `yield from` would end them with a stream that stops at `[DONE]`
            yield chunk

    def drain(self) -> None:
        """Read the rest, so that the connection can be used again."""
        for _ in self._chunks:
            pass
