"""Plans and outcomes for the tests of the parts of `make chaos`."""

from copy import replace
from typing import Any

from dev.chaos.outcome import Outcome
from dev.chaos.scenario_plan import ScenarioPlan, plans


def plan(**changes: Any) -> ScenarioPlan:
    """A calm chat with one call, with `changes`."""
    first = plans(seed="s", chats=1, deadlines=(2.0, 20.0), scenarios=("plain",), fault_groups=("calm",))[0]
    fixed = replace(first, message="What is 6 * 7?", expected=("6 * 7 is 42.",), calls=1, collections=())
    return replace(fixed, **changes)


def outcome(*violations: str, **plan_changes: Any) -> Outcome:
    return Outcome(plan(**plan_changes), "complete", seconds=1.5, margin=0.25, violations=[*violations])
