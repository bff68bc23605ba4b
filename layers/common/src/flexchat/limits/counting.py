"""Counters of limits: their accounts, shards and reservations, and the protocol of their storage."""

from collections.abc import Iterator, Mapping, Sequence
from copy import replace
from math import ceil
from typing import Annotated, Final, Protocol, Self

from msgspec import Struct, field
from pydantic import Field

from flexchat.api import ApiModel
from flexchat.config.models.limits import Limits
from flexchat.deadline import Deadline
from flexchat.errors import LimitName, LimitScope
from flexchat.limits.windows import Limit, Moment, Quantity, limits_in

SHARD_REQUESTS: Final = 6_000
"""Requests a minute of one shard of an account's counters.

100 chats a second are some 500 updates of an item below 1 KB, of 1,000 that a partition of DynamoDB takes
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html).
"""

ROLE_SHARDS: Final = 4
"""Fewest shards of an account that all callers with a role share."""

MAX_SHARDS: Final = 16
"""Most shards: a request beyond a limit is refused by each of them."""


class Amount(Struct, frozen=True):
    """Tokens and money, in millionths of a US dollar."""

    tokens: int = 0
    micros: int = 0

    def of(self, quantity: Quantity) -> int:
        return {"tokens": self.tokens, "usd": self.micros}.get(quantity, 0)

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens + other.tokens, self.micros + other.micros)


class Use(Struct, frozen=True):
    """Used tokens and money; `micros` is None where the cost of a model call is not known."""

    tokens: int = 0
    micros: int | None = 0


NO_USE: Final = Use()


class Account(Struct, frozen=True):
    """Subject of the counters: a caller, one of its sessions, or all callers with a role; one of its shards above a
    rate.

    The counters of a `monthly` account are those of a month, with those of its days and minutes; other counters are
    those of a day.
    """

    principal: str
    session_id: str | None = None
    shard: int = 0
    monthly: bool = False
    role: str | None = None

    @property
    def pk(self) -> str:
        """Partition key; no session id has a number sign, and no principal has capital letters alone."""
        if self.role is not None:
            pk = f"L#ROLE#{self.role}"
        else:
            pk = f"L#{self.principal}" if self.session_id is None else f"L#{self.principal}#{self.session_id}"
        return f"{pk}#SHARD#{self.shard}" if self.shard else pk

    @property
    def owner(self) -> "Account":
        """Return the account with all its shards."""
        return replace(self, shard=0)


class Hold(Struct, frozen=True):
    """Tokens and money reserved for one chat. `id` is that of `hold_id`, so that holds sort by their expiry."""

    id: str
    tokens: int
    micros: int = 0

    @property
    def amount(self) -> Amount:
        return Amount(self.tokens, self.micros)


def hold_id(until: float, unique: str) -> str:
    """Return the id of a hold whose chat counts as dead after `until`, in seconds since the epoch."""
    return f"{int(until * 1000):013}-{unique}"


class Counters(Struct, frozen=True):
    """The counters of an account by the names of their limits; those of tokens and money include the `reserved` ones.

    `past` are the attributes of ended minutes and days, which are no longer read.
    """

    used: Mapping[LimitName, int] = field(default_factory=dict[LimitName, int])
    reserved: Mapping[LimitName, int] = field(default_factory=dict[LimitName, int])
    past: tuple[str, ...] = ()

    def of(self, name: LimitName) -> int:
        return self.used.get(name, 0)

    def spent(self, name: LimitName) -> int:
        """Return a counter without the reservations of running chats."""
        return self.of(name) - self.reserved.get(name, 0)


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
        limits: Sequence[Limit],
        hold: Hold,
        over: Amount | None,
        deadline: Deadline,
    ) -> Counted: ...

    def settle(
        self,
        account: Account,
        reserved: Moment,
        *,
        id: str | None,
        use: Use,
        requests: Sequence[LimitName],
        past: tuple[str, ...],
        now: Moment,
        deadline: Deadline,
    ) -> Counters | None: ...

    def reclaim(self, account: Account, moment: Moment, *, deadline: Deadline) -> Sequence[Hold]: ...

    def take_calls(
        self, account: Account, moment: Moment, *, limits: Sequence[LimitName], calls: int, deadline: Deadline
    ) -> Mapping[LimitName, int]: ...

    def read(self, account: Account, moment: Moment, *, deadline: Deadline) -> Counters: ...


class Reservation(ApiModel):
    """Counted request of a caller, of its session, or of a role: at a time, with `tokens` and `micros` on hold unless
    they are 0.

    `owner` is the service of the caller, where it is counted for the service.
    """

    id: str
    owner: Annotated[str | None, Field(exclude_if=lambda owner: owner is None)] = None
    session_id: str | None = None
    at: float
    tokens: int = 0
    shard: Annotated[int, Field(exclude_if=lambda shard: shard == 0)] = 0
    micros: Annotated[int, Field(exclude_if=lambda micros: micros == 0)] = 0
    monthly: Annotated[bool, Field(exclude_if=lambda monthly: not monthly)] = False
    role: Annotated[str | None, Field(exclude_if=lambda role: role is None)] = None

    @property
    def amount(self) -> Amount:
        return Amount(self.tokens, self.micros)

    @property
    def is_held(self) -> bool:
        return self.amount != Amount()

    def account(self, principal: str) -> Account:
        """Return the account of the reservation of a caller with `principal`."""
        return Account(self.owner or principal, self.session_id, self.shard, self.monthly, self.role)


class Scope(Struct, frozen=True):
    """An account with its limits."""

    account: Account
    limits: tuple[Limit, ...]
    name: LimitScope = "caller"

    @classmethod
    def of(cls, account: Account, limits: Limits, name: LimitScope = "caller") -> Self:
        found = limits_in(limits)
        monthly = any(limit.window == "month" for limit in found)
        return cls(replace(account, monthly=monthly), found, name)

    @property
    def is_counting(self) -> bool:
        """True where the limits count requests, tokens or money: tool calls are counted on their own."""
        return any(limit.quantity != "tool_calls" for limit in self.limits)

    @property
    def is_holding(self) -> bool:
        """True where the limits reserve tokens or money."""
        return self.has("tokens") or self.has("usd")

    @property
    def call_limits(self) -> tuple[Limit, ...]:
        return tuple(limit for limit in self.limits if limit.quantity == "tool_calls")

    def has(self, quantity: Quantity) -> bool:
        return any(limit.quantity == quantity for limit in self.limits)

    @property
    def shards(self) -> int:
        """Number of shards of the counters; each has its share of every limit, of at least 1."""
        rate = next((limit.allowed for limit in self.limits if limit.name == "requests_per_minute"), 0)
        needed = max(ROLE_SHARDS if self.name == "role" else 1, ceil(rate / SHARD_REQUESTS))
        return max(1, min(MAX_SHARDS, needed, *(limit.allowed for limit in self.limits)))

    def shares(self, first: int) -> Iterator[tuple[Account, tuple[Limit, ...]]]:
        """Yield the account of each shard with its share of the limits, beginning with the shard `first`."""
        shards = self.shards
        for step in range(shards):
            shard = (first + step) % shards
            yield replace(self.account, shard=shard), self.share(shard)

    def share(self, shard: int) -> tuple[Limit, ...]:
        """Return the share of the limits of one shard."""
        shards = self.shards
        if shards == 1:
            return self.limits
        return tuple(
            replace(limit, allowed=limit.allowed // shards + (shard < limit.allowed % shards)) for limit in self.limits
        )
