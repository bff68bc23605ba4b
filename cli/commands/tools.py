"""`flexchat tools`: the tools of a running service, calls of one, and the definitions that providers receive."""

from typing import Annotated

import typer

from cli.commands.config import DEFAULT_FILE, File
from cli.commands.tools_import import app as import_app
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json
from cli.terminal import echo
from flexchat.config.providers import ProviderType
from flexchat.messages import Json

app = command_group("List, call and import tools; show what providers receive.")
app.add_typer(import_app, name="import")

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
    from cli.console import Console
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
            echo(f"left out: {problem}", err=True)
    if as_json:
        print_json([tool.as_json() for tool in shown])
    elif name is not None and provider is not None:
        print_sent(shown[0])
    else:
        print_summary(shown)


@app.command("try")
def try_tool(
    name: Annotated[str, typer.Argument(help="The tool's name.")],
    *,
    arguments: Annotated[
        str, typer.Option("--args", metavar="JSON", help="The arguments as JSON object, @FILE, or - for stdin.")
    ] = "{}",
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Call one tool of a service without a model; show its requests without secrets, its result and its times.

    Needs an operator's token. The call has the effects of the tool. Exit code 1 when the tool fails.
    """
    from cli.files import read_json_option
    from cli.transport import parse_answer
    from flexchat.api.tool_calls import ToolCallOutcome

    given = read_json_option(arguments, option="--args")
    if not isinstance(given, dict):
        raise typer.BadParameter('pass a JSON object, such as --args \'{"location": "Paris"}\'')
    request: dict[str, Json] = {"tool": name, "arguments": given}
    body = connect(url=url, token=token).call_tool(request)
    outcome = parse_answer(ToolCallOutcome, body)
    if as_json:
        print_json(body)
    else:
        from cli.console import Console
        from cli.render.tool_call import show_call

        show_call(Console(), outcome)
    if not outcome.result.success:
        raise typer.Exit(1)
