"""`flexchat tools`: the tools of a running service."""

import json
import os

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.chat_commands import JsonOption, TokenOption, UrlOption
from cli.client import Client, find_target
from cli.local.layout import Layout
from flexchat.api import ToolList

app = typer.Typer(no_args_is_help=True, help="The tools of a running service.")


@app.callback()
def tools() -> None:
    """Keeps `list` a subcommand of its own."""


@app.command("list")
def list_tools(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Show what the service's models may call, and what is disabled."""
    client = Client(find_target(url=url, token=token, environ=os.environ, state=Layout.here().state))
    body = client.tools()
    if as_json:
        typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
        return
    listed = ToolList.model_validate(body, extra="ignore")
    table = Table(box=None, pad_edge=False)
    for heading in ("TOOL", "TYPE", "DESCRIPTION"):
        table.add_column(heading)
    for tool in listed.tools:
        table.add_row(Text(tool.name), Text(str(tool.implementation.get("type", ""))), Text(tool.description))
    for entry in listed.disabled:
        table.add_row(
            Text(entry.name), Text(f"{entry.kind}, disabled", style="yellow"), Text("; ".join(entry.problems))
        )
    Console().print(table)
