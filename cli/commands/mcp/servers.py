"""Commands for the configured MCP servers; each needs an operator's token."""

from typing import TYPE_CHECKING, Annotated

import typer

from cli.client import Client
from cli.invocation import flexchat
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json
from cli.terminal import echo, require_confirmation
from flexchat.messages import Json

if TYPE_CHECKING:
    from functions.tools.mcp.views import McpServerView

ServerName = Annotated[str, typer.Argument(metavar="SERVER", help="The server's name, from `list`.")]
OneServer = Annotated[str | None, typer.Argument(metavar="[SERVER]", help="One server. [default: all servers]")]


def list_servers(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List the MCP servers of a service with the result of their last connection."""
    client = connect(url=url, token=token)
    if as_json:
        print_json(client.mcp_servers(), ascii_only=True)
        return
    from cli.console import Console
    from cli.render.mcp import print_servers

    print_servers(Console(), _servers(client))


def list_tools(
    server: OneServer = None,
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """List the tools of MCP servers with their states, and the differences of changed definitions.

    A model is offered the tools in the state `offered`, as far as its rule allows them.
    """
    found = _servers(connect(url=url, token=token), server)
    if as_json:
        print_json([each.model_dump(mode="json") for each in found], ascii_only=True)
        return
    from cli.console import Console
    from cli.render.mcp import print_tools

    print_tools(Console(), found)


def refresh(
    server: OneServer = None,
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Connect to MCP servers now and list their tools again. Exit code 1 when one cannot be reached."""
    from cli.transport import parse_answer
    from functions.tools.mcp.views import McpServerView

    client = connect(url=url, token=token)
    wanted = [each.name for each in _servers(client, server) if each.state != "disabled" or server is not None]
    bodies = [client.refresh_mcp_server(name) for name in wanted]
    found = [parse_answer(McpServerView, body) for body in bodies]
    if as_json:
        print_json(bodies, ascii_only=True)
    else:
        from cli.console import Console
        from cli.render.mcp import print_servers

        print_servers(Console(), found)
    if any(each.state == "failed" for each in found):
        raise typer.Exit(1)


def approve(
    server: ServerName,
    *,
    tools: Annotated[
        list[str] | None, typer.Option("--tool", help="Approve this tool only, by the server's own name; repeatable.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve without confirmation.")] = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Show the new and changed tool definitions of an MCP server, and approve them.

    A definition is text that models read: a changed one can make them call other tools or disclose data. What the
    server changes after this command has shown its definitions is not approved.
    """
    from cli.errors import unknown
    from cli.transport import parse_answer
    from functions.tools.mcp.views import McpServerView

    client = connect(url=url, token=token)
    (found,) = _servers(client, server)
    waiting = [tool for tool in found.tools if tool.state in ("new", "changed")]
    for name in tools or ():
        if name not in (tool.tool for tool in waiting):
            raise unknown("tool that waits for an approval", name, [tool.tool for tool in waiting], where=server)
    if found.pending_hash is None or not waiting:
        echo(f"No tool of {server!r} waits for an approval.")
        return
    from cli.console import Console
    from cli.render.mcp import print_tools, print_waiting

    chosen = [tool for tool in waiting if tools is None or tool.tool in tools]
    removed = [tool for tool in found.tools if tool.state == "removed" and tools is None]
    print_waiting(Console(), chosen)
    for tool in removed:
        echo(f"\n{tool.name} (removed): the server does not list it any more")
    if not yes:
        require_confirmation(f"Approve {len(chosen)} of the definitions of {server!r}?")
    names: list[Json] = [tool.tool for tool in (*chosen, *removed)]
    body = client.approve_mcp_tools(server, {"hash": found.pending_hash, "tools": names})
    print_tools(Console(), [parse_answer(McpServerView, body)])


def _servers(client: Client, name: str | None = None) -> "list[McpServerView]":
    """Return the configured servers, or one. Raises UnknownNameError."""
    from cli.errors import unknown
    from cli.transport import parse_answer
    from functions.tools.mcp.views import McpServerList

    found = parse_answer(McpServerList, client.mcp_servers()).servers
    if name is None:
        return [*found]
    chosen = [each for each in found if each.name == name]
    if not chosen and not found:
        command = flexchat("mcp", "add", name, "--address", "URL")
        raise typer.BadParameter(f"no MCP server is configured; add one: {command}")
    if not chosen:
        raise unknown("MCP server", name, [each.name for each in found], where=client.url)
    return chosen
