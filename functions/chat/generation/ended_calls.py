"""Ended tool calls of one turn."""

from collections.abc import Sequence

from msgspec import Struct, field

from flexchat.messages import ToolCall
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.generation.events import Emit, ToolFinished
from functions.chat.tools.rendering import tracked


class EndedCalls(Struct):
    """Results of the calls of one turn, which arrive in the order in which the calls end."""

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
