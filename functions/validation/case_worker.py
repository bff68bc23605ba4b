"""Asks one case of one model, grades what came of it, and records it once."""

import time
from collections.abc import Callable
from typing import Final, Protocol

from flexchat.api.answer import ChatResponse
from flexchat.api.trials import TrialRequest
from flexchat.aws.validation.tracker import ModelValidationTracker, RunMissingError
from flexchat.config.model_names import model_name
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.observability import emit_metrics, logger
from flexchat.prices import Prices, cost_micros, prices_of
from flexchat.runs import WallClock
from flexchat.validation.cases import Suite, ValidationCase
from flexchat.validation.grading import grade
from flexchat.validation.observed import outcome_of
from flexchat.validation.records import ValidationRecord
from flexchat.validation.runs import RunModel, RunProgress, ValidationRun
from flexchat.validation.statistics import decision
from flexchat.validation.verdicts import Result
from functions.validation.aws.runs import RunStore
from functions.validation.aws.trials import TrialError, is_passing
from functions.validation.budget import why_spent
from functions.validation.queue_messages import CaseMessage
from functions.validation.run_finisher import RunFinisher
from functions.validation.run_items import case_of, trial_of
from functions.validation.suite_cache import SuiteCache

CASE_SECONDS: Final = 240.0
"""How long one chat may take."""

RECORDING_SECONDS: Final = 10.0
"""Kept back from the deadline, to record what the chat came to."""


class Trials(Protocol):
    """Has a model tried, such as a TrialInvoker. Raises TrialError."""

    def ask(self, trial: TrialRequest, *, deadline: Deadline) -> ChatResponse: ...


class CaseWorker:
    """Works one item at a time; an item that is delivered again is not asked again once it is recorded."""

    def __init__(
        self,
        *,
        runs: RunStore,
        suite_cache: SuiteCache,
        tracker: ModelValidationTracker,
        trials: Trials,
        finisher: RunFinisher,
        configuration: Callable[[], Configuration],
        clock: WallClock = time.time,
    ) -> None:
        self._runs = runs
        self._suite_cache = suite_cache
        self._tracker = tracker
        self._trials = trials
        self._finisher = finisher
        self._configuration = configuration
        self._clock = clock

    def work(self, order: CaseMessage, *, is_last: bool, deadline: Deadline) -> None:
        """Raises TrialError, unless `is_last`, and UnavailableError for what another delivery may succeed with."""
        progress = self._runs.get(order.run, deadline=deadline)
        if progress is None or progress.run.status not in ("queued", "running"):
            logger.info("case of a run that has ended", run=order.run, model=order.model, case=order.case)
            return
        run = progress.run
        if not self._tracker.is_recorded(order.key, deadline=deadline):
            record = self._record(order, progress, is_last=is_last, deadline=deadline)
            if record is None:
                return
            self._keep(record, run, deadline)
        self._finisher.finish(run.id, deadline=deadline)

    def _record(
        self, order: CaseMessage, progress: RunProgress, *, is_last: bool, deadline: Deadline
    ) -> ValidationRecord | None:
        """What is to be recorded of an item; None when its run has ended over it."""
        run = progress.run
        if (spent := why_spent(run.budget, run.counters)) is not None:
            self._finisher.stop(run.id, reason=spent, deadline=deadline)
            return None
        suite = self._suite_cache.of(run, deadline=deadline)
        if suite is None:
            return None
        case = case_of(suite, order.case)
        if case is None:
            return self._unasked(order, run, None, "error", f"the suite has no case {order.case!r}")
        model = next((model for model in progress.models if model.model == order.model), None)
        if run.stop_early and model is not None and (decided := self._decided(run, model, deadline)) is not None:
            return self._unasked(order, run, case, "skipped", f"it is decided already that the model {decided}")
        try:
            return self._asked(order, run, suite, case, is_last=is_last, deadline=deadline)
        except TrialError as exc:
            if exc.is_passing and not is_last:
                raise
            return self._unasked(order, run, case, "error", str(exc), request_id=exc.request_id)

    def _decided(self, run: ValidationRun, model: RunModel, deadline: Deadline) -> str | None:
        """What is certain of a model by now, kept so that later results do not change it."""
        if model.decided is not None:
            return model.decided
        decided = decision(model.counters.passed, model.counters.tests)
        if decided is not None and self._runs.decide(run.id, model.model, decided, deadline=deadline) is not None:
            logger.info("model decided", run=run.id, model=model.model, decided=decided)
        return decided

    def _asked(
        self,
        order: CaseMessage,
        run: ValidationRun,
        suite: Suite,
        case: ValidationCase,
        *,
        is_last: bool,
        deadline: Deadline,
    ) -> ValidationRecord:
        prices = self._prices(order.model)
        limit = deadline.minus(RECORDING_SECONDS).within(CASE_SECONDS)
        # The chat keeps back what it needs to answer; it ends before the invocation is given up.
        trial = trial_of(case, suite, model=order.model, deadline_ms=max(1_000, limit.remaining_ms()))
        response = self._trials.ask(trial, deadline=deadline.minus(RECORDING_SECONDS / 2))
        if response.error is not None and is_passing(f"model_{response.error.type}") and not is_last:
            message = f"the provider gave out midway: {response.error.message}"
            raise TrialError(message, code=f"model_{response.error.type}", request_id=response.request_id)
        verdict = grade(case, outcome_of(response), {tool.name: tool for tool in suite.tools})
        return ValidationRecord(
            key=order.key,
            suite=run.suite,
            category=case.category,
            result=verdict.result,
            reasons=verdict.reasons,
            at=self._clock(),
            latency_ms=response.timings.total_ms,
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost_micros=cost_micros(response.usage.input_tokens, response.usage.output_tokens, prices),
            request_id=response.request_id,
            demo=bool(response.demo),
        )

    def _unasked(
        self,
        order: CaseMessage,
        run: ValidationRun,
        case: ValidationCase | None,
        result: Result,
        reason: str,
        *,
        request_id: str = "",
    ) -> ValidationRecord:
        return ValidationRecord(
            key=order.key,
            suite=run.suite,
            category=None if case is None else case.category,
            result=result,
            reasons=(reason,),
            at=self._clock(),
            latency_ms=0,
            request_id=request_id,
        )

    def _keep(self, record: ValidationRecord, run: ValidationRun, deadline: Deadline) -> None:
        key = record.key
        try:
            first = self._tracker.record(record, expires_at=run.expires_at, deadline=deadline, run_counters=True)
        except RunMissingError as exc:
            logger.warning("case without its run", run=key.run, model=key.model, case=key.case, reason=str(exc))
            return
        logger.info(
            "case recorded" if first else "case recorded before",
            run=key.run,
            model=key.model,
            case=key.case,
            repeat=key.repeat,
            result=record.result,
            reasons=record.reasons,
            request=record.request_id,
        )
        if first and record.result in ("passed", "failed"):
            passed = int(record.result == "passed")
            emit_metrics(dimension=("model", key.model), counts={"ValidationTests": 1, "ValidationPasses": passed})

    def _prices(self, model: str) -> Prices | None:
        llms = self._configuration().llms
        try:
            return prices_of(model_name(model, llms), llms)
        except ValueError:  # the llm was taken out of the configuration since; the chat will say so
            return None
