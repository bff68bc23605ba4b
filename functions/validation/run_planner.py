"""Planning of a run: one message for each of its unrecorded items."""

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.deadline import Deadline
from flexchat.observability import logger
from functions.validation.queue_messages import item_message
from functions.validation.run_finisher import RunFinisher
from functions.validation.run_items import items_of
from functions.validation.stores import Queue, RunRecords
from functions.validation.suite_cache import SuiteCache


class RunPlanner:
    """Sends messages for items; a repeated plan sends the missing ones. Items sent twice are recorded once."""

    def __init__(
        self,
        *,
        runs: RunRecords,
        suite_cache: SuiteCache,
        tracker: ModelValidationTracker,
        queue: Queue,
        finisher: RunFinisher,
    ) -> None:
        self._runs = runs
        self._suite_cache = suite_cache
        self._tracker = tracker
        self._queue = queue
        self._finisher = finisher

    def plan(self, id: str, *, deadline: Deadline) -> None:
        """Send the messages of a run. Raises UnavailableError unless all were sent: the plan must be repeated."""
        run = self._runs.start(id, deadline=deadline)
        if run is None:
            logger.info("plan skipped: run ended", run=id)
            return
        suite = self._suite_cache.get(run, deadline=deadline)
        if suite is None:
            return
        recorded = self._tracker.recorded(id, deadline=deadline)
        missing = (item_message(key) for key in items_of(run, suite) if key not in recorded)
        sent = self._queue.send(missing, deadline=deadline)
        self._runs.mark_planned(id, deadline=deadline)
        logger.info("validation planned", run=id, sent=sent, recorded=len(recorded))
        if not sent:
            self._finisher.finish(id, deadline=deadline)
