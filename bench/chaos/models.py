"""The real adapters to the demo model, with a look at every conversation that they are given to send."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flexchat.config.models import ProviderType
from flexchat.deadline import Deadline
from flexchat.messages import Completion, Message, ToolOutput
from functions.chat.providers.base import ChatOptions, Provider
from functions.chat.providers.listing import ListedModel


@dataclass(frozen=True, slots=True)
class Watched:
    """A provider whose conversations are checked; `report` is told what is wrong with one."""

    provider: Provider
    report: Callable[[str], None]

    @property
    def name(self) -> str:
        return self.provider.name

    @property
    def type(self) -> ProviderType:
        return self.provider.type

    def generate_chat(self, messages: Sequence[Message], model: str, options: ChatOptions) -> Completion:
        for wrong in unanswered(messages):
            self.report(wrong)
        return self.provider.generate_chat(messages, model, options)

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        return self.provider.list_models(deadline)


def unanswered(messages: Sequence[Message]) -> list[str]:
    """What is wrong with the tool calls of a conversation: each has one answer, straight after its message, in order,
    under an id that no other call has."""
    wrong: list[str] = []
    seen: set[str] = set()
    position = 0
    while position < len(messages):
        asked = [call.id for call in messages[position].tool_calls]
        answers = messages[position + 1 : position + 1 + len(asked)]
        outputs = [part.call_id for message in answers for part in message.parts if isinstance(part, ToolOutput)]
        if outputs != asked:
            wrong.append(f"calls {asked} were answered as {outputs}")
        if not seen.isdisjoint(asked) or len(set(asked)) < len(asked):
            wrong.append(f"ids {asked} were not new")
        seen.update(asked)
        position += 1 + len(asked)
    return wrong
