"""Start of runs: checks the request, stores a copy of the suite and queues the plan."""

import hashlib
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from uuid import uuid4

from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.config.model_names import model_name
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import Problem, RequestError
from flexchat.observability import logger
from flexchat.prices import prices_of
from flexchat.runs import WallClock
from flexchat.validation.views import NewRun
from functions.validation.run_finisher import RunFinisher
from functions.validation.run_items import item_message, items_of, plan_message
from functions.validation.runs import ValidationRun
from functions.validation.stores import Queue, RunRecords, SuiteRecords
from functions.validation.suites import SuiteCache, Suites

MAX_ITEMS = 20_000
"""Items of one run, limited by the messages that one invocation can send."""

_DAY_SECONDS = 24 * 3_600


class RunStarter:
    """Starts and resumes runs; runs and their records expire after `retention_days`."""

    def __init__(
        self,
        *,
        runs: RunRecords,
        suite_store: SuiteRecords,
        suites: Suites,
        queue: Queue,
        configuration: Callable[[], Configuration],
        retention_days: int,
        clock: WallClock = time.time,
    ) -> None:
        self._runs = runs
        self._suite_store = suite_store
        self._suites = suites
        self._queue = queue
        self._configuration = configuration
        self._retention_days = retention_days
        self._clock = clock

    def start(self, new: NewRun, *, deadline: Deadline, occasion: str | None = None) -> ValidationRun:
        """Start a run; with the same `occasion` it starts once, and its plan is queued again in case it was lost.

        Raises RequestError for models or a suite that do not exist, for a run that is too large, and for a budget in US
        dollars of a model without prices, which would never be spent.
        """
        run_id = uuid4().hex if occasion is None else hashlib.sha256(occasion.encode()).hexdigest()[:32]
        if occasion is not None and (existing := self._runs.get(run_id, deadline=deadline)) is not None:
            logger.info("validation already started", run=run_id, status=existing.run.status)
            return self._planned(existing.run, deadline)
        models = self._models(new)
        if new.budget.usd is not None:
            _check_prices(models, self._configuration())
        suite = self._suites.get(new.suite, deadline=deadline)
        total = len(suite.cases) * len(models) * new.repeats
        if total > MAX_ITEMS:
            raise RequestError(
                f"{len(suite.cases)} cases by {len(models)} models, {new.repeats} times each, are {total} chats; "
                f"a run has at most {MAX_ITEMS}"
            )
        now = self._clock()
        run = ValidationRun(
            id=run_id,
            suite=suite.name,
            models=models,
            repeats=new.repeats,
            total=total,
            created_at=now,
            expires_at=int(now) + self._retention_days * _DAY_SECONDS,
            budget=new.budget,
            stop_early=new.stop_early,
        )
        self._suite_store.keep_for_run(run_id, suite, expires_at=run.expires_at, deadline=deadline)
        self._runs.create(run, deadline=deadline)  # a second delivery may have created the same run
        logger.info("validation started", run=run_id, suite=suite.name, models=list(models), total=total)
        return self._planned(run, deadline)

    def resume(self, id: str, *, deadline: Deadline) -> ValidationRun:
        """Queue the plan of a run again. Raises RequestError for an unknown run or one that has ended."""
        progress = self._runs.get(id, deadline=deadline)
        if progress is None:
            raise run_not_found(id)
        if progress.run.status not in ("queued", "running"):
            raise ended(progress.run)
        self._queue.send([plan_message(id)], deadline=deadline)
        return progress.run

    def _planned(self, run: ValidationRun, deadline: Deadline) -> ValidationRun:
        if run.status == "queued":
            self._queue.send([plan_message(run.id)], deadline=deadline)
        return run

    def _models(self, new: NewRun) -> tuple[str, ...]:
        names = (*(() if new.model is None else (new.model,)), *new.models)
        if not names:
            raise RequestError("model is required; send 'model' or 'models', such as {\"model\": \"openai:gpt-5\"}")
        return tuple(dict.fromkeys(_resolved(names, self._configuration())))


def _resolved(names: Iterable[str], configuration: Configuration) -> list[str]:
    resolved: list[str] = []
    problems: list[Problem] = []
    for name in names:
        try:
            resolved.append(str(model_name(name, configuration.llms)))
        except ValueError as exc:
            problems.append(Problem(path="models", message=str(exc)))
    if problems:
        raise RequestError("some models are not configured; see details", details=tuple(problems))
    return resolved


def _check_prices(models: Iterable[str], configuration: Configuration) -> None:
    """Raise RequestError for models whose chats have no cost."""
    llms = configuration.llms
    problems = tuple(
        Problem(
            path="budget.usd", message=f"{model!r} has no prices; set 'input_price' and 'output_price' in a profile"
        )
        for model in models
        if prices_of(model_name(model, llms), llms) is None
    )
    if problems:
        message = "a budget in US dollars needs the prices of every model; see details, or send 'calls' or 'tokens'"
        raise RequestError(message, code="no_prices", details=problems)


def run_not_found(id: str) -> RequestError:
    message = f"run {id!r} not found; GET /api/validation/runs lists them"
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="run_not_found")


def ended(run: ValidationRun) -> RequestError:
    reason = f" ({run.reason})" if run.reason else ""
    message = f"the run {run.id!r} is {run.status}{reason}; start another"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="run_ended")


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
