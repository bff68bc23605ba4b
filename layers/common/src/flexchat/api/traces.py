"""Stored traces of chats, feedback on answers, and usage."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from flexchat.api.base import ApiModel, Optional
from flexchat.messages import Json


class TraceUsageView(ApiModel):
    """Tokens by class; cached, cache write and reasoning tokens are parts of the input and the output."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0


class TraceErrorView(ApiModel):
    """Error that ended a chat: the `error` of the API's error body, its text and its HTTP status."""

    type: str
    message: str
    status: Optional[int] = None


class Feedback(ApiModel):
    """Rating of an answer by a person."""

    rating: Literal["up", "down"]
    comment: Annotated[str, Field(max_length=2_000)] = ""


class FeedbackView(Feedback):
    """Stored rating, by the caller `by`."""

    by: str
    created_at: datetime


class TraceSummary(ApiModel):
    """Entry of a list of traces. `failed` is true for a chat that did not answer, and for one with a failed tool call.

    `first_token_ms` and `duration_ms` are since `started_at`. Without prices there is no `cost_usd`.
    """

    id: str
    started_at: datetime
    duration_ms: int
    first_token_ms: Optional[int] = None
    front_end: str
    caller: str
    session_id: Optional[str] = None
    turn: Optional[int] = None
    rule: Optional[str] = None
    model: Optional[str] = None
    outcome: str
    failed: bool
    error: Optional[TraceErrorView] = None
    tools: tuple[str, ...] = ()
    tool_calls: int = 0
    model_calls: int = 0
    usage: TraceUsageView
    cost_usd: Optional[float] = None
    demo: Optional[bool] = None
    message: Optional[str] = None
    rating: Optional[Literal["up", "down"]] = None


class TraceProfile(ApiModel):
    """Profile of a recorded chat: the fields that its response rules were matched on, without documents."""

    id: str
    started_at: datetime
    message: str
    rule: str | None
    fields: dict[str, Json]


class TraceProfileList(ApiModel):
    """Profiles of the newest chats. `without_profile` is the number of the others: their text is not recorded, their
    request names the rule, or they are of an earlier release.
    """

    profiles: tuple[TraceProfile, ...]
    without_profile: int


class TraceList(ApiModel):
    """Traces, the newest first; `cursor` continues the list."""

    traces: tuple[TraceSummary, ...]
    cursor: Optional[str] = None


class SpanView(ApiModel):
    """One step of a chat. `start_ms` is since the start of the trace; `content` is what the configuration keeps.

    `attributes` and `content` have the members that `flexchat.traces.Span` lists.
    """

    id: str
    kind: Literal["topic", "search", "intent", "model", "tool", "guardrail"]
    name: str
    start_ms: int
    duration_ms: int
    iteration: int = 0
    error: Optional[str] = None
    message: Optional[str] = None
    usage: Optional[TraceUsageView] = None
    cost_usd: Optional[float] = None
    attributes: dict[str, Json] = Field(default_factory=dict[str, Json])
    content: dict[str, Json] = Field(default_factory=dict[str, Json])


class TraceFailureView(ApiModel):
    """Explanation of a failure. `code` is the `error` of the API's error body, the error of the step, or the outcome.

    `message` has the words of the provider or the tool for operators, `status` is an HTTP status. `span_id` is the step
    that failed, absent for a chat that ended outside of its steps. `advice` is what to do, with commands and keys of
    the configuration in backquotes.
    """

    code: str
    title: str
    message: Optional[str] = None
    status: Optional[int] = None
    span_id: Optional[str] = None
    advice: str


class TraceView(TraceSummary):
    """Whole trace. `trace_id` is the id of OpenTelemetry's trace. `messages` are those that a model got, each once;
    `content.messages` of a model call has their indices. `has_content` is false where no content is kept. `failures`
    explain a failed chat: first what ended it, then its failed tool calls. `chosen_rule` and `chosen_model` are those
    that the caller chose for the message."""

    trace_id: str
    span_id: str
    parent_id: Optional[str] = None
    streamed: bool = False
    fallback_of: Optional[str] = None
    chosen_rule: Optional[str] = None
    chosen_model: Optional[str] = None
    topic: Optional[str] = None
    intent: Optional[str] = None
    configuration: str = ""
    warnings: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    expires_at: datetime
    has_content: bool = False
    answer: str = ""
    messages: tuple[Json, ...] = ()
    offered_tools: tuple[Json, ...] = ()
    spans: tuple[SpanView, ...] = ()
    failures: tuple[TraceFailureView, ...] = ()
    feedback: tuple[FeedbackView, ...] = ()


class LogLine(ApiModel):
    """Line of a function's log; `fields` are the keys of a structured line."""

    at: datetime
    function: str
    level: str
    message: str
    fields: dict[str, Json] = Field(default_factory=dict[str, Json])


class LogLines(ApiModel):
    """Log lines of one request, in order; not `complete` where the time for the search was over."""

    lines: tuple[LogLine, ...]
    complete: bool = True


type UsageGroup = Literal["day", "caller", "model", "tool", "rule"]


class UsageRow(ApiModel):
    """Usage of one value of the group on one day, in UTC. `cost_usd` is the sum of the priced calls;
    `unpriced_tokens` are those of calls without prices, which it lacks."""

    day: str
    name: Optional[str] = None
    chats: int = 0
    failed: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: float = 0
    unpriced_tokens: int = 0


class UsageReport(ApiModel):
    """Usage by day and group, the newest day first."""

    group: UsageGroup
    since: str
    until: str
    rows: tuple[UsageRow, ...]
