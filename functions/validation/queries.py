"""Queries for models and runs, the stop of a run and the deletion of a model's records."""

from collections.abc import Callable
from http import HTTPStatus

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.observability import logger
from flexchat.validation.records import ModelTallies
from flexchat.validation.status import status_view
from flexchat.validation.views import ForgottenModel, History, RunList, StatusList, ValidationRunView
from functions.validation.run_starter import ended, run_not_found
from functions.validation.stores import RunRecords
from functions.validation.views import llm_of, record_view, run_view

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
