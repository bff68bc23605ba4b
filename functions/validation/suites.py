"""Built-in suites and suites of operators, by name."""

import time
from collections import Counter, OrderedDict
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus

from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.validation.cases import Suite
from flexchat.validation.suites import check_suite
from flexchat.validation.views import SuiteList, SuiteView
from functions.validation.runs import ValidationRun
from functions.validation.stores import RunRecords, SuiteRecords


class Suites:
    """All suites. `built_in` suites are read-only, and operators cannot reuse their names."""

    def __init__(self, store: SuiteRecords, *, built_in: Mapping[str, Suite], clock: WallClock = time.time) -> None:
        self._store = store
        self._built_in = built_in
        self._clock = clock

    def get(self, name: str, *, deadline: Deadline) -> Suite:
        """Return a suite. Raises RequestError (404) for an unknown name."""
        suite = self._built_in.get(name) or self._store.get(name, now=self._clock(), deadline=deadline)
        if suite is None:
            raise _not_found(name)
        return suite

    def list(self, *, deadline: Deadline) -> SuiteList:
        own = (
            SuiteView(
                name=entry.name,
                description=entry.description,
                cases=entry.cases,
                categories=dict(entry.categories),
                built_in=False,
                updated_at=datetime.fromtimestamp(entry.updated_at, UTC).isoformat(timespec="seconds"),
            )
            for entry in self._store.list(deadline=deadline)
        )
        return SuiteList(suites=(*(_view(suite) for suite in self._built_in.values()), *own))

    def put(self, name: str, suite: Suite, *, deadline: Deadline) -> SuiteView:
        """Store or replace an operator's suite. Raises RequestError for an invalid suite."""
        self._refuse_built_in(name)
        if suite.name != name:
            raise RequestError(f"the suite has the name {suite.name!r}, the path has {name!r}; use the same name")
        problems = check_suite(suite)
        if any(problem.severity == "error" for problem in problems):
            raise RequestError("the suite has problems; see details", code="invalid_suite", details=problems)
        now = self._clock()
        self._store.put(suite, now=now, deadline=deadline)
        updated_at = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
        return _view(suite).model_copy(update={"built_in": False, "updated_at": updated_at})

    def delete(self, name: str, *, deadline: Deadline) -> None:
        """Delete an operator's suite. Raises RequestError for an unknown or a built-in suite."""
        self._refuse_built_in(name)
        if not self._store.delete(name, deadline=deadline):
            raise _not_found(name)

    def _refuse_built_in(self, name: str) -> None:
        if name in self._built_in:
            message = f"{name!r} comes with Flexchat and cannot be changed; send yours under another name"
            raise RequestError(message, status=HTTPStatus.CONFLICT, code="built_in_suite")


def _view(suite: Suite) -> SuiteView:
    return SuiteView(
        name=suite.name,
        description=suite.description,
        cases=len(suite.cases),
        categories=dict(Counter(case.category for case in suite.cases)),
        built_in=True,
    )


def _not_found(name: str) -> RequestError:
    message = f"suite {name!r} not found; GET /api/validation/suites lists them"
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="suite_not_found")


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
