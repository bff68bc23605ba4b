import random
from collections import Counter

import pytest

from flexchat.validation.records import Tally
from flexchat.validation.statistics import Difference, Rate, decision, difference, state, validated, wilson


def rounded(rate: Rate) -> tuple[float, float, float]:
    return round(rate.rate, 4), round(rate.low, 4), round(rate.high, 4)


@pytest.mark.parametrize(
    ("successes", "tests", "expected"),
    [
        (16, 16, (1.0, 0.8064, 1.0)),
        (15, 15, (1.0, 0.7961, 1.0)),
        (4, 5, (0.8, 0.3755, 0.9638)),
        (81, 263, (0.308, 0.2553, 0.3662)),
        (0, 10, (0.0, 0.0, 0.2775)),
        (1, 1, (1.0, 0.2065, 1.0)),
    ],
)
def test_the_interval_equals_the_wilson_score_interval(
    successes: int, tests: int, expected: tuple[float, float, float]
) -> None:
    assert rounded(wilson(successes, tests)) == expected


def test_the_interval_without_tests_is_0_to_1() -> None:
    assert wilson(0, 0) == Rate(tests=0, successes=0, rate=0.0, low=0.0, high=1.0)


@pytest.mark.parametrize(("successes", "tests"), [(3, 2), (-1, 2), (0, -1)])
def test_impossible_counts_are_rejected(successes: int, tests: int) -> None:
    with pytest.raises(ValueError, match=f"not {successes} of {tests}"):
        wilson(successes, tests)
    with pytest.raises(ValueError, match="successes must be"):
        decision(successes, tests)


def test_the_interval_contains_the_true_rate_in_19_of_20_cases() -> None:
    draw = random.Random(5)  # noqa: S311 # repeatable, no secret
    for skill in (0.6, 0.8, 0.95):
        rates = [wilson(sum(draw.random() < skill for _ in range(60)), 60) for _ in range(2_000)]
        share = sum(rate.low <= skill <= rate.high for rate in rates) / len(rates)
        assert 0.92 < share < 0.98


@pytest.mark.parametrize(
    ("successes", "tests", "expected"),
    [(0, 0, False), (1, 1, True), (4, 5, True), (79, 99, False), (80, 100, True), (799, 1_000, False), (3, 4, False)],
)
def test_a_model_is_validated_at_80_percent_and_above(successes: int, tests: int, expected: bool) -> None:
    assert validated(Tally(tests=tests, successes=successes)) is expected


@pytest.mark.parametrize(
    ("successes", "tests", "expected"),
    [
        (0, 0, "untested"),
        (15, 15, "undecided"),
        (16, 16, "proven"),
        (17, 20, "undecided"),
        (0, 1, "failing"),
        (1, 2, "undecided"),
        (60, 100, "failing"),
        (88, 100, "proven"),
        (87, 100, "undecided"),
    ],
)
def test_the_state_follows_from_the_interval(successes: int, tests: int, expected: str) -> None:
    assert state(Tally(tests=tests, successes=successes)) == expected


@pytest.mark.parametrize(
    ("successes", "tests", "expected"),
    [
        (0, 0, None),
        (0, 9, None),
        (0, 10, "fails"),
        (12, 12, None),
        (13, 13, "passes"),
        (16, 17, None),
        (17, 18, "passes"),
        (6, 10, None),
        (5, 10, "fails"),
        (800, 1_000, None),
        (803, 1_000, "passes"),
        (797, 1_000, "fails"),
    ],
)
def test_more_tests_are_requested_until_a_decision(successes: int, tests: int, expected: str | None) -> None:
    assert decision(successes, tests) == expected


def test_a_decision_never_contradicts_the_80_percent_rule() -> None:
    for tests in range(400):
        for successes in range(tests + 1):
            found = decision(successes, tests)
            if found is not None:
                assert (found == "passes") is validated(Tally(tests=tests, successes=successes))


def decided(skill: float, *, seed: int, runs: int = 2_000) -> tuple[Counter[str], float]:
    """Shares of passes and failures of models of a skill, and the mean number of tests."""
    draw, found, used = random.Random(seed), Counter[str](), 0  # noqa: S311 # repeatable, no secret
    for _ in range(runs):
        successes = tests = 0
        while (outcome := decision(successes, tests)) is None:
            tests += 1
            successes += draw.random() < skill
        found[outcome] += 1
        used += tests
    return found, used / runs


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_error_rates_equal_the_documented_ones(seed: int) -> None:
    runs = 2_000
    for skill, wrong, most, tests in (
        (0.6, "passes", 0.01, 20),
        (0.7, "passes", 0.065, 30),
        (0.88, "fails", 0.05, 35),
        (0.95, "fails", 0.003, 20),
    ):
        found, used = decided(skill, seed=seed, runs=runs)
        assert found[wrong] / runs < most, skill
        assert used < tests, skill


def test_the_difference_of_two_rates_equals_the_published_newcombe_examples() -> None:
    found = difference(wilson(56, 70), wilson(48, 80))
    assert (round(found.value, 4), round(found.low, 4), round(found.high, 4)) == (0.2, 0.0524, 0.3339)


def test_a_difference_changes_its_sign_with_the_order() -> None:
    one, other = wilson(9, 10), wilson(3, 10)
    there, back = difference(one, other), difference(other, one)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert there.low > 0


def test_a_difference_to_an_untested_model_is_unknown() -> None:
    assert difference(wilson(0, 0), wilson(0, 0)) == Difference(0.0, -1.0, 1.0)
