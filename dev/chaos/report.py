"""Report of a run as tables, with the command that repeats each violation."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import floor, sqrt
from statistics import median, quantiles
from typing import get_args

from dev.chaos.outcome import Outcome
from dev.chaos.scenario_plan import FaultGroup

SHOWN_VIOLATIONS = 20

MINIMUM: Mapping[FaultGroup, float] = {
    "calm": 1.0,
    "models": 0.8,
    "bodies": 0.7,
    "servers": 0.9,
    "tools": 0.95,
    "tables": 0.7,
    "settings": 0.85,
    "everything": 0.55,
}
"""Minimum success rate of chats in a long run, by failing part."""

DEVIATIONS = 3.0
"""Standard deviations that a short run may be below the minimum."""


def minimum(group: FaultGroup, chats: int) -> int:
    """Return the minimum number of successes among `chats`."""
    share = MINIMUM[group]
    return max(0, floor(share * chats - DEVIATIONS * sqrt(share * (1 - share) * chats)))


def report(outcomes: Sequence[Outcome], *, seconds: float, again: Callable[[int | None], str]) -> bool:
    """Print the tables; return true without violations.

    `again` returns the command that repeats the run, or the chat of a number.
    """
    groups = [group for group in get_args(FaultGroup) if any(o.plan.fault_group == group for o in outcomes)]
    missed = _print_fault_groups(outcomes, groups)
    _print_statuses(outcomes, groups)
    _print_times(outcomes, seconds)
    _print_faults(outcomes)
    return _print_violations(outcomes, missed, again)


def _print_fault_groups(outcomes: Sequence[Outcome], groups: Sequence[FaultGroup]) -> list[str]:
    """Print the success rates by failing part; return the parts below their minimum.

    Chats that waited for a processor for a quarter of their deadline are excluded.
    """
    missed: list[str] = []
    print(f"{'what fails':<12}{'chats':>8}{'hindered':>10}{'succeeded':>11}{'minimum':>9}{'violations':>12}")
    for group in groups:
        drawn = [outcome for outcome in outcomes if outcome.plan.fault_group == group]
        chats = [outcome for outcome in drawn if not outcome.hindered]
        succeeded, needed = sum(outcome.succeeded for outcome in chats), minimum(group, len(chats))
        violations = sum(len(outcome.violations) for outcome in drawn)
        hindered = len(drawn) - len(chats)
        print(f"{group:<12}{len(drawn):>8}{hindered or '':>10}{succeeded:>11}{needed:>9}{violations or '':>12}")
        if succeeded < needed:
            missed.append(f"{succeeded} of {len(chats)} chats succeeded ({group}), {needed} must")
    return missed


def _print_statuses(outcomes: Sequence[Outcome], groups: Sequence[FaultGroup]) -> None:
    counted = Counter[tuple[str, str, str]]((o.plan.scenario, o.status, o.plan.fault_group) for o in outcomes)
    rows = sorted(
        {(scenario, status) for scenario, status, _ in counted}, key=lambda row: (row[0], -_total(counted, row))
    )
    width = max(len(status) for _, status in rows)
    print(f"\n{'scenario':<14}{'result':<{width}} {''.join(f'{group:>12}' for group in groups)}{'all':>8}")
    for scenario, status in rows:
        cells = "".join(f"{counted[scenario, status, group] or '':>12}" for group in groups)
        print(f"{scenario:<14}{status:<{width}} {cells}{_total(counted, (scenario, status)):>8}")


def _total(counted: Counter[tuple[str, str, str]], row: tuple[str, str]) -> int:
    return sum(count for (scenario, status, _), count in counted.items() if (scenario, status) == row)


def _print_times(outcomes: Sequence[Outcome], seconds: float) -> None:
    durations = [outcome.seconds for outcome in outcomes]
    cuts = quantiles(durations, n=100) if len(durations) > 1 else durations * 99
    margin = min(outcome.margin for outcome in outcomes)
    late = sum(outcome.margin < 0 for outcome in outcomes)
    print(
        f"\nseconds per chat           median {median(durations):.2f}, 95% {cuts[94]:.2f}, longest {max(durations):.2f}"
    )
    print(f"left of the deadline       at least {margin * 1000:.0f} ms, {late} answers late")
    print(f"wait for a processor       at most {max(outcome.waited for outcome in outcomes):.2f} s")
    print(f"duration of the run        {seconds:.0f} s")


def _print_faults(outcomes: Sequence[Outcome]) -> None:
    faults = sum((outcome.faults for outcome in outcomes), Counter[str]())
    met = ", ".join(f"{name} {count}" for name, count in faults.most_common()) or "none"
    calls, saved, resumed = (sum(getattr(o, name) for o in outcomes) for name in ("calls", "saved", "resumed"))
    print(f"faults of AWS and tools    {met}")
    print(f"checked                    {calls} tool calls, {saved} saved answers, {resumed} resumed answers\n")


def _print_violations(outcomes: Sequence[Outcome], missed: Sequence[str], again: Callable[[int | None], str]) -> bool:
    found = [(outcome, violation) for outcome in outcomes for violation in outcome.violations]
    for outcome, violation in sorted(found, key=lambda pair: pair[0].plan.number)[:SHOWN_VIOLATIONS]:
        plan = outcome.plan
        print(f"chat {plan.number} ({plan.scenario}, {plan.fault_group}): {violation}")
        print(f"    {again(plan.number)}")
    if len(found) > SHOWN_VIOLATIONS:
        print(f"… and {len(found) - SHOWN_VIOLATIONS} more")
    for line in missed:
        print(line)
    count = len(found) + len(missed)
    print(f"{count or 'no'} violations in {len(outcomes)} chats; again: {again(None)}")
    return count == 0
