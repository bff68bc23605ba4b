"""What came of a chat."""

from collections import Counter
from dataclasses import dataclass, field

from bench.chaos.plan import Weather

STARVED_SECONDS = 0.25


@dataclass
class Outcome:
    """How one chat went. `margin` is the least time in seconds that one of its answers had left, `waited` the most that
    it spent waiting for a processor; `faults` counts what failed under it, and `violations` says what should never
    happen."""

    number: int
    weather: Weather
    way: str
    status: str = "?"
    seconds: float = 0.0
    margin: float = float("inf")
    waited: float = 0.0
    saved: int = 0
    resumed: int = 0
    calls: int = 0
    faults: Counter[str] = field(default_factory=Counter[str])
    violations: list[str] = field(default_factory=list[str])

    @property
    def starved(self) -> bool:
        """Whether the machine had no time for this chat, so that it may have had none for what comes last."""
        return self.margin < 0 or self.waited > STARVED_SECONDS

    def violation(self, what: str) -> None:
        self.violations.append(what)
