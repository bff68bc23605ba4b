"""Notices a model that asks for the same thing again and again (decision C09)."""

from collections import Counter

from flexchat.json import dumps
from flexchat.messages import ToolCall

REFUSED_FROM = 3
"""The third identical call of a chat is answered with an error instead of run."""

STOPPED_FROM = 4
"""The fourth ends the tool loop."""


class RepeatGuard:
    """Counts identical calls, by name and arguments in canonical form, over one chat."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def count(self, call: ToolCall) -> int:
        """How often this call was asked for by now, this time included."""
        arguments = call.raw if call.arguments is None else dumps(dict(call.arguments), sort_keys=True)
        signature = f"{call.name}:{arguments}"
        self._seen[signature] += 1
        return self._seen[signature]
