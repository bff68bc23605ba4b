"""Waterfall of a chat: its steps as bars on one time axis."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import ConsoleOptions, RenderResult

from cli.console import WIDEST, Console, Table, Text

WIDTH = 24
NARROW = 8
"""Most and fewest characters of the time axis."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One step; `start_ms` is since the start of the chat, `error` a failure, `details` its other facts."""

    start_ms: int
    duration_ms: int
    ok: bool
    name: str
    details: str = ""
    error: str = ""


class Waterfall:
    """Steps of a chat that took `total_ms`: start, duration, bar, result, name and details.

    A terminal without room for the details has them below the names, and shorter bars if it is very narrow; a pipe or
    file has one line for each step. Print it with `crop=False`.
    """

    def __init__(self, bars: Iterable[Bar], *, total_ms: int) -> None:
        self._bars = tuple(bars)
        self._whole_ms = max([total_ms, 1, *(bar.start_ms + bar.duration_ms for bar in self._bars)])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = self._table(WIDTH, below=False)
        natural = console.measure(table, options=options.update(width=WIDEST)).maximum
        if not console.is_terminal or natural <= options.max_width:
            yield from console.render(table, options.update(width=natural))
            return
        yield self._table(max(NARROW, min(WIDTH, options.max_width // 4)), below=True)

    def _table(self, width: int, *, below: bool) -> Table:
        """Return the table with bars of `width`, and the details `below` the names or beside them."""
        table = Table(box=None, pad_edge=False, show_header=False)
        for justify in ("right", "right", "left", "left"):
            table.add_column(justify=justify, no_wrap=True)
        table.add_column(overflow="fold", no_wrap=not below)
        for bar in self._bars:
            style = "green" if bar.ok else "red"
            details = Text.assemble(
                (bar.error, "red"), (", " if bar.error and bar.details else ""), (bar.details, "dim")
            )
            name = Text.assemble(bar.name, "\n" if details.plain else "", details) if below else Text(bar.name)
            table.add_row(
                f"{bar.start_ms} ms",
                f"{bar.duration_ms} ms",
                Text(self._drawn(bar, width), style=style),
                Text("✓" if bar.ok else "✗", style=style),
                name,
                *(() if below else (details,)),
            )
        return table

    def _drawn(self, bar: Bar, width: int) -> str:
        whole = self._whole_ms
        begin = min(width - 1, bar.start_ms * width // whole)
        end = min(width, max(begin + 1, -(-(bar.start_ms + bar.duration_ms) * width // whole)))
        return " " * begin + "━" * (end - begin) + " " * (width - end)
