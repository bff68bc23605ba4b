"""Tests of a model by a plain query from the testing page: answered, graded and recorded."""

from collections.abc import Callable, Collection, Iterable
from http import HTTPStatus
from typing import Final

from flexchat.api import ChatResponse
from flexchat.api.trials import ToolTest, TrialRequest
from flexchat.aws.validation.tracker import ModelValidationTracker
from flexchat.config.model_names import ModelName
from flexchat.config.suggestions import did_you_mean
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, ModelError, Problem, RequestError
from flexchat.http_api.caller import Caller
from flexchat.observability import logger
from flexchat.prices import cost_micros, prices_of
from flexchat.runs import WallClock
from flexchat.validation.cases import DEFAULT_PROMPT
from flexchat.validation.grading import grade_plain
from flexchat.validation.records import ItemKey, ValidationRecord
from flexchat.validation.servers import server_of
from flexchat.validation.verdicts import Verdict, outcome_of
from functions.chat.deadlines import ChatDeadlines
from functions.chat.inspection.configuration import Inspector
from functions.chat.inspection.models import configured_models, models_open_to_users
from functions.chat.runtime import Runtime, RuntimeCache
from functions.chat.trials.trial import TrialRunner, trial_model

CASE: Final = "plain"
"""The case of a query without an expectation (decision C57)."""

OUT_OF_TIME: Final = Verdict("error", ("the deadline of the test was reached",))

MAX_NAMED: Final = 20
"""Maximum number of models in an error message."""


class QuickTests:
    """Tests on demand; their records are stored for `retention_days`, or not at all without a `tracker`.

    A test that counts adds to its model's tallies, which do not expire.
    """

    def __init__(
        self,
        *,
        runtimes: RuntimeCache,
        trials: TrialRunner,
        inspector: Inspector,
        tracker: Callable[[], ModelValidationTracker] | None,
        retention_days: int,
        now: WallClock,
    ) -> None:
        self._runtimes = runtimes
        self._trials = trials
        self._inspector = inspector
        self._tracker = tracker
        self._retention_seconds = retention_days * 24 * 3600
        self._now = now

    def run(self, test: ToolTest, *, caller: Caller, deadline: Deadline, request_id: str) -> ChatResponse:
        """Return the answer to the test's query, and record the test; a failed write is logged as a warning.

        Raises RequestError for a test without query or model (400), a model that is neither configured nor listed
        (404), and one that `caller` may not test, or count (403); none of these is recorded. Raises the errors of a
        trial: then the test is recorded as an error, which never counts.
        """
        trial = _trial_request(test)
        if test.count:
            caller.require_operator()
        runtime = self._runtimes.usable(caller)
        name, allowed_tools = self._tested(trial.model, caller, runtime, deadline)
        persist, started = ChatDeadlines.split(deadline).persist, self._now()
        try:
            response = self._trials.run(
                trial, deadline=deadline, request_id=request_id, allowed_tools=allowed_tools, caller=caller
            )
        except RequestError:
            raise
        except Exception as error:
            self._record(self._failed(name, request_id, error, started), persist)
            raise
        self._record(self._graded(response, runtime, count=test.count), persist)
        return response

    def _tested(
        self, text: str, caller: Caller, runtime: Runtime, deadline: Deadline
    ) -> tuple[ModelName, Collection[str] | None]:
        """Return the model to test and the tools to offer it, None for every one."""
        catalog = runtime.catalog
        name = trial_model(text, catalog)
        configured = set(
            configured_models(catalog.configuration, {**catalog.configuration.llms, **catalog.unusable_llms})
        )
        if not caller.is_operator:
            opened = models_open_to_users(runtime)
            if name not in configured:
                raise _unknown(name, map(str, opened))
            if name not in opened:
                raise _not_open(name, map(str, opened))
            return name, opened[name]
        if name not in configured:
            listed = self._inspector.list_models(caller, deadline)
            ids = {model.id for model in listed.models}
            # Ollama's `qwen3` and `qwen3:latest` are one model.
            if not ids & {str(name), f"{name}:latest", str(name).removesuffix(":latest")}:
                raise _unknown(name, ids)
        return name, None

    def _graded(self, response: ChatResponse, runtime: Runtime, *, count: bool) -> ValidationRecord:
        outcome = outcome_of(response)
        verdict = OUT_OF_TIME if outcome.limit == "deadline" else grade_plain(outcome)
        name, usage = ModelName(response.service, response.model), response.usage
        prices = prices_of(name, runtime.catalog.configuration.llms)
        return ValidationRecord(
            key=ItemKey(response.request_id, str(name), CASE),
            suite="",
            category=None,
            result=verdict.result,
            reasons=verdict.reasons,
            at=self._now(),
            latency_ms=response.timings.total_ms,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cost_micros=cost_micros(usage, prices),
            request_id=response.request_id,
            counted=count and verdict.result != "error",
            provenance="demo" if response.demo else "real",
            server=server_of(response.service, runtime.catalog.configuration.llms),
        )

    def _failed(self, name: ModelName, request_id: str, error: Exception, started: float) -> ValidationRecord:
        """Return the record of a test that raised an exception."""
        now = self._now()
        return ValidationRecord(
            key=ItemKey(request_id, str(name), CASE),
            suite="",
            category=None,
            result="error",
            reasons=(_reason(error),),
            at=now,
            latency_ms=max(0, round((now - started) * 1000)),
            request_id=request_id,
            counted=False,
        )

    def _record(self, record: ValidationRecord, deadline: Deadline) -> None:
        if self._tracker is None:
            return
        try:
            expires_at = int(record.at) + self._retention_seconds
            self._tracker().record(record, expires_at=expires_at, deadline=deadline)
        except FlexchatError as error:
            logger.warning("test not recorded", model=record.key.model, reason=str(error))


def _trial_request(test: ToolTest) -> TrialRequest:
    if not (test.query and test.query.strip() and test.model and test.model.strip()):
        message = 'send both, as {"query": "What is 15% of 45?", "model": "openai:gpt-4o"}'
        raise RequestError(message, code="Missing query or model")
    return TrialRequest(model=test.model, message=test.query, prompt=DEFAULT_PROMPT)


def _reason(error: Exception) -> str:
    """Return the reason for a failed test, without the text of an unexpected error, which may quote a secret."""
    match error:
        case ModelError():
            return f"the provider failed: {error.type}: {error.message}"
        case FlexchatError():
            return str(error)
        case _:
            return f"the test failed ({type(error).__name__})"


def _unknown(name: ModelName, models: Iterable[str]) -> RequestError:
    names = sorted(models)
    message = f"no model {str(name)!r} is configured or listed by its provider{did_you_mean(str(name), names)}"
    details = (Problem("model", f"known: {_listed(names)}"),)
    return RequestError(message, status=HTTPStatus.NOT_FOUND, code="model_not_found", details=details)


def _not_open(name: ModelName, opened: Iterable[str]) -> RequestError:
    message = f"no response rule names {str(name)!r}; testing it needs a token with the role 'operator'"
    details = (Problem("model", f"open to users: {_listed(sorted(opened))}"),)
    return RequestError(message, status=HTTPStatus.FORBIDDEN, code="forbidden", details=details)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return (", ".join(names[:MAX_NAMED]) or "none") + more
