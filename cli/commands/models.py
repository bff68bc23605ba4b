"""`flexchat models`: the models of a running service, and their values from a price list."""

from pathlib import Path
from typing import Annotated

import typer

from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, connect, print_json

app = command_group("List the models with their profiles and validation. Without a subcommand: all models in a table.")


@app.callback(invoke_without_command=True, no_args_is_help=False)
def models(
    context: typer.Context, *, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None
) -> None:
    if context.invoked_subcommand is not None:
        return
    body = connect(url=url, token=token).models()
    if as_json:
        print_json(body)
        return
    from cli.console import Console
    from cli.render.models import show_models

    show_models(Console(), body)


@app.command()
def show(
    model: Annotated[str, typer.Argument(help="The model, as 'llm:model'.")],
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Show the profile of a model, each value with its source.

    A value is built in, from the provider's list of models, from a price list (refreshed), or configured.
    """
    from cli.errors import unknown
    from cli.transport import parse_answer
    from flexchat.api.listings import ModelList

    listed = parse_answer(ModelList, connect(url=url, token=token).models()).models
    found = next((each for each in listed if each.id == model), None)
    if found is None:
        raise unknown("model", model, [each.id for each in listed], where="the service")
    if as_json:
        print_json(found.model_dump(mode="json", exclude_none=True))
        return
    from cli.console import Console
    from cli.render.models import show_profile

    show_profile(Console(), found)


@app.command()
def refresh(
    document: Annotated[
        str, typer.Argument(metavar="FILE|URL", help="A price list in LiteLLM's form, as a file or an https address.")
    ],
    *,
    file: Annotated[Path, typer.Option("--file", "-f", help="The configuration file to write to.")],
    providers: Annotated[
        list[str] | None,
        typer.Option("--provider", metavar="LLM=NAME", help="The list's name of an llm's server; repeatable."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes without writing them.")] = False,
    allow_loopback: Annotated[
        bool, typer.Option("--allow-loopback", help="Download from this machine, also without TLS.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write context windows, features and prices of the models that a configuration uses into its profiles.

    The values are in `refreshed` of each profile and override the built-in ones. Your own values are never changed.
    Exit code 1 when the list has none of the models.
    """
    from cli.model_refresh import refresh_file
    from cli.price_list import read_price_list, today

    names = dict(_provider(text) for text in providers or ())
    prices = read_price_list(document, allow_loopback=allow_loopback)
    report = refresh_file(file, prices, date=today(), providers=names, writes=not dry_run)
    if as_json:
        print_json(report.as_json())
    else:
        from cli.console import Console
        from cli.render.models import show_refresh

        show_refresh(Console(), report, file=str(file), written=not dry_run)
    if report.unknown and not (report.changes or report.unchanged):
        raise typer.Exit(1)


def _provider(text: str) -> tuple[str, str]:
    llm, found, name = text.partition("=")
    if not (llm and found and name):
        raise typer.BadParameter("must be LLM=NAME, as local=hosted_vllm", param_hint="--provider")
    return llm, name
