"""Deadlines of requests to the REST API and of invocations."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from flexchat.deadline import Clock, Deadline

GATEWAY_SECONDS = 29.0
"""API Gateway's default integration timeout, after which the caller gets its 504.

https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
"""

API_SECONDS = 28.0
"""Limit from API Gateway's receipt of a request to its response: a second less than its timeout."""

STREAM_SECONDS = 290.0
"""Default limit of a streamed response: ten seconds less than the integration timeout of the template."""

MARGIN_SECONDS = 1.0
"""Time reserved before the end of an invocation, for its response."""


class RequestDeadlines(Struct, frozen=True):
    """Deadlines of requests; `clock` measures them, `now` is compared with the time at which a request was received.

    `stream_seconds` limits a streamed response, to which API Gateway's usual timeout does not apply.
    """

    clock: Clock = time.monotonic
    now: Callable[[], float] = time.time
    stream_seconds: float = STREAM_SECONDS

    def of(self, event: Mapping[str, Any], context: Any, *, at_most: float = API_SECONDS) -> Deadline:
        """Return the earliest of `at_most` seconds from now, API Gateway's timeout and the end of the invocation."""
        seconds = max(0.0, min(at_most, self._api_seconds(event)))
        return invocation_deadline(context, clock=self.clock).within(seconds)

    def of_stream(self, event: Mapping[str, Any], context: Any) -> Deadline:
        """Return the deadline of a streamed response."""
        elapsed = API_SECONDS - self._api_seconds(event)
        seconds = max(0.0, self.stream_seconds - elapsed)
        return invocation_deadline(context, clock=self.clock).within(seconds)

    def _api_seconds(self, event: Mapping[str, Any]) -> float:
        """Return the seconds until API Gateway's timeout, from the event's `requestTimeEpoch` in milliseconds.

        The timeout starts after the authorizer, so the result is too short rather than too long. A time in the future
        or before the timeout comes from another clock or a recorded event, and is ignored.
        """
        context: Mapping[str, Any] = event.get("requestContext") or {}
        received = context.get("requestTimeEpoch")
        if not isinstance(received, int | float):
            return API_SECONDS
        elapsed = self.now() - received / 1000
        return API_SECONDS - elapsed if 0 <= elapsed < GATEWAY_SECONDS else API_SECONDS


def invocation_deadline(context: Any, *, clock: Clock = time.monotonic) -> Deadline:
    """Return the end of an invocation, less a margin for its response."""
    return Deadline.after(max(0.0, context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS), clock=clock)
