"""Constants of connecting to a server (decision C43)."""

from msgspec import Struct


class ConnectionRetry(Struct, frozen=True, kw_only=True):
    """Attempts at a connection, in all, and the pause before the second one; later pauses double: 0, 2 and 4 s.

    A server that could not be reached is not tried again for `pause_ms`.
    """

    attempts: int = 3
    base_ms: int = 2_000
    pause_ms: int = 15_000

    def delay(self, attempt: int) -> float:
        """Return the seconds before an attempt, counted from 1."""
        return 0.0 if attempt <= 1 else self.base_ms * 2 ** (attempt - 2) / 1000
