"""End of validation runs, with the report of regressed models."""

from collections.abc import Iterator
from copy import replace
from typing import Final

from msgspec import Struct

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from flexchat.text import counted
from flexchat.validation.records import Tally
from flexchat.validation.statistics import DECISION_MINIMUM, THRESHOLD, Rate, state, wilson
from functions.validation.runs import RunModel, RunProgress
from functions.validation.stores import Events, RunRecords


class Regression(Struct, frozen=True):
    """Regressed model, with its rates in the run and in total."""

    model: str
    reason: str
    run: Rate
    total: Rate

    def detail(self) -> dict[str, Json]:
        """Return the detail of the event."""
        return {
            "model": self.model,
            "reason": self.reason,
            "run_rate": _rate(self.run),
            "total_rate": _rate(self.total),
        }


def regression_of(model: RunModel, total: Tally) -> Regression | None:
    """Return the regression of a model by a run, if any; `total` includes the run.

    A model has regressed if it was proven without the run and is no longer, or if the upper bound of the run's own rate
    is below the threshold: many good tests of the past do not outvote those of the run. That needs a minimum of tests,
    since the bound of a few tests is too uncertain.
    """
    counters = model.counters
    before = replace(total, tests=total.tests - counters.tests, successes=total.successes - counters.passed)
    if not 0 <= before.successes <= before.tests or state(before) != "proven":
        return None
    rate, of_all = wilson(counters.passed, counters.tests), wilson(total.successes, total.tests)
    if state(total) != "proven":
        reason = f"it was proven and is {state(total)} with the {counters.tests} tests of this run"
    elif rate.tests >= DECISION_MINIMUM and rate.high < THRESHOLD:
        reason = f"only {counters.passed} of the {counters.tests} tests of this run were passed"
    else:
        return None
    return Regression(model.model, reason, rate, of_all)


def _rate(rate: Rate) -> Json:
    return {"tests": rate.tests, "successes": rate.successes, "rate": rate.rate, "low": rate.low, "high": rate.high}


REGRESSED: Final = "Model Regressed"


class RunFinisher:
    """Ends runs, once for all workers. `stage` is the dimension of the alarm's metric."""

    def __init__(self, *, runs: RunRecords, tracker: ModelValidationTracker, bus: Events, stage: str) -> None:
        self._runs = runs
        self._tracker = tracker
        self._bus = bus
        self._stage = stage

    def finish(self, id: str, *, deadline: Deadline) -> None:
        """End a run whose items are all recorded, as failed if no model answered. No-op for any other run."""
        run = self._runs.finish(id, deadline=deadline)
        if run is None:
            return
        if run.counters.errors and not run.counters.tests:
            reason = (
                f"no model answered: {counted(run.counters.errors, 'error')}, whose messages are those of the cases"
            )
            self._runs.fail_finished(id, reason=reason, deadline=deadline)
        self._close(id, deadline)

    def stop(self, id: str, *, reason: str, deadline: Deadline) -> None:
        """End a run whose budget is spent; its results count."""
        if self._runs.stop(id, reason=reason, deadline=deadline) is not None:
            self._close(id, deadline)

    def _close(self, id: str, deadline: Deadline) -> None:
        progress = self._runs.get(id, deadline=deadline)
        if progress is None:
            return
        for model in progress.models:
            counters = model.counters
            logger.info(
                "model validated",
                run=id,
                model=model.model,
                tests=counters.tests,
                passed=counters.passed,
                errors=counters.errors,
                skipped=counters.skipped,
                decided=model.decided,
            )
        for regression in self._regressions(progress, deadline):
            self._report(id, regression, deadline)
        run = progress.run
        logger.info("validation ended", run=id, status=run.status, reason=run.reason, calls=run.counters.calls)

    def _regressions(self, progress: RunProgress, deadline: Deadline) -> Iterator[Regression]:
        for model in progress.models:
            tallies = self._tracker.tallies(model.model, deadline=deadline)
            total = tallies.counting(demo=model.counters.demo > 0).total
            regression = regression_of(model, total)
            if regression is not None:
                yield regression

    def _report(self, run: str, regression: Regression, deadline: Deadline) -> None:
        """Log and count a regression, then publish the event, which may fail."""
        logger.error("model regressed", run=run, model=regression.model, reason=regression.reason)
        emit_metrics(dimension=("stage", self._stage), counts={"ModelRegressions": 1})
        detail: dict[str, Json] = {"stage": self._stage, "run": run, **regression.detail()}
        try:
            self._bus.put(REGRESSED, detail, deadline=deadline)
        except UnavailableError as exc:
            logger.error("regression event not published", run=run, model=regression.model, reason=str(exc))
