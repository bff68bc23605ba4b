"""`flexchat mcp add`: the configuration of an MCP server, tried by the service before it is written."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.options import TokenOption, UrlOption, connect, print_json
from cli.terminal import echo
from flexchat.messages import Json

if TYPE_CHECKING:
    from functions.tools.mcp.views import McpTrialView


def add(
    name: Annotated[str, typer.Argument(help="The server's name: the beginning of the names of its tools.")],
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND ARG...]", help="The command of a server that runs in the tool function."),
    ] = None,
    *,
    address: Annotated[str | None, typer.Option("--address", help="The URL of a server over HTTP.")] = None,
    env: Annotated[
        list[str] | None, typer.Option("--env", metavar="NAME=VALUE", help="A variable of the command; repeatable.")
    ] = None,
    headers: Annotated[
        list[str] | None,
        typer.Option("--header", metavar="NAME: VALUE", help="A header of requests over HTTP; repeatable."),
    ] = None,
    tools: Annotated[
        list[str] | None, typer.Option("--tool", help="Take this tool only, by the server's own name; repeatable.")
    ] = None,
    hints: Annotated[
        list[str] | None, typer.Option("--hint", help="A thing to check when the server is away; repeatable.")
    ] = None,
    connect_timeout_ms: Annotated[
        int | None,
        typer.Option(
            "--connect-timeout-ms",
            min=1,
            help="Milliseconds of one attempt to connect. [default: 5000; 300000 for npx, uvx and other installers]",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The configuration file to add it to. [default: standard output]"),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a server of the same name in the file.")] = False,
    trial: Annotated[bool, typer.Option(help="Connect to the server first, from the service.")] = True,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Write the configuration of an MCP server after a connection to it, and show its tools.

    Write secrets as references, such as --header 'Authorization: Bearer ${TOKEN}', and store them before with
    `flexchat secrets set`. The connection needs a service and an operator's token; nothing is stored there.

    Examples: `flexchat mcp add files -o config/flexchat.json -- node /opt/filesystem/index.js /tmp/data`, and
    `flexchat mcp add tracker --address https://mcp.example.com/mcp --header 'X-Key: ${TRACKER_KEY}'`.
    """
    from cli.mcp_servers import add_server, checked_server, secret_commands, tool_settings
    from cli.render.mcp import print_trial

    entry = _entry(command or [], address=address, env=env, headers=headers, tools=tools, hints=hints)
    if connect_timeout_ms is not None:
        entry["connect_timeout_ms"] = connect_timeout_ms
    checked_server(name, entry)
    if trial:
        from cli.console import Console

        found = _tried(name, entry, url=url, token=token)
        entry |= tool_settings(found)
        print_trial(Console(stderr=True), found)
    if output is None:
        print_json({"mcp_servers": {name: entry}})
    else:
        add_server(output, name, entry, replace=replace)
        echo(f"{output} has the MCP server {name!r}; rules may allow its tools as '{name}/*'.", err=True)
    for line in secret_commands(entry):
        echo(f"Store the secret unless you have: {line}", err=True)


STARTS: Final = 24
"""Requests for a server that is being installed, in some ten minutes: each waits some 25 seconds for it."""


def _tried(name: str, entry: dict[str, Json], *, url: str | None, token: str | None) -> "McpTrialView":
    """Return the tools of a server; one that is being installed is waited for, with the last line that it wrote."""
    from cli.errors import ServiceError
    from cli.reviewed_text import reviewed_text
    from cli.transport import parse_answer
    from functions.tools.mcp.views import McpTrialView

    client = connect(url=url, token=token)
    _allow_locally(entry.get("command"), client.url)
    began = time.monotonic()
    for attempt in range(1, STARTS + 1):
        try:
            found = parse_answer(McpTrialView, client.try_mcp_server({"name": name, "server": entry}))
        except ServiceError as error:
            if error.code != "mcp_starting" or attempt == STARTS:
                raise
            waited = time.monotonic() - began
            echo(f"installing {name}, {waited:.0f} s: {reviewed_text(_written(str(error)))}", err=True)
        else:
            if attempt > 1:
                echo(f"{name} was installed and started in {time.monotonic() - began:.0f} s.", err=True)
            return found
    raise AssertionError("unreachable")


def _written(error: str) -> str:
    """Return the last line of an error before its request id: what the installer wrote last."""
    lines = [line.strip() for line in error.splitlines() if not line.strip().startswith("request id:")]
    return lines[-1] if lines else ""


def _allow_locally(command: Json, url: str) -> None:
    """Allow a command at the local stack, whose user may start it as well; a deployment lists its commands itself."""
    from cli.layout import Layout
    from cli.local_stack import read_state

    state = read_state(Layout.here().state)
    if isinstance(command, str) and state is not None and state.url == url:
        from dev.local_stack.push import allow_locally

        allow_locally(command, state)


def _entry(
    command: Sequence[str],
    *,
    address: str | None,
    env: list[str] | None,
    headers: list[str] | None,
    tools: list[str] | None,
    hints: list[str] | None,
) -> dict[str, Json]:
    """Return the entry of the options, with the given fields alone."""
    if bool(command) == (address is not None):
        raise typer.BadParameter("pass either --address URL, or a command after --", param_hint="COMMAND")
    fields: dict[str, Json] = {
        "command": command[0] if command else None,
        "args": [*command[1:]],
        "env": {**_pairs(env, "=", option="--env", example="NAME=VALUE")},
        "url": address,
        "headers": {**_pairs(headers, ":", option="--header", example="NAME: VALUE", clean=str.strip)},
        "tools": [*(tools or ())],
        "hints": [*(hints or ())],
    }
    return {field: value for field, value in fields.items() if value}


def _pairs(
    texts: list[str] | None, separator: str, *, option: str, example: str, clean: Callable[[str], str] = str
) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts or ():
        name, found, value = text.partition(separator)
        if not found or not name.strip():
            raise typer.BadParameter(f"must be {example}", param_hint=option)
        pairs[name.strip()] = clean(value)
    return pairs
