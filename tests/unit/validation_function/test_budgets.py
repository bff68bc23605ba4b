import pytest

from flexchat.validation.records import RunCounters
from flexchat.validation.views import Budget
from functions.validation.runs import why_spent


@pytest.mark.parametrize(
    ("budget", "counters", "reason"),
    [
        (Budget(), RunCounters(calls=10**9, input_tokens=10**9, cost_micros=10**12), None),
        (Budget(calls=2), RunCounters(calls=1), None),
        (Budget(calls=2), RunCounters(calls=2), "the budget of 2 calls is spent"),
        (Budget(tokens=100), RunCounters(input_tokens=60, output_tokens=39), None),
        (Budget(tokens=100), RunCounters(input_tokens=60, output_tokens=40), "the budget of 100 tokens is spent"),
        (Budget(usd=0.1), RunCounters(cost_micros=99_999), None),
        (Budget(usd=0.1), RunCounters(cost_micros=100_000), "the budget of 0.1 US dollars is spent"),
        (Budget(calls=9, usd=1), RunCounters(calls=1, cost_micros=2_000_000), "the budget of 1 US dollars is spent"),
    ],
)
def test_a_budget_is_exhausted_by_its_first_reached_limit(
    budget: Budget, counters: RunCounters, reason: str | None
) -> None:
    assert why_spent(budget, counters) == reason
