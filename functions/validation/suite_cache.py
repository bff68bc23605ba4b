"""The suites of runs as they were when the runs began, the last few kept in memory."""

import time
from collections import OrderedDict

from flexchat.deadline import Deadline
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.validation.cases import Suite
from flexchat.validation.runs import ValidationRun
from functions.validation.aws.runs import RunStore
from functions.validation.aws.suites import SuiteStore

MAX_KEPT = 4


class SuiteCache:
    """A snapshot never changes, so a case is asked without reading the whole suite again."""

    def __init__(self, store: SuiteStore, runs: RunStore, *, clock: WallClock = time.time) -> None:
        self._store = store
        self._runs = runs
        self._clock = clock
        self._kept: OrderedDict[str, Suite] = OrderedDict()

    def of(self, run: ValidationRun, *, deadline: Deadline) -> Suite | None:
        """The run's suite. None when it is gone: then the run cannot go on, and has failed."""
        suite = self._kept.get(run.id) or self._store.of_run(run.id, now=self._clock(), deadline=deadline)
        if suite is None:
            logger.error("validation without its suite", run=run.id, suite=run.suite)
            self._runs.fail(run.id, reason="its suite is no longer kept", deadline=deadline)
            return None
        self._kept[run.id] = suite
        self._kept.move_to_end(run.id)
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return suite
