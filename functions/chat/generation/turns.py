"""The tool turns of one chat: every call the model asked for gets exactly one result message, whatever happens."""

from dataclasses import replace

from flexchat.messages import Message, ToolCall, ToolOutput
from flexchat.observability import logger
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.generation.events import Emit, ToolFinished, TurnFinished
from functions.chat.generation.pace import Pace
from functions.chat.generation.progress import Progress
from functions.chat.tools.executor import ExecutionContext, ToolExecutor
from functions.chat.tools.guard import REFUSED_FROM, STOPPED_FROM, RepeatGuard
from functions.chat.tools.names import WireNames
from functions.chat.tools.rendering import ResultRendering


class ToolTurns:
    """Runs turn after turn of one chat, from `progress` on, and keeps the record of all executions in order.

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
        pace: Pace,
        progress: Progress,
    ) -> None:
        self._executor = executor
        self._names = names
        self._context = context
        self._rendering = rendering
        self._emit = emit
        self._pace = pace
        self._guard = RepeatGuard()
        self._messages = list(progress.messages)
        self._iterations = progress.iterations
        self.executions = list(progress.executions)
        self.stuck = False
        """True once a call was asked for so often that the loop must end."""
        for call in (call for message in progress.messages for call in message.tool_calls):
            self._guard.count(self._meant(call))

    @property
    def progress(self) -> Progress:
        """All turns so far, for another request to go on from."""
        return Progress(tuple(self._messages), tuple(self.executions), self._iterations)

    def run(self, message: Message, iteration: int) -> tuple[Message, ...]:
        """Execute the calls of one assistant message; the tool messages that answer them, in call order."""
        started = self._context.deadline.clock()
        calls = message.tool_calls
        meant = [self._meant(call) for call in calls]
        counts = [self._guard.count(call) for call in meant]
        fresh = [call for call, count in zip(meant, counts, strict=True) if count < REFUSED_FROM]
        executed = iter(self._executor.execute_all(fresh, replace(self._context, deadline=self._pace.tools_due())))
        results = [
            next(executed) if count < REFUSED_FROM else self._refuse(call, count)
            for call, count in zip(meant, counts, strict=True)
        ]
        executions = [self._record(call, result, iteration) for call, result in zip(meant, results, strict=True)]
        outputs = tuple(self._answer(call, result) for call, result in zip(calls, results, strict=True))
        self._messages += (message, *outputs)
        self._iterations = iteration
        self._pace.tools_took(started)
        self._emit(TurnFinished(iteration, message, outputs, tuple(executions)))
        return outputs

    def _meant(self, call: ToolCall) -> ToolCall:
        return replace(call, name=self._names.tool_name(call.name))

    def _refuse(self, call: ToolCall, count: int) -> ToolResult:
        logger.warning("repeated tool call refused", tool=call.name, times=count)
        self.stuck = self.stuck or count >= STOPPED_FROM
        return ToolResult(
            success=False,
            tool_name=call.name,
            execution_time_ms=0,
            error=f"Not run: '{call.name}' was already called {count - 1} times with the same arguments. "
            "Use the earlier result, change the arguments, or answer.",
            error_type="repeated_call",
            started=self._context.deadline.clock(),
        )

    def _record(self, call: ToolCall, result: ToolResult, iteration: int) -> ToolExecution:
        params = call.raw if call.arguments is None else call.arguments
        execution = ToolExecution(tool=call.name, params=params, result=result, iteration=iteration, call_id=call.id)
        self.executions.append(execution)
        self._emit(ToolFinished(execution))
        return execution

    def _answer(self, call: ToolCall, result: ToolResult) -> Message:
        content = self._rendering.content(result)
        return Message("tool", (ToolOutput(call.id, call.name, content, is_error=not result.success),))
