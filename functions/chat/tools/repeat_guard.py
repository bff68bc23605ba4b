"""Repeated tool calls of one chat (decision C09)."""

from collections import Counter
from collections.abc import Sequence

from flexchat.json import dumps
from flexchat.messages import ToolCall

REFUSE_AT = 3
"""Turn with an equal call that gets an error instead of a result."""

STOP_AT = 4
"""Turn with an equal call, after that error, that ends the tool loop."""


class RepeatGuard:
    """Counter of the turns of one chat with a call, by name and canonical arguments.

    Equal calls of one turn count once. Calls of the tools in `exempt` are not counted.
    """

    def __init__(self, *, exempt: frozenset[str] = frozenset()) -> None:
        self._exempt = exempt
        self._turns: Counter[str] = Counter()

    def count(self, calls: Sequence[ToolCall]) -> list[int]:
        """Count one turn; return for each of its calls the number of turns so far with it."""
        signatures = [_signature(call) for call in calls]
        self._turns.update({key for call, key in zip(calls, signatures, strict=True) if call.name not in self._exempt})
        return [max(1, self._turns[key]) for key in signatures]


def _signature(call: ToolCall) -> str:
    arguments = call.raw if call.arguments is None else dumps(dict(call.arguments), sort_keys=True)
    return f"{call.name}:{arguments}"
