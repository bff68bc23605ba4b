"""MCP servers and their tools as text. Control characters of servers' texts are escaped."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.invocation import flexchat
from cli.render.tool_call import visible
from functions.tools.mcp.views import McpServerView, McpToolState, McpToolView, McpTrialView, ServerState

MAX_DESCRIPTION: Final = 100
"""Maximum length of a description in a table."""

_SERVER_STYLES: Final[dict[ServerState, str]] = {
    "ready": "green",
    "failed": "red",
    "not_checked": "yellow",
    "disabled": "dim",
}
_TOOL_STYLES: Final[dict[McpToolState, str]] = {
    "offered": "green",
    "changed": "yellow",
    "new": "yellow",
    "removed": "dim",
    "invalid": "red",
    "shadowed": "dim",
    "not_taken": "dim",
}
_WAITING: Final = ("new", "changed")


def print_servers(console: Console, servers: Sequence[McpServerView]) -> None:
    """Print servers as a table, with the errors and hints below."""
    if not servers:
        command = flexchat("mcp", "add", "NAME", "--address", "URL")
        console.print(Text(f"no MCP servers; add one: {command}"), soft_wrap=True)
        return
    table = _table("SERVER", "TRANSPORT", "STATE", "TOOLS", "PROTOCOL", "CHECKED")
    for server in servers:
        table.add_row(
            Text(server.name),
            Text(f"{server.transport}: {visible(server.target)}"),
            Text(server.state.replace("_", " "), style=_SERVER_STYLES[server.state]),
            _counts(server),
            Text(server.protocol_version or ""),
            Text(_moment(server.checked_at)),
        )
    console.print(table, highlight=False)
    console.print(Group(*_details(servers)), highlight=False, soft_wrap=True)


def print_tools(console: Console, servers: Sequence[McpServerView]) -> None:
    """Print the tools of servers as a table, with problems and differences below."""
    tools = [tool for server in servers for tool in server.tools]
    if tools:
        table = _table("TOOL", "STATE", "DESCRIPTION")
        for tool in tools:
            state = Text(tool.state.replace("_", " "), style=_TOOL_STYLES[tool.state])
            table.add_row(Text(tool.name), state, Text(_first_line(tool.description)))
        console.print(table, highlight=False)
    console.print(Group(*_problems(tools), *_details(servers)), highlight=False, soft_wrap=True)
    if not tools and all(server.state != "failed" for server in servers):
        console.print("no tools")


def print_waiting(console: Console, tools: Sequence[McpToolView]) -> None:
    """Print the definitions that wait for an approval."""
    for tool in tools:
        console.print(Group(*_definition(tool)), highlight=False, soft_wrap=True)


def print_trial(console: Console, trial: McpTrialView) -> None:
    """Print the tools of a server that is not configured yet."""
    named = "" if trial.server is None else f": {visible(trial.server.name)} {visible(trial.server.version)}"
    console.print(Text.assemble(("✓", "green"), f" connected{named}, protocol {trial.protocol_version}"))
    table = _table("TOOL", "DESCRIPTION")
    for tool in trial.tools:
        table.add_row(Text(tool.name), Text(_first_line(tool.description)))
    console.print(table, highlight=False)
    for tool in trial.tools:
        for problem in tool.problems:
            console.print(Text.assemble(("!", "yellow"), f" {tool.name}: {visible(problem)}"), soft_wrap=True)


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _counts(server: McpServerView) -> Text:
    offered = sum(tool.state == "offered" for tool in server.tools)
    waiting = sum(tool.state in _WAITING for tool in server.tools)
    text = Text(str(offered))
    return text.append(f", {waiting} wait for approval", style="yellow") if waiting else text


def _details(servers: Sequence[McpServerView]) -> Iterator[RenderableType]:
    """Yield the error of each server with the hints, and the command that approves its definitions."""
    for server in servers:
        if server.error is not None:
            yield Text.assemble(("✗", "red"), f" {server.name}: {visible(server.error)}")
            yield from (Padding(Text(f"check: {visible(hint)}"), (0, 0, 0, 2)) for hint in server.hints)
        if server.pending_hash is not None:
            command = flexchat("mcp", "approve", server.name)
            yield Text.assemble(("!", "yellow"), f" {server.name}: definitions wait for an approval: {command}")


def _problems(tools: Sequence[McpToolView]) -> Iterator[RenderableType]:
    for tool in tools:
        yield from (Text.assemble(("!", "yellow"), f" {tool.name}: {visible(problem)}") for problem in tool.problems)
        if tool.diff:
            yield from _definition(tool)


def _definition(tool: McpToolView) -> Iterator[RenderableType]:
    yield Text(f"\n{tool.name} ({tool.state})", style="bold")
    if not tool.diff:
        yield Padding(Text(visible(tool.description)), (0, 0, 0, 4))
    for line in tool.diff:
        style = {"+": "green", "-": "red"}.get(line[:1], "")
        yield Padding(Text(visible(line), style=style), (0, 0, 0, 4))


def _first_line(text: str) -> str:
    line = visible(text.strip().partition("\n")[0])
    return line if len(line) <= MAX_DESCRIPTION else line[: MAX_DESCRIPTION - 1] + "…"


def _moment(at: datetime | None) -> str:
    return "never" if at is None else f"{at:%Y-%m-%d %H:%M:%S}"
