"""Passages of the documentation as text."""

from collections.abc import Sequence

from rich.padding import Padding

from cli.console import Console, Text
from cli.docs_search import Found


def show_passages(console: Console, found: Sequence[Found], *, lines: int) -> None:
    """Print passages, each with its address and headings, and at most `lines` lines of its text."""
    for position, each in enumerate(found):
        if position:
            console.print()
        section = each.section
        console.print(Text(section.address, style="bold"), soft_wrap=True)
        console.print(Text(" > ".join(section.headings), style="dim"), soft_wrap=True)
        text = section.text.splitlines()
        more = [f"… {len(text) - lines} more lines"] if len(text) > lines else []
        console.print(Padding(Text("\n".join([*text[:lines], *more])), (0, 0, 0, 2), expand=False))
