"""Tables of tools: those of a service, and the definitions that providers receive."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from cli.console import Console, Table, Text
from cli.terminal import echo, json_text
from cli.transport import parse_answer
from flexchat.api.listings import ToolList
from flexchat.messages import Json

if TYPE_CHECKING:
    from cli.tool_preview import SentTool


def tools_table(body: Mapping[str, Json]) -> Table:
    """Print the tools and the disabled entries in `body`, the service's response."""
    listed = parse_answer(ToolList, body)
    table = Table(box=None, pad_edge=False)
    for heading in ("TOOL", "TYPE", "DESCRIPTION"):
        table.add_column(heading)
    for tool in listed.tools:
        table.add_row(Text(tool.name), Text(str(tool.implementation.get("type", ""))), Text(tool.description))
    for entry in listed.disabled:
        table.add_row(
            Text(entry.name), Text(f"{entry.kind}, disabled", style="yellow"), Text("; ".join(entry.problems))
        )
    return table


def print_sent(tool: "SentTool") -> None:
    """Print a definition in its sent form, and its losses."""
    echo(json_text([dict(entry) for entry in tool.sent]))
    if not tool.losses:
        echo("\nNothing is lost.")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("", "WHERE", "WHAT", "WHY"):
        table.add_column(heading, overflow="fold")
    for loss in tool.losses:
        table.add_row(*map(Text, (loss.action, loss.path, loss.keyword, loss.why)))
    echo()
    Console().print(table)


def print_summary(shown: Iterable["SentTool"]) -> None:
    """Print the number of keywords that each provider loses, by tool."""
    cells: dict[str, dict[str, str]] = {}
    for tool in shown:
        count = f"{tool.count('dropped')}/{tool.count('rewritten')}" if tool.losses else "-"
        cells.setdefault(tool.tool, {})[tool.provider] = count
    providers = list(dict.fromkeys(provider for counts in cells.values() for provider in counts))
    table = Table(
        box=None, pad_edge=False, caption="dropped/rewritten; --provider with a name shows what", caption_justify="left"
    )
    table.add_column("TOOL", overflow="fold")
    for provider in providers:
        table.add_column(provider.upper(), justify="right")
    for tool_name, counts in cells.items():
        table.add_row(Text(tool_name), *(counts[provider] for provider in providers))
    Console().print(table)
