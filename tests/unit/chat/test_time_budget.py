"""The estimates of docs/deadlines.md, in figures."""

import pytest

from flexchat.deadline import Deadline
from functions.chat.deadlines import TimeBudget
from tests.clock import Clock


class Chat:
    """A time budget with `seconds` left."""

    def __init__(self, seconds: float) -> None:
        self.clock = Clock()
        self.time_budget = TimeBudget(Deadline.after(seconds, clock=self.clock))

    def after(self, *, models: tuple[float, ...] = (), tools: tuple[float, ...] = ()) -> TimeBudget:
        """The time budget after calls of the given durations, on a constant clock."""
        for seconds in models:
            self.time_budget.model_took(self.clock.now - seconds)
        for seconds in tools:
            self.time_budget.tools_took(self.clock.now - seconds)
        return self.time_budget


@pytest.mark.parametrize(
    ("models", "tools", "needed"),
    [
        ((), (), 1.5),
        ((0.1,), (0.1,), 1.5),
        ((2.0,), (0.1,), 4.5),
        ((2.0, 0.5), (), 4.5),
        ((2.0,), (1.5,), 5.5),
        ((2.0,), (30.0,), 6.0),
        ((0.2,), (30.0,), 1.5),
    ],
    ids=[
        "no calls yet",
        "quick",
        "slow model",
        "slowest of two",
        "slow tool",
        "endless tool",
        "quick model, slow tool",
    ],
)
def test_tools_need_time_for_two_model_calls_and_a_turn_of_tools(
    models: tuple[float, ...], tools: tuple[float, ...], needed: float
) -> None:
    assert not Chat(needed + 0.001).after(models=models, tools=tools).must_answer
    assert Chat(needed - 0.001).after(models=models, tools=tools).must_answer


def test_an_answer_is_requested_until_half_of_the_usual_time_is_left() -> None:
    assert Chat(1.001).after(models=(2.0,)).can_answer
    assert not Chat(0.999).after(models=(2.0,)).can_answer


@pytest.mark.parametrize(
    ("left", "model", "tools"),
    [(20.0, 0.1, 19.25), (20.0, 4.0, 14.0), (8.0, 4.0, 4.0), (1.0, 0.1, 0.5)],
    ids=["minimum", "one and a half times the usual", "at most half", "at most half at the end"],
)
def test_tools_leave_time_for_the_answer(left: float, model: float, tools: float) -> None:
    assert Chat(left).after(models=(model,)).tools_due().remaining() == pytest.approx(tools)
