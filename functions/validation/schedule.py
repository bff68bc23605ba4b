"""Scheduled validation runs of the configured models and suite, one for each scheduled time."""

from collections.abc import Callable

from pydantic import ConfigDict

from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.deferred_model import DeferredModel
from flexchat.errors import ConfigError, Problem, RequestError
from flexchat.observability import logger
from flexchat.validation.views import Budget, NewRun
from functions.validation.run_starter import RunStarter
from functions.validation.runs import ValidationRun

_PLACEHOLDER = "<aws.scheduler."


class ScheduleEvent(DeferredModel):
    """Event of EventBridge Scheduler, as in `template.yaml`; Scheduler replaces the values in angle brackets."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    execution_id: str
    scheduled_time: str

    def occasion(self, request_id: str) -> str:
        """Return the deduplication key of the scheduled time.

        An emulator may not replace the placeholders: the fallbacks are the time, then the invocation's id, which
        Lambda's retries keep.
        """
        for value in (self.execution_id, self.scheduled_time):
            if not value.startswith(_PLACEHOLDER):
                return f"{self.name}\0{value}"
        return f"{self.name}\0{request_id}"


class Schedule:
    """Starts scheduled runs."""

    def __init__(self, *, starter: RunStarter, configuration: Callable[[], Configuration]) -> None:
        self._starter = starter
        self._configuration = configuration

    def start(self, event: ScheduleEvent, *, request_id: str, deadline: Deadline) -> ValidationRun | None:
        """Return the run of the scheduled time, or None without models. Raises ConfigError for invalid settings."""
        section = self._configuration().validation
        if not section.models:
            logger.warning("schedule skipped: no models configured", schedule=event.name)
            return None
        new = NewRun(
            models=section.models,
            suite=section.suite,
            repeats=section.repeats,
            budget=Budget.model_validate(section.budget.model_dump(include=set(Budget.model_fields))),
            stop_early=section.stop_early,
        )
        try:
            return self._starter.start(new, deadline=deadline, occasion=event.occasion(request_id))
        except RequestError as exc:
            problems = exc.details or (Problem(path="", message=exc.message),)
            raise ConfigError(
                tuple(Problem(path="validation", message=problem.message) for problem in problems)
            ) from exc
