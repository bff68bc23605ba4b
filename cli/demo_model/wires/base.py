"""What a wire has to do: read a request, write a reply, an error and the list of models."""

from dataclasses import dataclass
from typing import Protocol

from cli.demo_model.conversation import Conversation, Reply
from flexchat.messages import Json

MODEL = "demo"
"""The one model that is listed; any other name is served too."""

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class WireError(Exception):
    """The request is one that the provider itself would refuse."""

    message: str
    status: int = 400


class Wire(Protocol):
    """One provider's wire."""

    def is_chat(self, path: str) -> bool:
        """Whether a POST to `path` asks for a reply."""
        ...

    def models(self, path: str) -> Json | None:
        """The answer to a GET of `path`, or `None` when it is not the list of models."""
        ...

    def read(self, path: str, body: bytes) -> Conversation:
        """Raises WireError for what the provider would refuse."""
        ...

    def write(self, conversation: Conversation, reply: Reply) -> Json: ...

    def error(self, status: int, message: str) -> Json: ...


def tokens(characters: int) -> int:
    """A plausible count, the same for the same text."""
    return -(-characters // CHARACTERS_PER_TOKEN)
