"""Rate limits of tools: calls in fixed periods, counted over all environments."""

import time
from math import ceil
from typing import Protocol

from flexchat.deadline import Clock, Deadline
from flexchat.errors import FlexchatError, ToolError
from flexchat.observability import emit_metrics, logger
from functions.tools.http.models import RateLimit

COUNT_SECONDS = 0.5
"""Maximum time to count one call; it continues without the limit after that."""


class CallCounter(Protocol):
    """Counters that all environments share. Methods raise UnavailableError and ConfigError."""

    def count_call(self, counter: str, *, most: int, end: float, deadline: Deadline) -> bool:
        """Count one call, or return False when the counter has reached `most`; it is deleted after `end`."""
        ...


class RateLimits:
    """Admits the calls of tools with a rate limit.

    A period begins at a multiple of its length since the epoch. While the counters do not answer, every call is
    admitted and the metric `LimitsNotEnforced` of `stage` counts it: an outage of the counters must not stop the tools.
    """

    def __init__(self, counters: CallCounter, *, stage: str, clock: Clock = time.time) -> None:
        self._counters = counters
        self._stage = stage
        self._clock = clock
        self._reached: dict[tuple[str, RateLimit], float] = {}

    def admit(self, tool: str, limit: RateLimit, *, deadline: Deadline, trial: bool = False) -> None:
        """Count one call. Raises ToolError, `rate_limited`, for a call beyond the limit."""
        now, period = self._clock(), limit.period_ms / 1000
        end = (now // period + 1) * period
        if now >= self._reached.get((tool, limit), 0.0):
            if self._counted(tool, limit, end, deadline):
                return
            self._reached[tool, limit] = end
        logger.warning("tool rate limit reached", tool=tool, calls=limit.calls, period_ms=limit.period_ms)
        emit_metrics(dimension=("tool", tool), counts={f"{'Trial' if trial else ''}RateLimited": 1})
        raise ToolError(
            f"Not run: the limit of {limit.calls} calls of this tool in {period:g} seconds is reached, "
            f"try again in {max(1, ceil(end - now))} seconds. Answer without it, and say what is missing.",
            type="rate_limited",
            user_message="The tool was called too often.",
        )

    def _counted(self, tool: str, limit: RateLimit, end: float, deadline: Deadline) -> bool:
        counter = f"{tool}#{limit.period_ms}#{round(end * 1000)}"
        try:
            return self._counters.count_call(
                counter, most=limit.calls, end=end, deadline=deadline.within(COUNT_SECONDS)
            )
        except FlexchatError as exc:
            logger.error("limits not enforced", step="tool_rate", tool=tool, reason=str(exc))
            emit_metrics(
                dimension=("step", "tool_rate"), also=({"stage": self._stage},), counts={"LimitsNotEnforced": 1}
            )
            return True
