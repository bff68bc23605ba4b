"""The schedule's event: the models and the suite that the configuration names, once for each time it is due."""

from collections.abc import Callable

from pydantic import BaseModel, ConfigDict

from flexchat.api.validation import Budget, NewRun
from flexchat.config.models.configuration import Configuration
from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, Problem, RequestError
from flexchat.observability import logger
from flexchat.validation.runs import ValidationRun
from functions.validation.run_starter import RunStarter

_PLACEHOLDER = "<aws.scheduler."


class ScheduleEvent(BaseModel):
    """What `template.yaml` has EventBridge Scheduler send; the values in angle brackets are Scheduler's to replace."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    execution_id: str
    scheduled_time: str

    def occasion(self, request_id: str) -> str:
        """What tells this time from others, however often it is delivered.

        An emulator may leave the placeholders as they are. Then the time will do, and at last the invocation, whose
        retries by Lambda keep its id.
        """
        for value in (self.execution_id, self.scheduled_time):
            if not value.startswith(_PLACEHOLDER):
                return f"{self.name}\0{value}"
        return f"{self.name}\0{request_id}"


class Schedule:
    """Starts what is due."""

    def __init__(self, *, starter: RunStarter, configuration: Callable[[], Configuration]) -> None:
        self._starter = starter
        self._configuration = configuration

    def start(self, event: ScheduleEvent, *, request_id: str, deadline: Deadline) -> ValidationRun | None:
        """The run of this time; None when no model is named. Raises ConfigError for what cannot be run."""
        section = self._configuration().validation
        if not section.models:
            logger.warning("nothing to validate: the configuration names no model", schedule=event.name)
            return None
        wanted = NewRun(
            models=section.models,
            suite=section.suite,
            repeats=section.repeats,
            budget=Budget.model_validate(section.budget.model_dump(include=set(Budget.model_fields))),
            stop_early=section.stop_early,
        )
        try:
            return self._starter.start(wanted, deadline=deadline, occasion=event.occasion(request_id))
        except RequestError as exc:
            problems = exc.details or (Problem(path="", message=exc.message),)
            raise ConfigError(
                tuple(Problem(path="validation", message=problem.message) for problem in problems)
            ) from exc
