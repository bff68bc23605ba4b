"""Limits and their windows: the minute, the day and the month of the clock, in UTC."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from msgspec import Struct

from flexchat.config.models.limits import Limits
from flexchat.errors import LimitName

type Quantity = Literal["requests", "tool_calls", "tokens", "usd"]
type Window = Literal["minute", "day", "month"]

MICROS: Final = 1_000_000
"""Money is counted in millionths of a US dollar."""

KINDS: Final[Mapping[LimitName, tuple[Quantity, Window]]] = {
    "requests_per_minute": ("requests", "minute"),
    "requests_per_day": ("requests", "day"),
    "requests_per_month": ("requests", "month"),
    "tool_calls_per_minute": ("tool_calls", "minute"),
    "tool_calls_per_day": ("tool_calls", "day"),
    "tool_calls_per_month": ("tool_calls", "month"),
    "tokens_per_minute": ("tokens", "minute"),
    "tokens_per_day": ("tokens", "day"),
    "tokens_per_month": ("tokens", "month"),
    "usd_per_minute": ("usd", "minute"),
    "usd_per_day": ("usd", "day"),
    "usd_per_month": ("usd", "month"),
}
"""Quantity and window of each limit."""


class Moment(Struct, frozen=True):
    """A point in time with its minute, day and month; `at` is in seconds since the epoch."""

    at: float

    @property
    def month(self) -> str:
        return f"{self._utc:%Y-%m}"

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
        return (self._midnight + timedelta(days=1)).timestamp()

    @property
    def end_of_month(self) -> float:
        in_next = self._midnight.replace(day=28) + timedelta(days=4)
        return in_next.replace(day=1).timestamp()

    def end_of(self, window: Window) -> float:
        """Return the time at which the window of this moment ends and the next begins."""
        return {"minute": self.end_of_minute, "day": self.end_of_day, "month": self.end_of_month}[window]

    @property
    def _utc(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)

    @property
    def _midnight(self) -> datetime:
        return self._utc.replace(hour=0, minute=0, second=0, microsecond=0)


class Limit(Struct, frozen=True):
    """One limit; `allowed` is a number, for `usd` of millionths of a US dollar."""

    name: LimitName
    allowed: int

    @property
    def quantity(self) -> Quantity:
        return KINDS[self.name][0]

    @property
    def window(self) -> Window:
        return KINDS[self.name][1]

    def shown(self, amount: int) -> float:
        """Return a counted amount of this limit as a number, or in US dollars."""
        return amount / MICROS if self.quantity == "usd" else amount


def limits_in(limits: Limits) -> tuple[Limit, ...]:
    """Return the limits that are set, in the order of their names in `KINDS`."""
    found: list[Limit] = []
    for name, (quantity, _) in KINDS.items():
        value: float | None = getattr(limits, name)
        if value is not None:
            found.append(Limit(name, round(value * MICROS) if quantity == "usd" else int(value)))
    return tuple(found)
