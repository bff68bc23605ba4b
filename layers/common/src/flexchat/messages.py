"""The one canonical conversation that every provider adapter translates to and from.

Plain frozen dataclasses: they are built once per turn in the hot path, and an adapter may cache what it made of one
by identity.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

type Json = bool | int | float | str | list[Json] | dict[str, Json] | None
"""Any JSON value."""

Role = Literal["system", "user", "assistant", "tool"]

FinishReason = Literal["stop", "tool_calls", "length", "content_filter", "refusal", "error", "unknown"]
"""Normalised reason of a model's stop: `tool_calls` when calls are present, whatever the provider sends (C16)."""

AnswerOutcome = Literal[
    "answered",
    "cut_off",
    "filtered",
    "refused",
    "empty",
    "iteration_limit",
    "repeated_calls",
    "tool_call_limit",
    "out_of_time",
    "model_failed",
    "unknown",
]
"""Outcome of a chat. `answered` is the only one whose content is a complete answer of the model."""


@dataclass(frozen=True, slots=True)
class ProviderState:
    """What a provider must get back unchanged (a thought signature, a reasoning block).

    `provider` is the provider type it came from; another provider's adapter drops it.
    """

    provider: str
    value: Json


@dataclass(frozen=True, slots=True)
class Text:
    """Text of a message."""

    text: str
    state: ProviderState | None = None


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A model's reasoning as its provider hands it out; kept only to be returned to that provider."""

    state: ProviderState
    text: str = ""


UNNAMED_TOOL = "unnamed_tool"
"""The `name` of a `ToolCall` whose model sent none; its `arguments` are `None`, so that nothing runs for it."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What the model asks for.

    `arguments` is the parsed object, or `None` when the model sent something that is not a JSON object, or a call
    without a name; then `problem` says why and `raw` is what it sent (decisions C10, C11: never guessed, never replaced
    by `{}`). `id` is unique in the conversation.
    """

    id: str
    name: str
    arguments: Mapping[str, Json] | None
    raw: str
    problem: str | None = None
    state: ProviderState | None = None


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """A tool's answer in a `tool` message. `content` is always a string (decision C04)."""

    call_id: str
    name: str
    content: str
    is_error: bool = False


type Part = Text | Reasoning | ToolCall | ToolOutput


@dataclass(frozen=True, slots=True)
class Message:
    """One message: its role and its parts in order."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The message's text parts, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))


def system(text: str) -> Message:
    return Message("system", (Text(text),))


def user(text: str) -> Message:
    return Message("user", (Text(text),))


def assistant(text: str) -> Message:
    return Message("assistant", (Text(text),))


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several model calls. `input_tokens` includes `cached_tokens`; `output_tokens` includes
    `reasoning_tokens`."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model: the assistant message as it came, why it stopped, what it cost.

    `model` is the model that the provider says answered; `raw_finish_reason` is the wire's own word.
    """

    message: Message
    finish_reason: FinishReason
    usage: Usage
    model: str
    raw_finish_reason: str | None = None
