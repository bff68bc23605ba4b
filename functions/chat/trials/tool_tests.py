"""Tests of a model by a plain query, as the testing page makes them: answered, graded and remembered."""

from collections.abc import Callable
from typing import Final, Protocol

from flexchat.api import ChatResponse
from flexchat.api.trials import ToolTest, TrialRequest
from flexchat.aws.validation_tracker import ModelValidationTracker
from flexchat.config.model_names import ModelName
from flexchat.config.models import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, RequestError
from flexchat.observability import logger
from flexchat.prices import cost_micros, prices_of
from flexchat.runs import WallClock
from flexchat.validation.cases import DEFAULT_PROMPT
from flexchat.validation.grading import grade_plain
from flexchat.validation.outcomes import outcome_of
from flexchat.validation.records import ItemKey, ValidationRecord
from functions.chat.times import Times

CASE: Final = "plain"
"""What a query without an expectation is recorded as (decision C57)."""


class TrialEngine(Protocol):
    """What runs trials, by the configuration of the moment."""

    def run_trial(self, trial: TrialRequest, *, deadline: Deadline, request_id: str) -> ChatResponse: ...

    def configuration(self) -> Configuration: ...


class ToolTests:
    """Tests on demand. Without a `tracker` nothing is remembered; `now` is the wall's clock.

    A record is kept for `retention_days`; what it adds to its model's tallies stays.
    """

    def __init__(
        self,
        *,
        engine: TrialEngine,
        tracker: Callable[[], ModelValidationTracker] | None,
        retention_days: int,
        now: WallClock,
    ) -> None:
        self._engine = engine
        self._tracker = tracker
        self._retention_seconds = retention_days * 24 * 3600
        self._now = now

    def run(self, test: ToolTest, *, deadline: Deadline, request_id: str) -> ChatResponse:
        """The answer to the test's query. It is recorded; a table that fails costs a warning.

        Raises RequestError for a test without query or model, and what a trial raises, of which nothing is recorded.
        """
        storing = Times.of(deadline).storing
        response = self._engine.run_trial(_trial(test), deadline=deadline, request_id=request_id)
        if self._tracker is not None:
            try:
                self._record(self._tracker(), response, storing)
            except FlexchatError as error:
                logger.warning("test not recorded", model=_model(response), reason=str(error))
        return response

    def _record(self, tracker: ModelValidationTracker, response: ChatResponse, deadline: Deadline) -> None:
        verdict = grade_plain(outcome_of(response))
        usage, now = response.usage, self._now()
        prices = prices_of(ModelName(response.service, response.model), self._engine.configuration().llms)
        record = ValidationRecord(
            key=ItemKey(response.request_id, _model(response), CASE),
            suite="",
            category=None,
            result=verdict.result,
            reasons=verdict.reasons,
            at=now,
            latency_ms=response.timings.total_ms,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cost_micros=cost_micros(usage.input_tokens, usage.output_tokens, prices),
            request_id=response.request_id,
        )
        tracker.record(record, expires_at=int(now) + self._retention_seconds, deadline=deadline)


def _trial(test: ToolTest) -> TrialRequest:
    if not (test.query and test.query.strip() and test.model and test.model.strip()):
        message = 'send both, as {"query": "What is 15% of 45?", "model": "openai:gpt-4o"}'
        raise RequestError(message, code="Missing query or model")
    return TrialRequest(model=test.model, message=test.query, prompt=DEFAULT_PROMPT)


def _model(response: ChatResponse) -> str:
    return f"{response.service}:{response.model}"
