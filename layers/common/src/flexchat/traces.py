"""Traces of chats: what each phase, model call and tool call did, for the traces function to store.

A record is plain data, written by the chat function at the end of a chat and read by the traces function. Its content
(messages, arguments, results) is there as far as the configuration's `traces.content` allows, without secrets.
"""

from copy import replace
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

VERSION: Final = 1

type FrontEnd = Literal["chat", "openai", "responses", "mcp", "direct", "trial", "phase_test", "tool_test", "title"]
"""Part of the service that the chat came from; `trial` is a test of a model or a case of a validation, `phase_test` and
`tool_test` are tests of one phase and of one tool, `title` is the model call for the title of a session."""

type SpanKind = Literal["topic", "search", "intent", "model", "tool", "guardrail"]

FAILED_OUTCOMES: Final = frozenset(
    {
        "error",
        "model_failed",
        "out_of_time",
        "budget_reached",
        "iteration_limit",
        "repeated_calls",
        "tool_call_limit",
        "empty",
    }
)
"""Outcomes of chats that did not answer; a chat with a failed tool call is failed too."""


class TraceError(Struct, frozen=True, kw_only=True):
    """Error that ended a chat: the `error` of the API's error body, its text and its HTTP status."""

    type: str
    message: str
    status: int | None = None


class TraceUsage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tokens by class; cached, cache write and reasoning tokens are parts of the input and the output."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0


class Span(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of a chat; `start_ms` is since the start of the trace.

    `id` has 16 hex digits. `name` is `llm:model` of a phase or a model call, the tool of a tool call, the
    name of a guardrail, and `service/collection` of a search. `error` is the type of a failure, `message` its text for
    operators.

    `attributes` of a model call, also of a phase: `finish_reason`, `response_model` (as the provider names it),
    `response_id` (the provider's id of the response), `streamed`, `max_tokens`, `temperature`, `top_p`,
    `reasoning_effort`, `response_format`, `tool_choice`, `tools` (their number), `provider` (the type of the llm),
    `fallback_of` (the model that it replaces) and `fallback_reason`, `http_status` (of the error, else of the last
    response), `provider_request_id` (of the last response), `retries` (requests after the first) and
    `failed_attempts`, each with its `error`, `status`, `duration_ms`, `wait_ms` (before the next request),
    `request_id` and `message` (the text for operators).

    Of a tool call: `call_id`, `type` (of the tool), `server` (of MCP), `truncated`, `function_ms` (the time that the
    tool's function measured, a part of `duration_ms`), `http_status` (the last one of an http tool) and `retries` (of
    an http tool).

    Of a guardrail: `verdict` (`allowed`, `masked`, `blocked` or `failed`), `source` (`input` or `output`), `type`,
    `policies` (those that intervened) and `units` (charged text units). It has no content.

    `content` of a model call: `messages` (indices into `TraceRecord.messages`, in order) and `answer` (a message). Of a
    tool call: `arguments` and `result`, or the text of its error.

    `usage` and `cost_usd` are those of a model call; `cost_usd` is None without prices.
    """

    id: str
    kind: SpanKind
    name: str
    start_ms: int
    duration_ms: int
    iteration: int = 0
    error: str | None = None
    message: str | None = None
    usage: TraceUsage | None = None
    cost_usd: float | None = None
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])
    content: dict[str, Any] = field(default_factory=dict[str, Any])


class TraceRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Trace of one chat. `id` is the id of its request, which is that of its run and in its log lines.

    `trace_id` has 32 and `span_id` (of the whole chat) 16 hex digits; `parent_id` is the span of the client that sent a
    `traceparent`. `started_at` is in seconds since the epoch, `first_token_ms` since then. `caller` is the id of the
    token, or `direct`. `outcome` is that of the answer, `error` where the chat ended with one. `messages` are all
    messages that a model got, each once, as `{role, parts}`; `tools` the definitions that the first model call
    offered, as `{name, description, parameters}`. `message` is the user's, `answer` the text of the answer.
    `profile` has the fields that the rules were matched on, without documents: content, empty for a chat whose request
    names the rule. `has_content` is false for a record without content. `chosen_rule` and `chosen_model` (`llm:model`)
    are those that the caller chose for the message.
    """

    v: int = VERSION
    id: str
    trace_id: str
    span_id: str
    parent_id: str | None = None
    started_at: float
    duration_ms: int
    first_token_ms: int | None = None
    stage: str = ""
    front_end: FrontEnd = "chat"
    caller: str
    session_id: str | None = None
    turn: int | None = None
    streamed: bool = False
    rule: str | None = None
    profile: dict[str, Any] = field(default_factory=dict[str, Any])
    chosen_rule: str | None = None
    chosen_model: str | None = None
    model: str | None = None
    fallback_of: str | None = None
    topic: str | None = None
    intent: str | None = None
    outcome: str
    error: TraceError | None = None
    configuration: str = ""
    demo: bool = False
    usage: TraceUsage = TraceUsage()
    cost_usd: float | None = None
    warnings: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    expires_at: Annotated[int, Meta(ge=0)]
    has_content: bool = False
    message: str = ""
    answer: str = ""
    messages: list[Any] = field(default_factory=list[Any])
    tools: list[Any] = field(default_factory=list[Any])
    spans: tuple[Span, ...] = ()

    @property
    def is_failed(self) -> bool:
        """Return whether the chat did not answer, or a tool call of it failed."""
        return self.outcome in FAILED_OUTCOMES or any(span.kind == "tool" and span.error for span in self.spans)

    @property
    def tool_names(self) -> tuple[str, ...]:
        """Names of the called tools, each once, in the order of the first calls."""
        return tuple(dict.fromkeys(span.name for span in self.spans if span.kind == "tool"))

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the called models, each once, in the order of the first calls."""
        named = (span.name for span in self.spans if span.kind in ("topic", "intent", "model"))
        return tuple(dict.fromkeys(named))

    def without_content(self) -> "TraceRecord":
        """Return the record without messages, arguments and results."""
        spans = tuple(replace(span, content={}) for span in self.spans)
        return replace(self, has_content=False, message="", answer="", profile={}, messages=[], tools=[], spans=spans)

    def as_json(self) -> bytes:
        """Return the record as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, text: bytes | str) -> "TraceRecord":
        """Parse the output of `as_json`. Raises ValueError for other JSON."""
        return msgspec.json.decode(text, type=cls)
