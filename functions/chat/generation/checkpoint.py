"""Finished iterations of a chat, for another request to continue."""

from collections.abc import Iterable, Mapping
from copy import replace
from typing import Any, Final, Self
from uuid import uuid4

import msgspec
from msgspec import Struct, field

from flexchat.messages import Json, Message, ToolCall, ToolOutput
from flexchat.tools import ToolExecution, ToolResult
from functions.chat.generation.events import ClientCall, IterationFinished
from functions.chat.tools.approvals import CallDecision, RequestedCall
from functions.chat.transcript import execution_from_json, execution_to_json, message_from_json, message_to_json


class Checkpoint(Struct, frozen=True):
    """Finished iterations of the tool loop.

    `messages` follow the user's message; every call in them has its result. `executions` are the records of the same
    calls; `iterations` is the number of completed model calls.
    """

    messages: tuple[Message, ...] = ()
    executions: tuple[ToolExecution, ...] = ()
    iterations: int = 0

    def as_json(self) -> dict[str, Json]:
        return {
            "messages": [message_to_json(message) for message in self.messages],
            "executions": [execution_to_json(execution) for execution in self.executions],
            "iterations": self.iterations,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Checkpoint":
        """Parse the output of `as_json`. Raises KeyError or TypeError for other values."""
        return cls(
            messages=tuple(message_from_json(message) for message in value["messages"]),
            executions=tuple(execution_from_json(execution) for execution in value["executions"]),
            iterations=int(value["iterations"]),
        )


EMPTY_CHECKPOINT = Checkpoint()


class PendingIteration(Struct, frozen=True):
    """Iteration of the tool loop some of whose calls have no results yet: the client's, or those without an approval.

    `message` is the model's. `outputs` and `executions` are those of the calls in it that have ended. `client_calls`
    are the client's calls as the client sees them, by their ids in `message`: their own ids are unguessable, and unique
    beyond the conversation. `approvals` are the calls that wait for an approval, `decisions` those on them by the ids.
    """

    iteration: int
    message: Message
    outputs: tuple[ToolOutput, ...]
    executions: tuple[ToolExecution, ...]
    client_calls: Mapping[str, ClientCall] = field(default_factory=dict[str, ClientCall])
    approvals: tuple[RequestedCall, ...] = ()
    decisions: Mapping[str, CallDecision] = field(default_factory=dict[str, CallDecision])

    def completed(self, results: Mapping[str, ToolOutput]) -> IterationFinished:
        """Return the finished iteration, with the client's `results` by its ids. Raises KeyError without one."""
        outputs: list[ToolOutput] = []
        executions: list[ToolExecution] = []
        for call in self.message.tool_calls:
            if (own := self.client_calls.get(call.id)) is not None:
                result = results[own.id]
                outputs.append(replace(result, call_id=call.id, name=call.name))
                executions.append(_execution(call, own, result.content, self.iteration))
        return self.finished(outputs, executions)

    def finished(self, outputs: Iterable[ToolOutput], executions: Iterable[ToolExecution]) -> IterationFinished:
        """Return the finished iteration, with those of the calls that had not ended, in the order of the calls."""
        output_of = {output.call_id: output for output in (*self.outputs, *outputs)}
        execution_of = {each.call_id: each for each in (*self.executions, *executions)}
        order = [call.id for call in self.message.tool_calls]
        return IterationFinished(
            self.iteration,
            self.message,
            tuple(Message("tool", (output_of[call_id],)) for call_id in order),
            tuple(execution_of[call_id] for call_id in order),
        )

    def as_json(self) -> dict[str, Json]:
        return {
            "iteration": self.iteration,
            "message": message_to_json(self.message),
            "outputs": message_to_json(Message("tool", self.outputs)),
            "executions": [execution_to_json(execution) for execution in self.executions],
            "client_calls": {
                call_id: {"id": call.id, "name": call.name, "arguments": call.arguments}
                for call_id, call in self.client_calls.items()
            },
            **({"approvals": msgspec.to_builtins(self.approvals)} if self.approvals else {}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Parse the output of `as_json`. Raises KeyError or TypeError for other values."""
        return cls(
            iteration=value["iteration"],
            message=message_from_json(value["message"]),
            outputs=tuple(part for part in message_from_json(value["outputs"]).parts if isinstance(part, ToolOutput)),
            executions=tuple(execution_from_json(execution) for execution in value["executions"]),
            client_calls={call_id: ClientCall(**call) for call_id, call in value["client_calls"].items()},
            approvals=msgspec.convert(value.get("approvals", ()), tuple[RequestedCall, ...]),
        )


ID_PREFIX: Final = "call_"
ID_DIGITS: Final = 24


def is_client_call_id(text: str) -> bool:
    """Return whether `text` has the form of the ids that clients receive."""
    digits = text.removeprefix(ID_PREFIX)
    return text != digits and len(digits) == ID_DIGITS and digits.isalnum() and digits.isascii()


def new_client_call_id() -> str:
    """Return an id for a call of a client's tool."""
    return f"{ID_PREFIX}{uuid4().hex[:ID_DIGITS]}"


def _execution(call: ToolCall, own: ClientCall, result: str, iteration: int) -> ToolExecution:
    return ToolExecution(
        tool=own.name,
        params=call.raw if call.arguments is None else call.arguments,
        result=ToolResult(success=True, tool_name=own.name, execution_time_ms=0, result=result),
        iteration=iteration,
        call_id=call.id,
    )
