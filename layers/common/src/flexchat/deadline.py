"""Deadlines as arguments: the moment an answer is due, and the time left."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

Clock = Callable[[], float]
"""Seconds on a clock that never goes back, like `time.monotonic`."""

MONOTONIC: Clock = time.monotonic
"""The clock of the process."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment an answer is due, on a monotonic clock.

    A deadline only ever shrinks: `within` gives the earlier of this one and a shorter limit.
    """

    at: float
    clock: Clock = field(default=MONOTONIC, repr=False, compare=False)

    @classmethod
    def after(cls, seconds: float, *, clock: Clock = MONOTONIC) -> "Deadline":
        """The deadline `seconds` from now."""
        return cls(at=clock() + seconds, clock=clock)

    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - self.clock())

    def remaining_ms(self) -> int:
        """Whole milliseconds left, never negative."""
        return int(self.remaining() * 1000)

    @property
    def expired(self) -> bool:
        return self.clock() >= self.at

    def within(self, seconds: float) -> "Deadline":
        """Return the earlier of this deadline and `seconds` from now."""
        return Deadline(at=min(self.at, self.clock() + seconds), clock=self.clock)

    def minus(self, seconds: float) -> "Deadline":
        """This deadline brought forward by `seconds`, to leave room for what comes after."""
        return Deadline(at=self.at - seconds, clock=self.clock)
