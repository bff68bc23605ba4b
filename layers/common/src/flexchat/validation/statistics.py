"""Statistics of verdicts: rates with intervals, the 80 % rule, and early stopping.

All functions take two counts, successes and tests, and assume independent tests of equal difficulty.
"""

from math import hypot, sqrt
from typing import Final, Literal

from msgspec import Struct

from flexchat.api.rates import ModelState
from flexchat.validation.records import Tally

THRESHOLD: Final = 0.8
"""Minimum rate of a validated model."""

Z_95: Final = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""

FAILURE_WEIGHT: Final = 4
"""Score of a failure relative to a success: at a rate of exactly 0.8 the score does not change."""

DECISION_SCORE: Final = 13
"""ln(19) / ln(0.88 / 0.7): with this bound the score is Wald's sequential test of 0.7 against 0.88 with error rates of
5 %."""

DECISION_MINIMUM: Final = 10
"""Minimum number of tests for a decision: three failures in a row can have one common cause."""

Decision = Literal["passes", "fails"]


class Rate(Struct, frozen=True):
    """Rate of successes with the bounds of Wilson's 95 % interval; from 0 to 1 without tests."""

    tests: int
    successes: int
    rate: float
    low: float
    high: float


class Difference(Struct, frozen=True):
    """Difference of two rates with the bounds of its 95 % interval; they differ when 0 is outside of it."""

    value: float
    low: float
    high: float


def wilson(successes: int, tests: int) -> Rate:
    """Return the rate with Wilson's score interval (E. B. Wilson, 1927), which is valid for few tests and near 0 and 1.

    Raises ValueError when there are more successes than tests, or a negative number.
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
    """Return true when at least 80 % of at least one test were passed (decision C03)."""
    return tally.tests > 0 and _score(tally.successes, tally.tests) >= 0


def state(tally: Tally) -> ModelState:
    """Return the confidence of the rule: `proven` from 16 of 16 on, `failing` when even the upper bound is too low."""
    if tally.tests == 0:
        return "untested"
    rate = wilson(tally.successes, tally.tests)
    if rate.low >= THRESHOLD:
        return "proven"
    return "failing" if rate.high < THRESHOLD else "undecided"


def decision(successes: int, tests: int) -> Decision | None:
    """Return the decision of the sequential test; None when more tests are needed.

    A sequential test may be evaluated after every single test; an interval may not, because one of many looks is wrong
    by chance. `docs/grading.md` lists the error rates at several skills. A model that `passes` always has a rate above
    0.8, one that `fails` a rate below. Raises ValueError as `wilson` does.
    """
    _check(successes, tests)
    if tests < DECISION_MINIMUM:
        return None
    score = _score(successes, tests)
    if score >= DECISION_SCORE:
        return "passes"
    return "fails" if score <= -DECISION_SCORE else None


def difference(a: Rate, b: Rate) -> Difference:
    """Return `a` minus `b` with the interval of R. G. Newcombe (1998, method 10), computed from those of both rates."""
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
