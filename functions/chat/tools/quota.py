"""Quota of tool calls, requested once per turn."""

from collections.abc import Callable
from dataclasses import dataclass

from flexchat.deadline import Deadline
from flexchat.tools import ToolFault


@dataclass(frozen=True, slots=True)
class CallGrant:
    """Number of calls that may run, from the first of a turn; `fault` is the result of each further call."""

    calls: int
    fault: ToolFault | None = None


type TakeCalls = Callable[[int, Deadline], CallGrant]
"""Counter of a turn's tool calls against the limits of the caller."""


def unlimited(calls: int, _deadline: Deadline) -> CallGrant:
    return CallGrant(calls)
