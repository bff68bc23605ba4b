"""API representation of runs and answers."""

from datetime import UTC, datetime

from flexchat.api import ChatResponse, ErrorResponse, StepView
from flexchat.api.runs import RunView
from flexchat.json import dumps
from functions.chat.aws.runs import StoredRun


def run_view(stored: StoredRun, answer: bytes | None = None) -> RunView:
    """Return the view of a run with the answer of its blob; steps are ordered by their start."""
    run = stored.run
    steps = [StepView.model_validate_json(step) for step in stored.steps]
    return RunView(
        id=run.key.id,
        status=run.status,
        created_at=_moment(run.created_at),
        started_at=_optional(run.started_at),
        finished_at=_optional(run.finished_at),
        deadline_at=_optional(run.deadline_at),
        steps=tuple(sorted(steps, key=lambda step: step.start_ms)),
        answer=None if answer is None else ChatResponse.model_validate_json(answer),
        error=None if run.failure is None else ErrorResponse.model_validate_json(run.failure),
    )


def answer_text(response: ChatResponse) -> str:
    """Return an answer as JSON; half a surrogate pair, which a model may return, becomes a question mark."""
    return dumps(response.model_dump(mode="json")).encode(errors="replace").decode()


def _optional(seconds: float | None) -> datetime | None:
    return None if seconds is None else _moment(seconds)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)
