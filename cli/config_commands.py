"""`flexchat config`: check, push, pull and compare the configuration of a stage."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from cli.configuration import (
    PushSummary,
    checked,
    diff_configuration,
    pull_configuration,
    push_configuration,
    read_file,
    secrets_held,
)
from cli.stages import Stage
from flexchat.aws.parameters import operator_store
from flexchat.config.diff import Change
from flexchat.config.document import parse
from flexchat.errors import Problem

app = typer.Typer(no_args_is_help=True, help="The configuration: check it, publish it, get it back.")

File = Annotated[Path, typer.Option("--file", "-f", help="The authored configuration.")]
AsJson = Annotated[bool, typer.Option("--json", help="For machines: JSON on standard output.")]

DEFAULT_FILE = Path("config/flexchat.json")

SIGNS = {"added": "+", "removed": "-", "changed": "~", "moved": "~"}


@app.command()
def check(file: File = DEFAULT_FILE, as_json: AsJson = False) -> None:
    """Tell everything that is wrong with a configuration, without publishing it. Exit code 1 when it has errors."""
    _, problems = checked(read_file(file))
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        typer.echo(json.dumps([_problem_as_json(problem) for problem in problems], indent=2))
    else:
        _print_problems(problems)
        typer.echo(_verdict(file, errors, len(problems) - errors))
    if errors:
        raise typer.Exit(1)


@app.command()
def push(
    stage: Stage,
    file: File = DEFAULT_FILE,
    secrets_from_env: Annotated[
        bool,
        typer.Option("--secrets-from-env", help="Also store the secrets the file names and the environment holds."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Publish a configuration: only what changed is written, and what is gone is deleted."""
    source = read_file(file)
    secrets = secrets_held(parse(source).configuration, os.environ) if secrets_from_env else {}
    summary = push_configuration(source, stage=stage, store=operator_store(), secrets=secrets)
    if as_json:
        typer.echo(json.dumps(_summary_as_json(summary), indent=2))
        return
    _print_problems(summary.warnings)
    _print_summary(summary, stage)


@app.command()
def pull(
    stage: Stage,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="Where to write it; standard output without it.")
    ] = None,
) -> None:
    """Get back the configuration that was pushed."""
    text = json.dumps(pull_configuration(stage=stage, store=operator_store()), indent=2, ensure_ascii=False) + "\n"
    if file is None:
        typer.echo(text, nl=False)
        return
    file.write_text(text, encoding="utf-8")
    typer.echo(f"{file} is the configuration of {stage!r}.", err=True)


@app.command()
def diff(stage: Stage, file: File = DEFAULT_FILE, as_json: AsJson = False) -> None:
    """Tell what a push would change, by entry and key; values are not shown."""
    changes = diff_configuration(read_file(file), stage=stage, store=operator_store())
    if as_json:
        typer.echo(json.dumps([_change_as_json(change) for change in changes], indent=2))
        return
    if not changes:
        typer.echo(f"{file} is what {stage!r} has.")
    for change in changes:
        typer.echo(_change_as_line(change))


def _print_problems(problems: Iterable[Problem]) -> None:
    for problem in problems:
        colour = typer.colors.RED if problem.severity == "error" else typer.colors.YELLOW
        typer.echo(f"{typer.style(problem.severity, fg=colour)}: {problem}", err=True)


def _verdict(file: Path, errors: int, warnings: int) -> str:
    counted = [
        f"{number} {word}{'s' * (number != 1)}" for number, word in ((errors, "error"), (warnings, "warning")) if number
    ]
    return f"{file}: {', '.join(counted) or 'no problems'}"


def _print_summary(summary: PushSummary, stage: str) -> None:
    lines = (
        *(f"+ {path}" for path in summary.created),
        *(f"~ {path}" for path in summary.updated),
        *(f"- {path}" for path in summary.deleted),
        *(f"stored secret {name}" for name in summary.secrets),
    )
    for line in lines:
        typer.echo(line)
    for name in summary.missing_secrets:
        typer.echo(f"Secret {name} is not stored: flexchat secrets set {name} --stage {stage}", err=True)
    if not summary.changed:
        typer.echo(f"Nothing changed: {stage!r} has this configuration.")
        return
    typer.echo(
        f"{stage!r}: {len(summary.created)} created, {len(summary.updated)} updated, {len(summary.deleted)} deleted, "
        f"{len(summary.unchanged)} unchanged. Functions read it within a minute."
    )


def _change_as_line(change: Change) -> str:
    detail = "order" if change.kind == "moved" else ", ".join(change.keys)
    return f"{SIGNS[change.kind]} {change.path}" + (f": {detail}" if detail else "")


def _problem_as_json(problem: Problem) -> dict[str, str]:
    return {"severity": problem.severity, "path": problem.path, "message": problem.message}


def _change_as_json(change: Change) -> dict[str, object]:
    return {"kind": change.kind, "path": change.path, "keys": list(change.keys)}


def _summary_as_json(summary: PushSummary) -> dict[str, object]:
    return {
        "created": list(summary.created),
        "updated": list(summary.updated),
        "deleted": list(summary.deleted),
        "unchanged": list(summary.unchanged),
        "secrets": list(summary.secrets),
        "missing_secrets": list(summary.missing_secrets),
        "warnings": [_problem_as_json(problem) for problem in summary.warnings],
    }
