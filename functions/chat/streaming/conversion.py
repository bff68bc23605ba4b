"""Server-sent events of the events of the engine."""

from typing import Final

from flexchat.api import ApiModel
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import truncate_middle
from functions.chat.generation.events import (
    Event,
    ModelStarted,
    PhaseFinished,
    RuleMatched,
    SearchFinished,
    ToolFinished,
    ToolStarted,
    WarningRaised,
)
from functions.chat.streaming.models import (
    ModelStartedEvent,
    PhaseEvent,
    RuleEvent,
    ToolFinishedEvent,
    ToolStartedEvent,
    WarningEvent,
)

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
        case ToolStarted():
            return _named("tool_started", _tool_started(event))
        case ToolFinished():
            return _named("tool_finished", _tool_finished(event))
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
