"""Background run."""

from datetime import datetime

from flexchat.api.answer import ChatResponse, StepView
from flexchat.api.base import ApiModel, Optional
from flexchat.api.errors import ErrorResponse
from flexchat.runs import RunStatus


class RunView(ApiModel):
    """A chat in the background: its progress, and at the end its answer or error. A `waiting` one has ended with an
    answer that names the tool calls that wait for an approval; another run goes on with the chat once they have one.

    `steps` are the finished ones, `start_ms` since the run started. `deadline_at` is set at once if the request has a
    `deadline_ms`, else after the start. A chat that reaches its deadline succeeds with a partial answer.
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
