"""One invocation of a function: its event, and the response while the runtime sends it."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

PENDING_PIECES = 16
"""Pieces of a response that wait for a slow client; the runtime waits with the next one."""


class InvocationError(Exception):
    """The function failed, timed out, or its process ended."""


@dataclass(slots=True)
class Invocation:
    """An event for a function, and its response. `timeout` is in seconds."""

    event: bytes
    timeout: float
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    streams: bool = False
    """True when the runtime sends the response in the mode `streaming`; false for one JSON text."""
    _pieces: asyncio.Queue[bytes] = field(init=False)
    _error: str | None = field(default=None, init=False)
    _on_abandon: Callable[[], None] | None = field(default=None, init=False)
    is_abandoned: bool = field(default=False, init=False)
    is_ended: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._pieces = asyncio.Queue(PENDING_PIECES)

    def deadline_ms(self) -> int:
        """Return the deadline of an invocation that starts now, in milliseconds since 1970."""
        return int((time.time() + self.timeout) * 1000)

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the response in the pieces in which it arrives. Raises InvocationError after the last complete one."""
        while True:
            try:
                yield await self._pieces.get()
            except asyncio.QueueShutDown:
                if self._error is not None:
                    raise InvocationError(self._error) from None
                return

    def abandon(self) -> None:
        """Close the runtime's connection of a response that cannot be read."""
        self.is_abandoned = self.is_ended = True
        self._pieces.shutdown(immediate=True)
        if self._on_abandon is not None:
            self._on_abandon()

    def on_abandon(self, close: Callable[[], None]) -> None:
        """Register the connection of the response; it is closed at once for an abandoned response."""
        self._on_abandon = close
        if self.is_abandoned:
            close()

    async def add(self, piece: bytes) -> None:
        """Add a piece from the runtime; waits for a slow client. A piece of an ended response is dropped."""
        try:
            await self._pieces.put(piece)
        except asyncio.QueueShutDown:
            return

    def end(self, error: str | None = None) -> None:
        """End the response; only the first end counts."""
        if not self.is_ended:
            self.is_ended, self._error = True, error
            self._pieces.shutdown()
