"""Spans of OpenTelemetry from the record of a chat, by the semantic conventions for generative AI.

The ids and the times are those of the record. This module imports the OpenTelemetry SDK.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never, cast

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from flexchat import __version__
from flexchat.traces import FAILED_OUTCOMES, Span, TraceRecord, TraceUsage
from functions.traces.otlp import attributes as names
from functions.traces.otlp.content import chat_content, model_content, tool_content, tool_definitions

DEFAULT_AGENT: Final = "flexchat"
"""Name of the agent of a chat without a named response rule."""

PROVIDERS: Final[Mapping[str, str]] = {"bedrock": "aws.bedrock", "gemini": "gcp.gemini"}
"""Names of providers in the conventions, where they differ from the types of llms."""

TOOL_TYPES: Final[Mapping[str, str]] = {"http": "extension", "internal": "datastore", "mcp": "extension"}
"""Types of tools in the conventions; those that are not listed are functions."""

_MODEL_ATTRIBUTES: Final[Mapping[str, str]] = {
    "streamed": names.REQUEST_STREAM,
    "max_tokens": names.REQUEST_MAX_TOKENS,
    "temperature": names.REQUEST_TEMPERATURE,
    "top_p": names.REQUEST_TOP_P,
    "response_model": names.RESPONSE_MODEL,
    "response_id": names.RESPONSE_ID,
}
_HTTP_ATTRIBUTES: Final[Mapping[str, str]] = {"http_status": names.HTTP_STATUS, "retries": names.HTTP_RESENDS}
_SCOPE: Final = InstrumentationScope("flexchat", __version__, schema_url=names.SCHEMA_URL)
_SAMPLED: Final = TraceFlags(TraceFlags.SAMPLED)

type _Attribute = tuple[str, Any]


def resource_of(attributes: Mapping[str, str]) -> Resource:
    """Return the resource of the spans."""
    return Resource({name: value for name, value in attributes.items() if value})


def spans_of(record: TraceRecord, resource: Resource, *, captures_content: bool) -> list[ReadableSpan]:
    """Return the span of a chat, then those of its steps.

    `captures_content` adds the content that the record has. Without it, no span has a text of a user, a model, a tool
    or an error.
    """
    converter = _Converter(record, resource, captures_content=captures_content and record.has_content)
    return [converter.chat(), *map(converter.step, record.spans)]


class _Converter:
    """Converter of one record."""

    def __init__(self, record: TraceRecord, resource: Resource, *, captures_content: bool) -> None:
        self._record = record
        self._resource = resource
        self._captures_content = captures_content
        self._trace_id = int(record.trace_id, 16)
        self._start = round(record.started_at * 1_000_000) * 1_000  # a float has no exact nanoseconds
        self._first_model = next((span.id for span in record.spans if span.kind == "model"), None)

    def chat(self) -> ReadableSpan:
        record = self._record
        agent = record.rule or DEFAULT_AGENT
        failure = record.error.type if record.error else record.outcome if record.outcome in FAILED_OUTCOMES else None
        parent = None
        if record.parent_id is not None:
            parent = SpanContext(self._trace_id, int(record.parent_id, 16), is_remote=True, trace_flags=_SAMPLED)
        return self._span(
            f"invoke_agent {agent}",
            record.span_id,
            SpanKind.INTERNAL,
            parent=parent,
            start_ms=0,
            duration_ms=record.duration_ms,
            error=failure,
            message=record.error.message if record.error else None,
            attributes=dict(self._chat_attributes(agent)),
        )

    def step(self, span: Span) -> ReadableSpan:
        match span.kind:
            case "model" | "topic" | "intent":
                name, kind = f"chat {_model_name(span)}", SpanKind.CLIENT
                attributes = self._model_attributes(span)
            case "tool":
                name, kind = f"execute_tool {span.name}", SpanKind.INTERNAL
                attributes = self._tool_attributes(span)
            case "search":
                name, kind = f"retrieval {span.name}", SpanKind.CLIENT
                attributes = iter(((names.OPERATION, "retrieval"), (names.DATA_SOURCE, span.name)))
            case "guardrail":
                name, kind = f"guardrail {span.name}", SpanKind.CLIENT
                attributes = ((f"{names.OWN}{key}", value) for key, value in span.attributes.items())
            case _:
                assert_never(span.kind)
        return self._span(
            name,
            span.id,
            kind,
            parent=SpanContext(self._trace_id, int(self._record.span_id, 16), is_remote=False, trace_flags=_SAMPLED),
            start_ms=span.start_ms,
            duration_ms=span.duration_ms,
            error=span.error,
            message=span.message,
            attributes=dict(attributes),
        )

    def _chat_attributes(self, agent: str) -> Iterator[_Attribute]:
        record = self._record
        last = next((span for span in reversed(record.spans) if "provider" in span.attributes), None)
        yield names.OPERATION, "invoke_agent"
        yield names.PROVIDER, _provider(last) if last else "flexchat"
        yield names.AGENT, agent
        yield names.CONVERSATION, record.session_id
        yield names.REQUEST_MODEL, record.model and record.model.partition(":")[2]
        yield names.REQUEST_STREAM, record.streamed
        yield names.USER, record.caller
        yield from _usage(record.usage)
        yield f"{names.OWN}request_id", record.id
        yield f"{names.OWN}front_end", record.front_end
        yield f"{names.OWN}outcome", record.outcome
        yield f"{names.OWN}llm", record.model and record.model.partition(":")[0]
        yield f"{names.OWN}fallback_of", record.fallback_of
        yield f"{names.OWN}chosen_rule", record.chosen_rule
        yield f"{names.OWN}chosen_model", record.chosen_model
        yield f"{names.OWN}intent", record.intent
        yield f"{names.OWN}turn", record.turn
        yield f"{names.OWN}configuration", record.configuration
        yield f"{names.OWN}cost_usd", record.cost_usd
        yield f"{names.OWN}first_token_ms", record.first_token_ms
        yield f"{names.OWN}limits", list(record.limits)
        yield f"{names.OWN}demo", record.demo or None
        if self._captures_content:
            yield from chat_content(record)

    def _model_attributes(self, span: Span) -> Iterator[_Attribute]:
        yield names.OPERATION, "chat"
        yield names.PROVIDER, _provider(span)
        yield names.CONVERSATION, self._record.session_id
        yield names.REQUEST_MODEL, _model_name(span)
        yield f"{names.OWN}llm", span.name.partition(":")[0]
        if span.kind != "model":
            yield f"{names.OWN}phase", span.kind
        for own, name in (_MODEL_ATTRIBUTES | _HTTP_ATTRIBUTES).items():
            yield name, span.attributes.get(own)
        if span.attributes.get("provider") == "bedrock":
            yield names.AWS_REQUEST_ID, span.attributes.get("provider_request_id")
        if reason := span.attributes.get("finish_reason"):
            yield names.FINISH_REASONS, [str(reason)]
        if span.usage is not None:
            yield from _usage(span.usage)
        yield f"{names.OWN}iteration", span.iteration or None
        yield f"{names.OWN}cost_usd", span.cost_usd
        for own in ("tools", "tool_choice", "fallback_of", "fallback_reason", "provider_request_id"):
            yield f"{names.OWN}{own}", span.attributes.get(own)
        yield f"{names.OWN}failed_attempts", _reasons(span)
        if self._captures_content:
            yield from model_content(self._record, span)
            if span.id == self._first_model:
                yield from tool_definitions(self._record)

    def _tool_attributes(self, span: Span) -> Iterator[_Attribute]:
        kind = str(span.attributes.get("type") or "")
        yield names.OPERATION, "execute_tool"
        yield names.TOOL_NAME, span.name
        yield names.TOOL_TYPE, TOOL_TYPES.get(kind, "function")
        yield names.TOOL_CALL_ID, span.attributes.get("call_id")
        yield names.CONVERSATION, self._record.session_id
        if kind == "mcp":  # the span of the tool has the attributes of the MCP client's, which is not traced apart
            yield names.MCP_METHOD, "tools/call"
            yield f"{names.OWN}mcp_server", span.attributes.get("server")
        yield f"{names.OWN}tool_type", kind or None
        yield f"{names.OWN}iteration", span.iteration or None
        for own, name in _HTTP_ATTRIBUTES.items():
            yield name, span.attributes.get(own)
        for own in ("function_ms", "truncated"):
            yield f"{names.OWN}{own}", span.attributes.get(own)
        if self._captures_content:
            yield from tool_content(span)

    def _span(
        self,
        name: str,
        span_id: str,
        kind: SpanKind,
        *,
        parent: SpanContext | None,
        start_ms: int,
        duration_ms: int,
        error: str | None,
        message: str | None,
        attributes: dict[str, Any],
    ) -> ReadableSpan:
        start = self._start + start_ms * 1_000_000
        described = message if self._captures_content else None
        if error is not None:
            attributes[names.ERROR_TYPE] = error
        return ReadableSpan(
            name,
            context=SpanContext(self._trace_id, int(span_id, 16), is_remote=False, trace_flags=_SAMPLED),
            parent=parent,
            resource=self._resource,
            attributes={name: value for name, value in attributes.items() if value is not None and value != []},
            kind=kind,
            status=Status(StatusCode.UNSET) if error is None else Status(StatusCode.ERROR, described),
            start_time=start,
            end_time=start + duration_ms * 1_000_000,
            instrumentation_scope=_SCOPE,
        )


def _model_name(span: Span) -> str:
    return span.name.partition(":")[2] or span.name


def _provider(span: Span) -> str:
    """Return the provider's name; that of the llm for a call without the type of its provider."""
    name = str(span.attributes.get("provider") or span.name.partition(":")[0])
    return PROVIDERS.get(name, name)


def _reasons(span: Span) -> list[str]:
    """Return the type of error of each failed attempt, without its text."""
    attempts: object = span.attributes.get("failed_attempts")
    listed = cast("list[dict[str, object]]", attempts) if isinstance(attempts, list) else []
    return [str(each.get("error")) for each in listed]


def _usage(usage: TraceUsage) -> Iterator[_Attribute]:
    yield names.INPUT_TOKENS, usage.input_tokens
    yield names.OUTPUT_TOKENS, usage.output_tokens
    yield names.CACHE_READ_TOKENS, usage.cached_tokens
    yield names.CACHE_CREATION_TOKENS, usage.cache_write_tokens
    yield names.REASONING_TOKENS, usage.reasoning_tokens
