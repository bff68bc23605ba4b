"""Refusals of requests and tool calls beyond a limit, and reports of the use of budgets."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from math import ceil
from typing import Final

from flexchat.errors import FlexchatError, LimitName, LimitScope, ReachedLimit, RequestError
from flexchat.limits.counting import Amount, Counters, Scope
from flexchat.limits.windows import Limit, Moment, Quantity
from flexchat.observability import emit_metrics, logger, stack_of
from flexchat.tools import ToolFault

RESERVED_RETRY_SECONDS: Final = 5.0
"""`Retry-After` where running chats have reserved the rest of a budget: most use less than they reserve."""

BUDGET_METRICS: Final[Mapping[int, str]] = {80: "BudgetsNearLimit", 100: "BudgetsUsedUp"}
"""Metric of the budgets whose use passed a percentage."""

_OWNERS: Final[Mapping[LimitScope, str]] = {"caller": "token", "service": "service", "session": "session"}

_UNITS: Final[Mapping[Quantity, str]] = {"requests": "requests", "tool_calls": "tool calls", "tokens": "tokens"}


def reached(limits: Sequence[Limit], counters: Counters, over: Amount | None = None) -> tuple[Limit, ...]:
    """Return the limits that refuse a request, with `over` those that refuse more for a running chat.

    `over` is the use beyond the reservations of the chat, which the counters do not have yet.
    """
    used_up = (limit for limit in limits if limit.quantity in ("requests", "tokens", "usd"))
    if over is None:
        return tuple(limit for limit in used_up if counters.of(limit.name) >= limit.allowed)
    return tuple(
        limit
        for limit in used_up
        if limit.quantity != "requests" and counters.of(limit.name) + over.of(limit.quantity) >= limit.allowed
    )


def is_reserved(limit: Limit, counters: Counters) -> bool:
    """Return True where a limit is reached by the reservations of running chats alone."""
    return bool(counters.reserved.get(limit.name)) and counters.spent(limit.name) < limit.allowed


def request_refused(
    scope: Scope, refused: Sequence[tuple[Sequence[Limit], Counters]], moment: Moment, over: Amount | None = None
) -> RequestError:
    """Return the error (429) for a request that every shard of `scope` refused, each with its share and counters.

    It names the limit of the last shard that resets last.
    """
    shares, counters = refused[-1]
    share = max(reached(shares, counters, over), key=lambda limit: moment.end_of(limit.window))
    whole = next(limit for limit in scope.limits if limit.name == share.name)
    used = sum(each.of(share.name) for _, each in refused) + (over.of(share.quantity) if over else 0)
    limit = _reached_limit(scope, whole, used, moment)
    reason, wait = limit_text(whole), limit.resets_at - moment.at
    if over is None and is_reserved(share, counters):
        reason += ", the rest of which is reserved by running requests"
        wait = RESERVED_RETRY_SECONDS
    _report(limit)
    return RequestError(
        f"the limit of {_owner(scope)} is {reason}; {_reset_text(limit, wait)}",
        status=HTTPStatus.TOO_MANY_REQUESTS,
        code="rate_limited",
        retry_after=wait,
        limit=limit,
    )


def tool_calls_refused(scope: Scope, limit: Limit, used: int, moment: Moment) -> ToolFault:
    """Return the result of the tool calls of an iteration that exceed a limit."""
    found = _reached_limit(scope, limit, used, moment)
    _report(found)
    reset = _reset_text(found, found.resets_at - moment.at)
    return ToolFault(
        type="rate_limited",
        message=f"Not run: the limit of {limit_text(limit)} is reached, {reset}. "
        "Answer from the results so far, and say what is missing.",
        user_message=f"Too many tools were called within a {limit.window}.",
    )


def limit_text(limit: Limit) -> str:
    """Return a limit in words, such as `600 requests a minute` or `$12.50 a month`."""
    if limit.quantity == "usd":
        usd = limit.shown(limit.allowed)
        return f"${usd:,.2f} a {limit.window}" if round(usd, 2) == usd else f"${usd:,.6g} a {limit.window}"
    return f"{limit.allowed} {_UNITS[limit.quantity]} a {limit.window}"


def report_use(scope: Scope, share: Limit, before: int, after: int, *, stage: str) -> None:
    """Log and count a budget of a day or a month, or the share of one shard, whose use passed 80 or 100 percent.

    Limits of a minute are rates, which are no budgets. An alarm watches the dimension `stage`, which sessions do not
    have: they end by themselves.
    """
    if share.window == "minute":
        return
    for percent, metric in BUDGET_METRICS.items():
        threshold = ceil(share.allowed * percent / 100)
        if not before < threshold <= after:
            continue
        account, whole = scope.account, next(limit for limit in scope.limits if limit.name == share.name)
        logger.warning(
            "budget used",
            percent=percent,
            limit=share.name,
            scope=scope.name,
            allowed=share.shown(whole.allowed),
            role=account.role,
            principal=account.principal or None,
        )
        by_stage = () if scope.name == "session" else ({"stage": stage},)
        emit_metrics(
            dimension=("limit", share.name),
            also=({"limit": share.name, "scope": scope.name}, *by_stage),
            counts={metric: 1},
        )


def report_unenforced(step: str, error: Exception, stage: str) -> None:
    """Log and count a step without limits, because its counters failed with `error`."""
    if isinstance(error, FlexchatError):
        logger.error("limits not enforced", step=step, reason=str(error))
    else:
        logger.error("limits not enforced", step=step, reason=type(error).__name__, stack=stack_of(error))
    emit_metrics(dimension=("step", step), also=({"stage": stage},), counts={"LimitsNotEnforced": 1})


def _reached_limit(scope: Scope, limit: Limit, used: int, moment: Moment) -> ReachedLimit:
    name: LimitName = limit.name
    return ReachedLimit(
        name,
        scope.name,
        limit.shown(limit.allowed),
        limit.shown(used),
        moment.end_of(limit.window),
        role=scope.account.role,
    )


def _owner(scope: Scope) -> str:
    if scope.name == "role":
        return f"all callers with the role {scope.account.role!r}"
    return f"this {_OWNERS[scope.name]}"


def _reset_text(limit: ReachedLimit, wait: float) -> str:
    if limit.name.endswith("month") and wait > RESERVED_RETRY_SECONDS:
        return f"it resets on {datetime.fromtimestamp(limit.resets_at, UTC):%Y-%m-%d} at 00:00 UTC"
    return f"try again in {ceil(wait)} seconds"


def _report(limit: ReachedLimit) -> None:
    logger.warning("limit reached", limit=limit.name, scope=limit.scope, allowed=limit.allowed, used=limit.used)
    emit_metrics(
        dimension=("limit", limit.name),
        also=({"limit": limit.name, "scope": limit.scope},),
        counts={"LimitsReached": 1},
    )
