"""Spans of the steps of a chat, with the content that a trace keeps."""

from collections.abc import Iterator, Mapping, Sequence
from copy import replace
from typing import Final

from flexchat.json import dumps
from flexchat.messages import Completion, Document, Image, Json, Message, Reasoning, Text, ToolCall, ToolOutput, Usage
from flexchat.redaction import redact_error_message
from flexchat.text import truncate_middle
from flexchat.tools import ToolExecution
from flexchat.traces import Span, TraceUsage
from functions.chat.generation.events import GuardrailFinished, ModelFinished, ModelRequest, PhaseFinished
from functions.chat.providers.base import NamedTool
from functions.chat.providers.request_log import FailedRequest, RequestLog

MAX_FAILED_ATTEMPTS: Final = 20
"""Last failed requests of a model call that its span has."""

MAX_TEXT_CHARACTERS: Final = 20_000
"""Longest text of a message, an argument or a result in a trace; a longer one keeps its head and tail."""


class TraceMessages:
    """Messages of a trace, each once: the requests of a chat share most of theirs."""

    def __init__(self) -> None:
        self.values: list[Json] = []
        self._places: dict[int, int] = {}
        self._kept: list[Message] = []

    def place(self, message: Message) -> int:
        """Return the index of a message, which is added when it is new."""
        place = self._places.get(id(message))
        if place is None:
            place = self._places[id(message)] = len(self.values)
            self.values.append(_message(message))
            self._kept.append(message)  # the id of a message is unique while it exists
        return place


def model_span(
    span: Span, request: ModelRequest | None, finished: ModelFinished, messages: TraceMessages | None
) -> Span:
    content: dict[str, Json] = {}
    failure, completion = finished.failure, finished.completion
    if messages is not None:
        if request is not None:
            content["messages"] = [messages.place(message) for message in request.messages]
        if completion is not None:
            content["answer"] = _message(completion.message)
    return replace(
        span,
        error=finished.error,
        message=None if failure is None else redact_error_message(failure.message),
        usage=usage_of(finished.usage),
        attributes=_call_attributes(request, completion, None if failure is None else failure.status),
        content=content,
    )


def phase_span(span: Span, phase: PhaseFinished) -> Span:
    """Return the span of a phase's model call; its messages are instructions, which no trace has."""
    return replace(
        span,
        error=phase.error,
        message=redact_error_message(phase.message) if phase.message else None,
        usage=usage_of(phase.usage),
        attributes=_call_attributes(phase.request, phase.completion, phase.status),
    )


def _call_attributes(
    request: ModelRequest | None, completion: Completion | None, failed_status: int | None
) -> dict[str, Json]:
    """Return the attributes of a model call; `failed_status` is the HTTP status of its error."""
    attributes: dict[str, Json] = {}
    if completion is not None:
        attributes |= {"finish_reason": completion.finish_reason, "response_model": completion.model}
        if completion.id is not None:
            attributes["response_id"] = completion.id
    if request is None:
        return attributes
    attributes |= _parameters(request)
    if request.fallback is not None:
        attributes |= {"fallback_of": request.fallback.instead_of, "fallback_reason": request.fallback.reason}
    log = request.options.log or RequestLog()
    if (status := failed_status or log.status) is not None:
        attributes["http_status"] = status
    if log.request_id is not None:
        attributes["provider_request_id"] = log.request_id
    if log.sent > 1:
        attributes["retries"] = log.sent - 1
        attributes["failed_attempts"] = [_failed_attempt(each) for each in log.failed[-MAX_FAILED_ATTEMPTS:]]
    return attributes


def _failed_attempt(failed: FailedRequest) -> dict[str, Json]:
    values: dict[str, Json] = {
        "error": failed.type,
        "status": failed.status,
        "duration_ms": failed.duration_ms,
        "wait_ms": failed.wait_ms,
        "request_id": failed.request_id,
        "message": redact_error_message(failed.message),
    }
    return {name: value for name, value in values.items() if value is not None}


def _parameters(request: ModelRequest) -> dict[str, Json]:
    options = request.options
    values: dict[str, Json] = {
        "provider": request.provider,
        "streamed": request.streamed,
        "max_tokens": options.max_tokens,
        "temperature": options.temperature,
        "top_p": options.top_p,
        "reasoning_effort": options.reasoning_effort,
        "tools": len(options.tools) or None,
        "response_format": None if options.response_format is None else options.response_format.name,
    }
    if options.tools:
        choice = options.tool_choice
        values["tool_choice"] = choice.name if isinstance(choice, NamedTool) else choice
    return {name: value for name, value in values.items() if value is not None}


def tool_span(span: Span, execution: ToolExecution, type: str | None, *, keeps: bool) -> Span:
    result = execution.result
    attributes: dict[str, Json] = {"call_id": execution.call_id}
    if type is not None:
        attributes["type"] = type
    if type == "mcp":
        attributes["server"] = span.name.partition("/")[0]
    if result.truncated:
        attributes["truncated"] = True
    if (measures := result.measures) is not None:
        attributes["function_ms"] = measures.duration_ms
        if measures.http_status is not None:
            attributes["http_status"] = measures.http_status
        if measures.retries:
            attributes["retries"] = measures.retries
    content: dict[str, Json] = {}
    if keeps:
        params = execution.params
        content["arguments"] = shortened(params) if isinstance(params, str) else _value(dict(params))
        content["result"] = _value(result.result) if result.success else shortened(result.error or "")
    error = None if result.success else (result.error_type or "execution_failed")
    message = None if result.success else redact_error_message(result.error or "")
    return replace(span, error=error, message=message, attributes=attributes, content=content)


def guardrail_span(span: Span, check: GuardrailFinished) -> Span:
    """Return the span of a check, which has no part of the text."""
    attributes: dict[str, Json] = {"verdict": check.verdict, "source": check.source, "type": check.type}
    if check.policies:
        attributes["policies"] = [*check.policies]
    if check.units:
        attributes["units"] = check.units
    return replace(span, attributes=attributes)


def _message(message: Message) -> dict[str, Json]:
    return {"role": message.role, "parts": [_part(part) for part in message.parts]}


def _part(part: object) -> Json:
    """Return a part without the state of a provider, which is of no use to a person."""
    match part:
        case Text():
            return {"type": "text", "text": shortened(part.text)}
        case Image() | Document():
            return {"type": type(part).__name__.lower(), "text": part.label}
        case Reasoning():
            return {"type": "reasoning", "text": shortened(part.text)}
        case ToolCall():
            arguments = shortened(part.raw) if part.arguments is None else _value(dict(part.arguments))
            return {"type": "tool_call", "id": part.id, "name": part.name, "arguments": arguments}
        case ToolOutput():
            output: dict[str, Json] = {
                "type": "tool_output",
                "call_id": part.call_id,
                "name": part.name,
                "content": shortened(part.content),
            }
            return {**output, "is_error": True} if part.is_error else output
        case _:
            return {"type": type(part).__name__.lower()}


def _value(value: Json) -> Json:
    """Return a JSON value, or its text in the middle of which something was left out."""
    text = dumps(value)
    return value if len(text) <= MAX_TEXT_CHARACTERS else truncate_middle(text, MAX_TEXT_CHARACTERS)


def shortened(text: str) -> str:
    return truncate_middle(text, MAX_TEXT_CHARACTERS)


def definitions(tools: Sequence[Mapping[str, Json]]) -> list[Json]:
    """Return offered tools in the one form of traces, whatever the format of their provider."""
    return [_definition(tool) for tool in _flat(tools)]


def _flat(tools: Sequence[Mapping[str, Json]]) -> Iterator[Mapping[str, Json]]:
    """Yield the definitions of tools, which Gemini has in lists."""
    for tool in tools:
        declared = tool.get("functionDeclarations")
        if isinstance(declared, list):
            yield from (each for each in declared if isinstance(each, dict))
        else:
            yield tool


def _definition(tool: Mapping[str, Json]) -> Json:
    """Return a tool in the one form of traces, whatever the format of its provider."""
    named: Json = tool.get("function", tool.get("toolSpec", dict(tool)))
    if not isinstance(named, dict):
        return dict(tool)
    schema = next((named[key] for key in _SCHEMAS if key in named), None)
    if isinstance(schema, dict) and schema.keys() == {"json"}:
        schema = schema["json"]
    return {"name": named.get("name"), "description": named.get("description"), "parameters": schema}


_SCHEMAS: Final = ("parameters", "parametersJsonSchema", "input_schema", "inputSchema")
"""Names of the schema of a tool in the formats of the providers."""


def usage_of(usage: Usage) -> TraceUsage:
    return TraceUsage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        reasoning_tokens=usage.reasoning_tokens,
    )
