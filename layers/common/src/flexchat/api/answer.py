"""The answer of a chat: the documents' fields, then what it cost and how it came about."""

from typing import Annotated, Any, Literal

from pydantic import Field

from flexchat.api.base import ApiModel, Optional
from flexchat.api.explain import ExplainView
from flexchat.errors import FallbackReason, ModelErrorType, ToolErrorType
from flexchat.messages import AnswerOutcome, FinishReason, Json
from flexchat.retrieval import RagClass


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


def _without_discriminator(schema: dict[str, Any]) -> None:
    """OpenAPI knows discriminators that are strings; the schema tells both by `success` all the same."""
    schema.pop("discriminator", None)


ToolResultView = Annotated[
    ToolSuccessView | ToolFailureView, Field(discriminator="success", json_schema_extra=_without_discriminator)
]


class ToolCallView(ApiModel):
    """One tool execution: what the model asked, what it got, in which iteration (1-based)."""

    tool: str
    params: dict[str, Json] | str
    result: ToolResultView
    iteration: int
    call_id: str


class UsageView(ApiModel):
    """Tokens of all model calls of this chat. `cost_usd` is what they cost by the prices that the configuration names;
    it is left out where that is not known of each of them."""

    input_tokens: int
    output_tokens: int
    total_tokens: int
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: Optional[float] = None


StepKind = Literal["topic", "search", "intent", "model", "tool"]


class StepView(ApiModel):
    """One bar of the waterfall; times are milliseconds, `start_ms` since the request arrived.

    What comes before the first iteration, the topic, searches and the intent, is of iteration 0. `demo` marks a call of
    the demo model.
    """

    step: StepKind
    name: str
    iteration: int
    start_ms: int
    duration_ms: int
    ok: bool
    finish_reason: Optional[FinishReason] = None
    error: Optional[ModelErrorType] = None
    total_tokens: Optional[int] = None
    call_id: Optional[str] = None
    demo: Optional[bool] = None


class TimingsView(ApiModel):
    total_ms: int
    steps: tuple[StepView, ...]


class ModelErrorView(ApiModel):
    """Why the model could not go on, after tools had already run."""

    type: ModelErrorType
    message: str
    provider: str


class FallbackView(ApiModel):
    """That another model answered: instead of which one, as `llm:model`, and what was wrong with that.

    `not_validated` is a model of a rule that wants its models validated.
    """

    instead_of: str
    reason: FallbackReason


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


class SessionReference(ApiModel):
    """The session that an answer belongs to. `saved` is false when the store could not take all of it, `problem` says
    why; the answer itself is whole."""

    id: str
    title: str
    saved: bool
    problem: Optional[str] = None


class ChatResponse(ApiModel):
    """The answer. `status` is `partial` when time or the model gave out midway; what was done by then is in it, and
    `resume_token` goes on from there. `outcome` is how the chat ended: with anything but `answered`, `content` is not a
    whole answer of the model. `demo` is true where the demo model answered: that says nothing about a real one.

    `service` and `model` are who answered; `fallback` is there when that is not whom the rule names, `rag` when the
    request selected collections, `topic` and `intent` when their phases are configured. `rule` is the name of the
    response rule, where it has one. `deadline_reached` is true when the model was asked for a complete answer without
    more tools, because time was short, `max_tool_calls_reached` when the chat's tool calls were used up.
    """

    content: str
    service: str
    model: str
    tool_calls: tuple[ToolCallView, ...] = ()
    demo: Optional[bool] = None
    status: Literal["complete", "partial"] = "complete"
    outcome: AnswerOutcome = "answered"
    finish_reason: FinishReason
    max_iterations_reached: Optional[bool] = None
    circular_calls_detected: Optional[bool] = None
    max_tool_calls_reached: Optional[bool] = None
    deadline_reached: Optional[bool] = None
    resume_token: Optional[str] = None
    error: Optional[ModelErrorView] = None
    fallback: Optional[FallbackView] = None
    rule: Optional[str] = None
    topic: Optional[str] = None
    intent: Optional[str] = None
    rag: Optional[RagView] = None
    session: Optional[SessionReference] = None
    explain: Optional[ExplainView] = None
    request_id: str
    usage: UsageView
    timings: TimingsView
