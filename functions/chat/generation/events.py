"""Typed events of a chat; each front end decides what to do with them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct, field

from flexchat.errors import ModelErrorType
from flexchat.messages import Completion, FinishReason, Json, Message, Usage
from flexchat.sessions import message_tokens
from flexchat.tools import ToolExecution
from functions.chat.providers.base import Delta


class ChatStarted(Struct, frozen=True):
    """Start of the phases, after every check of the request, its limits and its session."""


class SearchFinished(Struct, frozen=True):
    """End of a search of a collection, `service/collection`; `started` is on the chat's clock."""

    name: str
    started: float
    duration_ms: int
    ok: bool


class PhaseFinished(Struct, frozen=True):
    """End of the model call of a phase; `name` is the model, `started` is on the chat's clock.

    `unreported_tokens` estimates the tokens that the provider does not report in `usage`.
    """

    phase: Literal["topic", "intent"]
    name: str
    started: float
    duration_ms: int
    usage: Usage = field(default_factory=Usage)
    error: ModelErrorType | None = None
    unreported_tokens: int = 0


class RuleMatched(Struct, frozen=True):
    """The response rule that answers; None if it has no name."""

    rule: str | None


class ModelStarted(Struct, frozen=True):
    """Start of a model call; iterations count from 1."""

    iteration: int
    name: str


class ModelDelta(Struct, frozen=True):
    """Piece of the text, or the start of a tool call, of a model call that is streamed."""

    iteration: int
    delta: Delta


class ModelFinished(Struct, frozen=True):
    """End of a model call, with a finish reason or the type of its error.

    `unreported_tokens` estimates the tokens that the provider does not report in `usage`.
    """

    iteration: int
    name: str
    finish_reason: FinishReason | None = None
    usage: Usage = field(default_factory=Usage)
    error: ModelErrorType | None = None
    unreported_tokens: int = 0


class ToolStarted(Struct, frozen=True):
    """Start of a tool call; `arguments` are those of the model."""

    call_id: str
    tool: str
    arguments: Mapping[str, Json]
    iteration: int


class ToolFinished(Struct, frozen=True):
    """Result of a tool call."""

    execution: ToolExecution


class ClientCall(Struct, frozen=True):
    """Call of a client's tool, with the id and the name for the client; `arguments` are the model's JSON."""

    id: str
    name: str
    arguments: str


class ClientCallsRequested(Struct, frozen=True):
    """Calls that the client runs; their results arrive with another request."""

    calls: tuple[ClientCall, ...]


class TurnFinished(Struct, frozen=True):
    """End of a turn of the tool loop: the model's message with its calls, and the tool messages that answer them."""

    iteration: int
    message: Message
    outputs: tuple[Message, ...]
    executions: tuple[ToolExecution, ...]


class LimitReached(Struct, frozen=True):
    """Reached limit of the loop: it ends, or the model must answer without more tools."""

    limit: Literal["iterations", "repeated_calls", "tool_calls", "deadline"]
    iteration: int


class WarningRaised(Struct, frozen=True):
    """Problem that does not end the chat, in a form for its caller."""

    message: str


type Event = (
    ChatStarted
    | SearchFinished
    | PhaseFinished
    | RuleMatched
    | ModelStarted
    | ModelDelta
    | ModelFinished
    | ToolStarted
    | ToolFinished
    | ClientCallsRequested
    | TurnFinished
    | LimitReached
    | WarningRaised
)
type Emit = Callable[[Event], None]


def ignore_event(_event: Event) -> None:
    """No-op receiver of events."""


def fan_out(*receivers: Emit) -> Emit:
    """Return a receiver that passes each event to all `receivers` but `ignore_event`, in their order."""
    active = [receive for receive in receivers if receive is not ignore_event]

    def emit(event: Event) -> None:
        for receive in active:
            receive(event)

    return active[0] if len(active) == 1 else emit


_CHARGED_ERRORS: Final[frozenset[ModelErrorType]] = frozenset({"timeout", "invalid_response"})
"""Errors of calls that a model processed, and a provider charges without reporting usage."""


def unreported_tokens(sent: Sequence[Message], completion: Completion) -> int:
    """Return the estimated tokens missing in the usage of `completion`: of its input, its output, or both."""
    usage = completion.usage
    tokens = 0 if usage.input_tokens else _tokens(sent)
    return tokens if usage.output_tokens else tokens + message_tokens(completion.message)


def tokens_of_failure(sent: Sequence[Message], error: ModelErrorType) -> int:
    """Return the estimated input tokens of a failed call; 0 where no model processed it."""
    return _tokens(sent) if error in _CHARGED_ERRORS else 0


def _tokens(messages: Sequence[Message]) -> int:
    return sum(map(message_tokens, messages))
