"""What counts say of a model: rates with their intervals, the rule of 80 %, and when to stop asking.

Everything is of two counts, successes and tests, and takes tests to be independent and equally hard.
"""

from dataclasses import dataclass
from math import hypot, sqrt
from typing import Final, Literal

from flexchat.api.validation import ModelState
from flexchat.validation.records import Tally

THRESHOLD: Final = 0.8
"""The rate from which a model is validated."""

Z_95: Final = 1.959963984540054
"""The two-sided 95 % point of the normal distribution."""

FAILURE_WEIGHT: Final = 4
"""A failure takes back what four successes earned: at a rate of exactly 0.8 the score stays where it is."""

DECISION_SCORE: Final = 13
"""ln(19) over ln(0.88 / 0.7): with it, the score is Wald's sequential test of 0.7 against 0.88, each error 5 %."""

DECISION_MINIMUM: Final = 10
"""No decision on fewer tests: three failures in a row would be enough of a sign, but come too easily from one cause."""

Decision = Literal["passes", "fails"]


@dataclass(frozen=True, slots=True)
class Rate:
    """Successes among tests, with the bounds of Wilson's 95 % interval; without tests that is all from 0 to 1."""

    tests: int
    successes: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much one rate is above another, with the bounds of its 95 % interval. 0 outside of it: they differ."""

    value: float
    low: float
    high: float


def wilson(successes: int, tests: int) -> Rate:
    """The rate and Wilson's score interval (E. B. Wilson, 1927), which holds for few tests and near 0 and 1.

    Raises ValueError where there are more successes than tests, or fewer than none.
    """
    _check(successes, tests)
    if tests == 0:
        return Rate(0, 0, 0.0, 0.0, 1.0)
    rate = successes / tests
    spread = Z_95 * Z_95 / tests
    centre = (rate + spread / 2) / (1 + spread)
    half = sqrt(rate * (1 - rate) * spread + spread * spread / 4) / (1 + spread)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == tests else min(1.0, centre + half)
    return Rate(tests, successes, rate, low, high)


def validated(tally: Tally) -> bool:
    """Whether at least 80 % of the tests were passed, of at least one (decision C03)."""
    return tally.tests > 0 and _score(tally.successes, tally.tests) >= 0


def state(tally: Tally) -> ModelState:
    """What the interval allows to say: `proven` from 16 of 16 on, `failing` when even its upper bound is too low."""
    if tally.tests == 0:
        return "untested"
    rate = wilson(tally.successes, tally.tests)
    if rate.low >= THRESHOLD:
        return "proven"
    return "failing" if rate.high < THRESHOLD else "undecided"


def decision(successes: int, tests: int) -> Decision | None:
    """Whether more tests are needed to tell a model that passes from one that does not; None when they are.

    A sequential test: it may be asked after every single test, which an interval may not, as one of many looks at it
    is wrong by chance. The error rates at several skills are in `docs/grading.md`. A model that `passes` has a rate
    above 0.8 and one that `fails` a rate below, always. Raises ValueError as `wilson` does.
    """
    _check(successes, tests)
    if tests < DECISION_MINIMUM:
        return None
    score = _score(successes, tests)
    if score >= DECISION_SCORE:
        return "passes"
    return "fails" if score <= -DECISION_SCORE else None


def difference(a: Rate, b: Rate) -> Difference:
    """`a` minus `b` with the interval of R. G. Newcombe (1998, method 10), made from those of both rates."""
    value = a.rate - b.rate
    return Difference(
        value,
        max(-1.0, value - hypot(a.rate - a.low, b.high - b.rate)),
        min(1.0, value + hypot(a.high - a.rate, b.rate - b.low)),
    )


def _score(successes: int, tests: int) -> int:
    """Whole numbers, so that 80 % is exactly 0."""
    return successes - FAILURE_WEIGHT * (tests - successes)


def _check(successes: int, tests: int) -> None:
    if not 0 <= successes <= tests:
        raise ValueError(f"successes must be from 0 to the number of tests, not {successes} of {tests}")
