"""Tables of workbooks and CSV files as text: a line for each row, cited by ranges of rows."""

import csv
import datetime
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

from msgspec import Struct
from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from functions.retrieval.ingest.archive import Archive
from functions.retrieval.ingest.documents import (
    MAX_DOCUMENT_CHARACTERS,
    Document,
    LoadError,
    Section,
    SourceFile,
    checked,
    cleaned,
    decoded,
    stem,
)

MAX_ROWS = 200_000
GROUP_CHARACTERS = 1_000
"""Rows are cited together up to this length, which fits into a passage."""

HEADER_SEARCH = 10
"""Rows in which the names of the columns are searched."""

_DELIMITERS = ",;\t|"
_SAMPLE = 64 * 1024


class Row(Struct, frozen=True):
    """Row of a table: its number in the file, from 1, and its cells as text."""

    number: int
    cells: tuple[str, ...]


class TableText:
    """Text of the tables of one file, with a section for each range of rows."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.sections: list[Section] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def add(self, title: str, rows: Iterable[Row], cite: Callable[[int, int], str]) -> None:
        """Append a table; `cite` returns the source of the rows from one number to another.

        A row names its columns if the table begins with their names. Raises LoadError for a text that is too long.
        """
        group: list[tuple[int, str]] = []
        length = 0
        for number, line in _lines(rows):
            if group and length + len(line) > GROUP_CHARACTERS:
                self._append(title, group, cite)
                group, length = [], 0
            group.append((number, line))
            length += len(line) + 1
        if group:
            self._append(title, group, cite)

    def _append(self, title: str, group: Sequence[tuple[int, str]], cite: Callable[[int, int], str]) -> None:
        text = "\n".join(line for _, line in group) + "\n\n"
        self.sections.append(Section(self._length, title, cite(group[0][0], group[-1][0])))
        self._parts.append(text)
        self._length += len(text)
        if self._length > MAX_DOCUMENT_CHARACTERS:
            raise LoadError(f"its text has more than {MAX_DOCUMENT_CHARACTERS} characters; split the file")


def _lines(rows: Iterable[Row]) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of every row that has any."""
    filled = (row for row in rows if any(row.cells))
    first = list(islice(filled, HEADER_SEARCH))
    header = next((at for at, row in enumerate(first) if _is_header(row)), None)
    names = () if header is None else first[header].cells
    for at, row in enumerate(chain(first, filled)):
        named = header is not None and at > header
        yield row.number, " | ".join(_cells(row.cells, names if named else ()))


def _is_header(row: Row) -> bool:
    names = [cell for cell in row.cells if cell]
    return len(names) > 1 and len(names) == len(set(names)) and not any(map(_is_value, names))


def _is_value(cell: str) -> bool:
    return cell[0].isdigit() or (cell[-1].isdigit() and not cell[0].isalpha())


def _cells(cells: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    for at, cell in enumerate(cells):
        if cell:
            name = names[at] if at < len(names) else ""
            yield f"{name}: {cell}" if name else cell


def load_csv(file: SourceFile) -> Document:
    """Return a table of text, separated by commas, semicolons, tabs or bars. Raises LoadError.

    Passages are cited by their lines (RFC 7111): `file.csv#row=2-9`.
    """
    text = decoded(file.content)
    title = stem(file.name)
    table = TableText()
    table.add(title, _csv_rows(text), lambda first, last: f"{file.name}#row={_range(first, last)}")
    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=checked(table.text),
        sections=tuple(table.sections),
    )


def _csv_rows(text: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        for number, cells in enumerate(reader, start=1):
            if number > MAX_ROWS:
                raise LoadError(f"the file has more than {MAX_ROWS} rows; split it")
            yield Row(number, tuple(map(_one_line, cells)))
    except csv.Error as exc:
        raise LoadError(f"row {reader.line_num} is not CSV: {exc}") from exc


def _delimiter(text: str) -> str:
    """Return the delimiter that the first rows have most often outside quotes."""
    unquoted = "".join(text[:_SAMPLE].split('"')[::2])
    return max(_DELIMITERS, key=unquoted.count)


def load_xlsx(file: SourceFile) -> Document:
    """Return the visible sheets of a workbook, titled by its file. Raises LoadError.

    Passages are cited by their sheet and cells: `file.xlsx#Prices!B4:D9`.
    """
    Archive(file.content)
    title = stem(file.name)
    table = TableText()
    hidden: list[str] = []
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(file.content)) as book:
            for sheet in book.sheets_metadata:
                if sheet.typ != SheetTypeEnum.WorkSheet:
                    continue
                if sheet.visible != SheetVisibleEnum.Visible:
                    hidden.append(sheet.name)
                    continue
                _add_sheet(table, f"{title} > {sheet.name}", file.name, book.get_sheet_by_name(sheet.name))
    except PasswordError as exc:
        raise LoadError("the workbook is encrypted; save it without a password") from exc
    except CalamineError as exc:
        raise LoadError(f"the workbook is broken ({exc}); open it and save it again") from exc
    named = ", ".join(map(repr, hidden))
    return Document(
        id=file.name,
        title=title,
        source=file.name,
        text=checked(table.text),
        sections=tuple(table.sections),
        warnings=(f"hidden sheets were left out: {named}",) if hidden else (),
    )


def _add_sheet(table: TableText, title: str, source: str, sheet: CalamineSheet) -> None:
    if sheet.start is None or sheet.end is None:
        return
    (_, first_column), (last_row, last_column) = sheet.start, sheet.end
    if last_row - sheet.start[0] >= MAX_ROWS:
        raise LoadError(f"the sheet {sheet.name!r} has more than {MAX_ROWS} rows; split it")
    left, right = _column(first_column), _column(last_column)

    def cite(first: int, last: int) -> str:
        return f"{source}#{sheet.name}!{left}{first}:{right}{last}"

    rows = (Row(number, tuple(map(_text, cells))) for number, cells in enumerate(sheet.iter_rows(), start=1))
    table.add(title, rows, cite)


def _column(index: int) -> str:
    """Return the letters of a column, from 0: A to Z, AA and so on."""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


type _Cell = str | float | bool | datetime.date | datetime.time | datetime.timedelta


def _text(value: _Cell) -> str:
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case datetime.datetime():
            return value.isoformat(" ", "seconds").removesuffix(" 00:00:00")
        case _:
            return _one_line(str(value))


def _one_line(text: str) -> str:
    return " ".join(cleaned(text).split())


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
