"""Tool calls of one chat: each gets exactly one result message."""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import replace
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from flexchat.errors import ToolErrorType
from flexchat.messages import Message, ToolCall, ToolOutput
from flexchat.observability import logger
from flexchat.tools import ToolExecution, ToolFault, ToolResult
from functions.chat.deadlines import TimeBudget
from functions.chat.generation.checkpoint import Checkpoint, PendingIteration
from functions.chat.generation.client_calls import ClientCallStream
from functions.chat.generation.events import ClientCallsRequested, Emit, IterationFinished, ToolFinished, ToolStarted
from functions.chat.generation.model_calls import FormatTools, GenerationContext
from functions.chat.tools.approvals import RequestedCall, denied
from functions.chat.tools.executor import NO_TIME_LEFT, ExecutionContext
from functions.chat.tools.manager import OfferedTools
from functions.chat.tools.results import tracked


class EndedCalls(Struct):
    """Results of the calls of one iteration, which arrive in the order in which the calls end."""

    calls: Sequence[ToolCall]
    iteration: int
    emit: Emit
    _ended: dict[int, tuple[ToolResult, ToolExecution]] = field(
        default_factory=dict[int, tuple[ToolResult, ToolExecution]]
    )

    def add(self, index: int, result: ToolResult) -> None:
        """Record the result of a call, and emit its end."""
        call = self.calls[index]
        params = call.raw if call.arguments is None else call.arguments
        execution = ToolExecution(
            tool=call.name, params=params, result=tracked(result), iteration=self.iteration, call_id=call.id
        )
        self._ended[index] = (result, execution)
        self.emit(ToolFinished(execution))

    def results(self) -> tuple[ToolResult, ...]:
        return tuple(self._ended[index][0] for index in range(len(self.calls)))

    def executions(self) -> tuple[ToolExecution, ...]:
        return tuple(self._ended[index][1] for index in range(len(self.calls)))


REFUSE_AT = 3
"""Iteration with an equal call that gets an error instead of a result."""

STOP_AT = 4
"""Iteration with an equal call, after that error, that ends the tool loop."""


_CANONICAL: Final = msgspec.json.Encoder(order="sorted")


class RepeatGuard:
    """Counter of the iterations of one chat with a call, by name and canonical arguments.

    Equal calls of one iteration count once. Calls of the tools in `exempt` are not counted.
    """

    def __init__(self, *, exempt: frozenset[str] = frozenset()) -> None:
        self._exempt = exempt
        self._iterations_with: Counter[tuple[str, str | bytes]] = Counter()

    def count(self, calls: Sequence[ToolCall]) -> list[int]:
        """Count one iteration; return for each of its calls the number of iterations so far with it."""
        signatures = [_signature(call) for call in calls]
        self._iterations_with.update(
            {key for call, key in zip(calls, signatures, strict=True) if call.name not in self._exempt}
        )
        return [max(1, self._iterations_with[key]) for key in signatures]


def _signature(call: ToolCall) -> tuple[str, str | bytes]:
    return call.name, call.raw if call.arguments is None else _CANONICAL.encode(call.arguments)


_REFUSED: frozenset[ToolErrorType] = frozenset(("repeated_call", "too_many_calls", "rate_limited"))
"""Errors of calls that a limit refused before execution; they do not count as a chat's calls."""

MAX_RECORDED_CALLS = 1_500
"""Maximum number of calls with a result in one chat: above every `max_tool_calls`, and few enough for the records of a
response, a run and a session. Further calls are removed from the conversation."""


class ToolCallRunner:
    """Runs the tool calls of one chat iteration by iteration, from `checkpoint` on, and records all executions in
    order.

    The conversation contains the tool names of the provider's format; records contain the configured names.
    `client_calls` are those of the client's tools in the last message, if it has any. `limit_reached` is the limit that
    ends the loop: the model saw it and called again. `pending` is the last iteration if the client runs some of its
    calls, or some wait for an approval.
    """

    def __init__(
        self,
        *,
        tools: OfferedTools,
        context: GenerationContext,
        time_budget: TimeBudget,
        checkpoint: Checkpoint,
    ) -> None:
        self._tools = tools
        self._context = ExecutionContext(
            deadline=context.deadline,
            request_id=context.request_id,
            audit=context.audit,
            allowed=tools.names,
            take_calls=context.take_calls,
            principal=context.principal,
            trace=context.trace,
            exposure=context.exposure,
        )
        self._waits = context.waits_for_approvals
        self._emit = context.emit
        self._time_budget = time_budget
        self.format_tools: FormatTools = tools.to_provider_format
        self._guard = RepeatGuard(exempt=tools.repeatable)
        self._messages = list(checkpoint.messages)
        self._iterations = checkpoint.iterations
        self.limits = tools.limits
        self.executions = list(checkpoint.executions)
        self.limit_reached: Literal["repeated_calls", "tool_calls"] | None = None
        self.pending: PendingIteration | None = None
        self.client_calls = (
            None if tools.client is None else ClientCallStream(tools.client, context.emit, room=lambda: self._room)
        )
        self._count_iterations(checkpoint)

    @property
    def checkpoint(self) -> Checkpoint:
        """All iterations so far, for another request to continue."""
        return Checkpoint(tuple(self._messages), tuple(self.executions), self._iterations)

    @property
    def has_client_tools(self) -> bool:
        return self._tools.client is not None

    @property
    def returns_marked(self) -> bool:
        """True if results of some offered tools are between tags."""
        return self._tools.rendering.marks(self._tools.names)

    @property
    def calls_left(self) -> int:
        """Number of tool calls left; 0 once the record is full of refused calls."""
        if len(self.executions) >= MAX_RECORDED_CALLS:
            return 0
        made = sum(execution.result.error_type not in _REFUSED for execution in self.executions)
        return max(0, self.limits.tool_calls - made)

    def run(self, message: Message, iteration: int) -> tuple[Message, ...]:
        """Execute the calls of one assistant message, and return the iteration.

        An iteration is the message, without calls beyond the room of the record, and the results of its calls in
        order. The end of each call is an event at once. Calls of a client's tools are left to the client, and those
        that need an approval to a person: the iteration is `pending`, and none is returned. Beside calls of a client's
        tools, a call that needs an approval is refused.
        """
        started = self._context.deadline.clock()
        message, calls = self._within_record(message, iteration)
        own = [call for call in calls if not self._tools.is_client_call(call)]
        configured = [self._configured(call) for call in own]
        faults = self._faults(configured, iteration)
        asked = self._asked(configured, faults) if self._waits and len(own) == len(calls) else {}
        now = [place for place, call in enumerate(own) if call.id not in asked]
        ended = self._execute(
            [configured[place] for place in now], [faults[place] for place in now], iteration, self._context
        )
        self._time_budget.tools_took(started)
        if asked or len(own) < len(calls):
            self._leave(message, [own[place] for place in now], ended, iteration, asked)
            return ()
        messages = self._finish(message, calls, ended, iteration)
        self._messages += messages
        self._iterations = iteration
        return messages

    def resume(self, pending: PendingIteration) -> tuple[Message, ...]:
        """Execute the approved calls of an iteration that waited, and return the iteration as `run` does.

        A call that was denied, or not decided, has an error as its result; so has one whose tool changed since.
        """
        started = self._context.deadline.clock()
        decisions = pending.decisions
        asked = {each.call_id: each for each in pending.approvals}
        waiting = [call for call in pending.message.tool_calls if call.id in asked]
        self._faults([self._configured(call) for call in pending.message.tool_calls], pending.iteration)
        refused = {each: decisions[each] for each in asked if each in decisions and not decisions[each].approved}
        approved = {each: asked[each].digest for each in asked if each in decisions and decisions[each].approved}
        calls = [self._configured(call) for call in waiting]
        faults = [denied(call.name, refused[call.id]) if call.id in refused else None for call in calls]
        ended = self._execute(calls, faults, pending.iteration, replace(self._context, approved=approved))
        self._time_budget.tools_took(started)
        finished = pending.finished(self._outputs(waiting, ended), ended.executions())
        self.executions += finished.executions
        self._emit(finished)
        messages = (finished.message, *finished.outputs)
        self._messages += messages
        self._iterations = pending.iteration
        return messages

    def _asked(self, calls: Sequence[ToolCall], faults: Sequence[ToolFault | None]) -> dict[str, RequestedCall]:
        """Return the calls that wait for an approval, by their ids; none that a limit refuses."""
        within = (call for call, fault in zip(calls, faults, strict=True) if fault is None)
        requested = (self._tools.executor.requested(call, self._context) for call in within)
        return {each.call_id: each for each in requested if each is not None}

    def _execute(
        self,
        calls: Sequence[ToolCall],
        faults: Sequence[ToolFault | None],
        iteration: int,
        context: ExecutionContext,
    ) -> EndedCalls:
        """Run the calls of an iteration that have no fault yet."""
        ended = EndedCalls(calls, iteration, self._emit)
        accepted: list[int] = []
        for index, fault in enumerate(faults):
            if fault is None:
                accepted.append(index)
            else:
                self._refuse(ended, index, fault)
        for index in accepted:
            self._emit(ToolStarted(calls[index].id, calls[index].name, calls[index].arguments or {}, iteration))
        self._tools.executor.execute_all(
            [calls[index] for index in accepted],
            replace(context, deadline=self._time_budget.tools_due()),
            lambda place, result: ended.add(accepted[place], result),
        )
        return ended

    def _leave(
        self,
        message: Message,
        own: Sequence[ToolCall],
        ended: EndedCalls,
        iteration: int,
        asked: Mapping[str, RequestedCall],
    ) -> None:
        """Leave the calls that have not ended to the client, or to a person."""
        executions = ended.executions()
        self.executions += executions
        client_calls = {} if asked or self.client_calls is None else self.client_calls.finished(message)
        self.pending = PendingIteration(
            iteration=iteration,
            message=message,
            outputs=self._outputs(own, ended),
            executions=executions,
            client_calls=client_calls,
            approvals=tuple(asked.values()),
        )
        if client_calls:
            self._emit(ClientCallsRequested(tuple(client_calls.values())))

    def refuse(self, message: Message, iteration: int) -> None:
        """Record the calls of a message as not run, because time is up.

        They are not part of the checkpoint: the resumed request has the time to run them.
        """
        message, calls = self._within_record(message, iteration)
        ended = EndedCalls([self._configured(call) for call in calls], iteration, self._emit)
        for index in range(len(ended.calls)):
            self._refuse(ended, index, NO_TIME_LEFT)
        self._finish(message, calls, ended, iteration)

    def _finish(
        self, message: Message, calls: Sequence[ToolCall], ended: EndedCalls, iteration: int
    ) -> tuple[Message, ...]:
        """Record and return an iteration: the message and the results of its calls, in the order of the calls."""
        executions = ended.executions()
        self.executions += executions
        outputs = tuple(Message("tool", (output,)) for output in self._outputs(calls, ended))
        self._emit(IterationFinished(iteration, message, outputs, executions))
        return (message, *outputs)

    @property
    def _room(self) -> int:
        """Return the number of calls that one more message may have."""
        return max(1, MAX_RECORDED_CALLS - len(self.executions))

    def _within_record(self, message: Message, iteration: int) -> tuple[Message, Sequence[ToolCall]]:
        """Return the message without calls beyond the room of the record, with one at least, and its calls."""
        room, calls = self._room, message.tool_calls
        dropped = calls[room:]
        if not dropped:
            return message, calls
        logger.warning(
            "tool calls dropped", calls=len(dropped), iteration=iteration, max_recorded_calls=MAX_RECORDED_CALLS
        )
        last = [place for place, part in enumerate(message.parts) if isinstance(part, ToolCall)][room - 1]
        later = (part for part in message.parts[last + 1 :] if not isinstance(part, ToolCall))
        return replace(message, parts=(*message.parts[: last + 1], *later)), calls[:room]

    def _configured(self, call: ToolCall) -> ToolCall:
        name = self._tools.registry.names.tool_name(call.name)
        return call if name == call.name else replace(call, name=name)

    def _count_iterations(self, checkpoint: Checkpoint) -> None:
        """Count the iterations of the checkpoint."""
        not_run = {each.call_id for each in checkpoint.executions if each.result.error_type == "too_many_calls"}
        for message in checkpoint.messages:
            counted = (call for call in message.tool_calls if call.id not in not_run)
            self._guard.count([self._configured(call) for call in counted if not self._tools.is_client_call(call)])

    def _faults(self, calls: Sequence[ToolCall], iteration: int) -> list[ToolFault | None]:
        """Return the fault of each call of an iteration that a limit refuses, None for a call to execute.

        Calls beyond the limits of the iteration and the chat are not counted: the model may repeat them.
        """
        left = self.calls_left
        within = min(self.limits.calls_per_iteration, left)
        counts = self._guard.count(calls[:within])
        if left == 0:
            self.limit_reached = "tool_calls"
        elif any(count >= STOP_AT for count in counts):
            self.limit_reached = "repeated_calls"
        repeated = [
            _repeated(call, count) if count >= REFUSE_AT else None
            for call, count in zip(calls[:within], counts, strict=True)
        ]
        beyond = len(calls) - len(repeated)
        if beyond:
            logger.warning(
                "tool calls not run",
                calls=beyond,
                iteration=iteration,
                max_calls_per_turn=self.limits.calls_per_iteration,
                max_tool_calls=self.limits.tool_calls,
            )
        is_full = len(self.executions) + len(calls) >= MAX_RECORDED_CALLS
        return [*repeated, *[self._too_many(calls_left=left - within, is_full=is_full)] * beyond]

    def _too_many(self, *, calls_left: int, is_full: bool) -> ToolFault:
        if is_full:
            message = "Not run: far too many calls were requested in this chat. Answer from the results so far."
        elif calls_left > 0:
            message = (
                f"Not run: at most {self.limits.calls_per_iteration} calls are run in one turn. "
                "Call again in the next turn what is still needed."
            )
        else:
            message = (
                f"Not run: at most {self.limits.tool_calls} calls are run in one chat. Answer from the results so far."
            )
        return ToolFault(type="too_many_calls", message=message)

    def _refuse(self, ended: EndedCalls, index: int, fault: ToolFault) -> None:
        """Record a call that is not executed."""
        call = ended.calls[index]
        self._context.audit(call, "refused", fault.type, 0)
        result = ToolResult(
            success=False,
            tool_name=call.name,
            execution_time_ms=0,
            error=fault.message,
            error_type=fault.type,
            started=self._context.deadline.clock(),
        )
        ended.add(index, result)

    def _outputs(self, calls: Sequence[ToolCall], ended: EndedCalls) -> tuple[ToolOutput, ...]:
        content, nonce = self._tools.rendering.content, self._context.exposure.nonce
        return tuple(
            ToolOutput(
                call.id, call.name, content(result, nonce=nonce), is_error=not result.success, images=result.images
            )
            for call, result in zip(calls, ended.results(), strict=True)
        )


def _repeated(call: ToolCall, iterations: int) -> ToolFault:
    logger.warning("repeated tool call refused", tool=call.name, turns=iterations)
    message = (
        f"Not run: '{call.name}' was already called with the same arguments in {iterations - 1} turns. "
        "Use the earlier result, change the arguments, or answer."
    )
    return ToolFault(type="repeated_call", message=message)
