"""What happens while an answer is made, as typed events; a door decides what to do with them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from flexchat.errors import ModelErrorType
from flexchat.messages import FinishReason, Message, Usage
from flexchat.tools import ToolExecution


@dataclass(frozen=True, slots=True)
class SearchFinished:
    """A collection, called `service/collection`, was searched, or could not be; `started` is on the chat's clock."""

    name: str
    started: float
    duration_ms: int
    ok: bool


@dataclass(frozen=True, slots=True)
class PhaseFinished:
    """A model was asked what the topic or the intent is; `name` is that model, `started` is on the chat's clock.

    `unreported_tokens` estimates what the provider does not report in `usage`.
    """

    phase: Literal["topic", "intent"]
    name: str
    started: float
    duration_ms: int
    usage: Usage = field(default_factory=Usage)
    error: ModelErrorType | None = None
    unreported_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelStarted:
    """A model call begins; iterations count from 1."""

    iteration: int
    name: str


@dataclass(frozen=True, slots=True)
class ModelFinished:
    """A model call has ended: with a finish reason, or with the kind of its error.

    `unreported_tokens` estimates what the provider does not report in `usage`.
    """

    iteration: int
    name: str
    finish_reason: FinishReason | None = None
    usage: Usage = field(default_factory=Usage)
    error: ModelErrorType | None = None
    unreported_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool call has its result."""

    execution: ToolExecution


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """A turn of the tool loop is over: the model's message with its calls, and the tool messages that answer them."""

    iteration: int
    message: Message
    outputs: tuple[Message, ...]
    executions: tuple[ToolExecution, ...]


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit of the loop: it ends, or the model is asked for its answer without more tools."""

    limit: Literal["iterations", "repeated_calls", "tool_calls", "deadline"]
    iteration: int


type Event = SearchFinished | PhaseFinished | ModelStarted | ModelFinished | ToolFinished | TurnFinished | LimitReached
type Emit = Callable[[Event], None]


def ignore_event(_event: Event) -> None:
    """No-op receiver of events."""
