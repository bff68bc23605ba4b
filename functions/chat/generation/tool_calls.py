"""The tool turns of one chat: every call the model asked for gets exactly one result message, whatever happens."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from flexchat.errors import ToolErrorType
from flexchat.messages import Message, ToolCall, ToolOutput
from flexchat.observability import logger
from flexchat.tools import ToolExecution, ToolFault, ToolResult
from functions.chat.generation.checkpoint import Checkpoint
from functions.chat.generation.events import Emit, ToolFinished, TurnFinished
from functions.chat.generation.time_budget import TimeBudget
from functions.chat.tools.call_check import ExecutionContext
from functions.chat.tools.executor import NO_TIME_LEFT, ToolExecutor
from functions.chat.tools.manager import LoopLimits
from functions.chat.tools.names import WireNames
from functions.chat.tools.rendering import ResultRendering, tracked
from functions.chat.tools.repeat_guard import REFUSE_AT, STOP_AT, RepeatGuard

_REFUSED: frozenset[ToolErrorType] = frozenset(("repeated_call", "too_many_calls", "rate_limited"))
"""Errors of calls that a limit kept from the executor; they use up none of a chat's calls."""

MAX_RECORDED_CALLS = 1_500
"""Calls of one chat that get a result, run or not: more than any `max_tool_calls`, and few enough for the records of a
response, a run and a session. Calls beyond them are left out of the conversation."""


class ToolCallRunner:
    """Runs turn after turn of one chat, from `checkpoint` on, and keeps the record of all executions in order.

    A model asks for tools by their names on the wire, and its conversation keeps these; everybody else is told the
    configured names.
    """

    def __init__(
        self,
        *,
        executor: ToolExecutor,
        names: WireNames,
        context: ExecutionContext,
        rendering: ResultRendering,
        emit: Emit,
        time_budget: TimeBudget,
        checkpoint: Checkpoint,
        limits: LoopLimits,
        repeatable: frozenset[str],
    ) -> None:
        self._executor = executor
        self._names = names
        self._context = context
        self._rendering = rendering
        self._emit = emit
        self._time_budget = time_budget
        self._guard = RepeatGuard(exempt=repeatable)
        self._messages = list(checkpoint.messages)
        self._iterations = checkpoint.iterations
        self.limits = limits
        self.executions = list(checkpoint.executions)
        self.limit_reached: Literal["repeated_calls", "tool_calls"] | None = None
        """The limit that ends the loop: the model was shown it and called on."""
        self._recount(checkpoint)

    @property
    def checkpoint(self) -> Checkpoint:
        """All turns so far, for another request to go on from."""
        return Checkpoint(tuple(self._messages), tuple(self.executions), self._iterations)

    @property
    def calls_left(self) -> int:
        """Tool calls that the chat may still make; none once its record is full of calls that were not run."""
        if len(self.executions) >= MAX_RECORDED_CALLS:
            return 0
        made = sum(execution.result.error_type not in _REFUSED for execution in self.executions)
        return max(0, self.limits.tool_calls - made)

    def run(self, message: Message, iteration: int) -> tuple[Message, ...]:
        """Execute the calls of one assistant message, and return the turn: the message, without calls for which the
        record has no room, and the tool messages that answer its calls, in their order."""
        started = self._context.deadline.clock()
        message = self._bounded(message, iteration)
        meant = [self._meant(call) for call in message.tool_calls]
        faults = self._faults(meant, iteration)
        fresh = [call for call, fault in zip(meant, faults, strict=True) if fault is None]
        executed = iter(
            self._executor.execute_all(fresh, replace(self._context, deadline=self._time_budget.tools_due()))
        )
        results = [
            next(executed) if fault is None else self._refused(call, fault)
            for call, fault in zip(meant, faults, strict=True)
        ]
        self._time_budget.tools_took(started)
        turn = self._finish(message, meant, results, iteration)
        self._messages += turn
        self._iterations = iteration
        return turn

    def refuse(self, message: Message, iteration: int) -> None:
        """Record the calls of a message that came when time was up, each with the result that it was not run.

        They are no part of the checkpoint: a request that resumes it has the time to make them.
        """
        message = self._bounded(message, iteration)
        meant = [self._meant(call) for call in message.tool_calls]
        self._finish(message, meant, [self._refused(call, NO_TIME_LEFT) for call in meant], iteration)

    def _finish(
        self, message: Message, meant: Sequence[ToolCall], results: Sequence[ToolResult], iteration: int
    ) -> tuple[Message, ...]:
        """Record a turn, and return it: the message and the tool messages that answer its calls."""
        executions = [self._record(call, result, iteration) for call, result in zip(meant, results, strict=True)]
        outputs = tuple(self._answer(call, result) for call, result in zip(message.tool_calls, results, strict=True))
        self._emit(TurnFinished(iteration, message, outputs, tuple(executions)))
        return (message, *outputs)

    def _bounded(self, message: Message, iteration: int) -> Message:
        """Return the message with as many of its calls as the record has room for, one at least."""
        room = max(1, MAX_RECORDED_CALLS - len(self.executions))
        dropped = message.tool_calls[room:]
        if not dropped:
            return message
        logger.warning(
            "tool calls dropped", calls=len(dropped), iteration=iteration, max_recorded_calls=MAX_RECORDED_CALLS
        )
        last = [place for place, part in enumerate(message.parts) if isinstance(part, ToolCall)][room - 1]
        later = (part for part in message.parts[last + 1 :] if not isinstance(part, ToolCall))
        return replace(message, parts=(*message.parts[: last + 1], *later))

    def _meant(self, call: ToolCall) -> ToolCall:
        return replace(call, name=self._names.tool_name(call.name))

    def _recount(self, checkpoint: Checkpoint) -> None:
        """Count the turns that an earlier request made as if they had been made here."""
        not_run = {each.call_id for each in checkpoint.executions if each.result.error_type == "too_many_calls"}
        for message in checkpoint.messages:
            self._guard.count([self._meant(call) for call in message.tool_calls if call.id not in not_run])

    def _faults(self, calls: Sequence[ToolCall], iteration: int) -> list[ToolFault | None]:
        """Return for each call of a turn why a limit refuses it, `None` for a call to execute.

        Calls beyond the limits of the turn and the chat are not counted as made: the model may ask for them again.
        """
        left = self.calls_left
        within = min(self.limits.calls_per_turn, left)
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
                max_calls_per_turn=self.limits.calls_per_turn,
                max_tool_calls=self.limits.tool_calls,
            )
        is_full = len(self.executions) + len(calls) >= MAX_RECORDED_CALLS
        return [*repeated, *[self._too_many(calls_left=left - within, is_full=is_full)] * beyond]

    def _too_many(self, *, calls_left: int, is_full: bool) -> ToolFault:
        if is_full:
            message = "Not run: far too many calls were requested in this chat. Answer from the results so far."
        elif calls_left > 0:
            message = (
                f"Not run: at most {self.limits.calls_per_turn} calls are run in one turn. "
                "Call again in the next turn what is still needed."
            )
        else:
            message = (
                f"Not run: at most {self.limits.tool_calls} calls are run in one chat. Answer from the results so far."
            )
        return ToolFault(type="too_many_calls", message=message)

    def _refused(self, call: ToolCall, fault: ToolFault) -> ToolResult:
        return ToolResult(
            success=False,
            tool_name=call.name,
            execution_time_ms=0,
            error=fault.message,
            error_type=fault.type,
            started=self._context.deadline.clock(),
        )

    def _record(self, call: ToolCall, result: ToolResult, iteration: int) -> ToolExecution:
        params = call.raw if call.arguments is None else call.arguments
        execution = ToolExecution(
            tool=call.name, params=params, result=tracked(result), iteration=iteration, call_id=call.id
        )
        self.executions.append(execution)
        self._emit(ToolFinished(execution))
        return execution

    def _answer(self, call: ToolCall, result: ToolResult) -> Message:
        content = self._rendering.content(result)
        return Message("tool", (ToolOutput(call.id, call.name, content, is_error=not result.success),))


def _repeated(call: ToolCall, turns: int) -> ToolFault:
    logger.warning("repeated tool call refused", tool=call.name, turns=turns)
    message = (
        f"Not run: '{call.name}' was already called with the same arguments in {turns - 1} turns. "
        "Use the earlier result, change the arguments, or answer."
    )
    return ToolFault(type="repeated_call", message=message)
