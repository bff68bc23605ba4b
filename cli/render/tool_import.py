"""Report of an import as text."""

from collections.abc import Iterator

from rich.table import Table

from cli.console import Console, Text
from cli.tool_import.report import ImportReport
from flexchat.text import counted


def print_report(report: ImportReport, console: Console) -> None:
    """Print the imported tools with their losses, what was left out, suggestions, and the commands for secrets."""
    notes = [(tool.name, note) for tool in report.tools for note in tool.notes]
    suggested = [(tool.name, text) for tool in report.tools for text in tool.suggestions]
    left_out = [(each.operation, each.reason) for each in report.left_out]
    for title, rows in (("CHANGED", notes), ("SUGGESTED", suggested), ("LEFT OUT", left_out)):
        if rows:
            console.print(_table(title, rows))
            console.print()
    for line in _summary(report):
        console.print(Text(line), soft_wrap=True)


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
