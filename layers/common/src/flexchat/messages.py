"""Messages of a conversation, which every provider adapter converts to and from its API.

Frozen structs, since they are created in the hot path.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from msgspec import Struct

from flexchat.redacted_struct import RedactedStruct

type Json = str | dict[str, Json] | list[Json] | int | float | bool | None
"""Any JSON value. The types of most values come first: pydantic tries them in this order."""

Role = Literal["system", "user", "assistant", "tool"]

FinishReason = Literal["stop", "tool_calls", "length", "content_filter", "refusal", "error", "unknown"]
"""Normalized finish reason: `tool_calls` when calls are present, whatever the provider sends (decision C16)."""

AnswerOutcome = Literal[
    "answered",
    "cut_off",
    "filtered",
    "blocked",
    "refused",
    "empty",
    "iteration_limit",
    "repeated_calls",
    "tool_call_limit",
    "client_calls",
    "waiting",
    "out_of_time",
    "budget_reached",
    "model_failed",
    "stopped",
    "unknown",
]
"""Outcome of a chat. `answered` is the only one whose content is a complete answer of the model; with `client_calls`
the model waits for the results of the client's tools, with `waiting` for the approval of tool calls, with `stopped` the
client ended the chat, with `blocked` a guardrail did not allow the message or the answer."""


class ProviderState(Struct, frozen=True):
    """Opaque state of a provider that must be returned to it unchanged, such as a thought signature or a reasoning
    block.

    `provider` is the type of its provider. `origin` is the model that made it, as `llm:model`, which alone gets it
    back; state without an origin, of earlier versions, is sent to no model.
    """

    provider: str
    value: Json
    origin: str | None = None


class Text(Struct, frozen=True):
    """Text of a message."""

    text: str
    state: ProviderState | None = None


class Reasoning(Struct, frozen=True):
    """Reasoning of a model, which is returned to this model only."""

    state: ProviderState
    text: str = ""


UNNAMED_TOOL = "unnamed_tool"
"""`name` of a `ToolCall` without a name; its `arguments` are `None`, so that it is not run."""


class ToolCall(Struct, frozen=True):
    """Tool call of a model.

    `arguments` is the parsed object, or `None` for arguments that are no JSON object and for a call without a name;
    then `problem` is the reason and `raw` the text that the model sent (decisions C10, C11: never guessed, never
    replaced by `{}`). `id` is unique in the conversation.
    """

    id: str
    name: str
    arguments: Mapping[str, Json] | None
    raw: str
    problem: str | None = None
    state: ProviderState | None = None


ImageDetail = Literal["auto", "low", "high"]
"""Resolution at which a model reads a picture."""


class Image(RedactedStruct, frozen=True):
    """Picture of a user or of a tool's result.

    `data` is base64, empty for a picture that is known by its `reference` alone: the id of a stored file, or the https
    address of one that is not fetched yet. `size` is the number of bytes.
    """

    redacted: ClassVar = ("data", "reference")

    media_type: str
    data: str = ""
    size: int = 0
    detail: ImageDetail = "auto"
    name: str = ""
    reference: str | None = None

    @property
    def label(self) -> str:
        """Text in place of the picture, such as `[image/png, 34 KB]`."""
        return _label(self.media_type, self.size, self.name)


class Document(RedactedStruct, frozen=True):
    """File of a user: a PDF, or a text file.

    `text` is that of the file, for models that do not get the file itself, empty while it is not read. `tokens` is an
    estimate of its length. The other fields are those of `Image`.
    """

    redacted: ClassVar = ("data", "text", "reference")

    media_type: str
    name: str
    data: str = ""
    size: int = 0
    text: str = ""
    tokens: int = 0
    reference: str | None = None

    @property
    def label(self) -> str:
        """Text in place of the file, such as `[report.pdf, application/pdf, 340 KB]`."""
        return _label(self.media_type, self.size, self.name)


type Attachment = Image | Document


def _label(media_type: str, size: int, name: str) -> str:
    return f"[{f'{name}, ' if name else ''}{media_type or 'file'}{f', {file_size(size)}' if size else ''}]"


def file_size(size: int) -> str:
    """Return a number of bytes as text, such as `34 KB`."""
    if size < 1_000:
        return f"{size} bytes"
    return f"{round(size / 1_000)} KB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


class ToolOutput(Struct, frozen=True):
    """Result of a tool in a `tool` message. `content` is always a string (decision C04).

    `images` are pictures of the result, for a model that sees; `content` has their labels.
    """

    call_id: str
    name: str
    content: str
    is_error: bool = False
    images: tuple[Image, ...] = ()


Stateful = Text | Reasoning | ToolCall
"""Parts of a model's message, which may have a state of its provider."""

type Part = Text | Image | Document | Reasoning | ToolCall | ToolOutput


class Message(Struct, frozen=True):
    """Message with its role and its parts in order."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """Text parts, joined."""
        return "".join([part.text for part in self.parts if isinstance(part, Text)])

    @property
    def reasoning(self) -> str:
        """Texts of the reasoning, joined."""
        return "".join(part.text for part in self.parts if isinstance(part, Reasoning))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return tuple([part for part in self.parts if isinstance(part, ToolCall)])

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """Pictures and files of the message, without those of tools' results."""
        return tuple(part for part in self.parts if isinstance(part, Image | Document))

    @property
    def images(self) -> tuple[Image, ...]:
        """Pictures of the message, those of tools' results included."""
        return tuple(_images(self.parts))

    @property
    def has_files(self) -> bool:
        """Return whether the message has pictures or files, those of tools' results included."""
        for part in self.parts:
            if isinstance(part, ToolOutput):
                if part.images:
                    return True
            elif isinstance(part, Image | Document):
                return True
        return False


def _images(parts: Sequence[Part]) -> Iterator[Image]:
    for part in parts:
        if isinstance(part, Image):
            yield part
        elif isinstance(part, ToolOutput):
            yield from part.images


def system(text: str) -> Message:
    return Message("system", (Text(text),))


def user(text: str, attachments: Sequence[Attachment] = ()) -> Message:
    return Message("user", (*attachments, Text(text)))


def assistant(text: str) -> Message:
    return Message("assistant", (Text(text),))


class Usage(Struct, frozen=True):
    """Tokens of model calls.

    `input_tokens` includes `cached_tokens`, which were read from the provider's prompt cache, and `cache_write_tokens`,
    which were written to it at a price of their own; `output_tokens` includes `reasoning_tokens`.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cache_write_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    @classmethod
    def total(cls, calls: "Sequence[Usage]") -> "Usage":
        """Return the tokens of all `calls`."""
        return sum(calls, cls())

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


class Completion(Struct, frozen=True):
    """Completion of a model: the assistant message, the finish reason and the usage.

    `model` is the model that the provider reports; `raw_finish_reason` is the provider's own finish reason, `id` its id
    of the response.
    """

    message: Message
    finish_reason: FinishReason
    usage: Usage
    model: str
    raw_finish_reason: str | None = None
    id: str | None = None
