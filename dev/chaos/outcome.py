"""Outcome of a chat."""

from collections import Counter
from dataclasses import dataclass, field

from dev.chaos.scenario_plan import ScenarioPlan

STARVED_SECONDS = 0.25
HINDERED_SHARE = 0.25


@dataclass
class Outcome:
    """Outcome of the chat of one plan.

    `margin` is the shortest remaining time of its responses in seconds, `waited` the longest wait of one for a
    processor. `faults` counts the faults during the chat; `violations` are the broken invariants.
    """

    plan: ScenarioPlan
    status: str = "?"
    succeeded: bool = False
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
        """True if the machine was too busy for this chat, so that its last steps may be missing."""
        return self.margin < 0 or self.waited > STARVED_SECONDS

    @property
    def hindered(self) -> bool:
        """True if the machine was so busy that the chat is exempt from the success rate."""
        return self.margin < 0 or self.waited > HINDERED_SHARE * self.plan.deadline_ms / 1000

    def violation(self, what: str) -> None:
        self.violations.append(what)
