"""MCP servers and their tools as text; characters of servers that hide or imitate others have their number."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from rich.console import Group, RenderableType

from cli.console import Console, Folded, Table, Text
from cli.invocation import flexchat
from cli.reviewed_text import reviewed_text
from functions.tools.mcp.views import McpServerView, McpToolState, McpToolView, McpTrialTool, McpTrialView, ServerState

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
_LINE_STYLES: Final = {"+": "green", "-": "red", "?": "yellow", "@": "dim"}


def print_servers(console: Console, servers: Sequence[McpServerView]) -> None:
    """Print servers as a table, with the errors and hints below."""
    if not servers:
        command = flexchat("mcp", "add", "NAME", "--address", "URL")
        console.print(Text(f"no MCP servers; add one: {command}"), soft_wrap=True)
        return
    table = _table("SERVER", "TRANSPORT", "STATE", "TOOLS", "PROTOCOL", "CHECKED")
    for server in servers:
        table.add_row(
            Text(reviewed_text(server.name)),
            Text(f"{server.transport}: {reviewed_text(server.target)}"),
            Text(server.state.replace("_", " "), style=_SERVER_STYLES[server.state]),
            _counts(server),
            Text(reviewed_text(server.protocol_version or "")),
            Text(_moment(server.checked_at)),
        )
    console.print(table)
    console.print(Group(*_details(servers)), soft_wrap=True)


def print_tools(console: Console, servers: Sequence[McpServerView]) -> None:
    """Print the tools of servers as a table, with problems and differences below."""
    tools = [tool for server in servers for tool in server.tools]
    if tools:
        table = _table("TOOL", "STATE", "DESCRIPTION")
        for tool in tools:
            state = Text(tool.state.replace("_", " "), style=_TOOL_STYLES[tool.state])
            table.add_row(Text(reviewed_text(tool.name)), state, Text(_first_line(tool.description)))
        console.print(table)
    console.print(Group(*_problems(tools), *_details(servers)), soft_wrap=True)
    if not tools and all(server.state != "failed" for server in servers):
        console.print("no tools")


def print_waiting(console: Console, tools: Sequence[McpToolView]) -> None:
    """Print the definitions that wait for an approval, whole or with all of their changes."""
    for tool in tools:
        console.print(Group(*_definition(tool.name, tool.state, tool.diff)), soft_wrap=True)


def print_trial(console: Console, trial: McpTrialView) -> None:
    """Print the tools of a server that is not configured yet, with their whole definitions."""
    named = (
        "" if trial.server is None else f": {reviewed_text(trial.server.name)} {reviewed_text(trial.server.version)}"
    )
    console.print(Text.assemble(("✓", "green"), f" connected{named}, protocol {reviewed_text(trial.protocol_version)}"))
    table = _table("TOOL", "DESCRIPTION")
    for tool in trial.tools:
        table.add_row(Text(reviewed_text(tool.name)), Text(_first_line(tool.description)))
    console.print(table)
    for tool in trial.tools:
        console.print(Group(*_notes(tool)), soft_wrap=True)
    for tool in trial.tools:
        console.print(Group(*_definition(tool.name, "new", tool.diff)), soft_wrap=True)
    console.print(Group(*_left_out(trial.left_out, trial.name)), soft_wrap=True)


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
    """Yield the error of each server with the hints, its unusable entries, and the command of an approval."""
    for server in servers:
        if server.error is not None:
            yield Text.assemble(("✗", "red"), f" {reviewed_text(server.name)}: {reviewed_text(server.error)}")
            yield from (Folded(f"check: {reviewed_text(hint)}", indent=2) for hint in server.hints)
        yield from _left_out(server.left_out, server.name)
        if server.pending_hash is not None:
            command = flexchat("mcp", "approve", server.name)
            yield Text.assemble(
                ("!", "yellow"), f" {reviewed_text(server.name)}: definitions wait for an approval: {command}"
            )


def _left_out(entries: Mapping[str, str], server: str) -> Iterator[RenderableType]:
    for name, reason in entries.items():
        yield Text.assemble(
            ("!", "yellow"), f" {reviewed_text(server)}: {reviewed_text(name)} is left out: {reviewed_text(reason)}"
        )


def _problems(tools: Sequence[McpToolView]) -> Iterator[RenderableType]:
    for tool in tools:
        yield from _notes(tool)
        if tool.diff:
            yield from _definition(tool.name, tool.state, tool.diff)


def _notes(tool: McpToolView | McpTrialTool) -> Iterator[RenderableType]:
    """Yield why a tool is not offered, and what its definition loses."""
    for problem in tool.problems:
        yield Text.assemble(("!", "yellow"), f" {reviewed_text(tool.name)}: {reviewed_text(problem)}")
    for loss in tool.losses:
        yield Text.assemble(("!", "yellow"), f" {reviewed_text(tool.name)}: models do not get {reviewed_text(loss)}")


def _definition(name: str, state: str, lines: Sequence[str]) -> Iterator[RenderableType]:
    """Yield the lines of a definition, or of the difference of two, whole."""
    yield Text(f"\n{reviewed_text(name)} ({state})", style="bold")
    yield from (Folded(reviewed_text(line), style=_LINE_STYLES.get(line[:1], "")) for line in lines)


def _first_line(text: str) -> str:
    line = reviewed_text(text.strip().partition("\n")[0])
    return line if len(line) <= MAX_DESCRIPTION else line[: MAX_DESCRIPTION - 1] + "…"


def _moment(at: datetime | None) -> str:
    return "never" if at is None else f"{at:%Y-%m-%d %H:%M:%S}"
