"""`flexchat validate suites`, `check`, `draft` and `import-bfcl`: suites of cases, as files and at a service."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from cli.config_commands import DEFAULT_FILE
from cli.configuration import read_file
from cli.service import JsonOption, TokenOption, UrlOption, connect
from cli.validation_view import moment, table
from flexchat.api.validation import SuiteList
from flexchat.config.document import parse
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.validation.bfcl import read_bfcl
from flexchat.validation.cases import Suite
from flexchat.validation.draft import draft_cases
from flexchat.validation.suites import check_suite, load_suite

suites = typer.Typer(no_args_is_help=True, help="Suites of cases at a service: the built-in ones and your own.")

SuiteFile = Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A suite as JSON.")]
SuiteName = Annotated[str, typer.Argument(metavar="NAME", help="As `list` shows it.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", dir_okay=False, help="Where to write the suite.")]


@suites.command("list")
def list_suites(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Show the suites that models can be validated by."""
    body = connect(url=url, token=token).suites()
    if as_json:
        typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
        return
    made = table("NAME", "CASES", "CATEGORIES", "CHANGED", "DESCRIPTION", right=("CASES",))
    for suite in SuiteList.model_validate(body, extra="ignore").suites:
        changed = moment(suite.updated_at) if suite.updated_at else "built in" if suite.built_in else "-"
        made.add_row(Text(suite.name), str(suite.cases), str(len(suite.categories)), changed, Text(suite.description))
    Console().print(made, highlight=False)


@suites.command()
def show(name: SuiteName, *, url: UrlOption = None, token: TokenOption = None) -> None:
    """Print a suite as JSON, such as to begin one of your own from it."""
    typer.echo(json.dumps(connect(url=url, token=token).suite(name), ensure_ascii=False, indent=2))


@suites.command()
def push(file: SuiteFile, *, url: UrlOption = None, token: TokenOption = None) -> None:
    """Check a suite and keep it at a service, in the place of one with the same name."""
    text = file.read_bytes()
    suite = load_suite(text)
    connect(url=url, token=token).put_suite(suite.name, json.loads(text))
    typer.echo(f"{suite.name}: {len(suite.cases)} cases; run it: flexchat validate run --suite {suite.name} --model …")


@suites.command()
def delete(
    name: SuiteName,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Delete a suite of yours; what was graded by it stays."""
    client = connect(url=url, token=token)
    if not yes:
        typer.confirm(f"Delete the suite {name}?", abort=True)
    client.delete_suite(name)
    typer.echo(f"{name} is deleted")


def check(file: SuiteFile) -> None:
    """Tell everything that is wrong with a suite, without sending it anywhere. Exit code 1 when it has errors."""
    try:
        suite = load_suite(file.read_bytes())
    except ConfigError as error:
        _print_problems(error.problems)
        raise typer.Exit(1) from error
    _print_problems(check_suite(suite))
    typer.echo(f"{file}: {len(suite.cases)} cases with {len(suite.tools)} tools")


def draft(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="A tool of the configuration.")],
    *,
    out: Out,
    config: Annotated[Path, typer.Option("--config", "-c", help="The authored configuration.")] = DEFAULT_FILE,
) -> None:
    """Write a suite with first cases for a tool of a configuration, for you to edit."""
    configured = {entry.name: entry for entry in parse(read_file(config)).configuration.tools.registry}
    if tool not in configured:
        raise typer.BadParameter(f"{config} has no tool {tool!r}; it has {', '.join(configured) or 'none'}")
    _write(out, draft_cases(configured[tool], others=tuple(configured.values())))


def import_bfcl(
    folder: Annotated[Path, typer.Argument(metavar="DIR", exists=True, file_okay=False, help="With BFCL's files.")],
    *,
    out: Out,
    category: Annotated[
        list[str] | None, typer.Option(help="Of BFCL's own, such as simple_python; repeatable. [default: all known]")
    ] = None,
) -> None:
    """Write a suite from files of the Berkeley Function Calling Leaderboard, in their published form."""
    read = read_bfcl(folder, categories=category)
    for problem in read.skipped:
        typer.echo(f"left out {problem.path}: {problem.message}", err=True)
    _write(out, read.suite)


def _write(path: Path, suite: Suite) -> None:
    body: dict[str, Json] = suite.model_dump(mode="json", exclude_defaults=True)
    path.write_text(json.dumps(body, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    typer.echo(f"{path}: {len(suite.cases)} cases; check it after editing: flexchat validate check {path}")


def _print_problems(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        typer.echo(f"{problem.severity}: {problem.path or 'suite'}: {problem.message}", err=True)
