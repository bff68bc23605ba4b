"""Direct invocations that run a trial."""

from typing import Any

from flexchat.api.trials import TrialEvent, TrialOutcome
from flexchat.deadline import Clock
from flexchat.errors import FlexchatError
from functions.chat.api.direct import event_deadline, parse
from functions.chat.errors import to_http_error
from functions.chat.trials.trial import TrialRunner


class TrialEvents:
    """Handles trials; `clock` measures their deadlines."""

    def __init__(self, trials: TrialRunner, *, clock: Clock) -> None:
        self._trials = trials
        self._clock = clock

    def handle(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """Return the `TrialOutcome` of a `TrialEvent`."""
        request_id: str = context.aws_request_id
        try:
            trial = parse(TrialEvent, event).trial
            deadline = event_deadline(context, trial.deadline_ms, clock=self._clock)
            outcome = TrialOutcome(answer=self._trials.run(trial, deadline=deadline, request_id=request_id))
        except FlexchatError as error:
            outcome = TrialOutcome(error=to_http_error(error, request_id).body)
        return outcome.model_dump(mode="json")
