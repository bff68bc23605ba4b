"""Runs of validation: a suite by some models, each case so many times, and how far that is."""

from dataclasses import dataclass, field

from flexchat.api.validation import Budget, RunStatus
from flexchat.validation.statistics import Decision


@dataclass(frozen=True, slots=True)
class RunCounters:
    """What came of items so far, and what they cost; money is in millionths of a US dollar.

    `done` are all that are recorded, `calls` those that were asked: all but the skipped ones. `demo` counts those that
    the demo model answered.
    """

    done: int = 0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0
    demo: int = 0

    @property
    def tests(self) -> int:
        """How many count for a model."""
        return self.passed + self.failed

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class RunModel:
    """How one model stands in a run. Once `decided` it is asked no more."""

    model: str
    counters: RunCounters = field(default_factory=RunCounters)
    decided: Decision | None = None


@dataclass(frozen=True, slots=True)
class ValidationRun:
    """A run of `total` items: the cases of `suite` by each of `models`, `repeats` times.

    Times are seconds since the epoch. `planned_at` is when every item had been sent on its way; `reason` says why the
    run was stopped or failed. `expires_at` is when it is forgotten, its records with it.
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


@dataclass(frozen=True, slots=True)
class RunProgress:
    """A run with each of its models, in the run's order."""

    run: ValidationRun
    models: tuple[RunModel, ...]
