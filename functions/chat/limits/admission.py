"""Admission of requests by the configured limits: counted and reserved before a chat, settled after it.

Counters that fail, for whatever reason, stop no request: it continues without limits, with an error in the log and a
metric.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from math import ceil
from typing import Final, Literal, Protocol
from uuid import uuid4

from flexchat.api import ApiModel
from flexchat.config.models.limits import Limits, LimitsConfig
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, LimitReached, RequestError
from flexchat.http_api.caller import DIRECT, Caller
from flexchat.observability import emit_metrics, logger, stack_of
from flexchat.runs import WallClock
from flexchat.tools import ToolFault
from functions.chat.aws.limit_counters import Account, Counted, Counters, Hold, LimitCounters, Moment
from functions.chat.limits.policy import limits_of
from functions.chat.tools.quota import CallGrant, unlimited

TABLE_SECONDS: Final = 3.0
"""The time that the updates of one step may take. Under load a table answers late: requests that give up too soon
pass a limit together."""

TABLE_SHARE: Final = 0.25
"""The most of the time left that a step before the answer may take."""

HOLD_MARGIN_SECONDS: Final = 30.0
"""Seconds after its deadline that a chat is taken for dead, so that its reservation is given back."""

UNDER_WAY_SECONDS: Final = 5.0
"""`Retry-After` where chats under way have reserved the rest of a day's tokens: most use less than they reserve."""

TIDY_FROM: Final = 16
"""So many attributes of past minutes are removed by an update of their own, where none is due anyway."""


_OWNER: Final[Mapping[Literal["caller", "session"], str]] = {"caller": "token", "session": "session"}


class Reservation(ApiModel):
    """A counted request of a caller, or of its session: at a moment, with `tokens` on hold unless they are 0."""

    id: str
    session_id: str | None = None
    at: float
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Scope:
    """An account with its limits."""

    account: Account
    limits: Limits

    @property
    def name(self) -> Literal["caller", "session"]:
        return "caller" if self.account.session_id is None else "session"

    @property
    def reserves(self) -> bool:
        return self.limits.requests_per_minute is not None or self.limits.tokens_per_day is not None


@dataclass(frozen=True, slots=True)
class _Reserved:
    """A reservation of an account, with the attributes of its item that are out of use."""

    account: Account
    reservation: Reservation
    past: tuple[str, ...] = ()


class Admission(Protocol):
    """An admitted request: `take_calls` counts its tool calls, `settle` its tokens once they are known.

    `reservations` are the counted request, for another invocation to settle.
    """

    @property
    def reservations(self) -> tuple[Reservation, ...]: ...

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant: ...

    def settle(self, tokens: int, *, deadline: Deadline) -> None: ...

    def cancel(self, *, deadline: Deadline) -> None: ...


class RateLimits:
    """Admits requests by the limits of the configuration.

    `counters` is made when the first limit applies. Callers that invoke the function directly have no limits: IAM
    admitted them. `stage` is the dimension of the metric that an alarm watches.
    """

    def __init__(
        self,
        *,
        counters: Callable[[], LimitCounters],
        now: WallClock,
        stage: str,
        new_id: Callable[[], str] = lambda: uuid4().hex,
    ) -> None:
        self._counters = counters
        self._now = now
        self._stage = stage
        self._new_id = new_id

    def admit(
        self,
        caller: Caller,
        config: LimitsConfig,
        *,
        tokens: Callable[[], int],
        session_id: str | None,
        seconds: float,
        deadline: Deadline,
    ) -> Admission:
        """Count a request and reserve the tokens that it may use: the `tokens` of what it sends, and a reserve.

        The reservation is given back when the request is not settled within `seconds`. Raises RequestError (429) when
        a limit of the caller or of the session leaves no room; nothing is counted then.
        """
        scopes = _scopes(caller, config, session_id)
        admission = _Limited(self._counters, self._now, self._stage, scopes) if scopes else Unlimited()
        reserving = [scope for scope in scopes if scope.reserves]
        if not isinstance(admission, _Limited) or not reserving:
            return admission
        moment = Moment(self._now())
        hold = Hold(config.reserved_tokens + tokens(), moment.at + seconds + HOLD_MARGIN_SECONDS)
        due = _due(deadline)
        try:
            for scope in reserving:
                admission.reserve(scope, moment, self._new_id(), hold, due)
        except RequestError:
            admission.cancel(deadline=deadline)
            raise
        return admission

    def readmit(
        self, caller: Caller, config: LimitsConfig, *, session_id: str | None, reservations: Sequence[Reservation]
    ) -> Admission:
        """The admission of a request that another invocation admitted with `reservations`."""
        scopes = _scopes(caller, config, session_id)
        limited = _Limited(self._counters, self._now, self._stage, scopes)
        for reservation in reservations:
            limited.reserved.append(_Reserved(Account(caller.principal, reservation.session_id), reservation))
        return limited if scopes or reservations else Unlimited()


def _scopes(caller: Caller, config: LimitsConfig, session_id: str | None) -> tuple[_Scope, ...]:
    if caller.principal == DIRECT.principal:
        return ()
    scopes = [_Scope(Account(caller.principal), limits_of(caller, config))]
    if session_id is not None:
        scopes.append(_Scope(Account(caller.principal, session_id), config.session))
    return tuple(scope for scope in scopes if scope.limits != Limits())


class Unlimited:
    """The admission of a request that no limit applies to."""

    reservations: tuple[Reservation, ...] = ()

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant:
        return unlimited(calls, deadline)

    def settle(self, tokens: int, *, deadline: Deadline) -> None:
        pass

    def cancel(self, *, deadline: Deadline) -> None:
        pass


def no_limits(_deadline: Deadline) -> Admission:
    return Unlimited()


class _Limited:
    """An admission with the accounts that it counts for; the caller's comes first."""

    def __init__(
        self, counters: Callable[[], LimitCounters], now: WallClock, stage: str, scopes: tuple[_Scope, ...]
    ) -> None:
        self._counters = counters
        self._now = now
        self._stage = stage
        self._scopes = scopes
        self.reserved: list[_Reserved] = []

    @property
    def reservations(self) -> tuple[Reservation, ...]:
        return tuple(each.reservation for each in self.reserved)

    def reserve(self, scope: _Scope, moment: Moment, id: str, hold: Hold, deadline: Deadline) -> None:
        """Count the request for one account. Raises RequestError (429)."""
        try:
            counted = self._count(scope, moment, id, hold, deadline)
        except Exception as error:  # noqa: BLE001 - the counters must not cost a chat
            _not_enforced("reserve", error, self._stage)
            return
        if not counted.admitted:
            raise _refused(scope, counted.counters, moment)
        tokens = 0 if scope.limits.tokens_per_day is None else hold.tokens
        reservation = Reservation(id=id, session_id=scope.account.session_id, at=moment.at, tokens=tokens)
        self.reserved.append(_Reserved(scope.account, reservation, counted.counters.past))

    def _count(self, scope: _Scope, moment: Moment, id: str, hold: Hold, deadline: Deadline) -> Counted:
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
        dead = {name: held for name, held in counted.counters.holds.items() if held.until <= moment.at}
        if counted.admitted or not dead:
            return counted
        counters.reclaim(scope.account, moment.day, dead, deadline=deadline)
        logger.warning("reservations reclaimed", reservations=len(dead), tokens=sum(h.tokens for h in dead.values()))
        return attempt()

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant:
        """Count a turn's tool calls for the session, then those that it may have for the caller."""
        moment, granted, fault = Moment(self._now()), calls, None
        due = _due(deadline)
        for scope in reversed(self._scopes):
            allowed = scope.limits.tool_calls_per_minute
            if allowed is None or not granted:
                continue
            try:
                counted = self._counters().take_calls(scope.account, moment, calls=granted, deadline=due)
            except Exception as error:  # noqa: BLE001 - the counters must not cost a chat
                _not_enforced("tool_calls", error, self._stage)
                continue
            room = max(0, allowed - (counted - granted))
            if room < granted:
                granted = room
                limit = LimitReached("tool_calls_per_minute", scope.name, allowed, moment.end_of_minute)
                _report(limit)
                fault = _fault(limit, moment)
        return CallGrant(granted, fault)

    def settle(self, tokens: int, *, deadline: Deadline) -> None:
        """Replace what was reserved by the `tokens` that were used."""
        due = deadline.within(TABLE_SECONDS)
        for each in self.reserved:
            held = each.reservation.tokens
            if held or len(each.past) >= TIDY_FROM:
                self._settle(each, tokens=tokens - held if held else 0, minute=None, deadline=due)

    def cancel(self, *, deadline: Deadline) -> None:
        """Take back a request that is not carried out."""
        due = deadline.within(TABLE_SECONDS)
        for each in self.reserved:
            minute = Moment(each.reservation.at).minute
            self._settle(each, tokens=-each.reservation.tokens, minute=minute, deadline=due)
        self.reserved.clear()

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
        except Exception as error:  # noqa: BLE001 - the counters must not cost a chat
            _not_enforced("settle", error, self._stage)
            return
        if not settled:
            logger.info("reservation already settled", reservation=reservation.id)


def _due(deadline: Deadline) -> Deadline:
    """Return the moment from which a chat continues without an answer of the table."""
    return deadline.within(min(TABLE_SECONDS, deadline.remaining() * TABLE_SHARE))


def _refused(scope: _Scope, counters: Counters, moment: Moment) -> RequestError:
    """The error for a request that the counters leave no room for."""
    requests, tokens = scope.limits.requests_per_minute, scope.limits.tokens_per_day
    if requests is not None and counters.requests >= requests:
        limit = LimitReached("requests_per_minute", scope.name, requests, moment.end_of_minute)
        reason = f"{requests} requests a minute"
        wait = limit.resets_at - moment.at
    else:
        limit = LimitReached("tokens_per_day", scope.name, tokens or 0, moment.end_of_day)
        reason = f"{tokens} tokens a day"
        wait = limit.resets_at - moment.at
        if counters.tokens - sum(hold.tokens for hold in counters.holds.values()) < limit.allowed:
            reason += ", the rest of which requests under way have reserved"
            wait = UNDER_WAY_SECONDS
    _report(limit)
    return RequestError(
        f"the limit of this {_OWNER[scope.name]} is {reason}; try again in {ceil(wait)} seconds",
        status=HTTPStatus.TOO_MANY_REQUESTS,
        code="rate_limited",
        retry_after=wait,
        limit=limit,
    )


def _fault(limit: LimitReached, moment: Moment) -> ToolFault:
    wait = ceil(limit.resets_at - moment.at)
    return ToolFault(
        type="rate_limited",
        message=f"Not run: the limit of {limit.allowed} tool calls a minute is reached, try again in {wait} seconds. "
        "Answer from the results so far, and say what is missing.",
        user_message="Too many tools were called within a minute.",
    )


def _report(limit: LimitReached) -> None:
    logger.warning("limit reached", limit=limit.name, scope=limit.scope, allowed=limit.allowed)
    emit_metrics(
        dimension=("limit", limit.name),
        also=({"limit": limit.name, "scope": limit.scope},),
        counts={"LimitsReached": 1},
    )


def _not_enforced(step: str, error: Exception, stage: str) -> None:
    if isinstance(error, FlexchatError):
        logger.error("limits not enforced", step=step, reason=str(error))
    else:
        logger.error("limits not enforced", step=step, reason=type(error).__name__, stack=stack_of(error))
    emit_metrics(dimension=("step", step), also=({"stage": stage},), counts={"LimitsNotEnforced": 1})
