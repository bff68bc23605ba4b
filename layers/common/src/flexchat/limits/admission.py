"""Admission of requests and calls within the limits of a caller: their counters, and the refusals."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import replace
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from math import ceil
from typing import Annotated, Final, Literal, Protocol
from zlib import crc32

from msgspec import Struct
from pydantic import Field

from flexchat.api import ApiModel
from flexchat.config.models.limits import Limits
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError, LimitName, ReachedLimit, RequestError
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
    """Subject of the counters: a caller, or one of its sessions; one of its shards above a rate."""

    principal: str
    session_id: str | None = None
    shard: int = 0

    @property
    def pk(self) -> str:
        """Partition key; no session id has a number sign."""
        pk = f"L#{self.principal}" if self.session_id is None else f"L#{self.principal}#{self.session_id}"
        return f"{pk}#SHARD#{self.shard}" if self.shard else pk


class Hold(Struct, frozen=True):
    """Tokens reserved for one chat. `id` is that of `hold_id`, so that holds sort by their expiry."""

    id: str
    tokens: int


def hold_id(until: float, unique: str) -> str:
    """Return the id of a hold whose chat counts as dead after `until`, in seconds since the epoch."""
    return f"{int(until * 1000):013}-{unique}"


class Counters(Struct, frozen=True):
    """The counters of an account: requests and tool calls of the minute, tokens of the day with those `reserved`.

    `past` are the attributes of earlier minutes, which are no longer read.
    """

    requests: int
    tokens: int
    reserved: int
    past: tuple[str, ...]
    tool_calls: int = 0


class LimitUse(Struct, frozen=True):
    """Use of one limit until it resets, in seconds since the epoch; `used` includes the `reserved` tokens."""

    name: LimitName
    allowed: int
    used: int
    resets_at: float
    reserved: int = 0


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

    def reclaim(self, account: Account, moment: Moment, *, deadline: Deadline) -> Sequence[Hold]: ...

    def take_calls(self, account: Account, moment: Moment, *, calls: int, deadline: Deadline) -> int: ...

    def read(self, account: Account, moment: Moment, *, deadline: Deadline) -> Counters: ...


type ScopeName = Literal["caller", "service", "session"]

RESERVED_RETRY_SECONDS: Final = 5.0
"""`Retry-After` where running chats have reserved the rest of a day's tokens: most use less than they reserve."""

_OWNERS: Final[Mapping[ScopeName, str]] = {"caller": "token", "service": "service", "session": "session"}


def request_refused(
    scope: ScopeName, limits: Limits, shares: Limits, counters: Counters, moment: Moment
) -> RequestError:
    """Return the error (429) for a request that exceeds a limit; `counters` are those of a shard with its `shares`."""
    requests, tokens = limits.requests_per_minute, limits.tokens_per_day
    if _requests_reached(shares, counters):
        limit = ReachedLimit("requests_per_minute", scope, requests or 0, moment.end_of_minute)
        reason = f"{requests} requests a minute"
        wait = limit.resets_at - moment.at
    else:
        limit = ReachedLimit("tokens_per_day", scope, tokens or 0, moment.end_of_day)
        reason = f"{tokens} tokens a day"
        wait = limit.resets_at - moment.at
        if counters.tokens - counters.reserved < (shares.tokens_per_day or 0):
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


def _requests_reached(limits: Limits, counters: Counters) -> bool:
    return limits.requests_per_minute is not None and counters.requests >= limits.requests_per_minute


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


SHARD_REQUESTS: Final = 6_000
"""Requests a minute of one shard of an account's counters.

100 chats a second are some 500 updates of an item below 1 KB, of 1,000 that a partition of DynamoDB takes
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html).
"""

MAX_SHARDS: Final = 16
"""Most shards: a request beyond a limit is refused by each of them."""


class Reservation(ApiModel):
    """Counted request of a caller, or of its session: at a time, with `tokens` on hold unless they are 0.

    `owner` is the service of the caller, where it is counted for the service.
    """

    id: str
    owner: Annotated[str | None, Field(exclude_if=lambda owner: owner is None)] = None
    session_id: str | None = None
    at: float
    tokens: int = 0
    shard: Annotated[int, Field(exclude_if=lambda shard: shard == 0)] = 0


class Scope(Struct, frozen=True):
    """An account with its limits."""

    account: Account
    limits: Limits
    name: ScopeName = "caller"

    @property
    def reserves(self) -> bool:
        return self.limits.requests_per_minute is not None or self.limits.tokens_per_day is not None

    @property
    def shards(self) -> int:
        """Number of shards of the counters; each has its share of every limit, of at least 1."""
        needed = ceil((self.limits.requests_per_minute or 0) / SHARD_REQUESTS)
        given = (self.limits.tokens_per_day, self.limits.tool_calls_per_minute)
        return max(1, min(MAX_SHARDS, needed, *(limit for limit in given if limit is not None)))

    def shares(self, first: int) -> Iterator[tuple[Account, Limits]]:
        """Yield the account of each shard with its share of the limits, beginning with the shard `first`."""
        shards = self.shards
        if shards == 1:
            yield self.account, self.limits
            return
        for step in range(shards):
            shard = (first + step) % shards
            shares = {
                name: None if limit is None else limit // shards + (shard < limit % shards)
                for name, limit in self.limits.model_dump().items()
            }
            yield replace(self.account, shard=shard), Limits(**shares)


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

    def reserve(self, scope: Scope, moment: Moment, hold: Hold, deadline: Deadline) -> None:
        """Count the request for one account. Raises RequestError (429) for a reached limit."""
        try:
            account, counted = self._count(scope, moment, hold, deadline)
        except RequestError:
            raise
        except Exception as error:  # noqa: BLE001 - the counters must not fail a chat
            report_unenforced("reserve", error, self._stage)
            return
        tokens = 0 if scope.limits.tokens_per_day is None else hold.tokens
        reservation = Reservation(
            id=hold.id,
            owner=account.principal if scope.name == "service" else None,
            session_id=account.session_id,
            at=moment.at,
            tokens=tokens,
            shard=account.shard,
        )
        self._reserved.append(_Reserved(account, reservation, counted.counters.past))

    def adopt(self, owner: str, reservation: Reservation) -> None:
        """Add a reservation of `owner` that another invocation made, to be settled here."""
        account = Account(reservation.owner or owner, reservation.session_id, reservation.shard)
        self._reserved.append(_Reserved(account, reservation))

    def _count(self, scope: Scope, moment: Moment, hold: Hold, deadline: Deadline) -> tuple[Account, Counted]:
        """Count the request in the first shard with room, then in one whose expired holds are released.

        Raises RequestError (429) when none has room.
        """
        counters = self._counters()

        def attempt(account: Account, shares: Limits) -> Counted:
            return counters.reserve(
                account,
                moment,
                max_requests=shares.requests_per_minute,
                max_tokens=shares.tokens_per_day,
                hold=hold,
                deadline=deadline,
            )

        refused: list[tuple[Account, Limits, Counters]] = []
        for account, shares in scope.shares(crc32(hold.id.encode()) % scope.shards):
            counted = attempt(account, shares)
            if counted.admitted:
                return account, counted
            refused.append((account, shares, counted.counters))
        for place, (account, shares, found) in enumerate(refused):
            if _requests_reached(shares, found) or not found.reserved:
                continue
            expired = counters.reclaim(account, moment, deadline=deadline)
            if not expired:
                continue
            tokens = sum(hold.tokens for hold in expired)
            logger.warning("reservations reclaimed", reservations=len(expired), tokens=tokens)
            counted = attempt(account, shares)
            if counted.admitted:
                return account, counted
            refused[place] = (account, shares, counted.counters)
        _, shares, found = refused[-1]
        raise request_refused(scope.name, scope.limits, shares, found, moment)

    def take_calls(self, calls: int, deadline: Deadline) -> CallGrant:
        """Count an iteration's tool calls for the session, then the permitted ones for the caller."""
        moment, granted, fault = Moment(self._now()), calls, None
        due = counting_deadline(deadline)
        for scope in reversed(self._scopes):
            allowed = scope.limits.tool_calls_per_minute
            if allowed is None or not granted:
                continue
            try:
                room = self._take_calls(scope, moment, granted, due)
            except Exception as error:  # noqa: BLE001 - the counters must not fail a chat
                report_unenforced("tool_calls", error, self._stage)
                continue
            if room < granted:
                granted = room
                fault = tool_calls_refused(scope.name, allowed, moment)
        return CallGrant(granted, fault)

    def _take_calls(self, scope: Scope, moment: Moment, calls: int, deadline: Deadline) -> int:
        """Count tool calls in the shards of an account, that of its request first; return the permitted ones."""
        own = (each.account.shard for each in self._reserved if replace(each.account, shard=0) == scope.account)
        permitted = 0
        for account, shares in scope.shares(next(own, 0)):
            asked = calls - permitted
            counted = self._counters().take_calls(account, moment, calls=asked, deadline=deadline)
            permitted += min(asked, max(0, (shares.tool_calls_per_minute or 0) - (counted - asked)))
            if permitted == calls:
                break
        return permitted

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
