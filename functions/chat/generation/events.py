"""Typed events of a chat; each front end decides what to do with them."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct, field

from flexchat.api import StepView, TimingsView
from flexchat.api.approvals import ApprovalView
from flexchat.attachments import LoadedFiles
from flexchat.config.model_names import ModelName
from flexchat.config.models.guardrails import GuardrailType
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import ProviderType
from flexchat.deadline import MONOTONIC, Clock
from flexchat.errors import ModelError, ModelErrorType
from flexchat.limits.counting import Use
from flexchat.messages import Completion, FinishReason, Json, Message, Usage
from flexchat.prices import prices_of
from flexchat.sessions import message_tokens
from flexchat.tools import ToolExecution
from functions.chat.guardrails.base import GuardrailErrorType, TextSource
from functions.chat.providers.base import ChatOptions, Delta
from functions.chat.providers.fallback import Fallback


class ChatStarted(Struct, frozen=True):
    """Start of the phases, after every check of the request, its limits and its session."""


class SearchFinished(Struct, frozen=True):
    """End of a search of a collection, `service/collection`; `started` is on the chat's clock."""

    name: str
    started: float
    duration_ms: int
    ok: bool


class PhaseFinished(Struct, frozen=True):
    """End of the model call of a phase; `name` is the model, `started` is on the chat's clock.

    `unreported` estimates the tokens that the provider does not report in `usage`. `request` is that of the call,
    `completion` the whole message, `message` the error's text for operators, and `status` its HTTP status.
    """

    phase: Literal["topic", "intent"]
    name: str
    started: float
    duration_ms: int
    usage: Usage = field(default_factory=Usage)
    error: ModelErrorType | None = None
    unreported: Usage = field(default_factory=Usage)
    request: "ModelRequest | None" = None
    completion: Completion | None = None
    message: str = ""
    status: int | None = None


type GuardrailVerdict = Literal["allowed", "masked", "blocked", "failed"]


class GuardrailFinished(Struct, frozen=True, kw_only=True):
    """End of the check of one text by the guardrail `name`; `started` is on the chat's clock.

    `policies` are those that intervened, `units` the charged text units. `error` is that of a check without a verdict.
    Nothing here has a part of the text.
    """

    name: str
    type: GuardrailType
    source: TextSource
    verdict: GuardrailVerdict
    started: float
    duration_ms: int
    iteration: int = 0
    policies: tuple[str, ...] = ()
    units: int = 0
    error: GuardrailErrorType | None = None


class MessageReplaced(Struct, frozen=True):
    """Message in place of the user's, of which a guardrail has masked or blocked the text."""

    message: Message


class RuleMatched(Struct, frozen=True):
    """The response rule that answers; None if it has no name.

    `fields` are those of the profile that the rules were matched on; None for a rule that the request names.
    `chosen_rule` and `chosen_model` are the caller's.
    """

    rule: str | None
    fields: Mapping[str, Json] | None = None
    chosen_rule: str | None = None
    chosen_model: str | None = None


class ModelRequest(Struct, frozen=True):
    """Request of a model call: its messages and options as the adapter gets them. `provider` is the type of the llm.

    `fallback` is the record of the failed model that the called one replaces.
    """

    messages: Sequence[Message]
    options: ChatOptions
    provider: ProviderType
    streamed: bool = False
    fallback: Fallback | None = None


class ModelStarted(Struct, frozen=True):
    """Start of a model call; iterations count from 1."""

    iteration: int
    name: str
    request: ModelRequest | None = None


class ModelDelta(Struct, frozen=True):
    """Piece of the text or of a tool call of a model call that is streamed."""

    iteration: int
    delta: Delta


class ModelFinished(Struct, frozen=True):
    """End of a model call, with a finish reason or the type of its error.

    `unreported` estimates the tokens that the provider does not report in `usage`. `reasoning` is the text of the
    model's reasoning, the head and tail of a long one. `completion` is the whole message, `failure` the error.
    """

    iteration: int
    name: str
    finish_reason: FinishReason | None = None
    usage: Usage = field(default_factory=Usage)
    error: ModelErrorType | None = None
    unreported: Usage = field(default_factory=Usage)
    reasoning: str = ""
    completion: Completion | None = None
    failure: ModelError | None = None


class ToolStarted(Struct, frozen=True):
    """Start of a tool call; `arguments` are those of the model."""

    call_id: str
    tool: str
    arguments: Mapping[str, Json]
    iteration: int


class ToolFinished(Struct, frozen=True):
    """Result of a tool call."""

    execution: ToolExecution


class ClientCall(Struct, frozen=True):
    """Call of a client's tool, with the id and the name for the client; `arguments` are the model's JSON."""

    id: str
    name: str
    arguments: str


class ClientCallDelta(Struct, frozen=True):
    """Piece of a call of a client's tool that is streamed: first its start, without `arguments`, then their text.

    The call itself follows in `ClientCallsRequested` and begins with the same text, unless the model call fails.
    """

    id: str
    name: str
    arguments: str


class ClientCallsRequested(Struct, frozen=True):
    """Calls that the client runs; their results arrive with another request."""

    calls: tuple[ClientCall, ...]


class ApprovalsRequested(Struct, frozen=True):
    """Tool calls that wait for the approval of a person, stored; the chat ends."""

    approvals: ApprovalView


class FilesLoaded(Struct, frozen=True):
    """Contents of the files that the messages of a request name, by their references."""

    files: LoadedFiles


class IterationFinished(Struct, frozen=True):
    """End of an iteration of the tool loop: the message of the model with its calls, and the results as messages."""

    iteration: int
    message: Message
    outputs: tuple[Message, ...]
    executions: tuple[ToolExecution, ...]


class LimitReached(Struct, frozen=True):
    """Reached limit of the loop: it ends, or the model must answer without more tools."""

    limit: Literal["iterations", "repeated_calls", "tool_calls", "deadline"]
    iteration: int


class WarningRaised(Struct, frozen=True):
    """Problem that does not end the chat, in a form for its caller."""

    message: str


type Event = (
    ChatStarted
    | SearchFinished
    | PhaseFinished
    | GuardrailFinished
    | MessageReplaced
    | RuleMatched
    | ModelStarted
    | ModelDelta
    | ModelFinished
    | ToolStarted
    | ToolFinished
    | ClientCallDelta
    | ClientCallsRequested
    | ApprovalsRequested
    | FilesLoaded
    | IterationFinished
    | LimitReached
    | WarningRaised
)
type Emit = Callable[[Event], None]


def ignore_event(_event: Event) -> None:
    """No-op receiver of events."""


def fan_out(*receivers: Emit) -> Emit:
    """Return a receiver that passes each event to all `receivers` but `ignore_event`, in their order."""
    active = [receive for receive in receivers if receive is not ignore_event]

    def emit(event: Event) -> None:
        for receive in active:
            receive(event)

    return active[0] if len(active) == 1 else emit


_CHARGED_ERRORS: Final[frozenset[ModelErrorType]] = frozenset({"timeout", "invalid_response"})
"""Errors of calls that a model processed, and a provider charges without reporting usage."""


def unreported_tokens(sent: Sequence[Message], completion: Completion) -> Usage:
    """Return the estimated tokens missing in the usage of `completion`: of its input, its output, or both."""
    usage = completion.usage
    return Usage(
        input_tokens=0 if usage.input_tokens else _tokens(sent),
        output_tokens=0 if usage.output_tokens else message_tokens(completion.message),
    )


def tokens_of_failure(sent: Sequence[Message], error: ModelErrorType) -> Usage:
    """Return the estimated input tokens of a failed call; none where no model processed it."""
    return Usage(input_tokens=_tokens(sent) if error in _CHARGED_ERRORS else 0)


def _tokens(messages: Sequence[Message]) -> int:
    return sum(map(message_tokens, messages))


SHOWN_REPORTS = 3
"""Last reports of progress of each tool call that a step has: a chat may have hundreds of calls."""


class Trace(Struct):
    """Collects steps from events; their times are milliseconds since `started`.

    `answered` are the completed model calls, as `llm:model`, each with its tokens. `unreported` estimates the tokens
    that providers did not report, also of failed calls. `model` is the last one called, `executions` are those of the
    tool calls in the order of their end, `checks` those of guardrails. `warnings` are those for the caller. `refused`
    are the models whose provider did not accept the configured key.
    """

    clock: Clock = MONOTONIC
    started: float = field(default=0.0)
    unreported: list[tuple[str, Usage]] = field(default_factory=list[tuple[str, Usage]])
    answered: list[tuple[str, Usage]] = field(default_factory=list[tuple[str, Usage]])
    model: str | None = None
    executions: list[ToolExecution] = field(default_factory=list[ToolExecution])
    checks: list[GuardrailFinished] = field(default_factory=list[GuardrailFinished])
    warnings: list[str] = field(default_factory=list[str])
    refused: set[str] = field(default_factory=set[str])
    _steps: list[StepView] = field(default_factory=list[StepView])
    _places: dict[str, int] = field(default_factory=dict[str, int])
    _model_started: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.started = self.started or self.clock()

    @property
    def usage(self) -> Usage:
        """Reported tokens of all model calls."""
        return Usage.total([usage for _, usage in self.answered])

    @property
    def counted_tokens(self) -> int:
        """Tokens that count against limits: reported and estimated ones."""
        return sum(usage.total_tokens for _, usage in (*self.answered, *self.unreported))

    def use(self, llms: Mapping[str, LlmConfig]) -> Use:
        """Return the tokens and the money that count against limits, by the prices of `llms`.

        The money is not known where a called model has no price.
        """
        micros = 0.0
        for name, usage in (*self.answered, *self.unreported):
            if not usage.total_tokens:
                continue
            llm, _, model = name.partition(":")
            prices = prices_of(ModelName(llm, model), llms)
            if prices is None:
                return Use(self.counted_tokens, None)
            micros += prices.micros(usage)
        return Use(self.counted_tokens, round(micros))

    @property
    def elapsed_ms(self) -> int:
        return self._since_start(self.clock())

    def emit(self, event: Event) -> None:
        """Add an event; parallel phases call this from their own threads."""
        if isinstance(event, ModelDelta | ClientCallDelta):
            return
        with self._lock:
            self._add(event)

    def _add(self, event: Event) -> None:
        match event:
            case ToolFinished():
                self.executions.append(event.execution)
                self._steps.append(self._tool_step(event))
            case ModelStarted():
                self.model = event.name
                self._model_started = self.clock()
            case ModelFinished():
                self._count(event)
                self._steps.append(self._model_step(event))
            case IterationFinished():
                self._places |= {each.call_id: place for place, each in enumerate(event.executions, 1)}
            case PhaseFinished():
                self._count(event)
                self._steps.append(self._phase_step(event))
            case SearchFinished():
                self._steps.append(self._search_step(event))
            case GuardrailFinished():
                self.checks.append(event)
                self._steps.append(self._guardrail_step(event))
            case WarningRaised():
                self.warnings.append(event.message)
            case _:
                pass

    def _count(self, event: PhaseFinished | ModelFinished) -> None:
        if event.unreported.total_tokens:
            self.unreported.append((event.name, event.unreported))
        if event.error in ("authentication", "permission"):
            self.refused.add(event.name)
        if event.error is None or event.usage.total_tokens:  # a useless answer costs tokens as well
            self.answered.append((event.name, event.usage))

    def timings(self) -> TimingsView:
        """Return all steps so far in order of their start; calls that started together in that of their message."""
        steps = sorted(self._steps, key=self._order)
        return TimingsView(total_ms=self.elapsed_ms, steps=tuple(steps))

    def _order(self, step: StepView) -> tuple[int, int, int]:
        return step.start_ms, step.iteration, self._places.get(step.call_id or "", 0)

    def _search_step(self, event: SearchFinished) -> StepView:
        return StepView(
            step="search",
            name=event.name,
            iteration=0,
            start_ms=self._since_start(event.started),
            duration_ms=event.duration_ms,
            ok=event.ok,
        )

    def _guardrail_step(self, event: GuardrailFinished) -> StepView:
        return StepView(
            step="guardrail",
            name=event.name,
            iteration=event.iteration,
            start_ms=self._since_start(event.started),
            duration_ms=event.duration_ms,
            ok=event.verdict != "failed",
            verdict=event.verdict,
            source=event.source,
            policies=event.policies or None,
        )

    def _phase_step(self, event: PhaseFinished) -> StepView:
        return StepView(
            step=event.phase,
            name=event.name,
            iteration=0,
            start_ms=self._since_start(event.started),
            duration_ms=event.duration_ms,
            ok=event.error is None,
            error=event.error,
            total_tokens=event.usage.total_tokens,
        )

    def _model_step(self, event: ModelFinished) -> StepView:
        start = self._since_start(self._model_started)
        return StepView(
            step="model",
            name=event.name,
            iteration=event.iteration,
            start_ms=start,
            duration_ms=self._since_start(self.clock()) - start,
            ok=event.finish_reason is not None,
            finish_reason=event.finish_reason,
            error=event.error,
            total_tokens=event.usage.total_tokens,
            reasoning=event.reasoning or None,
        )

    def _tool_step(self, event: ToolFinished) -> StepView:
        execution = event.execution
        return StepView(
            step="tool",
            name=execution.tool,
            iteration=execution.iteration,
            start_ms=self._since_start(execution.result.started),
            duration_ms=execution.result.execution_time_ms,
            ok=execution.result.success,
            call_id=execution.call_id,
            progress=execution.result.progress[-SHOWN_REPORTS:] or None,
        )

    def ended(self, after: int) -> tuple[StepView, ...]:
        """Return the steps that ended after the first `after`, in the order of their end."""
        with self._lock:
            return tuple(self._steps[after:])

    def _since_start(self, moment: float) -> int:
        return max(0, round((moment - self.started) * 1000))
