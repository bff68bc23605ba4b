"""In-memory cache of the suites of runs, as of the start of each run."""

import time
from collections import OrderedDict

from flexchat.deadline import Deadline
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.validation.cases import Suite
from functions.validation.runs import ValidationRun
from functions.validation.stores import RunRecords, SuiteRecords

MAX_SUITES = 4


class SuiteCache:
    """Least recently used cache; the stored suite of a run never changes."""

    def __init__(self, store: SuiteRecords, runs: RunRecords, *, clock: WallClock = time.time) -> None:
        self._store = store
        self._runs = runs
        self._clock = clock
        self._suites: OrderedDict[str, Suite] = OrderedDict()

    def get(self, run: ValidationRun, *, deadline: Deadline) -> Suite | None:
        """Return the suite of a run, or None after failing a run whose suite is missing."""
        suite = self._suites.get(run.id) or self._store.of_run(run.id, now=self._clock(), deadline=deadline)
        if suite is None:
            logger.error("suite of run not found", run=run.id, suite=run.suite)
            self._runs.fail(run.id, reason="its stored suite is missing", deadline=deadline)
            return None
        self._suites[run.id] = suite
        self._suites.move_to_end(run.id)
        if len(self._suites) > MAX_SUITES:
            self._suites.popitem(last=False)
        return suite
