"""Server-sent events of a chat, and the negotiation of a streamed response."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from flexchat.api import ApiModel, ChatResponse, ErrorResponse, Optional
from flexchat.api.approvals import ApprovalView
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import truncate_middle
from functions.chat.generation.events import (
    ApprovalsRequested,
    Event,
    ModelFinished,
    ModelStarted,
    PhaseFinished,
    RuleMatched,
    SearchFinished,
    ToolFinished,
    ToolStarted,
    WarningRaised,
)


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


class ReasoningEvent(ApiModel):
    """Reasoning of a model call that has ended, the head and tail of a long one."""

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
    "reasoning": ReasoningEvent,
    "tool_started": ToolStartedEvent,
    "tool_finished": ToolFinishedEvent,
    "approval": ApprovalView,
    "warning": WarningEvent,
    "answer": ChatResponse,
    "error": ErrorResponse,
}
"""Model of the data of each event by its name. The last event of a stream is `answer` or `error`."""


MAX_ARGUMENT_CHARACTERS: Final = 32_000
MAX_ERROR_CHARACTERS: Final = 2_000


def data_of(event: Event) -> tuple[str, str] | None:
    """Return the name and the JSON data of an event; None for one that no client receives."""
    match event:
        case PhaseFinished():
            ok = event.error is None
            return _named("phase", PhaseEvent(phase=event.phase, name=event.name, duration_ms=event.duration_ms, ok=ok))
        case SearchFinished():
            phase = PhaseEvent(phase="collections", name=event.name, duration_ms=event.duration_ms, ok=event.ok)
            return _named("phase", phase)
        case RuleMatched():
            return _named("rule", RuleEvent(rule=event.rule))
        case ModelStarted():
            return _named("model_started", ModelStartedEvent(iteration=event.iteration, model=event.name))
        case ModelFinished() if event.reasoning:
            return _named("reasoning", ReasoningEvent(iteration=event.iteration, text=event.reasoning))
        case ToolStarted():
            return _named("tool_started", _tool_started(event))
        case ToolFinished():
            return _named("tool_finished", _tool_finished(event))
        case ApprovalsRequested():
            return _named("approval", event.approvals)
        case WarningRaised():
            return _named("warning", WarningEvent(message=event.message))
        case _:
            return None


def json_of(model: ApiModel) -> str:
    """Return a model as JSON in one line; an unpaired surrogate, which a model may return, becomes a question mark."""
    return dumps(model.model_dump(mode="json")).encode(errors="replace").decode()


def _named(name: str, model: ApiModel) -> tuple[str, str]:
    return name, json_of(model)


def _tool_started(event: ToolStarted) -> ToolStartedEvent:
    arguments: dict[str, Json] | str = dict(event.arguments)
    text = dumps(arguments)
    if len(text) > MAX_ARGUMENT_CHARACTERS:
        arguments = truncate_middle(text, MAX_ARGUMENT_CHARACTERS)
    return ToolStartedEvent(call_id=event.call_id, tool=event.tool, arguments=arguments, iteration=event.iteration)


def _tool_finished(event: ToolFinished) -> ToolFinishedEvent:
    execution = event.execution
    result = execution.result
    return ToolFinishedEvent(
        call_id=execution.call_id,
        tool=execution.tool,
        ok=result.success,
        duration_ms=result.execution_time_ms,
        iteration=execution.iteration,
        error=None if result.success else truncate_middle(result.error or "", MAX_ERROR_CHARACTERS),
    )


EVENT_STREAM = "text/event-stream"
JSON = "application/json"


def prefers_events(accept: str) -> bool:
    """Return True if an `Accept` header (RFC 9110) names server-sent events, with no lower quality than JSON.

    JSON is preferred where both are named with the same quality.
    """
    qualities = dict(_qualities(accept))
    events = qualities.get(EVENT_STREAM, 0.0)
    if JSON in qualities:
        return events > qualities[JSON]
    return events > 0 and events >= qualities.get("application/*", qualities.get("*/*", 0.0))


def _qualities(accept: str) -> Iterator[tuple[str, float]]:
    for entry in accept.split(","):
        media_type, *parameters = (part.strip().lower() for part in entry.split(";"))
        quality = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                quality = _number(value.strip())
        yield media_type, quality


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if 0.0 <= number <= 1.0 else 0.0
