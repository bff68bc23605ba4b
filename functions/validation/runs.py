"""Validation runs: a suite, its models, the number of repetitions, and the progress."""

from msgspec import Struct, field

from flexchat.text import counted
from flexchat.validation.records import MICROS, RunCounters
from flexchat.validation.statistics import Decision
from flexchat.validation.views import Budget, RunStatus


class RunModel(Struct, frozen=True):
    """Progress of one model in a run. No further case runs once `decided`."""

    model: str
    counters: RunCounters = field(default_factory=RunCounters)
    decided: Decision | None = None


class ValidationRun(Struct, frozen=True):
    """A run of `total` items: the cases of `suite` by each of `models`, `repeats` times.

    Times are seconds since the epoch. `planned_at` is the time at which every item had been queued; `reason` explains
    why the run was stopped or failed. The run and its records are deleted at `expires_at`.
    """

    id: str
    suite: str
    models: tuple[str, ...]
    repeats: int
    total: int
    created_at: float
    expires_at: int
    budget: Budget = field(default_factory=Budget)
    stop_early: bool = True
    status: RunStatus = "queued"
    reason: str | None = None
    started_at: float | None = None
    planned_at: float | None = None
    finished_at: float | None = None
    counters: RunCounters = field(default_factory=RunCounters)


class RunProgress(Struct, frozen=True):
    """A run with the progress of its models, in the run's order."""

    run: ValidationRun
    models: tuple[RunModel, ...]


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
