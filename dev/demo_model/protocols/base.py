"""Provider protocol: parse a request; write a reply, an error and the list of models."""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, Protocol

from dev.demo_model.conversation import Conversation, Reply
from dev.demo_model.http import Answer, Request
from flexchat.messages import Json

MODEL = "demo"
"""Model in every model list; any other name is served too."""

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class ProtocolError(Exception):
    """Request that the provider itself would reject, or a requested fault.

    `retry_after` is in seconds. `kind` is the provider's name for the error where the status is ambiguous.
    """

    message: str
    status: int = 400
    retry_after: str | None = None
    kind: str | None = None


class StreamWriter(Protocol):
    """Stream of one provider: the events of a complete response, and their encoding."""

    content_type: ClassVar[str]

    def events(self, conversation: Conversation, answer: Json, characters: int) -> Iterator[Json]:
        """Split `answer`, the body of the response without a stream, into texts of so many characters."""
        ...

    def error(self, refusal: Answer) -> Json:
        """Return the event of an error whose response outside of a stream is `refusal`."""
        ...

    def encode(self, event: Json, padding: int = 0) -> bytes:
        """Encode an event; `padding` is a number of spaces in it that do not change its content."""
        ...

    def end(self) -> bytes:
        """Return the bytes after the last event of a complete stream."""
        ...


class ProviderProtocol(Protocol):
    """API protocol of one provider."""

    def is_chat(self, request: Request) -> bool:
        """Return true when `request` is a chat request."""
        ...

    def describe(self, request: Request) -> Json:
        """Return the response about models, or of embeddings; `None` for another request. Raises ProtocolError."""
        ...

    def read(self, request: Request) -> Conversation:
        """Parse a request. Raises ProtocolError for one that the provider would reject."""
        ...

    def write(self, conversation: Conversation, reply: Reply) -> Json: ...

    def refuse(self, error: ProtocolError) -> Answer: ...

    @property
    def stream(self) -> StreamWriter:
        """Writer of the streams that this protocol's requests ask for."""
        ...


def tokens(characters: int) -> int:
    """Return a plausible token count, deterministic for a text."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def input_tokens(conversation: Conversation) -> int:
    return tokens(conversation.input_characters)


def output_tokens(reply: Reply) -> int:
    calls = sum(len(_written(call.arguments)) + len(call.tool) for call in reply.calls)
    return tokens(len(reply.text) + len(reply.thinking) + calls)


def signature(*signed: Json) -> str:
    """Return a provider's signature of its own reasoning; it is checked without stored state."""
    text = json.dumps(["flexchat demo model", *signed], sort_keys=True)
    return base64.b64encode(sha256(text.encode("utf-8", errors="replace")).digest()).decode()


def arguments_object(arguments: Mapping[str, Json] | str) -> dict[str, Json]:
    """Return arguments for a protocol with objects only, which cannot represent broken JSON: empty in that case."""
    return {} if isinstance(arguments, str) else dict(arguments)


def to_answer(status: int, body: Json, headers: Mapping[str, str] | None = None) -> Answer:
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", errors="replace")
    return Answer(status, content, {"Content-Type": "application/json", **(headers or {})})


def _written(arguments: Mapping[str, Json] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(dict(arguments), ensure_ascii=False)
