"""`flexchat config`: check, push, pull and compare the configuration of a stage."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.files import write_text
from cli.invocation import flexchat
from cli.lazy import command_group
from cli.options import JsonOption, Stage, print_json, require_deployed
from cli.terminal import echo, json_text
from flexchat.errors import ConfigError, Problem
from flexchat.text import counted

if TYPE_CHECKING:
    from cli.config_diff import Change
    from cli.configuration import PushSummary

app = command_group("Check, push, pull and compare configurations.")

File = Annotated[Path, typer.Option("--file", "-f", help="The configuration file.")]

DEFAULT_FILE = Path("config/flexchat.json")

SIGNS = {"added": "+", "removed": "-", "changed": "~", "moved": "~"}


@app.command()
def check(file: File = DEFAULT_FILE, as_json: JsonOption = False) -> None:
    """Report every problem of a configuration without pushing it. Exit code 1 when it has errors."""
    from cli.configuration import checked, read_file

    _, problems = checked(read_file(file))
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        print_json([_problem_as_json(problem) for problem in problems])
    else:
        _print_problems(problems)
        echo(_verdict(file, errors, len(problems) - errors))
    if errors:
        raise typer.Exit(1)


@app.command()
def push(
    stage: Stage,
    file: File = DEFAULT_FILE,
    secrets_from_env: Annotated[
        bool,
        typer.Option("--secrets-from-env", help="Also store the secrets that the file names, from the environment."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Push a configuration to a deployed stage: write the changed entries, delete removed ones.

    The running local stack gets the file like with `make up CONFIG=`: the demo model replaces an llm without a key.
    """
    from cli.local_stack import local_stack

    stack = local_stack(stage, environ=os.environ)
    if stack is not None:
        from dev.local_stack.push import push_locally

        summary = push_locally(file, stack, quiet=as_json)
    else:
        summary = _push(file, stage, secrets_from_env=secrets_from_env)
    if as_json:
        print_json(_summary_as_json(summary))
        return
    _print_problems(summary.warnings)
    _print_summary(summary, stage, served_now=stack is not None)


def _push(file: Path, stage: str, *, secrets_from_env: bool) -> "PushSummary":
    from cli.configuration import push_configuration, read_file, secrets_held
    from cli.packed_copy import PackedCopy
    from flexchat.aws.parameters import operator_store
    from flexchat.config.document import parse

    source = read_file(file)
    require_deployed(stage)
    secrets = secrets_held(parse(source).configuration, os.environ) if secrets_from_env else {}
    packed = PackedCopy(stage)
    return push_configuration(source, stage=stage, store=operator_store(), packed=packed, secrets=secrets)


@app.command()
def pull(
    stage: Stage,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="The file to write. [default: standard output]")
    ] = None,
) -> None:
    """Write the configuration of a stage to a file."""
    from cli.configuration import pull_configuration
    from cli.local_stack import local_stack
    from flexchat.aws.parameters import operator_store

    try:
        source = pull_configuration(stage=stage, store=operator_store())
    except ConfigError as error:
        if error.__cause__ is None:  # AWS responded: nothing is stored, or a part is missing
            require_deployed(stage)
        raise
    text = json_text(source) + "\n"
    if file is None:
        echo(text, end="")
    else:
        write_text(file, text)
        echo(f"{file} is the configuration of {stage!r}.", err=True)
    if (stack := local_stack(stage, environ=os.environ)) is not None:
        echo(f"The addresses and keys of its llms are those of the local stack; {stack.config} has yours.", err=True)


@app.command()
def diff(stage: Stage, file: File = DEFAULT_FILE, as_json: JsonOption = False) -> None:
    """List the changes that a push would make, by entry and key, without values."""
    from cli.configuration import diff_configuration, read_file
    from cli.local_stack import local_stack
    from flexchat.aws.parameters import operator_store

    store = operator_store()
    stack = local_stack(stage, environ=os.environ)
    if stack is None:
        source: Mapping[str, object] = read_file(file)
    else:
        from dev.local_stack.seeding import read_authored

        source = read_authored(file, os.environ, store=store).as_pushed(stack.demo_model)
    changes = diff_configuration(source, stage=stage, store=store)
    if changes and all(change.kind == "added" for change in changes):
        require_deployed(stage)
    if as_json:
        print_json([_change_as_json(change) for change in changes])
        return
    if not changes:
        echo(f"{stage!r} has the configuration of {file}.")
    for change in changes:
        echo(_change_as_line(change))


def _print_problems(problems: Iterable[Problem]) -> None:
    for problem in problems:
        echo(problem.severity, err=True, colour="red" if problem.severity == "error" else "yellow", end="")
        echo(f": {problem}", err=True)


def _verdict(file: Path, errors: int, warnings: int) -> str:
    found = [counted(number, word) for number, word in ((errors, "error"), (warnings, "warning")) if number]
    return f"{file}: {', '.join(found) or 'no problems'}"


def _print_summary(summary: "PushSummary", stage: str, *, served_now: bool) -> None:
    lines = (
        *(f"+ {path}" for path in summary.created),
        *(f"~ {path}" for path in summary.updated),
        *(f"- {path}" for path in summary.deleted),
        *(f"stored secret {name}" for name in summary.secrets),
    )
    for line in lines:
        echo(line)
    for name in summary.missing_secrets:
        echo(f"Secret {name} is not stored: {flexchat('secrets', 'set', name, '--stage', stage)}", err=True)
    for name, hosts in summary.unbound_secrets.items():
        for host in hosts:
            command = flexchat("secrets", "bind", name, "--host", host, "--stage", stage)
            echo(f"Secret {name} is not bound to {host}: {command}", err=True)
    if not summary.changed:
        echo(f"Nothing changed: {stage!r} has this configuration.")
        return
    when = "It is served now." if served_now else "Functions read it within a minute."
    echo(
        f"{stage!r}: {len(summary.created)} created, {len(summary.updated)} updated, {len(summary.deleted)} deleted, "
        f"{len(summary.unchanged)} unchanged. {when}"
    )


def _change_as_line(change: "Change") -> str:
    detail = "order" if change.kind == "moved" else ", ".join(change.keys)
    return f"{SIGNS[change.kind]} {change.path}" + (f": {detail}" if detail else "")


def _problem_as_json(problem: Problem) -> dict[str, str]:
    return {"severity": problem.severity, "path": problem.path, "message": problem.message}


def _change_as_json(change: "Change") -> dict[str, object]:
    return {"kind": change.kind, "path": change.path, "keys": list(change.keys)}


def _summary_as_json(summary: "PushSummary") -> dict[str, object]:
    return {
        "created": list(summary.created),
        "updated": list(summary.updated),
        "deleted": list(summary.deleted),
        "unchanged": list(summary.unchanged),
        "secrets": list(summary.secrets),
        "missing_secrets": list(summary.missing_secrets),
        "unbound_secrets": {name: list(hosts) for name, hosts in summary.unbound_secrets.items()},
        "warnings": [_problem_as_json(problem) for problem in summary.warnings],
    }
