"""What a caller sends and gets: the same models behind HTTPS, `sam local invoke` and validation runs."""

from typing import Annotated, Any, Literal, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from flexchat.config.models import ProviderType
from flexchat.errors import ModelErrorType, ToolErrorType
from flexchat.messages import FinishReason, Json, Message, Role, Text
from flexchat.retrieval import RagClass

MAX_BODY_BYTES = 256 * 1024
MAX_MESSAGE_CHARACTERS = 32_000
MAX_HISTORY_MESSAGES = 200
MIN_DEADLINE_MS = 1_000
MAX_DEADLINE_MS = 900_000


def _is_none(value: object) -> bool:
    return value is None


class ApiModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


T = TypeVar("T")
Optional = Annotated[T | None, Field(exclude_if=_is_none)]
"""A key that is left out of an answer where it does not apply."""


class HistoryMessage(ApiModel):
    """One earlier message: `{role, content}`, or `{type, text}` as older clients send it (decision C37).

    Roles other than those of a user or the assistant are not the caller's to send; such messages are left out.
    """

    role: Annotated[str, Field(max_length=32)] = "user"
    content: Annotated[str, Field(max_length=MAX_MESSAGE_CHARACTERS)]

    @model_validator(mode="before")
    @classmethod
    def _accept_type_and_text(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        fields = cast("dict[str, Any]", value)
        if "content" in fields or "text" not in fields:
            return fields
        return {"role": fields.get("type", fields.get("role", "user")), "content": fields["text"]}

    def as_message(self) -> Message | None:
        """The canonical message, or `None` where the role is not the caller's to use."""
        role = _CALLER_ROLES.get(self.role.lower())
        return Message(role, (Text(self.content),)) if role else None


_CALLER_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "bot": "assistant",
    "model": "assistant",
}


class ChatRequest(ApiModel):
    """One user message and what should be known to answer it.

    `selected_collections` are searched first, each `service/collection` or a collection's name alone. `profile` sets
    fields that response rules match on (`intent`, `service`) and prompts may use. `deadline_ms` is the longest the
    caller will wait, in milliseconds.
    """

    message: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE_CHARACTERS, examples=["What is 15% of 45?"])]
    history: Annotated[tuple[HistoryMessage, ...], Field(max_length=MAX_HISTORY_MESSAGES)] = ()
    selected_collections: Annotated[tuple[Annotated[str, Field(max_length=256)], ...], Field(max_length=50)] = ()
    topic: Annotated[str, Field(max_length=2_000)] | None = None
    profile: dict[str, Json] = Field(default_factory=dict[str, Json])
    deadline_ms: Annotated[int, Field(ge=MIN_DEADLINE_MS, le=MAX_DEADLINE_MS)] | None = None

    @model_validator(mode="after")
    def _message_is_not_blank(self) -> Self:
        if not self.message.strip():
            raise ValueError("message must contain more than white space")
        return self


class ToolSuccessView(ApiModel):
    """The envelope of a tool that did its work; `truncated` when `result` is the shortened text of a larger one."""

    success: Literal[True]
    tool_name: str
    execution_time_ms: int
    result: Json
    truncated: Optional[bool] = None


class ToolFailureView(ApiModel):
    """The envelope of a call that failed or was not run."""

    success: Literal[False]
    tool_name: str
    execution_time_ms: int
    error: str
    error_type: ToolErrorType
    user_message: Optional[str] = None
    validation_errors: Optional[tuple[str, ...]] = None


ToolResultView = Annotated[ToolSuccessView | ToolFailureView, Field(discriminator="success")]


class ToolCallView(ApiModel):
    """One tool execution: what the model asked, what it got, in which iteration (1-based)."""

    tool: str
    params: dict[str, Json] | str
    result: ToolResultView
    iteration: int
    call_id: str


class UsageView(ApiModel):
    """Tokens of all model calls of this chat."""

    input_tokens: int
    output_tokens: int
    total_tokens: int
    cached_tokens: int = 0
    reasoning_tokens: int = 0


class StepView(ApiModel):
    """One bar of the waterfall; times are milliseconds, `start_ms` since the request arrived.

    Searches come before the first iteration, as of iteration 0.
    """

    step: Literal["search", "model", "tool"]
    name: str
    iteration: int
    start_ms: int
    duration_ms: int
    ok: bool
    finish_reason: Optional[FinishReason] = None
    error: Optional[ModelErrorType] = None
    total_tokens: Optional[int] = None
    call_id: Optional[str] = None


class TimingsView(ApiModel):
    total_ms: int
    steps: tuple[StepView, ...]


class ModelErrorView(ApiModel):
    """Why the model could not go on, after tools had already run."""

    type: ModelErrorType
    message: str
    provider: str


class FallbackView(ApiModel):
    """That another model answered: instead of which one, as `llm:model`, and what was wrong with that."""

    instead_of: str
    reason: ModelErrorType


class RagDocumentView(ApiModel):
    """A passage that was found: where it is from, and its cosine distance to the question."""

    title: str
    source: str
    distance: float
    service: str
    collection: str


class SkippedCollectionView(ApiModel):
    """A selected collection that could not be searched, and why."""

    collection: str
    reason: str


class RagView(ApiModel):
    """What the selected collections had; `service` and `collection` are those of a match."""

    result: RagClass
    service: Optional[str] = None
    collection: Optional[str] = None
    documents: tuple[RagDocumentView, ...] = ()
    skipped: tuple[SkippedCollectionView, ...] = ()


class ChatResponse(ApiModel):
    """The answer. `status` is `partial` when time or the model gave out midway; what was done by then is in it.

    `service` and `model` are who answered; `fallback` is there when that is not whom the rule names, `rag` when the
    request selected collections.
    """

    content: str
    service: str
    model: str
    tool_calls: tuple[ToolCallView, ...] = ()
    status: Literal["complete", "partial"] = "complete"
    finish_reason: FinishReason
    max_iterations_reached: Optional[bool] = None
    circular_calls_detected: Optional[bool] = None
    error: Optional[ModelErrorView] = None
    fallback: Optional[FallbackView] = None
    rag: Optional[RagView] = None
    request_id: str
    usage: UsageView
    timings: TimingsView


class ErrorDetail(ApiModel):
    """One thing that is wrong, and where in the request."""

    path: str
    message: str


class ErrorResponse(ApiModel):
    """Every error of every route: `error` is a stable name, `message` says what would be right."""

    error: str
    message: str
    request_id: str
    details: Optional[tuple[ErrorDetail, ...]] = None


class ToolView(ApiModel):
    """A tool as the registry holds it. `implementation` shows its type only; the rest is the operator's."""

    name: str
    description: str
    type: Literal["function"] = "function"
    handler: Optional[str] = None
    parameters: dict[str, Json]
    implementation: dict[str, Json]


class DisabledView(ApiModel):
    """A configured entry that is not served, and why."""

    kind: Literal["tool", "rule", "llm", "service"]
    name: str
    problems: tuple[str, ...]


class ValidationView(ApiModel):
    """Whether a model was tried with tools and passed (document 003, line 1865)."""

    model_id: str
    tested: bool
    validated: bool


Capability = Literal["chat", "function-calling", "reasoning", "vision"]


class ModelView(ApiModel):
    """A model that may be asked (decision C32).

    `id` is `llm:model`, `llm` the entry's name, `provider` its type. `configured` says that the configuration names the
    model; the others are what the provider lists besides. `context_window` is in tokens.
    """

    id: str
    name: str
    llm: str
    provider: ProviderType
    type: Literal["chat"] = "chat"
    capabilities: tuple[Capability, ...]
    configured: bool
    context_window: Optional[int] = None
    validation: ValidationView


class LlmErrorView(ApiModel):
    """Why an llm could not be asked for its models; those that the configuration names are listed all the same."""

    llm: str
    error: str


class ModelList(ApiModel):
    models: tuple[ModelView, ...]
    errors: tuple[LlmErrorView, ...] = ()


class ToolList(ApiModel):
    tools: tuple[ToolView, ...]
    disabled: tuple[DisabledView, ...] = ()
