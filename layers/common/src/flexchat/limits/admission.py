"""Admission of one request: counted and reserved before a chat, settled after it.

Failed counters never fail a request: it continues without limits, with an error in the log and a metric.
"""

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct

from flexchat.api import ApiModel
from flexchat.config.models.limits import Limits
from flexchat.deadline import Deadline
from flexchat.limits.counters import Account, Counted, CounterStore, Hold, Moment
from flexchat.limits.refusals import ScopeName, report_unenforced, request_refused, tool_calls_refused
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.tools import CallGrant

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
        """Count a turn's tool calls for the session, then the permitted ones for the caller."""
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
