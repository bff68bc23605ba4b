"""Validation runs: a suite, its models, the number of repetitions, and the progress."""

from msgspec import Struct, field

from flexchat.validation.records import RunCounters
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
