"""Finished turns of a chat, for another request to continue."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from flexchat.messages import Json, Message
from flexchat.tools import ToolExecution
from functions.chat.transcript import execution_from_json, execution_to_json, message_from_json, message_to_json


class Checkpoint(Struct, frozen=True):
    """Finished turns of the tool loop.

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
