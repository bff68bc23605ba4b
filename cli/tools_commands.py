"""`flexchat tools`: the tools of a running service, and how a configuration's tools look to each provider."""

import json
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.config_commands import DEFAULT_FILE, AsJson, File
from cli.configuration import read_file
from cli.sent_tools import SentTool, schema_problems, sent_tools
from cli.service import JsonOption, TokenOption, UrlOption, connect
from flexchat.api import ToolList
from flexchat.config.document import parse
from flexchat.config.models import ProviderType

app = typer.Typer(no_args_is_help=True, help="The tools: what a service has, and what providers are told of them.")

ProviderOption = Annotated[
    ProviderType | None,
    typer.Option("--provider", "-p", help="For this provider only."),
]


@app.command("list")
def list_tools(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Show what the service's models may call, and what is disabled."""
    body = connect(url=url, token=token).tools()
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


@app.command()
def show(
    name: Annotated[str | None, typer.Argument(help="The tool's name; all of them without it.")] = None,
    *,
    provider: ProviderOption = None,
    file: File = DEFAULT_FILE,
    as_json: AsJson = False,
) -> None:
    """Show what a provider is sent of a configuration's tools, and what is lost on the way. Asks no service.

    With NAME and --provider, the tool as it is sent; else a table of how much is lost where.
    """
    parsed = parse(read_file(file))
    registry = parsed.configuration.tools.registry
    shown = sent_tools(registry, name=name, provider=provider)
    if name is None:
        for problem in (*parsed.problems, *schema_problems(registry)):
            typer.echo(f"left out: {problem}", err=True)
    if as_json:
        typer.echo(json.dumps([tool.as_json() for tool in shown], ensure_ascii=False, indent=2))
    elif name is not None and provider is not None:
        _print_sent(shown[0])
    else:
        _print_summary(shown)


def _print_sent(tool: SentTool) -> None:
    typer.echo(json.dumps([dict(entry) for entry in tool.sent], ensure_ascii=False, indent=2))
    if not tool.losses:
        typer.echo("\nNothing is lost.")
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("", "WHERE", "WHAT", "WHY"):
        table.add_column(heading, overflow="fold")
    for loss in tool.losses:
        table.add_row(*map(Text, (loss.action, loss.path, loss.keyword, loss.why)))
    typer.echo()
    Console().print(table)


def _print_summary(shown: Iterable[SentTool]) -> None:
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
