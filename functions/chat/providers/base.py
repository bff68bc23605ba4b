"""Protocol of the provider adapters: one conversation in, one completion out, and its limits of size."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, Protocol

from msgspec import Struct

from flexchat.config.models.base import ReasoningEffort
from flexchat.config.providers import ProviderType
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Json, Message
from functions.chat.providers.request_log import RequestLog

_NON_CHAT_MODEL = re.compile(
    r"embed|whisper|transcri|tts|speech|audio|realtime|-live|dall-e|imag(e|en)\b|sora|veo|moderation|rerank|guard"
    r"|davinci|babbage|-instruct-\d{4}|gpt-3\.5-turbo-instruct|deep-research|computer-use|robotics|\baqa\b",
    re.I,
)
"""Names of models for other purposes, which listings do not mark."""


class ListedModel(Struct, frozen=True):
    """Entry of a provider's list of models; `None` is unknown. `context_window` is in tokens."""

    name: str
    tools: bool | None = None
    reasoning: bool | None = None
    vision: bool | None = None
    context_window: int | None = None


def is_chat_model(name: str) -> bool:
    """Return true when a model of this name answers chats, as far as the name indicates it."""
    return _NON_CHAT_MODEL.search(name) is None


class NamedTool(Struct, frozen=True):
    """Choice of the one tool that a model must call."""

    name: str


type ToolChoice = Literal["auto", "none", "required"] | NamedTool
"""Tool calls of a completion: as the model decides, forbidden, at least one, or of one tool."""


class PromptCache(Struct, frozen=True):
    """Use of a provider's prompt cache by the requests of one chat.

    `key` is common to requests that begin with the same text. With `continues`, a later request probably begins with
    all messages of this one.
    """

    key: str
    continues: bool


class ResponseFormat(Struct, frozen=True, kw_only=True):
    """Form of an answer: a JSON object that fits the JSON Schema `schema`, any JSON object without one.

    `name` and `description` are for the model. `strict` asks a provider that can for an answer that always fits, and
    is left out of requests where it is `None`.
    """

    schema: Mapping[str, Json] | None = None
    name: str = "answer"
    description: str = ""
    strict: bool | None = None


class ChatOptions(Struct, frozen=True):
    """Options of one completion.

    With `None`, `max_tokens` and `temperature` are those of the llm (decision C35), and `top_p` is that of the
    provider. The model ends its text before any text of `stop`. `tools` are in the provider's format, from
    `ToolRegistry.to_provider_format`, which has the name of a `NamedTool`; without tools, `tool_choice` is ignored. A
    provider or a model may not support a parameter: it is left out, and a required or named tool becomes "auto".
    Without `cache`, the provider's prompt cache is not asked for. `reasoning_effort` is in place of the profile's, and
    `extra_body` is merged into the request after the profile's. `response_format` is the form of an answer without
    calls: an adapter enforces it as far as the model allows, and its caller checks the answer. `headers` are those of
    this request, for which configured ones of the same name take precedence. `log` records the requests that are sent.
    """

    deadline: Deadline
    max_tokens: int | None = None
    temperature: float | None = None
    tools: Sequence[Mapping[str, Json]] = ()
    tool_choice: ToolChoice = "auto"
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    cache: PromptCache | None = None
    reasoning_effort: ReasoningEffort | None = None
    extra_body: Mapping[str, Json] = {}
    response_format: ResponseFormat | None = None
    headers: Mapping[str, str] = {}
    log: RequestLog | None = None

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


class ArgumentsDelta(Struct, frozen=True):
    """Piece of the JSON text of a call's arguments, never empty; `index` is that of its `CallDelta`, which is earlier.

    The pieces of a call are the whole text. Calls whose arguments a provider sends as an object have none.
    """

    index: int
    text: str


type Delta = TextDelta | CallDelta | ArgumentsDelta
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

        With `on_delta` the completion is streamed: its text, the starts of its calls and the text of their arguments
        are reported as they arrive. The completion is the same. After the first delta nothing is retried, and an error
        has `after_output`.

        Ids of tool calls are unique in the conversation (decision C12). Raises `ModelError` and no other error.
        """
        ...

    def list_models(self, deadline: Deadline) -> Sequence[ListedModel]:
        """Return the models that the provider lists, before `deadline`. Raises `ModelError`."""
        ...


def report_completion(completion: Completion, on_delta: OnDelta) -> Completion:
    """Report a whole completion in one piece, and return it."""
    message = completion.message
    if message.text:
        on_delta(TextDelta(message.text))
    for index, call in enumerate(message.tool_calls):
        on_delta(CallDelta(index, call.name))
    return completion


MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024

MAX_STREAM_BYTES: Final = 64 * 1024 * 1024
"""Maximum of a streamed response, whose events are far larger than their text."""


def too_large(provider: str) -> ModelError:
    """Return the error of a success with more than 16 MiB."""
    return ModelError(f"the answer is larger than {MAX_ANSWER_BYTES} bytes", type="invalid_response", provider=provider)
