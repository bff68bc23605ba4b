"""A run as its caller sees it."""

from datetime import datetime

from flexchat.api.answer import ChatResponse, StepView
from flexchat.api.base import ApiModel, Optional
from flexchat.api.errors import ErrorResponse
from flexchat.runs import RunStatus


class RunView(ApiModel):
    """A chat that goes on in the background: how far it is, and in the end its answer or its error.

    `steps` are those that have ended, `start_ms` since the run began. `deadline_at` is known from the start where the
    request has a `deadline_ms`, else once the run is at work. A chat that ran out of time succeeds all the same, with a
    partial answer.
    """

    id: str
    status: RunStatus
    created_at: datetime
    started_at: Optional[datetime] = None
    finished_at: Optional[datetime] = None
    deadline_at: Optional[datetime] = None
    steps: tuple[StepView, ...] = ()
    answer: Optional[ChatResponse] = None
    error: Optional[ErrorResponse] = None
