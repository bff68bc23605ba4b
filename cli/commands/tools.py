"""`flexchat tools`: the tools of a running service, and the definitions that providers receive."""

from typing import Annotated

import typer

from cli.commands.config import DEFAULT_FILE, File
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json
from flexchat.config.providers import ProviderType

app = command_group("List tools; show the definitions sent to each provider.")

ProviderOption = Annotated[
    ProviderType | None,
    typer.Option("--provider", "-p", help="Show this provider only."),
]


@app.command("list")
def list_tools(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List the tools of a service, including the disabled ones."""
    body = connect(url=url, token=token).tools()
    if as_json:
        print_json(body)
        return
    from rich.console import Console

    from cli.render.tools import tools_table

    Console().print(tools_table(body))


@app.command()
def show(
    name: Annotated[str | None, typer.Argument(help="The tool's name. [default: all tools]")] = None,
    *,
    provider: ProviderOption = None,
    file: File = DEFAULT_FILE,
    as_json: JsonOption = False,
) -> None:
    """Show the tools of a configuration in the format of each provider, and the schema keywords that are lost. Needs no
    service.

    With NAME and --provider: the definition that is sent. Otherwise: a table of the losses.
    """
    from cli.configuration import read_file
    from cli.render.tools import print_sent, print_summary
    from cli.tool_preview import schema_problems, sent_tools
    from flexchat.config.document import parse

    parsed = parse(read_file(file))
    registry = parsed.configuration.tools.registry
    shown = sent_tools(registry, name=name, provider=provider)
    if name is None:
        for problem in (*parsed.problems, *schema_problems(registry)):
            typer.echo(f"left out: {problem}", err=True)
    if as_json:
        print_json([tool.as_json() for tool in shown])
    elif name is not None and provider is not None:
        print_sent(shown[0])
    else:
        print_summary(shown)
