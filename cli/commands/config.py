"""`flexchat config`: check, push, pull and compare the configuration of a stage."""

import os
from collections.abc import Iterable
from copy import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.files import write_text
from cli.invocation import flexchat, make
from cli.lazy import command_group
from cli.options import JsonOption, Limit, Stage, StageName, print_json, require_deployed
from cli.terminal import echo, json_text
from flexchat.errors import ConfigError, Problem
from flexchat.text import counted

if TYPE_CHECKING:
    from cli.configuration import PushSummary
    from flexchat.config.changes import Change
    from flexchat.config.document import Source

app = command_group("Check, push, pull, compare and roll back configurations.")

File = Annotated[Path, typer.Option("--file", "-f", help="The configuration file.")]

DEFAULT_FILE = Path("config/flexchat.json")

Comment = Annotated[str, typer.Option("--comment", "-c", help="The reason, for the history.")]

Version = Annotated[int, typer.Argument(min=1, help="The number of a version, as in `config history`.")]


@app.command()
def check(file: File = DEFAULT_FILE, stage: StageName = None, as_json: JsonOption = False) -> None:
    """Report every problem of a configuration without pushing it. Exit code 1 when it has errors.

    With --stage, addresses of this machine are reported for that stage: the local stage reaches them, one at AWS does
    not. The stage itself is not asked.
    """
    from cli.configuration import checked, read_file

    _, problems = checked(read_file(file), stage)
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
    comment: Comment = "",
    as_json: JsonOption = False,
) -> None:
    """Push a configuration to a deployed stage: write the changed entries, delete removed ones.

    The running local stack gets the file like with `make up CONFIG=`: the demo model replaces an llm without a key.
    """
    from cli.local_stack import local_stack
    from flexchat.config.publication import check_comment

    stack = local_stack(stage, environ=os.environ)
    if stack is not None:
        from dev.local_stack.push import push_locally

        summary = push_locally(file, stack, quiet=as_json, comment=check_comment(comment))
    else:
        summary = _push(file, stage, comment=comment, secrets_from_env=secrets_from_env)
    if as_json:
        print_json(_summary_as_json(summary))
        return
    _print_problems(summary.warnings)
    _print_summary(summary, stage, served_now=stack is not None)


def _push(file: Path, stage: str, *, comment: str, secrets_from_env: bool) -> "PushSummary":
    from cli.audit import operator_audit
    from cli.configuration import push_configuration, read_file, secrets_held
    from cli.stage_bucket import configuration_objects, operator_attribution
    from flexchat.aws.parameters import operator_store
    from flexchat.config.document import parse

    source = read_file(file)
    require_deployed(stage)
    secrets = secrets_held(parse(source).configuration, os.environ) if secrets_from_env else {}
    objects = configuration_objects(stage)
    return push_configuration(
        source,
        stage=stage,
        store=operator_store(),
        packed=objects,
        history=objects,
        attribution=operator_attribution(stage, comment),
        audit=operator_audit(stage),
        secrets=secrets,
    )


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
def diff(
    stage: Stage,
    version: Annotated[
        int | None,
        typer.Argument(min=1, help="The number of a version: list the changes since then instead of those of a push."),
    ] = None,
    file: File = DEFAULT_FILE,
    lines: Annotated[bool, typer.Option("--lines", help="Show the changed lines, with their values.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List the changes that a push would make, or those since a version, by entry and key."""
    from flexchat.config.changes import diff as differences

    before, after = _since(version, stage) if version is not None else _of_push(file, stage)
    changes = differences(before, after)
    if version is None and changes and not before:
        require_deployed(stage)
    if as_json:
        print_json([_change_as_json(change) for change in changes])
        return
    if not changes:
        has = f"{stage!r} has the configuration of"
        echo(f"{has} {file}." if version is None else f"{has} version {version}.")
    if lines:
        for line in _changed_lines(before, after):
            echo(line)
        return
    for change in changes:
        echo(change.line)


def _of_push(file: Path, stage: str) -> "tuple[Source, Source]":
    """Return the published configuration, empty without one, and the one that a push of `file` would publish."""
    from cli.configuration import published_source, read_file
    from cli.local_stack import local_stack
    from flexchat.aws.parameters import operator_store

    store = operator_store()
    stack = local_stack(stage, environ=os.environ)
    before = published_source(stage=stage, store=store)
    if stack is None:
        return before, read_file(file)
    from dev.local_stack.seeding import read_authored

    return before, read_authored(file, os.environ, store=store).as_pushed(stack.demo_model)


def _since(version: int, stage: str) -> "tuple[Source, Source]":
    """Return the configuration of a version, and the published one."""
    from cli.configuration import find_version, published_source
    from cli.stage_bucket import configuration_objects
    from flexchat.aws.parameters import operator_store

    found = find_version(version, configuration_objects(stage), stage=stage)
    return found.configuration(), published_source(stage=stage, store=operator_store())


def _changed_lines(before: "Source", after: "Source") -> Iterable[str]:
    from difflib import unified_diff

    old, new = json_text(before).splitlines(), json_text(after).splitlines()
    return list(unified_diff(old, new, "before", "after", lineterm=""))[2:]


@app.command()
def history(stage: Stage, limit: Limit = 20, as_json: JsonOption = False) -> None:
    """List the published versions, the newest first: who published which, when and why."""
    from cli.render.configuration import print_versions, version_as_json
    from cli.stage_bucket import configuration_objects
    from flexchat.aws.parameters import operator_store
    from flexchat.config.publication import StoredSource

    stored = StoredSource.read(operator_store(), stage=stage, history=configuration_objects(stage))
    if not stored.version:
        require_deployed(stage)
    versions = stored.versions[:limit]
    if as_json:
        print_json([version_as_json(version, is_active=version is stored.active) for version in versions])
        return
    print_versions(versions, stored.active, stage=stage)


@app.command()
def rollback(stage: Stage, version: Version, comment: Comment = "", as_json: JsonOption = False) -> None:
    """Publish the configuration of an earlier version again, as a new version. Secrets are not changed."""
    from cli.audit import operator_audit
    from cli.configuration import find_version, push_configuration
    from cli.local_stack import local_stack
    from cli.stage_bucket import configuration_objects, operator_attribution
    from flexchat.aws.parameters import operator_store

    objects = configuration_objects(stage)
    found = find_version(version, objects, stage=stage)
    attribution = replace(operator_attribution(stage, comment), restores=version)
    summary = push_configuration(
        found.configuration(),
        stage=stage,
        store=operator_store(),
        packed=objects,
        history=objects,
        attribution=attribution,
        audit=operator_audit(stage),
    )
    if as_json:
        print_json(_summary_as_json(summary))
        return
    _print_problems(summary.warnings)
    _print_summary(summary, stage, served_now=False)
    if (stack := local_stack(stage, environ=os.environ)) is not None:
        again = make("up", f"CONFIG={stack.config}")
        echo(f"`{make('up')}` keeps it; `{again}` publishes the file again.", err=True)


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
    version = f" Version {summary.recorded.number}." if summary.recorded is not None else ""
    when = "It is served now." if served_now else "Functions read it within a minute."
    echo(
        f"{stage!r}: {len(summary.created)} created, {len(summary.updated)} updated, {len(summary.deleted)} deleted, "
        f"{len(summary.unchanged)} unchanged.{version} {when}"
    )


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
        "version": summary.recorded.number if summary.recorded is not None else None,
    }
