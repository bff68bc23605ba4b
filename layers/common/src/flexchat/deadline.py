"""Deadlines as arguments: the time at which a response is due."""

import time
from collections.abc import Callable

from msgspec import Struct

Clock = Callable[[], float]
"""Clock in seconds that never goes back, like `time.monotonic`."""

MONOTONIC: Clock = time.monotonic
"""The clock of the process."""


class Deadline(Struct, frozen=True):
    """Time at which a response is due, on a monotonic clock.

    `within` returns the earlier of this deadline and a shorter limit.
    """

    at: float
    clock: Clock = MONOTONIC

    @classmethod
    def after(cls, seconds: float, *, clock: Clock = MONOTONIC) -> "Deadline":
        """Return the deadline `seconds` from now."""
        return cls(at=clock() + seconds, clock=clock)

    def remaining(self) -> float:
        """Return the remaining seconds, never negative."""
        return max(0.0, self.at - self.clock())

    def remaining_ms(self) -> int:
        """Return the remaining whole milliseconds, never negative."""
        return int(self.remaining() * 1000)

    @property
    def expired(self) -> bool:
        return self.clock() >= self.at

    def within(self, seconds: float) -> "Deadline":
        """Return the earlier of this deadline and `seconds` from now."""
        return Deadline(at=min(self.at, self.clock() + seconds), clock=self.clock)

    def minus(self, seconds: float) -> "Deadline":
        """Return a deadline `seconds` earlier, which reserves time for later work."""
        return Deadline(at=self.at - seconds, clock=self.clock)
