"""What came of a run, as tables."""

from collections import Counter
from collections.abc import Sequence
from statistics import median, quantiles
from typing import get_args

from bench.chaos.outcome import Outcome
from bench.chaos.plan import Weather

SHOWN_VIOLATIONS = 20


def report(outcomes: Sequence[Outcome], *, seconds: float, command: str) -> bool:
    """Print how the chats went; whether everything held."""
    weathers = [weather for weather in get_args(Weather) if any(o.weather == weather for o in outcomes)]
    counted = Counter[tuple[str, str]]((outcome.status, outcome.weather) for outcome in outcomes)
    statuses = sorted({outcome.status for outcome in outcomes}, key=lambda status: -_total(counted, status))
    width = max(len(status) for status in (*statuses, "what fails:"))
    print(f"{'what fails:':<{width}} {''.join(f'{weather:>12}' for weather in weathers)} {'all':>8}")
    for status in statuses:
        row = "".join(f"{counted[status, weather] or '':>12}" for weather in weathers)
        print(f"{status:<{width}} {row} {_total(counted, status):>8}")
    totals = "".join(f"{sum(o.weather == weather for o in outcomes):>12}" for weather in weathers)
    print(f"{'':<{width}} {totals} {len(outcomes):>8}")
    _print_times(outcomes, seconds)
    _print_faults(outcomes)
    return _print_violations(outcomes, command)


def _total(counted: Counter[tuple[str, str]], status: str) -> int:
    return sum(count for (named, _), count in counted.items() if named == status)


def _print_times(outcomes: Sequence[Outcome], seconds: float) -> None:
    asked = [outcome.seconds for outcome in outcomes]
    cuts = quantiles(asked, n=100) if len(asked) > 1 else asked * 99
    margin = min(outcome.margin for outcome in outcomes)
    print(f"\nseconds per chat  median {median(asked):.2f}, 95% {cuts[94]:.2f}, longest {max(asked):.2f}")
    late = sum(outcome.margin < 0 for outcome in outcomes)
    waited = max(outcome.waited for outcome in outcomes)
    print(f"left of the deadline at least {margin * 1000:.0f} ms, {late} answers late")
    print(f"longest wait of a chat for a processor {waited:.2f} s")
    print(f"the run took {seconds:.0f} s")


def _print_faults(outcomes: Sequence[Outcome]) -> None:
    faults = sum((outcome.faults for outcome in outcomes), Counter[str]())
    met = ", ".join(f"{name} {count}" for name, count in faults.most_common()) or "none"
    print(f"faults of tools and tables  {met}")
    calls, saved, resumed = (sum(getattr(o, name) for o in outcomes) for name in ("calls", "saved", "resumed"))
    print(f"tools ran {calls} times, {saved} answers were read back from their sessions, {resumed} were gone on with")


def _print_violations(outcomes: Sequence[Outcome], command: str) -> bool:
    found = [(outcome, violation) for outcome in outcomes for violation in outcome.violations]
    for outcome, violation in found[:SHOWN_VIOLATIONS]:
        print(f"chat {outcome.number} ({outcome.way}, {outcome.weather}): {violation}")
    if len(found) > SHOWN_VIOLATIONS:
        print(f"… and {len(found) - SHOWN_VIOLATIONS} more")
    print(f"{len(found) or 'no'} violations in {len(outcomes)} chats; again: {command}")
    return not found
