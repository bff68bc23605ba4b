"""Waterfall of a chat: its steps as bars on one time axis."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.table import Table

from cli.console import Text

WIDTH = 24
"""Characters of the time axis."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One step; `start_ms` is since the start of the chat, `error` a failure, `details` its other facts."""

    start_ms: int
    duration_ms: int
    ok: bool
    name: str
    details: str = ""
    error: str = ""


def waterfall(bars: Iterable[Bar], *, total_ms: int) -> Table:
    """Return the table of the steps of a chat that took `total_ms`: start, duration, bar, result, name and details."""
    shown = list(bars)
    whole = max([total_ms, 1, *(bar.start_ms + bar.duration_ms for bar in shown)])
    table = Table(box=None, pad_edge=False, show_header=False)
    for justify in ("right", "right", "left", "left", "left", "left"):
        table.add_column(justify=justify)
    for bar in shown:
        style = "green" if bar.ok else "red"
        details = Text.assemble((bar.error, "red"), (", " if bar.error and bar.details else ""), (bar.details, "dim"))
        table.add_row(
            f"{bar.start_ms} ms",
            f"{bar.duration_ms} ms",
            Text(_drawn(bar, whole), style=style),
            Text("✓" if bar.ok else "✗", style=style),
            Text(bar.name),
            details,
        )
    return table


def _drawn(bar: Bar, whole: int) -> str:
    begin = min(WIDTH - 1, bar.start_ms * WIDTH // whole)
    end = min(WIDTH, max(begin + 1, -(-(bar.start_ms + bar.duration_ms) * WIDTH // whole)))
    return " " * begin + "━" * (end - begin) + " " * (WIDTH - end)
