"""Recorder of one chat: its events as the spans of a trace, with the content that the configuration allows."""

import threading
from collections.abc import Callable, Mapping, Sequence
from copy import replace
from typing import Final

from msgspec import Struct

from flexchat.api import ChatResponse
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.traces import TracesConfig
from flexchat.deadline import Clock
from flexchat.messages import AnswerOutcome, Json, Usage
from flexchat.observability import logger, stack_of
from flexchat.prices import cost_usd
from flexchat.runs import WallClock
from flexchat.tools import ToolExecution
from flexchat.trace_context import TraceContext, current_trace
from flexchat.traces import FAILED_OUTCOMES, FrontEnd, Span, SpanKind, TraceError, TraceRecord
from functions.chat.generation.events import (
    Event,
    GuardrailFinished,
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
from functions.chat.tracing.spans import (
    TraceMessages,
    definitions,
    guardrail_span,
    model_span,
    phase_span,
    shortened,
    tool_span,
    usage_of,
)

DAY_SECONDS: Final = 86_400

_DOCUMENTS: Final = frozenset({"documents", "rag_context"})
"""Fields of a profile that its trace does not record, because they are long."""


class TraceOrigin(Struct, frozen=True, kw_only=True):
    """Request that a trace belongs to."""

    request_id: str
    context: TraceContext
    front_end: FrontEnd
    caller: str
    streamed: bool = False

    @classmethod
    def of_request(cls, request_id: str, *, front_end: FrontEnd, caller: str, streamed: bool = False) -> "TraceOrigin":
        """Return the origin of a request in its trace context."""
        context = current_trace() or TraceContext.of_request(request_id)
        return cls(request_id=request_id, context=context, front_end=front_end, caller=caller, streamed=streamed)


class StepOutcome(Struct, frozen=True, kw_only=True):
    """End of a test of one phase or tool, or of a title, which has no answer.

    `topic` and `intent` are the detected ones, `session_id` is the session of a title.
    """

    outcome: AnswerOutcome
    topic: str | None = None
    intent: str | None = None
    session_id: str | None = None


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
        self._checks = 0
        self._rule: str | None = None
        self._fields: Mapping[str, Json] = {}
        self._chosen_rule: str | None = None
        self._chosen_model: str | None = None
        self._limits: list[str] = []
        self._lock = threading.Lock()

    def receive(self, event: Event) -> None:
        """Add an event; one that cannot be added is left out, with a line in the log."""
        if isinstance(event, ModelDelta):
            if self._first_token_ms is None:
                self._first_token_ms = self._since_start(self._clock())
            return
        try:
            with self._lock:
                self._add(event)
        except Exception as fault:  # noqa: BLE001 # no fault of a trace may end its chat
            logger.error("trace step not recorded", error=type(fault).__name__, stack=stack_of(fault))

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
            case GuardrailFinished():
                self._checks += 1
                key, end = f"guardrail:{self._checks}", event.started + event.duration_ms / 1000
                self._steps.append(
                    _Step("guardrail", key, event.name, event.started, end, event.iteration, event.error, check=event)
                )
            case RuleMatched():
                self._rule, self._fields = event.rule, event.fields or {}
                self._chosen_rule, self._chosen_model = event.chosen_rule, event.chosen_model
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
        tested: StepOutcome | None = None,
        stopped: str | None = None,
        error: TraceError | None = None,
        session_id: str | None = None,
        turn: int | None = None,
    ) -> TraceRecord:
        """Return the trace of the chat, which ended with `response`, with `error`, or as a test.

        `stopped` is the text of an answer that the client stopped.
        """
        ended = response or tested or (None if stopped is None else StepOutcome(outcome="stopped"))
        answer = response.content if response is not None else stopped or ""
        outcome = ended.outcome if ended is not None and error is None else "error"
        failed_tool = any(step.execution is not None and not step.execution.result.success for step in self._steps)
        is_failed = outcome in FAILED_OUTCOMES or failed_tool
        keeps = settings.content == "all" or (settings.content == "errors" and is_failed)
        messages = TraceMessages()
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
            profile=_profile(self._fields) if keeps else {},
            chosen_rule=self._chosen_rule,
            chosen_model=self._chosen_model,
            model=model or (self._running.name if self._running is not None else None),
            fallback_of=response.fallback.instead_of if response is not None and response.fallback else None,
            topic=ended.topic if ended is not None else None,
            intent=ended.intent if ended is not None else None,
            outcome=outcome,
            error=error,
            configuration=self._configuration,
            demo=bool(response is not None and response.demo),
            usage=usage_of(Usage.total(usage)),
            cost_usd=_total([span.cost_usd for span in spans if span.usage is not None]),
            warnings=response.warnings if response is not None else (),
            limits=tuple(dict.fromkeys(self._limits)),
            expires_at=int(self._started_at) + settings.days * DAY_SECONDS,
            has_content=keeps,
            message=shortened(message) if keeps else "",
            answer=shortened(answer) if keeps else "",
            messages=messages.values,
            tools=definitions(offered) if keeps else [],
            spans=spans,
        )

    def _span(self, step: "_Step", messages: TraceMessages | None) -> Span:
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
            return model_span(replace(span, cost_usd=cost), step.request, step.finished, messages)
        if step.execution is not None:
            return tool_span(span, step.execution, self._tool_type(step.name), keeps=messages is not None)
        if step.check is not None:
            return guardrail_span(span, step.check)
        if step.phase is not None:
            return phase_span(replace(span, cost_usd=self._cost(step.name, step.phase.usage)), step.phase)
        return span

    def _cost(self, name: str, usage: Usage) -> float | None:
        llm, _, model = name.partition(":")
        return cost_usd([(ModelName(llm, model), usage)], self._llms)

    def _since_start(self, moment: float) -> int:
        return max(0, round((moment - self._started) * 1000))


def _profile(fields: Mapping[str, Json]) -> dict[str, Json]:
    """Return the fields that rules are matched on, with short texts and without documents."""
    return {
        name: shortened(value) if isinstance(value, str) else value
        for name, value in fields.items()
        if name not in _DOCUMENTS
    }


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
    check: GuardrailFinished | None = None


def _total(costs: Sequence[float | None]) -> float | None:
    """Return the sum of the costs of model calls; None without any, or where one is not known."""
    known = [cost for cost in costs if cost is not None]
    return round(sum(known), 9) if known and len(known) == len(costs) else None
