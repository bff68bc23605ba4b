"""Queries for models and runs, the stop of a run and the deletion of a model's records."""

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final, Literal

from flexchat.api.rates import RateView
from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.observability import logger
from flexchat.validation.records import MICROS, ModelTallies, RecordPage, RunCounters, Tally, ValidationRecord
from flexchat.validation.statistics import Decision, state, wilson
from flexchat.validation.status import status_view
from flexchat.validation.views import (
    ForgottenModel,
    History,
    RecordView,
    RunList,
    RunModelView,
    StatusList,
    ValidationRunView,
)
from functions.validation.run_starter import ended, run_not_found
from functions.validation.runs import RunModel, ValidationRun
from functions.validation.stores import RunRecords

EARLY_STOPS: Final[Mapping[Decision, Literal["above", "below"]]] = {"passes": "above", "fails": "below"}
"""Side of 80 % on which a model's rate was at an early stop."""


def run_view(
    run: ValidationRun,
    models: tuple[RunModel, ...] = (),
    verdicts: RecordPage | None = None,
    *,
    demo: Collection[str] = (),
) -> ValidationRunView:
    """Return the view of a run; without `models`, each model has its name alone.

    `demo` are the llms that the demo model serves now; models with recorded answers of it are marked anyway.
    """
    counters = run.counters
    return ValidationRunView(
        id=run.id,
        status=run.status,
        suite=run.suite,
        models=tuple(_model_view(model, demo) for model in models or map(RunModel, run.models)),
        repeats=run.repeats,
        total=run.total,
        done=counters.done,
        passed=counters.passed,
        failed=counters.failed,
        errors=counters.errors,
        skipped=counters.skipped,
        calls=counters.calls,
        tokens=counters.tokens,
        cost_usd=counters.cost_micros / MICROS,
        budget=run.budget,
        reason=run.reason,
        created_at=_iso(run.created_at),
        finished_at=None if run.finished_at is None else _iso(run.finished_at),
        verdicts=() if verdicts is None else tuple(map(record_view, verdicts.records)),
        cursor=None if verdicts is None else verdicts.cursor,
    )


def llm_of(model: str) -> str:
    """Return the llm of a model's name, `llm:model`."""
    return model.partition(":")[0]


def record_view(record: ValidationRecord) -> RecordView:
    key = record.key
    return RecordView(
        run=key.run,
        model=key.model,
        case=key.case,
        repeat=key.repeat,
        suite=record.suite,
        category=record.category,
        result=record.result,
        reasons=record.reasons,
        at=_iso(record.at),
        latency_ms=record.latency_ms,
        tokens=record.input_tokens + record.output_tokens,
        cost_usd=None if record.cost_micros is None else record.cost_micros / MICROS,
        request_id=record.request_id,
        counted=record.counted,
        demo=record.demo or None,
        provenance=record.provenance,
        server=record.server or None,
    )


def _model_view(model: RunModel, demo: Collection[str]) -> RunModelView:
    counters = model.counters
    rate = wilson(counters.passed, counters.tests)
    return RunModelView(
        model=model.model,
        rate=RateView(tests=rate.tests, successes=rate.successes, rate=rate.rate, low=rate.low, high=rate.high)
        if counters.tests
        else None,
        done=counters.done,
        errors=counters.errors,
        skipped=counters.skipped,
        decided=model.decided,
        stopped_early=None if model.decided is None else EARLY_STOPS[model.decided],
        state=state(Tally(tests=counters.tests, successes=counters.passed)) if counters.calls else None,
        demo=(counters.demo > 0 if counters.calls else llm_of(model.model) in demo) or None,
        provenance=_provenance(counters),
    )


def _provenance(counters: RunCounters) -> Literal["demo", "real", "mixed", "unknown"] | None:
    """Return the kind of model that answered the cases of a run; None before the first one."""
    if not counters.calls:
        return None
    if counters.demo and counters.demo < counters.calls:
        return "mixed"
    if counters.demo:
        return "demo"
    return "real" if counters.real == counters.calls else "unknown"


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


RUNS_PAGE = 100


class ValidationQueries:
    """Statuses, histories and runs of validation."""

    def __init__(
        self, *, runs: RunRecords, tracker: ModelValidationTracker, configuration: Callable[[], Configuration]
    ) -> None:
        self._runs = runs
        self._tracker = tracker
        self._configuration = configuration

    def statuses(self, *, deadline: Deadline) -> StatusList:
        """Return all tested models by name, including those tested only by hand."""
        by_hand = self._tracker.by_hand(deadline=deadline)
        demo = self._demo()
        tallies_by_model = {tallies.model: tallies for tallies in self._tracker.all(deadline=deadline)}
        return StatusList(
            validations=tuple(
                status_view(
                    tallies_by_model.get(model, ModelTallies(model)), by_hand.get(model), demo=llm_of(model) in demo
                )
                for model in sorted(tallies_by_model.keys() | by_hand.keys())
            )
        )

    def history(self, model: str, *, limit: int, cursor: str | None, deadline: Deadline) -> History:
        """Return the status and the records of a model, which may be untested."""
        page = self._tracker.history(model, limit=limit, cursor=cursor, deadline=deadline)
        return History(
            status=status_view(
                self._tracker.tallies(model, deadline=deadline),
                self._tracker.by_hand(model=model, deadline=deadline).get(model),
                demo=llm_of(model) in self._demo(),
            ),
            records=tuple(map(record_view, page.records)),
            cursor=page.cursor,
        )

    def forget(self, model: str, *, deadline: Deadline) -> ForgottenModel:
        """Delete the tallies and records of a model, as many as the deadline allows.

        Raises RequestError (409) while a run tries the model: its next verdict would count again.
        """
        cursor: str | None = None
        while True:
            page = self._runs.list(limit=RUNS_PAGE, cursor=cursor, deadline=deadline)
            for run in page.runs:
                if run.status in ("queued", "running") and model in run.models:
                    message = f"the run {run.id!r} tries {model!r}; stop it first: `flexchat validate stop {run.id}`"
                    raise RequestError(message, status=HTTPStatus.CONFLICT, code="model_in_validation")
            if (cursor := page.cursor) is None:
                break
        done = self._tracker.forget(model, deadline=deadline)
        logger.info("model records deleted", model=model, records=done.records, complete=done.complete)
        return ForgottenModel(model=model, records=done.records, complete=done.complete)

    def runs(self, *, limit: int, cursor: str | None, deadline: Deadline) -> RunList:
        page, demo = self._runs.list(limit=limit, cursor=cursor, deadline=deadline), self._demo()
        return RunList(runs=tuple(run_view(run, demo=demo) for run in page.runs), cursor=page.cursor)

    def run(self, id: str, *, limit: int, cursor: str | None, deadline: Deadline) -> ValidationRunView:
        """Return a run with one page of its verdicts. Raises RequestError (404) for an unknown run."""
        progress = self._runs.get(id, deadline=deadline)
        if progress is None:
            raise run_not_found(id)
        verdicts = self._runs.results(id, limit=limit, cursor=cursor, deadline=deadline)
        return run_view(progress.run, progress.models, verdicts, demo=self._demo())

    def stop(self, id: str, *, deadline: Deadline) -> ValidationRunView:
        """Stop a run; its current trials are still recorded. Raises RequestError (404, 409)."""
        stopped = self._runs.stop(id, reason="stopped on request", deadline=deadline)
        progress = self._runs.get(id, deadline=deadline)
        if progress is None:
            raise run_not_found(id)
        if stopped is None:
            raise ended(progress.run)
        return run_view(progress.run, progress.models, demo=self._demo())

    def _demo(self) -> frozenset[str]:
        """Return the llms of the demo model; none if the configuration cannot be read."""
        try:
            return frozenset(name for name, llm in self._configuration().llms.items() if llm.demo)
        except FlexchatError as error:
            logger.warning("configuration not read", reason=str(error))
            return frozenset()
