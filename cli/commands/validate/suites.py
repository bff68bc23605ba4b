"""`flexchat validate suites`, `check`, `draft` and `import-bfcl`: suites of cases, as files and at a service."""

import json
from collections.abc import Iterable
from copy import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.commands.config import DEFAULT_FILE
from cli.errors import unknown
from cli.files import file_error, read_json, read_text, reason, write_text
from cli.invocation import flexchat
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, YesOption, connect, print_json
from cli.terminal import echo, require_confirmation
from cli.transport import parse_answer
from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.text import counted

if TYPE_CHECKING:
    from flexchat.validation.cases import Suite

suites = command_group("List, show, store and delete the suites of a service.")

MAX_SUITE_BYTES = 16_777_216

SuiteFile = Annotated[Path, typer.Argument(metavar="FILE", help="A suite as JSON.")]
SuiteName = Annotated[str, typer.Argument(metavar="NAME", help="The suite's name, from `list`.")]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The suite file to write.")]


@suites.command("list")
def list_suites(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List the suites of a service."""
    body = connect(url=url, token=token).suites()
    if as_json:
        print_json(body)
        return
    from cli.console import Console, Text
    from cli.render.validation import moment, table
    from flexchat.validation.views import SuiteList

    made = table("NAME", "CASES", "CATEGORIES", "CHANGED", "DESCRIPTION", right=("CASES",))
    for suite in parse_answer(SuiteList, body).suites:
        changed = moment(suite.updated_at) if suite.updated_at else "built in" if suite.built_in else "-"
        made.add_row(Text(suite.name), str(suite.cases), str(len(suite.categories)), changed, Text(suite.description))
    Console().print(made)


@suites.command()
def show(name: SuiteName, *, url: UrlOption = None, token: TokenOption = None) -> None:
    """Print a suite as JSON."""
    print_json(connect(url=url, token=token).suite(name))


@suites.command()
def push(file: SuiteFile, *, url: UrlOption = None, token: TokenOption = None) -> None:
    """Check a suite and store it at a service; replaces a suite with the same name."""
    suite = _read_suite(file)
    body = read_json(file, max_bytes=MAX_SUITE_BYTES)
    connect(url=url, token=token).put_suite(suite.name, body if isinstance(body, dict) else {})
    run = flexchat("validate", "run", "--suite", suite.name, "--model", "LLM:MODEL")
    echo(f"{suite.name}: {counted(len(suite.cases), 'case')}; run it: {run}")


@suites.command()
def delete(
    name: SuiteName,
    *,
    yes: YesOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Delete a suite; its verdicts remain."""
    client = connect(url=url, token=token)
    if not yes:
        require_confirmation(f"Delete the suite {name}?")
    client.delete_suite(name)
    echo(f"{name} is deleted")


def check(file: SuiteFile) -> None:
    """Report every problem of a suite file. Exit code 1 when it has errors."""
    from flexchat.validation.suites import check_suite

    try:
        suite = _read_suite(file)
    except ConfigError as error:
        _print_problems(error.problems)
        raise typer.Exit(1) from error
    _print_problems(check_suite(suite))
    echo(f"{file}: {counted(len(suite.cases), 'case')} with {counted(len(suite.tools), 'tool')}")


def draft(
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="A tool of the configuration.")],
    *,
    out: Out,
    config: Annotated[Path, typer.Option("--config", "-c", help="The configuration file.")] = DEFAULT_FILE,
) -> None:
    """Write a suite with draft cases for a tool of a configuration."""
    from cli.configuration import read_file
    from cli.suites.case_generator import draft_cases
    from flexchat.config.document import parse

    configured = {entry.name: entry for entry in parse(read_file(config)).configuration.tools.registry}
    if tool not in configured:
        raise unknown("tool", tool, configured.keys(), where=str(config))
    _write(out, draft_cases(configured[tool], others=tuple(configured.values())))


def import_bfcl(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The directory with BFCL's files.")],
    *,
    out: Out,
    category: Annotated[
        list[str] | None, typer.Option(help="A category of BFCL, such as simple_python; repeatable. [default: all]")
    ] = None,
) -> None:
    """Write a suite from files of the Berkeley Function Calling Leaderboard, in their published form."""
    from cli.suites.bfcl import read_bfcl

    try:
        read = read_bfcl(folder, categories=category)
    except OSError as error:
        raise file_error(Path(error.filename or folder), reason(error)) from error
    for problem in read.skipped:
        echo(f"left out {problem.path}: {problem.message}", err=True)
    _write(out, read.suite)


def _read_suite(file: Path) -> "Suite":
    """Return the suite in a file. Raises ConfigError; a problem without a path in the suite names the file."""
    from flexchat.validation.suites import load_suite

    text = read_text(file)
    try:
        return load_suite(text)
    except ConfigError as error:
        raise ConfigError(
            tuple(replace(problem, path=problem.path or str(file)) for problem in error.problems)
        ) from error


def _write(path: Path, suite: "Suite") -> None:
    body: dict[str, Json] = suite.model_dump(mode="json", exclude_defaults=True)
    write_text(path, json.dumps(body, ensure_ascii=False, indent=2) + "\n")
    check = flexchat("validate", "check", str(path))
    echo(f"{path}: {counted(len(suite.cases), 'case')}; check it after editing: {check}")


def _print_problems(problems: Iterable[Problem]) -> None:
    for problem in problems:
        echo(f"{problem.severity}: {problem}", err=True)
