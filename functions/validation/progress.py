"""What is known of models and runs, as callers read it, and the end of a run that somebody wishes."""

from flexchat.api.validation import History, RunList, StatusList, ValidationRunView
from flexchat.aws.validation_runs import RunStore
from flexchat.aws.validation_tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.validation.status import status_view
from functions.validation.starting import ended, run_not_found
from functions.validation.views import record_view, run_view


class Progress:
    """Everybody with a token may read; whoever stops a run has been asked for the operator's role before."""

    def __init__(self, *, runs: RunStore, tracker: ModelValidationTracker) -> None:
        self._runs = runs
        self._tracker = tracker

    def statuses(self, *, deadline: Deadline) -> StatusList:
        """Every model that was ever tested, by name."""
        return StatusList(validations=tuple(map(status_view, self._tracker.all(deadline=deadline))))

    def history(self, model: str, *, limit: int, cursor: str | None, deadline: Deadline) -> History:
        """One model; of one that was never tested that is what is known (document 003, line 1865)."""
        page = self._tracker.history(model, limit=limit, cursor=cursor, deadline=deadline)
        return History(
            status=status_view(self._tracker.tallies(model, deadline=deadline)),
            records=tuple(map(record_view, page.records)),
            cursor=page.cursor,
        )

    def runs(self, *, limit: int, cursor: str | None, deadline: Deadline) -> RunList:
        page = self._runs.list(limit=limit, cursor=cursor, deadline=deadline)
        return RunList(runs=tuple(run_view(run) for run in page.runs), cursor=page.cursor)

    def run(self, id: str, *, limit: int, cursor: str | None, deadline: Deadline) -> ValidationRunView:
        """A run with some of its verdicts. Raises RequestError (404) when there is none."""
        progress = self._runs.get(id, deadline=deadline)
        if progress is None:
            raise run_not_found(id)
        verdicts = self._runs.results(id, limit=limit, cursor=cursor, deadline=deadline)
        return run_view(progress.run, progress.models, verdicts)

    def stop(self, id: str, *, deadline: Deadline) -> ValidationRunView:
        """End a run; cases that are being asked are still recorded. Raises RequestError (404, 409)."""
        stopped = self._runs.stop(id, reason="stopped on request", deadline=deadline)
        progress = self._runs.get(id, deadline=deadline)
        if progress is None:
            raise run_not_found(id)
        if stopped is None:
            raise ended(progress.run)
        return run_view(progress.run, progress.models)
