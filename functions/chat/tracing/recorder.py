"""Recorder of one chat: its events as the spans of a trace, with the content that the configuration allows."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import replace
from typing import Final

from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.traces import TracesConfig
from flexchat.deadline import Clock
from flexchat.json import dumps
from flexchat.messages import Document, Image, Json, Message, Reasoning, Text, ToolCall, ToolOutput, Usage
from flexchat.prices import cost_usd
from flexchat.redaction import redact_error_message
from flexchat.runs import WallClock
from flexchat.text import truncate_middle
from flexchat.tools import ToolExecution
from flexchat.trace_context import TraceContext
from flexchat.traces import FAILED_OUTCOMES, FrontEnd, Span, SpanKind, TraceError, TraceRecord, TraceUsage
from functions.chat.generation.events import (
    Event,
    LimitReached,
    ModelDelta,
    ModelFinished,
    ModelRequest,
    ModelStarted,
    PhaseFinished,
    RuleMatched,
    SearchFinished,
    ToolFinished,
)
from functions.chat.providers.base import NamedTool

MAX_TEXT_CHARACTERS: Final = 20_000
"""Longest text of a message, an argument or a result in a trace; a longer one keeps its head and tail."""

DAY_SECONDS: Final = 86_400


class TraceOrigin(Struct, frozen=True, kw_only=True):
    """Request that a trace belongs to."""

    request_id: str
    context: TraceContext
    front_end: FrontEnd
    caller: str
    streamed: bool = False


class ChatRecorder:
    """Collects the events of one chat, by reference: nothing is copied or converted before the end.

    `tool_types` returns the type of a configured tool. Model calls and tool calls run in threads of their own.
    """

    def __init__(
        self,
        origin: TraceOrigin,
        *,
        llms: Mapping[str, LlmConfig],
        tool_type: Callable[[str], str | None],
        configuration: str,
        clock: Clock,
        now: WallClock,
    ) -> None:
        self._origin = origin
        self._llms = llms
        self._tool_type = tool_type
        self._configuration = configuration
        self._clock = clock
        self._started = clock()
        self._started_at = now()
        self._first_token_ms: int | None = None
        self._steps: list[_Step] = []
        self._running: _Step | None = None
        self._models = 0
        self._rule: str | None = None
        self._limits: list[str] = []
        self._lock = threading.Lock()

    def receive(self, event: Event) -> None:
        """Add an event."""
        if isinstance(event, ModelDelta):
            if self._first_token_ms is None:
                self._first_token_ms = self._since_start(self._clock())
            return
        with self._lock:
            self._add(event)

    def _add(self, event: Event) -> None:
        match event:
            case ModelStarted():
                self._models += 1
                start = self._clock()
                self._running = _Step(
                    "model",
                    f"model:{self._models}",
                    event.name,
                    start,
                    start,
                    iteration=event.iteration,
                    request=event.request,
                )
            case ModelFinished() if self._running is not None:
                self._running.end, self._running.finished = self._clock(), event
                self._steps.append(self._running)
            case ToolFinished(execution=execution):
                start, end = (
                    execution.result.started,
                    execution.result.started + execution.result.execution_time_ms / 1000,
                )
                key = f"tool:{execution.call_id}"
                self._steps.append(
                    _Step("tool", key, execution.tool, start, end, execution.iteration, execution=execution)
                )
            case PhaseFinished():
                end = event.started + event.duration_ms / 1000
                self._steps.append(_Step(event.phase, event.phase, event.name, event.started, end, phase=event))
            case SearchFinished():
                end, error = event.started + event.duration_ms / 1000, None if event.ok else "search_failed"
                self._steps.append(_Step("search", f"search:{event.name}", event.name, event.started, end, error=error))
            case RuleMatched():
                self._rule = event.rule
            case LimitReached():
                self._limits.append(event.limit)
            case _:
                pass

    def record(
        self,
        settings: TracesConfig,
        *,
        stage: str,
        message: str,
        response: ChatResponse | None = None,
        error: TraceError | None = None,
        session_id: str | None = None,
        turn: int | None = None,
    ) -> TraceRecord:
        """Return the trace of the chat, which ended with `response` or with `error`."""
        outcome = response.outcome if response is not None and error is None else "error"
        failed_tool = any(step.execution is not None and not step.execution.result.success for step in self._steps)
        is_failed = outcome in FAILED_OUTCOMES or failed_tool
        keeps = settings.content == "all" or (settings.content == "errors" and is_failed)
        messages = _Messages()
        spans = tuple(self._span(step, messages if keeps else None) for step in self._steps)
        called = [(step, step.finished) for step in self._steps if step.finished is not None]
        usage = [*(each.usage for _, each in called), *(step.phase.usage for step in self._steps if step.phase)]
        requests = [step.request for step, _ in called if step.request is not None]
        offered: Sequence[Mapping[str, Json]] = next((request.options.tools for request in requests), ())
        model = f"{response.service}:{response.model}" if response is not None else None
        return TraceRecord(
            id=self._origin.request_id,
            trace_id=self._origin.context.trace_id,
            span_id=self._origin.context.span_id,
            parent_id=self._origin.context.parent_id,
            started_at=self._started_at,
            duration_ms=self._since_start(self._clock()),
            first_token_ms=self._first_token_ms,
            stage=stage,
            front_end=self._origin.front_end,
            caller=self._origin.caller,
            streamed=self._origin.streamed,
            session_id=session_id,
            turn=turn,
            rule=self._rule,
            model=model or (called[-1][0].name if called else None),
            fallback_of=response.fallback.instead_of if response is not None and response.fallback else None,
            topic=response.topic if response is not None else None,
            intent=response.intent if response is not None else None,
            outcome=outcome,
            error=error,
            configuration=self._configuration,
            demo=bool(response is not None and response.demo),
            usage=_usage(Usage.total(usage)),
            cost_usd=_total([span.cost_usd for span in spans if span.usage is not None]),
            warnings=response.warnings if response is not None else (),
            limits=tuple(dict.fromkeys(self._limits)),
            expires_at=int(self._started_at) + settings.days * DAY_SECONDS,
            has_content=keeps,
            message=_shortened(message) if keeps else "",
            answer=_shortened(response.content) if keeps and response is not None else "",
            messages=messages.values,
            tools=[_definition(tool) for tool in _flat(offered)] if keeps else [],
            spans=spans,
        )

    def _span(self, step: "_Step", messages: "_Messages | None") -> Span:
        start = self._since_start(step.start)
        span = Span(
            id=self._origin.context.child(step.key),
            kind=step.kind,
            name=step.name,
            start_ms=start,
            duration_ms=max(0, self._since_start(step.end) - start),
            iteration=step.iteration,
            error=step.error,
        )
        if step.finished is not None:
            cost = self._cost(step.name, step.finished.usage)
            return _model_span(replace(span, cost_usd=cost), step.request, step.finished, messages)
        if step.execution is not None:
            return _tool_span(span, step.execution, self._tool_type(step.name), keeps=messages is not None)
        if step.phase is not None:
            usage, error = step.phase.usage, step.phase.error
            return replace(span, error=error, usage=_usage(usage), cost_usd=self._cost(step.name, usage))
        return span

    def _cost(self, name: str, usage: Usage) -> float | None:
        llm, _, model = name.partition(":")
        return cost_usd([(ModelName(llm, model), usage)], self._llms)

    def _since_start(self, moment: float) -> int:
        return max(0, round((moment - self._started) * 1000))


class _Step(Struct):
    """Step of a chat from `start` to `end` on its clock, with the event of its end.

    `key` is unique in the chat; the id of the span follows from it.
    """

    kind: SpanKind
    key: str
    name: str
    start: float
    end: float
    iteration: int = 0
    error: str | None = None
    request: ModelRequest | None = None
    finished: ModelFinished | None = None
    execution: ToolExecution | None = None
    phase: PhaseFinished | None = None


class _Messages:
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


def _model_span(span: Span, request: ModelRequest | None, finished: ModelFinished, messages: _Messages | None) -> Span:
    attributes: dict[str, Json] = {}
    content: dict[str, Json] = {}
    if finished.finish_reason is not None:
        attributes["finish_reason"] = finished.finish_reason
    if request is not None:
        attributes |= _parameters(request)
        if messages is not None:
            content["messages"] = [messages.place(message) for message in request.messages]
    if finished.completion is not None:
        attributes["response_model"] = finished.completion.model
        if messages is not None:
            content["answer"] = _message(finished.completion.message)
    failure = finished.failure
    return replace(
        span,
        error=finished.error,
        message=None if failure is None else redact_error_message(failure.message),
        usage=_usage(finished.usage),
        attributes=attributes,
        content=content,
    )


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


def _tool_span(span: Span, execution: ToolExecution, type: str | None, *, keeps: bool) -> Span:
    result = execution.result
    attributes: dict[str, Json] = {"call_id": execution.call_id}
    if type is not None:
        attributes["type"] = type
    if type == "mcp":
        attributes["server"] = span.name.partition("/")[0]
    if result.truncated:
        attributes["truncated"] = True
    content: dict[str, Json] = {}
    if keeps:
        params = execution.params
        content["arguments"] = _shortened(params) if isinstance(params, str) else _value(dict(params))
        content["result"] = _value(result.result) if result.success else _shortened(result.error or "")
    error = None if result.success else (result.error_type or "execution_failed")
    message = None if result.success else redact_error_message(result.error or "")
    return replace(span, error=error, message=message, attributes=attributes, content=content)


def _message(message: Message) -> dict[str, Json]:
    return {"role": message.role, "parts": [_part(part) for part in message.parts]}


def _part(part: object) -> Json:
    """Return a part without the state of a provider, which is of no use to a person."""
    match part:
        case Text():
            return {"type": "text", "text": _shortened(part.text)}
        case Image() | Document():
            return {"type": type(part).__name__.lower(), "text": part.label}
        case Reasoning():
            return {"type": "reasoning", "text": _shortened(part.text)}
        case ToolCall():
            arguments = _shortened(part.raw) if part.arguments is None else _value(dict(part.arguments))
            return {"type": "tool_call", "id": part.id, "name": part.name, "arguments": arguments}
        case ToolOutput():
            output: dict[str, Json] = {
                "type": "tool_output",
                "call_id": part.call_id,
                "name": part.name,
                "content": _shortened(part.content),
            }
            return {**output, "is_error": True} if part.is_error else output
        case _:
            return {"type": type(part).__name__.lower()}


def _value(value: Json) -> Json:
    """Return a JSON value, or its text in the middle of which something was left out."""
    text = dumps(value)
    return value if len(text) <= MAX_TEXT_CHARACTERS else truncate_middle(text, MAX_TEXT_CHARACTERS)


def _shortened(text: str) -> str:
    return truncate_middle(text, MAX_TEXT_CHARACTERS)


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


def _usage(usage: Usage) -> TraceUsage:
    return TraceUsage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        reasoning_tokens=usage.reasoning_tokens,
    )


def _total(costs: Sequence[float | None]) -> float | None:
    """Return the sum of the costs of model calls; None without any, or where one is not known."""
    known = [cost for cost in costs if cost is not None]
    return round(sum(known), 9) if known and len(known) == len(costs) else None
