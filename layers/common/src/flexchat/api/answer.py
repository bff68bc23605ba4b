"""Response to a chat, with its cost and its trace."""

from operator import not_
from typing import Annotated, Any, Literal

from pydantic import Field, SkipValidation

from flexchat.api.approvals import ApprovalView
from flexchat.api.base import ApiModel, Optional
from flexchat.api.explain import ExplainView
from flexchat.errors import FallbackReason, ModelErrorType, ToolErrorType
from flexchat.messages import AnswerOutcome, FinishReason, Json
from flexchat.retrieval import RagClass
from flexchat.tools import ToolProgress


class ToolSuccessView(ApiModel):
    """Envelope of a successful tool call; `truncated` if `result` is the shortened text of a larger one."""

    success: Literal[True]
    tool_name: str
    execution_time_ms: int
    result: SkipValidation[Json]  # parsed JSON, which may be large
    truncated: Optional[bool] = None


class ToolFailureView(ApiModel):
    """Envelope of a tool call that failed or was not run."""

    success: Literal[False]
    tool_name: str
    execution_time_ms: int
    error: str
    error_type: ToolErrorType
    user_message: Optional[str] = None
    validation_errors: Optional[tuple[str, ...]] = None


def _without_discriminator(schema: dict[str, Any]) -> None:
    """Remove the discriminator, which OpenAPI allows only for strings; `success` distinguishes the schemas."""
    schema.pop("discriminator", None)


ToolResultView = Annotated[
    ToolSuccessView | ToolFailureView, Field(discriminator="success", json_schema_extra=_without_discriminator)
]


class ToolCallView(ApiModel):
    """One tool execution: the model's arguments, the result and the iteration, from 1."""

    tool: str
    params: SkipValidation[dict[str, Json] | str]
    result: ToolResultView
    iteration: int
    call_id: str


class UsageView(ApiModel):
    """Tokens of all model calls of the chat; `cached_tokens` and `cache_write_tokens`, read from and written to the
    prompt caches of providers, are part of the input. `cost_usd` is their cost by the configured prices; it is left out
    unless all of them have prices."""

    input_tokens: int
    output_tokens: int
    total_tokens: int
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: Optional[float] = None


StepKind = Literal["topic", "search", "intent", "model", "tool", "guardrail"]


class StepView(ApiModel):
    """One bar of the waterfall; times are milliseconds, `start_ms` since the request arrived.

    The topic, searches and the intent, before the first iteration, have iteration 0. `demo` marks a call of the demo
    model. `progress` has the last reports of a tool during its call. `reasoning` is that of a model, the head and tail
    of a long one. A guardrail has its `verdict`, the `source` of the checked text and the `policies` that intervened.
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
    progress: Optional[tuple[ToolProgress, ...]] = None
    reasoning: Optional[str] = None
    verdict: Optional[Literal["allowed", "masked", "blocked", "failed"]] = None
    source: Optional[Literal["input", "output"]] = None
    policies: Optional[tuple[str, ...]] = None


class TimingsView(ApiModel):
    total_ms: int
    steps: tuple[StepView, ...]


class ModelErrorView(ApiModel):
    """Error of the model after tools had already run."""

    type: ModelErrorType
    message: str
    provider: str


class FallbackView(ApiModel):
    """Fallback to another model: the replaced one, as `llm:model`, and the reason.

    `not_validated` applies to rules that require validated models.
    """

    instead_of: str
    reason: FallbackReason


class RagDocumentView(ApiModel):
    """A passage of the search results: its source, and its cosine distance to the question."""

    title: str
    source: str
    distance: float
    service: str
    collection: str


class SkippedCollectionView(ApiModel):
    """A selected collection that could not be searched, with the reason."""

    collection: str
    reason: str


class RagView(ApiModel):
    """Search results of the selected collections; `service` and `collection` are those of a match."""

    result: RagClass
    service: Optional[str] = None
    collection: Optional[str] = None
    documents: tuple[RagDocumentView, ...] = ()
    skipped: tuple[SkippedCollectionView, ...] = ()


class SessionReference(ApiModel):
    """Session of an answer, and its turn. `saved` is false if it could not be stored completely, with the reason as
    `problem`; the answer itself is complete. With `title_pending`, a model writes the title, which the session has
    seconds later."""

    id: str
    title: str
    saved: bool
    title_pending: Optional[bool] = None
    turn: Optional[int] = None
    problem: Optional[str] = None


class ChatResponse(ApiModel):
    """Response to a chat. `status` is `partial` if the deadline was reached or the model failed midway; the work until
    then is included, and `resume_token` continues it. `outcome` is the reason for the end of the chat: `content` is a
    complete answer of the model only with `answered`. `demo` is true for answers of the demo model, no measure of a
    real one.

    `service` and `model` are those of the answer; `fallback` is present if the rule names others, `rag` if the request
    selected collections, `topic` and `intent` if their phases are configured. `rule` is the name of the response rule,
    if it has one. `deadline_reached` is true if the model had to answer without more tools because of the deadline,
    `max_tool_calls_reached` if the tool calls of the chat were used up. `warnings` are problems that did not end the
    chat, such as earlier messages that were left out because they do not fit the model's window. `approvals` are the
    tool calls that wait for an approval, with the outcome `waiting`.
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
    approvals: Optional[ApprovalView] = None
    warnings: Annotated[tuple[str, ...], Field(exclude_if=not_)] = ()
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
