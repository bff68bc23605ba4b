"""Repeated tool calls of one chat (decision C09)."""

from collections import Counter
from collections.abc import Sequence

from flexchat.json import dumps
from flexchat.messages import ToolCall

REFUSED_FROM = 3
"""The third turn with an equal call gets an error instead of a result."""

STOPPED_FROM = 4
"""The fourth, which the model asks for after it was shown that error, ends the tool loop."""


class RepeatGuard:
    """Counts the turns of one chat in which a call was made, by name and arguments in canonical form.

    Equal calls of one turn count once. Calls of the tools in `exempt` are not counted.
    """

    def __init__(self, *, exempt: frozenset[str] = frozenset()) -> None:
        self._exempt = exempt
        self._turns: Counter[str] = Counter()

    def count(self, calls: Sequence[ToolCall]) -> list[int]:
        """Count one turn, and return for each of its calls the number of turns so far that made it."""
        signatures = [_signature(call) for call in calls]
        self._turns.update({key for call, key in zip(calls, signatures, strict=True) if call.name not in self._exempt})
        return [max(1, self._turns[key]) for key in signatures]


def _signature(call: ToolCall) -> str:
    arguments = call.raw if call.arguments is None else dumps(dict(call.arguments), sort_keys=True)
    return f"{call.name}:{arguments}"
