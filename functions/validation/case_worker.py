"""Processing of one item: the trial of a model on a case, its grade and its record."""

import time
from collections.abc import Callable, Mapping
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
from flexchat.validation.records import Provenance, ValidationRecord
from flexchat.validation.servers import server_of
from flexchat.validation.statistics import Decision, decision
from flexchat.validation.verdicts import Result, outcome_of
from functions.validation.queries import llm_of
from functions.validation.run_finisher import RunFinisher
from functions.validation.run_items import CaseMessage, case_of, trial_of
from functions.validation.runs import RunModel, RunProgress, ValidationRun, why_spent
from functions.validation.stores import RunRecords
from functions.validation.suites import SuiteCache
from functions.validation.trial_errors import TrialError, is_transient

CASE_SECONDS: Final = 240.0
"""Limit of one trial."""

MALFORMED_CALL: Final = "model_malformed_tool_call"
"""Code of a call that the model wrote in a form that its server cannot read, twice: this fails the case."""

MOST_ERRORS: Final = 5
"""Number of errors of a model beyond its tests after which its other cases are skipped."""

RECORDING_SECONDS: Final = 10.0
"""Reserved before the deadline, to record the result."""


SKIPPED: Final[Mapping[Decision, str]] = {
    "passes": "not run: the model was stopped early, its rate was above 80 %",
    "fails": "not run: the model was stopped early, its rate was below 80 %",
}
"""Reasons of the cases after an early stop."""


class Trials(Protocol):
    """Runs trials, such as a TrialInvoker. Raises TrialError."""

    def run(self, trial: TrialRequest, *, deadline: Deadline) -> ChatResponse: ...


class CaseWorker:
    """Processes one item at a time; a recorded item is not processed again."""

    def __init__(
        self,
        *,
        runs: RunRecords,
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

    def work(self, message: CaseMessage, *, is_last: bool, deadline: Deadline) -> None:
        """Process an item. Raises UnavailableError, and TrialError if another delivery may succeed."""
        progress = self._runs.get(message.run, deadline=deadline)
        if progress is None or progress.run.status not in ("queued", "running"):
            logger.info("case skipped: run ended", run=message.run, model=message.model, case=message.case)
            return
        run = progress.run
        if not self._tracker.is_recorded(message.key, deadline=deadline):
            record = self._record(message, progress, is_last=is_last, deadline=deadline)
            if record is None:
                return
            self._store(record, run, deadline)
        self._finisher.finish(run.id, deadline=deadline)

    def _record(
        self, message: CaseMessage, progress: RunProgress, *, is_last: bool, deadline: Deadline
    ) -> ValidationRecord | None:
        """Return the record of an item; None if its run has ended, or ends here because its budget is spent."""
        run = progress.run
        suite = self._suite_cache.get(run, deadline=deadline)
        if suite is None:
            return None
        case = case_of(suite, message.case)
        if case is None:
            return self._untried(message, run, None, "error", f"the suite has no case {message.case!r}")
        model = next((model for model in progress.models if model.model == message.model), None)
        if model is not None and model.counters.errors >= MOST_ERRORS + model.counters.tests:
            reason = f"the model was not asked any more after {model.counters.errors} errors of its provider"
            return self._untried(message, run, case, "skipped", reason)
        if run.stop_early and model is not None and (decided := self._decided(run, model, deadline)) is not None:
            return self._untried(message, run, case, "skipped", SKIPPED[decided])
        # Skipped items cost nothing: a run whose models are all decided is finished, not stopped.
        if (spent := why_spent(run.budget, run.counters)) is not None:
            self._finisher.stop(run.id, reason=spent, deadline=deadline)
            return None
        try:
            return self._tried(message, run, suite, case, is_last=is_last, deadline=deadline)
        except TrialError as exc:
            if exc.is_transient and not is_last:
                raise
            result = "failed" if exc.code == MALFORMED_CALL else "error"
            return self._untried(message, run, case, result, str(exc), request_id=exc.request_id)

    def _decided(self, run: ValidationRun, model: RunModel, deadline: Deadline) -> Decision | None:
        """Return the decision on a model, stored so that later results do not change it."""
        if model.decided is not None:
            return model.decided
        decided = decision(model.counters.passed, model.counters.tests)
        if decided is not None and self._runs.decide(run.id, model.model, decided, deadline=deadline) is not None:
            logger.info("model decided", run=run.id, model=model.model, decided=decided)
        return decided

    def _tried(
        self,
        message: CaseMessage,
        run: ValidationRun,
        suite: Suite,
        case: ValidationCase,
        *,
        is_last: bool,
        deadline: Deadline,
    ) -> ValidationRecord:
        prices = self._prices(message.model)
        limit = deadline.minus(RECORDING_SECONDS).within(CASE_SECONDS)
        # The chat reserves time for its response; it ends before the timeout of the invocation.
        trial = trial_of(case, suite, model=message.model, deadline_ms=max(1_000, limit.remaining_ms()))
        response = self._trials.run(trial, deadline=deadline.minus(RECORDING_SECONDS / 2))
        code = "" if response.error is None else f"model_{response.error.type}"
        if response.error is not None and (code == MALFORMED_CALL or (is_transient(code) and not is_last)):
            reason = f"the provider failed midway: {response.error.message}"
            raise TrialError(reason, code=code, request_id=response.request_id)
        verdict = grade(case, outcome_of(response), {tool.name: tool for tool in suite.tools})
        return ValidationRecord(
            key=message.key,
            suite=run.suite,
            category=case.category,
            result=verdict.result,
            reasons=verdict.reasons,
            at=self._clock(),
            latency_ms=response.timings.total_ms,
            input_tokens=response.usage.input_tokens,
            output_tokens=response.usage.output_tokens,
            cost_micros=cost_micros(response.usage, prices),
            request_id=response.request_id,
            provenance="demo" if response.demo else self._provenance(message.model),
            server=server_of(response.service, self._configuration().llms),
        )

    def _untried(
        self,
        message: CaseMessage,
        run: ValidationRun,
        case: ValidationCase | None,
        result: Result,
        reason: str,
        *,
        request_id: str = "",
    ) -> ValidationRecord:
        return ValidationRecord(
            key=message.key,
            suite=run.suite,
            category=None if case is None else case.category,
            result=result,
            reasons=(reason,),
            at=self._clock(),
            latency_ms=0,
            request_id=request_id,
            provenance=self._provenance(message.model),
        )

    def _provenance(self, model: str) -> Provenance:
        """Return the kind of a model by the current configuration."""
        llm = self._configuration().llms.get(llm_of(model))
        if llm is None:
            return "unknown"
        return "demo" if llm.demo else "real"

    def _store(self, record: ValidationRecord, run: ValidationRun, deadline: Deadline) -> None:
        key = record.key
        try:
            first = self._tracker.record(record, expires_at=run.expires_at, deadline=deadline, run_counters=True)
        except RunMissingError as exc:
            logger.warning("run of case not found", run=key.run, model=key.model, case=key.case, reason=str(exc))
            return
        logger.info(
            "case recorded" if first else "case already recorded",
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
        except ValueError:  # the llm is no longer configured, which the trial reports
            return None
