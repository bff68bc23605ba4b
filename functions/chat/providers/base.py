"""The seam between the response generator and the models: one call, one conversation, one answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.model_listing import ListedModel


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """How one answer is wanted.

    `None` leaves `max_tokens` and `temperature` to the llm's configuration (decision C35). `tools` are in the
    provider's own format, as `ToolRegistry.to_provider_format` gives them; without any, `tool_choice` has no meaning.
    """

    deadline: Deadline
    max_tokens: int | None = None
    temperature: float | None = None
    tools: Sequence[Mapping[str, Json]] = ()
    tool_choice: Literal["auto", "none"] = "auto"


class Provider(Protocol):
    """One configured llm."""

    @property
    def name(self) -> str:
        """The name of its entry in `llms`: the `service` of an answer."""
        ...

    @property
    def type(self) -> ProviderType:
        """Whose wire it speaks; the key of the tools' format (decision C30)."""
        ...

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        """The model's next message in the conversation `messages`.

        The answer's tool call ids are unique in the conversation (decision C12). Ends before `options.deadline`.
        Raises `ModelError` and nothing else.
        """
        ...

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """The models it could be asked for, as far as it tells, before `deadline`. Raises `ModelError`."""
        ...
