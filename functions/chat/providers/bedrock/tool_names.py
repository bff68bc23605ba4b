"""Names of tools for models that cannot call a tool with a hyphen in its name, such as Nova.

Such a call ends with "Model produced invalid sequence as part of ToolUse" (https://github.com/SEMOSS/Semoss/pull/2892).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import replace
from typing import Final, cast

from flexchat.messages import Completion, Json, Message, ToolCall
from functions.chat.providers.base import CallDelta, ChatOptions, Delta, NamedTool, OnDelta

_NOVA: Final = re.compile(r"\bnova\b")


class SafeNames:
    """One-to-one mapping of the names of one request's tools to names without hyphens."""

    def __init__(self, names: Iterable[str]) -> None:
        taken = {name for name in names if "-" not in name}
        self._safe: dict[str, str] = {}
        for name in sorted(name for name in names if "-" in name):
            safe = name.replace("-", "_")
            while safe in taken:
                safe += "_"
            taken.add(safe)
            self._safe[name] = safe
        self._own = {safe: name for name, safe in self._safe.items()}

    @classmethod
    def of(cls, model: str, options: ChatOptions) -> "SafeNames | None":
        """Return the names for a request to `model`; None where its tools keep their names."""
        names = {_name(tool) for tool in options.tools}
        return cls(names) if _NOVA.search(model) and any("-" in name for name in names) else None

    def options(self, options: ChatOptions) -> ChatOptions:
        """Return the options with safe names."""
        choice = options.tool_choice
        return replace(
            options,
            tools=[{"toolSpec": {**_spec(tool), "name": self._safe_name(_name(tool))}} for tool in options.tools],
            tool_choice=NamedTool(self._safe_name(choice.name)) if isinstance(choice, NamedTool) else choice,
        )

    def history(self, messages: Sequence[Message]) -> list[Message]:
        """Return `messages` with safe names in their calls."""
        return [_renamed(message, self._safe) for message in messages]

    def completion(self, completion: Completion) -> Completion:
        """Return a completion with the own names of the tools."""
        return replace(completion, message=_renamed(completion.message, self._own))

    def deltas(self, receive: OnDelta) -> OnDelta:
        """Return a receiver that passes the own names of the tools."""

        def pass_on(delta: Delta) -> None:
            is_call = isinstance(delta, CallDelta)
            receive(replace(delta, name=self._own.get(delta.name, delta.name)) if is_call else delta)

        return pass_on

    def _safe_name(self, name: str) -> str:
        return self._safe.get(name, name)


def _spec(tool: Mapping[str, Json]) -> dict[str, Json]:
    return cast("dict[str, Json]", tool["toolSpec"])


def _name(tool: Mapping[str, Json]) -> str:
    return str(_spec(tool)["name"])


def _renamed(message: Message, names: Mapping[str, str]) -> Message:
    if not message.tool_calls:
        return message
    parts = (
        replace(part, name=names.get(part.name, part.name)) if isinstance(part, ToolCall) else part
        for part in message.parts
    )
    return replace(message, parts=tuple(parts))
