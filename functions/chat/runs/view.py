"""A run and its answer, as they are stored and as their caller sees them."""

from datetime import UTC, datetime

from flexchat.api import ChatResponse, ErrorResponse, StepView
from flexchat.api.runs import RunView
from flexchat.json import dumps
from functions.chat.aws.runs import StoredRun


def run_view(stored: StoredRun, answer: bytes | None = None) -> RunView:
    """The view of a run, with the answer that its blob holds. Steps are in the order they began."""
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
    """An answer as JSON that every reader takes: half a surrogate pair, which a model may leave, is a question mark."""
    return dumps(response.model_dump(mode="json")).encode(errors="replace").decode()


def _optional(seconds: float | None) -> datetime | None:
    return None if seconds is None else _moment(seconds)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)
