"""End of validation runs, with the report of regressed models."""

from collections.abc import Iterator
from typing import Final

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from functions.validation.regressions import Regression, regression_of
from functions.validation.runs import RunProgress
from functions.validation.stores import Events, RunRecords

REGRESSED: Final = "Model Regressed"


class RunFinisher:
    """Ends runs, once for all workers. `stage` is the dimension of the alarm's metric."""

    def __init__(self, *, runs: RunRecords, tracker: ModelValidationTracker, bus: Events, stage: str) -> None:
        self._runs = runs
        self._tracker = tracker
        self._bus = bus
        self._stage = stage

    def finish(self, id: str, *, deadline: Deadline) -> None:
        """End a run whose items are all recorded. No-op for any other run."""
        if self._runs.finish(id, deadline=deadline) is not None:
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
            total = self._tracker.tallies(model.model, deadline=deadline).total
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
