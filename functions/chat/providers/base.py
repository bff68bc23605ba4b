"""Protocol of the provider adapters: one conversation in, one completion out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.model_listing import ListedModel


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """Options of one completion.

    With `None`, `max_tokens` and `temperature` are those of the llm (decision C35). `tools` are in the provider's
    format, from `ToolRegistry.to_provider_format`; without tools, `tool_choice` is ignored.
    """

    deadline: Deadline
    max_tokens: int | None = None
    temperature: float | None = None
    tools: Sequence[Mapping[str, Json]] = ()
    tool_choice: Literal["auto", "none"] = "auto"


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

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        """Return the model's next message in the conversation `messages`, before `options.deadline`.

        Ids of tool calls are unique in the conversation (decision C12). Raises `ModelError` and no other error.
        """
        ...

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the models that the provider lists, before `deadline`. Raises `ModelError`."""
        ...
