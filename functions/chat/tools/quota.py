"""Permission to run tool calls, asked for once per turn."""

from collections.abc import Callable
from dataclasses import dataclass

from flexchat.deadline import Deadline
from flexchat.tools import ToolFault


@dataclass(frozen=True, slots=True)
class CallGrant:
    """The number of calls that may run, the first ones of a turn; `fault` is the result of each of the others."""

    calls: int
    fault: ToolFault | None = None


type TakeCalls = Callable[[int, Deadline], CallGrant]
"""Counts the tool calls of a turn against the limits of its caller."""


def unlimited(calls: int, _deadline: Deadline) -> CallGrant:
    return CallGrant(calls)
