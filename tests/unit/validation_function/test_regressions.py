import pytest

from flexchat.validation.records import RunCounters, Tally
from functions.validation.run_finisher import regression_of
from functions.validation.runs import RunModel


def _model(passed: int, failed: int) -> RunModel:
    return RunModel("demo:m", RunCounters(done=passed + failed, passed=passed, failed=failed))


@pytest.mark.parametrize(
    ("total", "run", "reason"),
    [
        ((40, 40), (20, 0), None),
        ((40, 60), (0, 20), "it was proven and is failing with the 20 tests of this run"),
        ((40, 45), (0, 5), "it was proven and is undecided with the 5 tests of this run"),
        ((1_000, 1_010), (0, 10), "only 0 of the 10 tests of this run were passed"),
        ((1_000, 1_009), (0, 9), None),
        ((1_000, 1_000), (0, 0), None),
        ((16, 20), (16, 4), None),
        ((30, 60), (0, 20), None),
        ((3, 2), (4, 4), None),
    ],
    ids=[
        "still proven",
        "now failing",
        "no longer proven",
        "outweighed by earlier tests",
        "too few tests",
        "not tested",
        "no earlier tests",
        "not proven before",
        "counted by half",
    ],
)
def test_a_regression_is_a_failing_model_that_was_proven_without_the_run(
    total: tuple[int, int], run: tuple[int, int], reason: str | None
) -> None:
    regression = regression_of(_model(*run), Tally(successes=total[0], tests=total[1]))

    assert (None if regression is None else regression.reason) == reason
