"""Validation of models of known accuracy: tests and errors of the rules, simulated and on the default suite."""

import random
from collections import Counter
from dataclasses import dataclass

from dev.evals.skilled import Validator
from flexchat.validation.records import Tally
from flexchat.validation.statistics import THRESHOLD, Decision, decision, state, validated, wilson
from flexchat.validation.suites import built_in_suites

SEEDS = 200
SKILLS = (0.95, 0.9, 0.8, 0.7, 0.6)
TESTS = (16, 60, 300)
MOST_TESTS = 3_000
"""Maximum number of tests; a sequential test without a decision by then counts as undecided."""

SUITE_SEEDS = 10


@dataclass(frozen=True, slots=True)
class Sequential:
    """Decision of the sequential rule for one model, and its number of tests."""

    decision: Decision | None
    tests: int


def report() -> None:
    """Print both tables."""
    print(f"\nModels of known skill, {SEEDS} of each, simulated: share in per cent")
    print(f"{'skill':>6} {'tests':>6} {'validated':>10} {'proven':>8} {'undecided':>10} {'failing':>8}")
    for skill in SKILLS:
        for tests in TESTS:
            shown = "".join(
                f"{share:>{width}.1f}" for share, width in zip(shares(skill, tests), (11, 9, 11, 9), strict=True)
            )
            print(f"{skill:>6} {tests:>6}{shown}")
    print("\nThe same, asked until the sequential rule decides: share in per cent, and tests on average")
    print(f"{'skill':>6} {'passes':>8} {'fails':>8} {'neither':>8} {'tests':>8}")
    for skill in SKILLS:
        decided = [sequential(skill, seed) for seed in range(SEEDS)]
        found = Counter(each.decision for each in decided)
        shown = "".join(f" {found[each] * 100 / SEEDS:>8.1f}" for each in ("passes", "fails", None))
        print(f"{skill:>6}{shown} {sum(each.tests for each in decided) / SEEDS:>8.1f}")
    _report_suite()


def shares(skill: float, tests: int) -> tuple[float, float, float, float]:
    """Return how many of a hundred models of `skill` are validated, proven, undecided and failing after `tests`."""
    tallies = [Tally(tests=tests, successes=sum(_results(skill, seed, tests))) for seed in range(SEEDS)]
    states = Counter(state(tally) for tally in tallies)
    counts = (sum(map(validated, tallies)), states["proven"], states["undecided"], states["failing"])
    passed, proven, undecided, failing = (count * 100 / SEEDS for count in counts)
    return passed, proven, undecided, failing


def sequential(skill: float, seed: int) -> Sequential:
    """Test a model of `skill` until the rule decides or the maximum is reached."""
    successes = 0
    for tests, right in enumerate(_results(skill, seed, MOST_TESTS), start=1):
        successes += right
        if (decided := decision(successes, tests)) is not None:
            return Sequential(decided, tests)
    return Sequential(None, MOST_TESTS)


def _results(skill: float, seed: int, tests: int) -> list[bool]:
    rng = random.Random(f"{skill} {seed}")  # noqa: S311 (no secret depends on it)
    return [rng.random() < skill for _ in range(tests)]


def _report_suite() -> None:
    suite = built_in_suites()["default"]
    validator = Validator(suite)
    print(f"\nThe demo model's skill on the default suite, graded ({len(suite.cases)} cases, {SUITE_SEEDS} seeds)")
    print(f"{'skill':>6} {'rate':>7} {'interval':>16} {'validated':>10} {'proven':>8} {'failing':>8}")
    for skill in SKILLS:
        tallies = [_graded(validator, f"skill-{skill * 100:.0f}-seed-{seed}") for seed in range(SUITE_SEEDS)]
        states = Counter(state(tally) for tally in tallies)
        total = wilson(sum(tally.successes for tally in tallies), sum(tally.tests for tally in tallies))
        passed = sum(map(validated, tallies))
        between = f"{total.low:.3f} to {total.high:.3f}"
        print(f"{skill:>6} {total.rate:>7.3f} {between:>16} {passed:>10} {states['proven']:>8} {states['failing']:>8}")
    print(f"validated: a rate of {THRESHOLD} or more; proven and failing: the whole 95 % interval is above or below")


def _graded(validator: Validator, model: str) -> Tally:
    results = [verdict.result for _, verdict in validator.verdicts(model)]
    return Tally(tests=len(results), successes=results.count("passed"))
