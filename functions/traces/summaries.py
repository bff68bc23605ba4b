"""Views of traces: the summary in lists and the whole trace."""

from copy import replace
from datetime import UTC, datetime
from typing import Final

from msgspec.structs import asdict

from flexchat.api.traces import FeedbackView, SpanView, TraceErrorView, TraceSummary, TraceUsageView, TraceView
from flexchat.http_api.errors import UNAVAILABLE, UNAVAILABLE_MESSAGE
from flexchat.messages import Json
from flexchat.runs import iso
from flexchat.text import truncate
from flexchat.traces import Span, TraceError, TraceRecord, TraceUsage
from functions.traces.failures import failures_of

MAX_TOOLS: Final = 40
"""Most tools of a chat that its summary names: each has two writes in a transaction of 100."""

MESSAGE_CHARACTERS: Final = 200
ERROR_CHARACTERS: Final = 500


NAME_CHARACTERS: Final = 200
"""Most characters of a name in a key: a model may call a tool by any text."""


def record_key(id: str, started_at: str) -> str:
    """Return the key of a record by the time of its start in ISO 8601."""
    return f"traces/{started_at[:10].replace('-', '/')}/{id}.json.gz"


def short(name: str) -> str:
    """Return the form of a name in keys and lists."""
    return truncate(name, NAME_CHARACTERS)


def called_tools(record: TraceRecord) -> tuple[str, ...]:
    """Return the tools of a chat that have index items and counters, each once."""
    return tuple(dict.fromkeys(map(short, record.tool_names)))[:MAX_TOOLS]


def summary_of(record: TraceRecord) -> TraceSummary:
    """Return the summary of a trace without feedback."""
    return TraceSummary(
        id=record.id,
        started_at=datetime.fromisoformat(iso(record.started_at)),
        duration_ms=record.duration_ms,
        first_token_ms=record.first_token_ms,
        front_end=record.front_end,
        caller=record.caller,
        session_id=record.session_id,
        turn=record.turn,
        rule=None if record.rule is None else short(record.rule),
        model=None if record.model is None else short(record.model),
        outcome=record.outcome,
        failed=record.is_failed,
        error=_error_view(record.error),
        tools=called_tools(record),
        tool_calls=sum(span.kind == "tool" for span in record.spans),
        model_calls=sum(span.kind in MODEL_CALLS for span in record.spans),
        usage=_usage_view(record.usage),
        cost_usd=record.cost_usd,
        demo=record.demo or None,
        message=truncate(record.message, MESSAGE_CHARACTERS) or None,
    )


MODEL_CALLS: Final = frozenset({"topic", "intent", "model"})
"""Kinds of spans that are calls of a model."""


def trace_view(
    record: TraceRecord, summary: TraceSummary, feedback: tuple[FeedbackView, ...], *, expires_at: int, operator: bool
) -> TraceView:
    """Return the whole trace.

    Without `operator`, system messages are empty, spans have no texts of providers, and no error names a resource.
    """
    if not operator:
        record = replace(record, error=_shown(record.error))
    return TraceView(
        **{name: getattr(summary, name) for name in TraceSummary.model_fields if name not in ("message", "error")},
        message=record.message or None,
        error=_error_view(record.error),
        trace_id=record.trace_id,
        span_id=record.span_id,
        parent_id=record.parent_id,
        streamed=record.streamed,
        fallback_of=record.fallback_of,
        chosen_rule=record.chosen_rule,
        chosen_model=record.chosen_model,
        topic=record.topic,
        intent=record.intent,
        configuration=record.configuration,
        warnings=record.warnings,
        limits=record.limits,
        expires_at=datetime.fromtimestamp(expires_at, UTC),
        has_content=record.has_content,
        answer=record.answer,
        messages=tuple(record.messages if operator else map(_without_instructions, record.messages)),
        offered_tools=tuple(record.tools),
        spans=tuple(_span_view(span, operator=operator) for span in record.spans),
        failures=failures_of(record, operator=operator),
        feedback=feedback,
    )


def _span_view(span: Span, *, operator: bool) -> SpanView:
    return SpanView(
        id=span.id,
        kind=span.kind,
        name=span.name,
        start_ms=span.start_ms,
        duration_ms=span.duration_ms,
        iteration=span.iteration,
        error=span.error,
        message=span.message if operator else None,
        usage=None if span.usage is None else _usage_view(span.usage),
        cost_usd=span.cost_usd,
        attributes=span.attributes if operator else _without_provider_texts(span.attributes),
        content=span.content,
    )


def _without_provider_texts(attributes: dict[str, Json]) -> dict[str, Json]:
    """Return attributes without the errors of a provider in its own words."""
    failed = attributes.get("failed_attempts")
    if not isinstance(failed, list):
        return attributes
    shown: list[Json] = [
        {name: value for name, value in each.items() if name != "message"} for each in failed if isinstance(each, dict)
    ]
    return {**attributes, "failed_attempts": shown}


def _without_instructions(message: Json) -> Json:
    if isinstance(message, dict) and message.get("role") == "system":
        return {**message, "parts": []}
    return message


def _usage_view(usage: TraceUsage) -> TraceUsageView:
    return TraceUsageView(**asdict(usage))


def for_user(summary: TraceSummary) -> TraceSummary:
    """Return a summary whose error names no resource of the deployment."""
    if summary.error is None or summary.error.type != UNAVAILABLE:
        return summary
    return summary.model_copy(update={"error": summary.error.model_copy(update={"message": UNAVAILABLE_MESSAGE})})


def _shown(error: TraceError | None) -> TraceError | None:
    if error is None or error.type != UNAVAILABLE:
        return error
    return replace(error, message=UNAVAILABLE_MESSAGE)


def _error_view(error: TraceError | None) -> TraceErrorView | None:
    if error is None:
        return None
    return TraceErrorView(type=error.type, message=truncate(error.message, ERROR_CHARACTERS), status=error.status)
