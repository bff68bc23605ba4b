"""Console of all commands: rich's, with the texts of other parties filtered in whatever it prints."""

from collections.abc import Iterable, Iterator
from typing import IO, Any, Final

import rich.console
import rich.table
import rich.text
from rich.cells import chop_cells
from rich.console import ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style

from cli.terminal import unguarded, visible_text

WIDEST: Final = 10_000
"""Width of a console that wraps no line."""

CONTINUED: Final = "↪"
"""First character of the rows of a line after its first one; no other row of a folded text begins with it."""


class Text(rich.text.Text):
    """Text whose characters are filtered before it is laid out."""

    def __init__(self, text: str = "", style: str | Style = "", **options: Any) -> None:
        super().__init__(visible_text(text), style, **options)

    @classmethod
    def assemble(cls, *parts: "str | rich.text.Text | tuple[str, str]", **options: Any) -> "Text":  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the text of parts, each a text or a text with its style."""
        text = cls(**options)
        for part in parts:
            text.append(*part) if isinstance(part, tuple) else text.append(part)
        return text

    def append(self, text: "rich.text.Text | str", style: str | Style | None = None) -> "Text":
        super().append(visible_text(text) if isinstance(text, str) else text, style)
        return self


class Table(rich.table.Table):
    """Table whose cells continue in their next row: rich cuts a word, such as an id, that is wider than its column."""

    def add_column(self, *args: Any, **options: Any) -> None:
        super().add_column(*args, **{"overflow": "fold", **options})


class Console(rich.console.Console):
    """Console that prints strings as they are, without markup, and no control character of any text.

    Only a terminal wraps them: a pipe or file gets each line whole, whatever COLUMNS is.
    """

    def __init__(
        self, *, stderr: bool = False, quiet: bool = False, file: IO[str] | None = None, width: int | None = None
    ) -> None:
        super().__init__(stderr=stderr, quiet=quiet, file=file, width=width, markup=False, emoji=False, highlight=False)
        if width is None and not self.is_terminal:
            self.width = WIDEST

    @property
    def file(self) -> IO[str]:
        return unguarded(super().file)

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render_str(self, text: str, **options: Any) -> rich.text.Text:  # pyright: ignore[reportIncompatibleMethodOverride]
        options |= {"markup": False, "emoji": False}
        return super().render_str(visible_text(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else _filtered(segment)


def natural_width(table: Table) -> int:
    """Return the width of a table that wraps no text."""
    console = Console(width=WIDEST)
    return console.measure(table).maximum


def print_whole(table: Table) -> None:
    """Print a table to standard output in its natural width, which a narrower terminal continues in its next rows."""
    Console(width=max(Console().width, natural_width(table))).print(table)


class Whole:
    """Renderable that a terminal wraps, and that a pipe or file receives in its natural width.

    Print it with `crop=False`: its lines may be longer than those of the console.
    """

    def __init__(self, renderable: RenderableType) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: rich.console.Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width if console.is_terminal else WIDEST
        yield from console.render(self._renderable, options.update(width=width))

    def __rich_measure__(self, console: rich.console.Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self._renderable)


def _filtered(segment: Segment) -> Segment:
    """Return a segment without control characters and links."""
    style = segment.style
    return Segment(visible_text(segment.text), style.update_link(None) if style is not None and style.link else style)


class Folded:
    """Lines that are shown whole: in several rows of a terminal, and in one row of a pipe or file.

    Rows are indented by `indent`. Those after the first row of a line begin with `CONTINUED`, so that no text can
    imitate a line by spaces; the first character of each line should therefore be a sign of our own.
    """

    def __init__(self, text: "rich.text.Text | str", *, style: str = "", indent: int = 4) -> None:
        self._text = Text(text, style=style) if isinstance(text, str) else text
        self._indent = indent

    def __rich_console__(self, console: rich.console.Console, options: ConsoleOptions) -> RenderResult:
        margin = " " * self._indent
        for line in self._text.split("\n", allow_blank=True):
            line.expand_tabs()
            width = max(8, options.max_width - self._indent - len(CONTINUED))
            rows = _rows(line, width) if console.is_terminal else (line,)
            for position, row in enumerate(rows):
                begin = f"{margin}{CONTINUED}" if position else margin
                whole = Text.assemble((begin, "dim"), row, end="\n", no_wrap=True, overflow="ignore")
                yield from console.render(whole, options.update(no_wrap=True, overflow="ignore", justify="left"))

    def __rich_measure__(self, console: rich.console.Console, options: ConsoleOptions) -> Measurement:
        return Measurement(1, options.max_width)


def _rows(line: rich.text.Text, width: int) -> Iterator[rich.text.Text]:
    """Yield all characters of a line in rows of at most `width` cells."""
    rows = chop_cells(line.plain, width)
    cuts: list[int] = []
    for row in rows[:-1]:
        cuts.append((cuts[-1] if cuts else 0) + len(row))
    yield from line.divide(cuts)
