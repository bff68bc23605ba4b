"""Counted use of callers and sessions, and the protocol of its storage."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Protocol

from msgspec import Struct

from flexchat.deadline import Deadline


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
