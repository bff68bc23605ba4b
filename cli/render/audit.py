"""Table of audit records."""

from collections.abc import Sequence

from cli.console import Table, Text, print_whole
from cli.times import exact
from flexchat.api.audit import AuditEntry

HEADINGS = ("TIME (UTC)", "KIND", "ACTION", "PRINCIPAL", "SUBJECT", "OUTCOME", "REQUEST ID")

MARKS = {"succeeded": ("✓ ", "green"), "failed": ("✗ ", "red"), "refused": ("✗ ", "yellow"), "intended": ("· ", "dim")}


def show_records(records: Sequence[AuditEntry]) -> None:
    """Print one row for each record; the subject is a tool, or what was changed, approved or exported."""
    table = Table(box=None, pad_edge=False)
    for heading in HEADINGS:
        table.add_column(heading)
    for record in records:
        outcome = record.outcome if record.reason is None else f"{record.outcome}, {record.reason}"
        table.add_row(
            exact(record.at),
            record.kind,
            Text(record.action),
            Text(record.principal),
            Text(record.tool or record.target or ""),
            Text.assemble(MARKS[record.outcome], outcome),
            Text(record.request_id),
        )
    print_whole(table)
