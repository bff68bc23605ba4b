"""Report of an import as text."""

from collections.abc import Iterator
from typing import Final

from cli.console import Console, Table, Text
from cli.tool_import.report import ImportReport
from flexchat.text import counted

MAX_ROWS: Final = 5
"""Rows with one text, above which they are grouped."""


def print_report(report: ImportReport, console: Console) -> None:
    """Print the imported tools with their losses, what was left out, suggestions, and the commands for secrets.

    A loss of many tools is one row.
    """
    notes = list(_grouped([(tool.name, note) for tool in report.tools for note in tool.notes]))
    suggested = [(tool.name, text) for tool in report.tools for text in tool.suggestions]
    left_out = [(each.operation, each.reason) for each in report.left_out]
    for title, rows in (("CHANGED", notes), ("SUGGESTED", suggested), ("LEFT OUT", left_out)):
        if rows:
            console.print(_table(title, rows))
            console.print()
    for line in _summary(report):
        console.print(Text(line), soft_wrap=True)


def _grouped(rows: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Return the rows, those with a text of more than `MAX_ROWS` as one."""
    names: dict[str, list[str]] = {}
    for name, text in rows:
        names.setdefault(text, []).append(name)
    for name, text in rows:
        same = names[text]
        if len(same) <= MAX_ROWS:
            yield name, text
        elif name == same[0]:
            yield f"{name} and {len(same) - 1} more", text


def _table(title: str, rows: list[tuple[str, str]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(title, overflow="fold")
    table.add_column("", overflow="fold")
    for name, text in rows:
        table.add_row(Text(name), Text(text))
    return table


def _summary(report: ImportReport) -> Iterator[str]:
    left_out = f", {counted(len(report.left_out), 'operation')} left out" if report.left_out else ""
    yield f"{counted(len(report.tools), 'tool')} imported{left_out}."
    if report.commands:
        yield "Store the secrets, each for the hosts that receive it:"
        yield from (f"  {command}" for command in report.commands)
