"""Server-sent events of a chat, each the `data` of one event; `answer` has a ChatResponse, `error` an ErrorResponse."""

from collections.abc import Mapping
from typing import Final, Literal

from flexchat.api import ApiModel, ChatResponse, ErrorResponse, Optional
from flexchat.messages import Json


class AcceptedEvent(ApiModel):
    """First event: the run of the chat, whose events `GET /api/runs/{id}/events` repeats."""

    request_id: str
    run_id: str


class PhaseEvent(ApiModel):
    """End of a phase before the answer; `name` is its model, or the searched collection."""

    phase: Literal["topic", "collections", "intent"]
    name: str
    duration_ms: int
    ok: bool


class RuleEvent(ApiModel):
    """The response rule that answers; null if it has no name."""

    rule: str | None


class ModelStartedEvent(ApiModel):
    """Start of a model call; the text of its deltas begins anew."""

    iteration: int
    model: str


class DeltaEvent(ApiModel):
    """Piece of the model's text."""

    iteration: int
    text: str


class ToolStartedEvent(ApiModel):
    """Start of a tool call; long `arguments` are the head and tail of their JSON."""

    call_id: str
    tool: str
    arguments: dict[str, Json] | str
    iteration: int


class ToolFinishedEvent(ApiModel):
    """End of a tool call, with its error if it failed or was not run."""

    call_id: str
    tool: str
    ok: bool
    duration_ms: int
    iteration: int
    error: Optional[str] = None


class WarningEvent(ApiModel):
    """Problem that does not end the chat."""

    message: str


EVENTS: Final[Mapping[str, type[ApiModel]]] = {
    "accepted": AcceptedEvent,
    "phase": PhaseEvent,
    "rule": RuleEvent,
    "model_started": ModelStartedEvent,
    "delta": DeltaEvent,
    "tool_started": ToolStartedEvent,
    "tool_finished": ToolFinishedEvent,
    "warning": WarningEvent,
    "answer": ChatResponse,
    "error": ErrorResponse,
}
"""Model of the data of each event by its name. The last event of a stream is `answer` or `error`."""
