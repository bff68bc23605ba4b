"""Begins runs: checks what is wanted, keeps the suite as it is now, and orders the plan."""

import hashlib
import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from uuid import uuid4

from flexchat.api.validation import NewRun
from flexchat.config.model_names import model_name
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import Problem, RequestError
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.validation.runs import ValidationRun
from functions.validation.aws.queues import WorkQueue
from functions.validation.aws.runs import RunStore
from functions.validation.aws.suites import SuiteStore
from functions.validation.queue_messages import plan_message
from functions.validation.suites import Suites

MAX_ITEMS = 20_000
"""In one run: as many as one invocation can send on their way."""

_DAY_SECONDS = 24 * 3_600


class RunStarter:
    """`retention_days` is how long a run and its records are kept."""

    def __init__(
        self,
        *,
        runs: RunStore,
        suite_store: SuiteStore,
        suites: Suites,
        queue: WorkQueue,
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

    def start(self, wanted: NewRun, *, deadline: Deadline, occasion: str | None = None) -> ValidationRun:
        """Begin a run; the same `occasion` begins it once, and orders its plan again should that have been lost.

        Raises RequestError for models or a suite that do not exist, and for a run that is too large.
        """
        run_id = uuid4().hex if occasion is None else hashlib.sha256(occasion.encode()).hexdigest()[:32]
        if occasion is not None and (begun := self._runs.get(run_id, deadline=deadline)) is not None:
            logger.info("validation begun before", run=run_id, status=begun.run.status)
            return self._planned(begun.run, deadline)
        models = self._models(wanted)
        suite = self._suites.get(wanted.suite, deadline=deadline)
        total = len(suite.cases) * len(models) * wanted.repeats
        if total > MAX_ITEMS:
            raise RequestError(
                f"{len(suite.cases)} cases by {len(models)} models, {wanted.repeats} times each, are {total} chats; "
                f"a run has at most {MAX_ITEMS}"
            )
        now = self._clock()
        run = ValidationRun(
            id=run_id,
            suite=suite.name,
            models=models,
            repeats=wanted.repeats,
            total=total,
            created_at=now,
            expires_at=int(now) + self._retention_days * _DAY_SECONDS,
            budget=wanted.budget,
            stop_early=wanted.stop_early,
        )
        self._suite_store.keep_for_run(run_id, suite, expires_at=run.expires_at, deadline=deadline)
        self._runs.create(run, deadline=deadline)  # one that was just begun by a second delivery is the same
        logger.info("validation begun", run=run_id, suite=suite.name, models=list(models), total=total)
        return self._planned(run, deadline)

    def resume(self, id: str, *, deadline: Deadline) -> ValidationRun:
        """QueueMessage the plan of a run again. Raises RequestError when there is none, or it has ended."""
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

    def _models(self, wanted: NewRun) -> tuple[str, ...]:
        names = (*(() if wanted.model is None else (wanted.model,)), *wanted.models)
        if not names:
            raise RequestError("no model is named; send 'model' or 'models', such as {\"model\": \"openai:gpt-5\"}")
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


def run_not_found(id: str) -> RequestError:
    message = f"there is no run {id!r}; GET /api/validation/runs lists them"
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="run_not_found")


def ended(run: ValidationRun) -> RequestError:
    reason = f" ({run.reason})" if run.reason else ""
    message = f"the run {run.id!r} is {run.status}{reason}; begin another"
    return RequestError(message, status=HTTPStatus.CONFLICT, code="run_ended")
