"""Table of usage."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from cli.console import Console, Table, Text, print_whole
from cli.render.money import UNKNOWN, dollars
from flexchat.api import ApiModel
from flexchat.api.limits import LimitUseView
from flexchat.api.traces import UsageReport, UsageRow

COLUMNS = {
    "CHATS": "chats",
    "FAILED": "failed",
    "MODEL CALLS": "model_calls",
    "TOOL CALLS": "tool_calls",
    "INPUT": "input_tokens",
    "CACHED": "cached_tokens",
    "CACHE WRITE": "cache_write_tokens",
    "OUTPUT": "output_tokens",
    "REASONING": "reasoning_tokens",
}


@dataclass(slots=True)
class Sum:
    """Sum of rows of usage, with the names of `UsageRow`."""

    chats: int = 0
    failed: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: float = 0
    unpriced_tokens: int = 0

    def add(self, row: UsageRow) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(row, each.name))


def show_usage(report: UsageReport) -> None:
    """Print one row per day, or per name of another group, the sum of all, and the tokens without a price.

    A tool has no sum of chats: one chat may call several tools, or none.
    """
    sums = _sums(report.rows, by_day=report.group == "day")
    table = Table(box=None, pad_edge=False)
    table.add_column(report.group.upper(), min_width=max((len(name) for name in sums), default=0))
    for heading in (*COLUMNS, "COST"):
        table.add_column(heading, justify="right")
    for name, row in sums.items():
        table.add_row(Text(name), *_cells(row))
    if len(sums) > 1 and report.group in ("day", "caller", "rule"):
        table.add_row("total", *_cells(_total(report.rows)), style="bold")
    unpriced = sum(row.unpriced_tokens for row in sums.values())
    print_whole(table)
    if unpriced:
        note = f"{UNKNOWN} {unpriced:,} tokens have no price; set input_price and output_price of their models"
        Console().print(Text(note, style="yellow"), soft_wrap=True)


def _sums(rows: Sequence[UsageRow], *, by_day: bool) -> dict[str, Sum]:
    """Return the sums of rows by day, the newest first, or by name, the most tokens first."""
    sums: dict[str, Sum] = {}
    for row in rows:
        sums.setdefault(row.day if by_day else row.name or "(none)", Sum()).add(row)
    if by_day:
        return sums
    return dict(sorted(sums.items(), key=lambda entry: (-_weight(entry[1]), entry[0])))


def _weight(row: Sum) -> int:
    return row.input_tokens + row.output_tokens + row.tool_calls


def _total(rows: Sequence[UsageRow]) -> Sum:
    total = Sum()
    for row in rows:
        total.add(row)
    return total


def _cells(row: Sum) -> tuple[str, ...]:
    return (*(f"{getattr(row, name):,}" for name in COLUMNS.values()), _cost(row))


def _cost(row: Sum) -> str:
    """Return the cost; `?` for tokens without a price, beside the cost of the priced ones."""
    if row.unpriced_tokens:
        return f"{dollars(row.cost_usd)} + {UNKNOWN}" if row.cost_usd else UNKNOWN
    return dollars(row.cost_usd) if row.input_tokens + row.output_tokens else ""


class LimitsReport(ApiModel):
    """Use of the limits of a token."""

    limits: tuple[LimitUseView, ...]


def show_limits(report: LimitsReport) -> None:
    """Print one row per limit: its use, the part of it that running chats have reserved, and its reset in UTC."""
    table = Table(box=None, pad_edge=False)
    table.add_column("LIMIT")
    for heading in ("USED", "RESERVED", "OF"):
        table.add_column(heading, justify="right")
    table.add_column("RESETS AT")
    for limit in report.limits:
        is_money = limit.name.startswith("usd_")
        amounts = (limit.used, limit.reserved, limit.allowed)
        table.add_row(
            Text(limit.name if limit.role is None else f"{limit.name} (role {limit.role})"),
            *(dollars(amount) if is_money else f"{amount:,}" for amount in amounts),
            f"{limit.resets_at:%Y-%m-%d %H:%M}",
        )
    print_whole(table)
