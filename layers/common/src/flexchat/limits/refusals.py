"""Errors, log events and metrics of reached limits and of limits that could not be enforced."""

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Final, Literal

from flexchat.config.models.limits import Limits
from flexchat.errors import FlexchatError, LimitReached, RequestError
from flexchat.limits.counters import Counters, Moment
from flexchat.observability import emit_metrics, logger, stack_of
from flexchat.tools import ToolFault

type ScopeName = Literal["caller", "session"]

RESERVED_RETRY_SECONDS: Final = 5.0
"""`Retry-After` where running chats have reserved the rest of a day's tokens: most use less than they reserve."""

_OWNERS: Final[Mapping[ScopeName, str]] = {"caller": "token", "session": "session"}


def request_refused(scope: ScopeName, limits: Limits, counters: Counters, moment: Moment) -> RequestError:
    """Return the error (429) for a request that exceeds a limit."""
    requests, tokens = limits.requests_per_minute, limits.tokens_per_day
    if requests is not None and counters.requests >= requests:
        limit = LimitReached("requests_per_minute", scope, requests, moment.end_of_minute)
        reason = f"{requests} requests a minute"
        wait = limit.resets_at - moment.at
    else:
        limit = LimitReached("tokens_per_day", scope, tokens or 0, moment.end_of_day)
        reason = f"{tokens} tokens a day"
        wait = limit.resets_at - moment.at
        if counters.tokens - sum(hold.tokens for hold in counters.holds.values()) < limit.allowed:
            reason += ", the rest of which is reserved by running requests"
            wait = RESERVED_RETRY_SECONDS
    _report(limit)
    return RequestError(
        f"the limit of this {_OWNERS[scope]} is {reason}; try again in {ceil(wait)} seconds",
        status=HTTPStatus.TOO_MANY_REQUESTS,
        code="rate_limited",
        retry_after=wait,
        limit=limit,
    )


def tool_calls_refused(scope: ScopeName, allowed: int, moment: Moment) -> ToolFault:
    """Return the result of the tool calls of a turn that exceed the limit of a minute."""
    limit = LimitReached("tool_calls_per_minute", scope, allowed, moment.end_of_minute)
    _report(limit)
    wait = ceil(limit.resets_at - moment.at)
    return ToolFault(
        type="rate_limited",
        message=f"Not run: the limit of {limit.allowed} tool calls a minute is reached, try again in {wait} seconds. "
        "Answer from the results so far, and say what is missing.",
        user_message="Too many tools were called within a minute.",
    )


def report_unenforced(step: str, error: Exception, stage: str) -> None:
    """Log and count a step without limits, because its counters failed with `error`."""
    if isinstance(error, FlexchatError):
        logger.error("limits not enforced", step=step, reason=str(error))
    else:
        logger.error("limits not enforced", step=step, reason=type(error).__name__, stack=stack_of(error))
    emit_metrics(dimension=("step", step), also=({"stage": stage},), counts={"LimitsNotEnforced": 1})


def _report(limit: LimitReached) -> None:
    logger.warning("limit reached", limit=limit.name, scope=limit.scope, allowed=limit.allowed)
    emit_metrics(
        dimension=("limit", limit.name),
        also=({"limit": limit.name, "scope": limit.scope},),
        counts={"LimitsReached": 1},
    )
