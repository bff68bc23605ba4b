"""Admission of requests and calls within the limits of a caller."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol
from zlib import crc32

from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.errors import LimitName, RequestError
from flexchat.limits.counting import (
    NO_USE,
    Account,
    Amount,
    Counted,
    Counters,
    CounterStore,
    Hold,
    Reservation,
    Scope,
    Use,
    hold_id,
)
from flexchat.limits.refusals import (
    reached,
    report_unenforced,
    report_use,
    request_refused,
    tool_calls_refused,
)
from flexchat.limits.windows import Limit, Moment, Quantity
from flexchat.observability import logger
from flexchat.runs import WallClock
from flexchat.tools import CallGrant

HOLD_MARGIN_SECONDS: Final = 30.0
"""Seconds after its deadline that a reservation expires."""

TABLE_SECONDS: Final = 3.0
"""Timeout of the updates of one step.

Under load a table answers late: requests with a shorter timeout exceed a limit together.
"""

TABLE_SHARE: Final = 0.25
"""Largest share of the time left for a step before the answer."""

CLEANUP_FROM: Final = 16
"""Number of attributes of past minutes and days that are removed by an update of their own."""


class _Reserved(Struct, frozen=True):
    """Reservation of an account: its amount and the part of that within the limits, its counted `requests` and the
    unused attributes of its item."""

    account: Account
    reservation: Reservation
    within: Amount
    requests: tuple[LimitName, ...] = ()
    past: tuple[str, ...] = ()

    @property
    def amount(self) -> Amount:
        return self.reservation.amount


class Admission(Protocol):
    """Admitted request: `take_calls` counts its tool calls, `extend` reserves more before a model call where its use
    has reached its reservation, `settle` counts its use at the end, `cancel` uncounts it.

    Another invocation can settle its `reservations`.
    """

    @property
    def reservations(self) -> tuple[Reservation, ...]: ...

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant: ...

    def extend(self, use: Callable[[], Use], deadline: Deadline) -> None: ...

    def settle(self, use: Use, *, deadline: Deadline) -> None: ...

    def cancel(self, *, deadline: Deadline) -> None: ...


class Unlimited:
    """Admission of a request without limits."""

    reservations: tuple[Reservation, ...] = ()

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant:
        del deadline
        return CallGrant(calls)

    def extend(self, use: Callable[[], Use], deadline: Deadline) -> None:
        pass

    def settle(self, use: Use, *, deadline: Deadline) -> None:
        pass

    def cancel(self, *, deadline: Deadline) -> None:
        pass


def no_limits(_deadline: Deadline) -> Admission:
    """Admit a request without limits."""
    return Unlimited()


class LimitedAdmission:
    """Admission that counts for `scopes`, the caller's first.

    `growth` is the least that `extend` reserves. `new_id` returns the unique part of the id of a reservation, `stage`
    is the dimension of metrics that an alarm watches.
    """

    def __init__(
        self,
        counters: Callable[[], CounterStore],
        *,
        now: WallClock,
        stage: str,
        scopes: tuple[Scope, ...],
        growth: Amount,
        new_id: Callable[[], str],
    ) -> None:
        self._counters = counters
        self._now = now
        self._stage = stage
        self._scopes = scopes
        self._growth = growth
        self._new_id = new_id
        self._reserved: list[_Reserved] = []

    @property
    def reservations(self) -> tuple[Reservation, ...]:
        return tuple(each.reservation for each in self._reserved)

    def reserve(
        self, scope: Scope, moment: Moment, amount: Amount, *, until: float, due: Deadline, over: Amount | None = None
    ) -> None:
        """Count the request for one account, and reserve an amount until a time in seconds since the epoch.

        With `over`, the use of the request beyond its reservations, it is counted already and reserves more. Raises
        RequestError (429) for a reached limit.
        """
        hold = Hold(
            hold_id(until, self._new_id()),
            amount.tokens if scope.has("tokens") else 0,
            amount.micros if scope.has("usd") else 0,
        )
        try:
            account, counted = self._count(scope, moment, hold, over, due)
        except RequestError:
            raise
        except Exception as error:  # noqa: BLE001 - the counters must not fail a chat
            report_unenforced("reserve", error, self._stage)
            return
        reservation = Reservation(
            id=hold.id,
            owner=account.principal if scope.name == "service" else None,
            session_id=account.session_id,
            at=moment.at,
            tokens=hold.tokens,
            shard=account.shard,
            micros=hold.micros,
            monthly=account.monthly,
            role=account.role,
        )
        requests = () if over is not None else _names(scope.limits, "requests")
        shares = scope.share(account.shard)
        within = _within(hold.amount, shares, counted.counters)
        self._reserved.append(_Reserved(account, reservation, within, requests, counted.counters.past))
        for share in shares:
            if share.name in requests:
                after = counted.counters.of(share.name)
                report_use(scope, share, after - 1, after, stage=self._stage)

    def adopt(self, principal: str, reservation: Reservation) -> None:
        """Add a reservation of a caller with `principal` that another invocation made, to be settled here."""
        self._reserved.append(_Reserved(reservation.account(principal), reservation, reservation.amount))

    def _count(
        self, scope: Scope, moment: Moment, hold: Hold, over: Amount | None, due: Deadline
    ) -> tuple[Account, Counted]:
        """Count the request in the first shard with room, then in one whose expired holds are released.

        Raises RequestError (429) when none has room.
        """
        counters = self._counters()

        def attempt(account: Account, shares: Sequence[Limit]) -> Counted:
            return counters.reserve(account, moment, limits=shares, hold=hold, over=over, deadline=due)

        refused: list[tuple[Account, Sequence[Limit], Counters]] = []
        for account, shares in scope.shares(crc32(hold.id.encode()) % scope.shards):
            counted = attempt(account, shares)
            if counted.admitted:
                return account, counted
            refused.append((account, shares, counted.counters))
        for place, (account, shares, found) in enumerate(refused):
            if not any(found.reserved.get(limit.name) for limit in reached(shares, found, over)):
                continue
            expired = counters.reclaim(account, moment, deadline=due)
            if not expired:
                continue
            tokens = sum(hold.tokens for hold in expired)
            logger.warning("reservations reclaimed", reservations=len(expired), tokens=tokens)
            counted = attempt(account, shares)
            if counted.admitted:
                return account, counted
            refused[place] = (account, shares, counted.counters)
        raise request_refused(scope, [(shares, found) for _, shares, found in refused], moment, over)

    def extend(self, use: Callable[[], Use], deadline: Deadline) -> None:
        """Reserve more where `use` has reached the reservations of an account, before another model call.

        A reservation counts as far as it was within the limits, so that a chat exceeds these by one model call at most.
        The new one has the exceeded amount, and the larger one of `growth` and the reservations so far. Raises
        RequestError (429) for a reached limit.
        """
        for scope in self._scopes:
            held = [each for each in self._of(scope.account) if each.reservation.is_held]
            if not held:
                continue  # not limited by tokens or money, or the counters failed before
            used, total = use(), sum((each.amount for each in held), Amount())
            within = sum((each.within for each in held), Amount())
            over, more = Amount(), Amount()
            if scope.has("tokens") and used.tokens >= within.tokens:
                over += Amount(tokens=max(0, used.tokens - total.tokens))
                more += Amount(tokens=max(self._growth.tokens, total.tokens))
            if scope.has("usd") and used.micros is not None and used.micros >= within.micros:
                over += Amount(micros=max(0, used.micros - total.micros))
                more += Amount(micros=max(self._growth.micros, total.micros))
            if more == Amount():
                continue
            moment = Moment(self._now())
            until = moment.at + deadline.remaining() + HOLD_MARGIN_SECONDS
            self.reserve(scope, moment, over + more, until=until, due=counting_deadline(deadline), over=over)

    def _of(self, account: Account) -> list[_Reserved]:
        return [each for each in self._reserved if each.account.owner == account]

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant:
        """Count an iteration's tool calls for the session first, then the permitted ones for the others."""
        moment, granted, fault = Moment(self._now()), calls, None
        due = counting_deadline(deadline)
        for scope in reversed(self._scopes):
            if not scope.call_limits or not granted:
                continue
            try:
                room, reached_limit, used = self._take_calls(scope, moment, granted, due)
            except Exception as error:  # noqa: BLE001 - the counters must not fail a chat
                report_unenforced("tool_calls", error, self._stage)
                continue
            if room < granted:
                granted = room
                fault = tool_calls_refused(scope, reached_limit, used, moment)
        return CallGrant(granted, fault)

    def _take_calls(self, scope: Scope, moment: Moment, calls: int, due: Deadline) -> tuple[int, Limit, int]:
        """Count tool calls in the shards of an account, that of its request first.

        Return the permitted ones, the limit that refuses others, and its use. Refused calls are uncounted where they
        would remain in the counters of a day or a month.
        """
        names: list[LimitName] = [limit.name for limit in scope.call_limits]
        permitted, tightest, used = 0, scope.call_limits[0], 0
        for account, shares in scope.shares(next((each.account.shard for each in self._of(scope.account)), 0)):
            asked = calls - permitted
            counted = self._counters().take_calls(account, moment, limits=names, calls=asked, deadline=due)
            left = {limit: limit.allowed - (counted[limit.name] - asked) for limit in shares if limit.name in counted}
            share = min(left, key=lambda limit: (left[limit], -moment.end_of(limit.window)))
            taken = min(asked, max(0, left[share]))
            for limit in left:
                report_use(scope, limit, counted[limit.name] - asked, counted[limit.name], stage=self._stage)
            if taken < asked and any(limit.window != "minute" for limit in left):
                self._counters().take_calls(account, moment, limits=names, calls=taken - asked, deadline=due)
            permitted += taken
            tightest = next(limit for limit in scope.call_limits if limit.name == share.name)
            used += min(share.allowed, counted[share.name])
            if permitted == calls:
                break
        return permitted, tightest, used

    def settle(self, use: Use, *, deadline: Deadline) -> None:
        """Replace the reserved tokens and money with the used ones."""
        due = deadline.within(TABLE_SECONDS)
        for account in dict.fromkeys(each.account.owner for each in self._reserved):
            of_account = self._of(account)
            left = Amount(use.tokens, use.micros or 0)
            last = [each for each in of_account if each.reservation.is_held][-1:]
            for each in of_account:
                held = each.amount
                part = left if each in last else Amount(min(held.tokens, left.tokens), min(held.micros, left.micros))
                if each.reservation.is_held or len(each.past) >= CLEANUP_FROM:
                    micros = None if use.micros is None else part.micros
                    self._settle(each, Use(part.tokens, micros), deadline=due)
                left = Amount(left.tokens - part.tokens, left.micros - part.micros)

    def cancel(self, *, deadline: Deadline) -> None:
        """Uncount a request that is not executed."""
        due = deadline.within(TABLE_SECONDS)
        for each in self._reserved:
            self._settle(each, NO_USE, requests=each.requests, deadline=due)
        self._reserved.clear()

    def _settle(self, each: _Reserved, use: Use, *, requests: tuple[LimitName, ...] = (), deadline: Deadline) -> None:
        reservation = each.reservation
        try:
            after = self._counters().settle(
                each.account,
                Moment(reservation.at),
                id=reservation.id if reservation.is_held else None,
                use=use,
                requests=requests,
                past=each.past,
                now=Moment(self._now()),
                deadline=deadline,
            )
        except Exception as error:  # noqa: BLE001 - the counters must not fail a chat
            report_unenforced("settle", error, self._stage)
            return
        if after is None:
            logger.info("reservation already settled", reservation=reservation.id)
        elif reservation.is_held:
            self._report_use(each, use, after)

    def _report_use(self, each: _Reserved, use: Use, after: Counters) -> None:
        """Report the budgets that the use of a settled reservation passed; `after` has the changed counters alone."""
        scope = next((scope for scope in self._scopes if scope.account == each.account.owner), None)
        if scope is None:
            return
        used = Amount(use.tokens, each.reservation.micros if use.micros is None else use.micros)
        for share in scope.share(each.account.shard):
            if share.name in after.used:
                spent = after.spent(share.name)
                report_use(scope, share, spent - used.of(share.quantity), spent, stage=self._stage)


def _within(amount: Amount, shares: Sequence[Limit], after: Counters) -> Amount:
    """Return the part of a reserved amount that was within the limits; `after` are the counters with all of it."""

    def part(quantity: Quantity) -> int:
        most = amount.of(quantity)
        rooms = (limit.allowed - after.of(limit.name) + most for limit in shares if limit.quantity == quantity)
        return min(most, *rooms) if most else 0

    return Amount(part("tokens"), part("usd"))


def _names(limits: Sequence[Limit], quantity: Quantity) -> tuple[LimitName, ...]:
    return tuple(limit.name for limit in limits if limit.quantity == quantity)


def counting_deadline(deadline: Deadline) -> Deadline:
    """Return the deadline of counting; a chat continues without limits after it."""
    return deadline.within(min(TABLE_SECONDS, deadline.remaining() * TABLE_SHARE))
