"""Validation results of models with a given accuracy; the table of `make bench` uses the same 200 seeds."""

import pytest

from dev.evals.validation import SEEDS, report, sequential, shares
from flexchat.validation.statistics import DECISION_MINIMUM

pytestmark = pytest.mark.slow


def test_a_model_with_95_percent_correct_is_validated_and_finally_proven() -> None:
    few, more, most = (shares(0.95, tests) for tests in (16, 60, 300))

    assert [found[0] for found in (few, more, most)] == [99.5, 100.0, 100.0]
    assert few[1] < more[1] < most[1] == 100.0
    assert [found[3] for found in (few, more, most)] == [0.0, 0.0, 0.0]


def test_a_model_with_60_percent_correct_is_never_proven_and_finally_failing() -> None:
    found = [shares(0.6, tests) for tests in (16, 60, 300)]

    assert [proven for _, proven, _, _ in found] == [0.0, 0.0, 0.0]
    assert found[-1] == (0.0, 0.0, 0.0, 100.0)


@pytest.mark.parametrize(("skill", "right"), [(0.95, "passes"), (0.9, "passes"), (0.7, "fails"), (0.6, "fails")])
def test_the_sequential_rule_has_few_errors_and_needs_few_tests(skill: float, right: str) -> None:
    decided = [sequential(skill, seed) for seed in range(SEEDS)]

    assert sum(each.decision != right for each in decided) <= 0.05 * SEEDS
    assert DECISION_MINIMUM <= sum(each.tests for each in decided) / SEEDS < 40


def test_the_tables_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    report()

    printed = capsys.readouterr().out
    assert printed.count("  0.95") == 5
    assert "on the default suite, graded (" in printed
