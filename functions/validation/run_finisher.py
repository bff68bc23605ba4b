"""Ends runs: one of many workers finds the last item recorded, and tells which models no longer do what they did."""

from collections.abc import Iterator
from typing import Final

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.messages import Json
from flexchat.observability import emit_metrics, logger
from flexchat.validation.runs import RunProgress
from functions.validation.aws.event_bus import EventBus
from functions.validation.aws.runs import RunStore
from functions.validation.regressions import Regression, regression_of

REGRESSED: Final = "Model Regressed"


class RunFinisher:
    """`stage` is the dimension of the metric that the alarm watches."""

    def __init__(self, *, runs: RunStore, tracker: ModelValidationTracker, bus: EventBus, stage: str) -> None:
        self._runs = runs
        self._tracker = tracker
        self._bus = bus
        self._stage = stage

    def finish(self, id: str, *, deadline: Deadline) -> None:
        """End a run of which every item is recorded; nothing where some are not, or it has ended already."""
        if self._runs.finish(id, deadline=deadline) is not None:
            self._close(id, deadline)

    def stop(self, id: str, *, reason: str, deadline: Deadline) -> None:
        """End a run whose budget is spent; what its models did until then counts as well."""
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
            self._tell(id, regression, deadline)
        run = progress.run
        logger.info("validation ended", run=id, status=run.status, reason=run.reason, calls=run.counters.calls)

    def _regressions(self, progress: RunProgress, deadline: Deadline) -> Iterator[Regression]:
        for model in progress.models:
            total = self._tracker.tallies(model.model, deadline=deadline).total
            regression = regression_of(model, total)
            if regression is not None:
                yield regression

    def _tell(self, run: str, regression: Regression, deadline: Deadline) -> None:
        """The log and the metric first: an event that cannot be put must not hide what it would have said."""
        logger.error("model regressed", run=run, model=regression.model, reason=regression.reason)
        emit_metrics(dimension=("stage", self._stage), counts={"ModelRegressions": 1})
        detail: dict[str, Json] = {"stage": self._stage, "run": run, **regression.told()}
        try:
            self._bus.put(REGRESSED, detail, deadline=deadline)
        except UnavailableError as exc:
            logger.error("regression not told", run=run, model=regression.model, reason=str(exc))
