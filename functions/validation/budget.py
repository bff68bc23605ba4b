"""Budget of a run."""

from flexchat.text import counted
from flexchat.validation.records import MICROS, RunCounters
from flexchat.validation.views import Budget


def why_spent(budget: Budget, counters: RunCounters) -> str | None:
    """Return the reason for stopping a run, or None within its budget.

    Concurrent trials still finish: a run may cost a little more than its budget.
    """
    if budget.calls is not None and counters.calls >= budget.calls:
        return f"the budget of {counted(budget.calls, 'call')} is spent"
    if budget.tokens is not None and counters.tokens >= budget.tokens:
        return f"the budget of {budget.tokens} tokens is spent"
    if budget.usd is not None and counters.cost_micros >= round(budget.usd * MICROS):
        return f"the budget of {budget.usd:g} US dollars is spent"
    return None
