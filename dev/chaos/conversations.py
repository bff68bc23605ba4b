"""Providers that check conversations before they are sent to the demo model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Message, ToolOutput
from functions.chat.providers.base import ChatOptions, ListedModel, OnDelta, Provider


@dataclass(frozen=True, slots=True)
class CheckedProvider:
    """Provider that calls `report` with each fault of a conversation."""

    provider: Provider
    report: Callable[[str], None]

    @property
    def name(self) -> str:
        return self.provider.name

    @property
    def type(self) -> ProviderType:
        return self.provider.type

    def generate_chat(
        self, messages: Sequence[Message], model: str, options: ChatOptions, on_delta: OnDelta | None = None
    ) -> Completion:
        for fault in conversation_faults(messages):
            self.report(f"the model was sent a broken conversation: {fault}")
        return self.provider.generate_chat(messages, model, options, on_delta)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        return self.provider.list_models(deadline)


def conversation_faults(messages: Sequence[Message]) -> list[str]:
    """Return the faults of a conversation's tool calls.

    Each call has one result, directly after its message, in order, with a unique id.
    """
    faults: list[str] = []
    seen: set[str] = set()
    position = 0
    while position < len(messages):
        call_ids = [call.id for call in messages[position].tool_calls]
        answers = messages[position + 1 : position + 1 + len(call_ids)]
        outputs = [part.call_id for message in answers for part in message.parts if isinstance(part, ToolOutput)]
        if outputs != call_ids:
            faults.append(f"calls {call_ids} were answered as {outputs}")
        if not seen.isdisjoint(call_ids) or len(set(call_ids)) < len(call_ids):
            faults.append(f"ids {call_ids} were not new")
        seen.update(call_ids)
        position += 1 + len(call_ids)
    return faults
