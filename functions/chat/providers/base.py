"""Protocol of the provider adapters: one conversation in, one completion out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.model_listing import ListedModel


class NamedTool(Struct, frozen=True):
    """Choice of the one tool that a model must call."""

    name: str


type ToolChoice = Literal["auto", "none", "required"] | NamedTool
"""Tool calls of a completion: as the model decides, forbidden, at least one, or of one tool."""


class ChatOptions(Struct, frozen=True):
    """Options of one completion.

    With `None`, `max_tokens` and `temperature` are those of the llm (decision C35), and `top_p` is that of the
    provider. The model ends its text before any text of `stop`. `tools` are in the provider's format, from
    `ToolRegistry.to_provider_format`, which has the name of a `NamedTool`; without tools, `tool_choice` is ignored. A
    provider or a model may not support a parameter: it is left out, and a required or named tool becomes "auto".
    """

    deadline: Deadline
    max_tokens: int | None = None
    temperature: float | None = None
    tools: Sequence[Mapping[str, Json]] = ()
    tool_choice: ToolChoice = "auto"
    top_p: float | None = None
    stop: tuple[str, ...] = ()

    @property
    def forces_tools(self) -> bool:
        """Return whether the model must call a tool."""
        return bool(self.tools) and self.tool_choice not in ("auto", "none")


class TextDelta(Struct, frozen=True):
    """Piece of the text of a completion, never empty."""

    text: str


class CallDelta(Struct, frozen=True):
    """Start of a tool call; `index` counts the calls of the completion from 0."""

    index: int
    name: str


type Delta = TextDelta | CallDelta
type OnDelta = Callable[[Delta], None]
"""Receiver of the deltas of one completion, in order, in the thread of the attempt.

An exception that it raises ends the call and reaches the caller unchanged.
"""


class Provider(Protocol):
    """Adapter of one configured llm."""

    @property
    def name(self) -> str:
        """Name of the entry in `llms`, which is the `service` of an answer."""
        ...

    @property
    def type(self) -> ProviderType:
        """Type of the provider, which determines the format of tools (decision C30)."""
        ...

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        """Return the model's next message in the conversation `messages`, before `options.deadline`.

        With `on_delta` the completion is streamed: its text and the starts of its calls are reported as they arrive.
        The completion is the same. After the first delta nothing is retried, and an error has `after_output`.

        Ids of tool calls are unique in the conversation (decision C12). Raises `ModelError` and no other error.
        """
        ...

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the models that the provider lists, before `deadline`. Raises `ModelError`."""
        ...
