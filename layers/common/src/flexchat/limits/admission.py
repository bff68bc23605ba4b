"""Admission of requests and calls within the limits of a caller: their counters, and the refusals."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from math import ceil
from typing import Final, Literal, Protocol

from msgspec import Struct

from flexchat.api import ApiModel
from flexchat.config.models.limits import Limits
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, ReachedLimit, RequestError
from flexchat.observability import emit_metrics, logger, stack_of
from flexchat.runs import WallClock
from flexchat.tools import CallGrant, ToolFault


class Moment(Struct, frozen=True):
    """A point in time with its minute and day; `at` is in seconds since the epoch."""

    at: float

    @property
    def day(self) -> str:
        return f"{self._utc:%Y-%m-%d}"

    @property
    def minute(self) -> str:
        return f"{self._utc:%H%M}"

    @property
    def end_of_minute(self) -> float:
        return self.at // 60 * 60 + 60

    @property
    def end_of_day(self) -> float:
        midnight = self._utc.replace(hour=0, minute=0, second=0, microsecond=0)
        return (midnight + timedelta(days=1)).timestamp()

    @property
    def _utc(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)


class Account(Struct, frozen=True):
    """Subject of the counters: a caller, or one of its sessions."""

    principal: str
    session_id: str | None = None

    @property
    def pk(self) -> str:
        return f"L#{self.principal}" if self.session_id is None else f"L#{self.principal}#{self.session_id}"


class Hold(Struct, frozen=True):
    """Tokens reserved for one chat; after `until`, in seconds since the epoch, the chat counts as dead."""

    tokens: int
    until: float


class Counters(Struct, frozen=True):
    """The counters of an account: requests of the current minute, tokens of the day with those on hold.

    `past` are the attributes of earlier minutes, which are no longer read.
    """

    requests: int
    tokens: int
    holds: Mapping[str, Hold]
    past: tuple[str, ...]


class Counted(Struct, frozen=True):
    """Result of a reservation: the counters after an `admitted` request, or those that refused it."""

    admitted: bool
    counters: Counters


class CounterStore(Protocol):
    """Storage of counters, such as `LimitCounters`."""

    def reserve(
        self,
        account: Account,
        moment: Moment,
        *,
        id: str,
        max_requests: int | None,
        max_tokens: int | None,
        hold: Hold,
        deadline: Deadline,
    ) -> Counted: ...

    def settle(
        self,
        account: Account,
        day: str,
        *,
        id: str | None,
        tokens: int,
        minute: str | None,
        past: tuple[str, ...],
        deadline: Deadline,
    ) -> bool: ...

    def reclaim(self, account: Account, day: str, holds: Mapping[str, Hold], *, deadline: Deadline) -> bool: ...

    def take_calls(self, account: Account, moment: Moment, *, calls: int, deadline: Deadline) -> int: ...


type ScopeName = Literal["caller", "session"]

RESERVED_RETRY_SECONDS: Final = 5.0
"""`Retry-After` where running chats have reserved the rest of a day's tokens: most use less than they reserve."""

_OWNERS: Final[Mapping[ScopeName, str]] = {"caller": "token", "session": "session"}


def request_refused(scope: ScopeName, limits: Limits, counters: Counters, moment: Moment) -> RequestError:
    """Return the error (429) for a request that exceeds a limit."""
    requests, tokens = limits.requests_per_minute, limits.tokens_per_day
    if requests is not None and counters.requests >= requests:
        limit = ReachedLimit("requests_per_minute", scope, requests, moment.end_of_minute)
        reason = f"{requests} requests a minute"
        wait = limit.resets_at - moment.at
    else:
        limit = ReachedLimit("tokens_per_day", scope, tokens or 0, moment.end_of_day)
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
    """Return the result of the tool calls of an iteration that exceed the limit of a minute."""
    limit = ReachedLimit("tool_calls_per_minute", scope, allowed, moment.end_of_minute)
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


def _report(limit: ReachedLimit) -> None:
    logger.warning("limit reached", limit=limit.name, scope=limit.scope, allowed=limit.allowed)
    emit_metrics(
        dimension=("limit", limit.name),
        also=({"limit": limit.name, "scope": limit.scope},),
        counts={"LimitsReached": 1},
    )


TABLE_SECONDS: Final = 3.0
"""Timeout of the updates of one step.

Under load a table answers late: requests with a shorter timeout exceed a limit together.
"""

TABLE_SHARE: Final = 0.25
"""Largest share of the time left for a step before the answer."""

CLEANUP_FROM: Final = 16
"""Number of attributes of past minutes that are removed by an update of their own."""


class Reservation(ApiModel):
    """Counted request of a caller, or of its session: at a time, with `tokens` on hold unless they are 0."""

    id: str
    session_id: str | None = None
    at: float
    tokens: int = 0


class Scope(Struct, frozen=True):
    """An account with its limits."""

    account: Account
    limits: Limits

    @property
    def name(self) -> ScopeName:
        return "caller" if self.account.session_id is None else "session"

    @property
    def reserves(self) -> bool:
        return self.limits.requests_per_minute is not None or self.limits.tokens_per_day is not None


class _Reserved(Struct, frozen=True):
    """Reservation of an account, with the unused attributes of its item."""

    account: Account
    reservation: Reservation
    past: tuple[str, ...] = ()


class Admission(Protocol):
    """Admitted request: `take_calls` counts its tool calls, `settle` its tokens at the end, `cancel` uncounts it.

    Another invocation can settle its `reservations`.
    """

    @property
    def reservations(self) -> tuple[Reservation, ...]: ...

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant: ...

    def settle(self, tokens: int, *, deadline: Deadline) -> None: ...

    def cancel(self, *, deadline: Deadline) -> None: ...


class Unlimited:
    """Admission of a request without limits."""

    reservations: tuple[Reservation, ...] = ()

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant:
        del deadline
        return CallGrant(calls)

    def settle(self, tokens: int, *, deadline: Deadline) -> None:
        pass

    def cancel(self, *, deadline: Deadline) -> None:
        pass


def no_limits(_deadline: Deadline) -> Admission:
    """Admit a request without limits."""
    return Unlimited()


class LimitedAdmission:
    """Admission that counts for `scopes`, the caller's first."""

    def __init__(
        self, counters: Callable[[], CounterStore], now: WallClock, stage: str, scopes: tuple[Scope, ...]
    ) -> None:
        self._counters = counters
        self._now = now
        self._stage = stage
        self._scopes = scopes
        self._reserved: list[_Reserved] = []

    @property
    def reservations(self) -> tuple[Reservation, ...]:
        return tuple(each.reservation for each in self._reserved)

    def reserve(self, scope: Scope, moment: Moment, id: str, hold: Hold, deadline: Deadline) -> None:
        """Count the request for one account. Raises RequestError (429) for a reached limit."""
        try:
            counted = self._count(scope, moment, id, hold, deadline)
        except Exception as error:  # noqa: BLE001 - the counters must not fail a chat
            report_unenforced("reserve", error, self._stage)
            return
        if not counted.admitted:
            raise request_refused(scope.name, scope.limits, counted.counters, moment)
        tokens = 0 if scope.limits.tokens_per_day is None else hold.tokens
        reservation = Reservation(id=id, session_id=scope.account.session_id, at=moment.at, tokens=tokens)
        self._reserved.append(_Reserved(scope.account, reservation, counted.counters.past))

    def adopt(self, owner: str, reservation: Reservation) -> None:
        """Add a reservation of `owner` that another invocation made, to be settled here."""
        self._reserved.append(_Reserved(Account(owner, reservation.session_id), reservation))

    def _count(self, scope: Scope, moment: Moment, id: str, hold: Hold, deadline: Deadline) -> Counted:
        counters, limits = self._counters(), scope.limits

        def attempt() -> Counted:
            return counters.reserve(
                scope.account,
                moment,
                id=id,
                max_requests=limits.requests_per_minute,
                max_tokens=limits.tokens_per_day,
                hold=hold,
                deadline=deadline,
            )

        counted = attempt()
        expired = {name: held for name, held in counted.counters.holds.items() if held.until <= moment.at}
        if counted.admitted or not expired:
            return counted
        counters.reclaim(scope.account, moment.day, expired, deadline=deadline)
        logger.warning(
            "reservations reclaimed", reservations=len(expired), tokens=sum(h.tokens for h in expired.values())
        )
        return attempt()

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant:
        """Count an iteration's tool calls for the session, then the permitted ones for the caller."""
        moment, granted, fault = Moment(self._now()), calls, None
        due = counting_deadline(deadline)
        for scope in reversed(self._scopes):
            allowed = scope.limits.tool_calls_per_minute
            if allowed is None or not granted:
                continue
            try:
                counted = self._counters().take_calls(scope.account, moment, calls=granted, deadline=due)
            except Exception as error:  # noqa: BLE001 - the counters must not fail a chat
                report_unenforced("tool_calls", error, self._stage)
                continue
            room = max(0, allowed - (counted - granted))
            if room < granted:
                granted = room
                fault = tool_calls_refused(scope.name, allowed, moment)
        return CallGrant(granted, fault)

    def settle(self, tokens: int, *, deadline: Deadline) -> None:
        """Replace the reserved tokens with the used `tokens`."""
        due = deadline.within(TABLE_SECONDS)
        for each in self._reserved:
            held = each.reservation.tokens
            if held or len(each.past) >= CLEANUP_FROM:
                self._settle(each, tokens=tokens - held if held else 0, minute=None, deadline=due)

    def cancel(self, *, deadline: Deadline) -> None:
        """Uncount a request that is not executed."""
        due = deadline.within(TABLE_SECONDS)
        for each in self._reserved:
            minute = Moment(each.reservation.at).minute
            self._settle(each, tokens=-each.reservation.tokens, minute=minute, deadline=due)
        self._reserved.clear()

    def _settle(self, each: _Reserved, *, tokens: int, minute: str | None, deadline: Deadline) -> None:
        reservation = each.reservation
        try:
            settled = self._counters().settle(
                each.account,
                Moment(reservation.at).day,
                id=reservation.id if reservation.tokens else None,
                tokens=tokens,
                minute=minute,
                past=each.past,
                deadline=deadline,
            )
        except Exception as error:  # noqa: BLE001 - the counters must not fail a chat
            report_unenforced("settle", error, self._stage)
            return
        if not settled:
            logger.info("reservation already settled", reservation=reservation.id)


def counting_deadline(deadline: Deadline) -> Deadline:
    """Return the deadline of counting; a chat continues without limits after it."""
    return deadline.within(min(TABLE_SECONDS, deadline.remaining() * TABLE_SHARE))
