"""`flexchat secrets`: store, list and delete the secrets that a configuration names as `${NAME}`."""

import sys
from typing import Annotated

import typer

from cli.configuration import pull_configuration, store_secrets
from cli.stages import Stage
from flexchat.aws.parameters import ParameterStore, operator_store
from flexchat.config.document import parse
from flexchat.config.parameters import secret_name, secrets_path
from flexchat.config.secrets import references
from flexchat.errors import ConfigError

app = typer.Typer(no_args_is_help=True, help="Secrets: kept encrypted beside the configuration that names them.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name, as in ${NAME}.")]


@app.command("set")
def set_(name: Name, stage: Stage) -> None:
    """Store a secret. Its value is asked for, or read from standard input; never given as an argument."""
    value = typer.prompt(f"Value of {name}", hide_input=True) if sys.stdin.isatty() else sys.stdin.read().rstrip("\r\n")
    changed = store_secrets({name: value}, stage=stage, store=operator_store())
    outcome = "is stored" if changed else "was stored already"
    typer.echo(f"Secret {name} {outcome} at {stage!r}; functions read it within a minute.", err=True)


@app.command("list")
def list_(stage: Stage) -> None:
    """List the names of the secrets that are stored or named, and where the configuration uses them."""
    store = operator_store()
    used = _used(store, stage)
    stored = {name.rpartition("/")[2] for name in store.names(secrets_path(stage))}
    for name in sorted({*stored, *used}):
        state = "stored " if name in stored else "MISSING"
        typer.echo(f"{state}  {name}  {', '.join(used.get(name, ())) or 'not used'}")
    if not stored and not used:
        typer.echo(f"No secret is stored or named at {stage!r}.", err=True)


@app.command()
def delete(name: Name, stage: Stage) -> None:
    """Delete a secret. What names it is disabled within a minute."""
    store = operator_store()
    parameter = secret_name(stage, name)
    if parameter not in store.names(secrets_path(stage)):
        typer.echo(f"There is no secret {name} at {stage!r}.", err=True)
        raise typer.Exit(1)
    store.delete((parameter,))
    typer.echo(f"Secret {name} is deleted at {stage!r}.", err=True)


def _used(store: ParameterStore, stage: str) -> dict[str, tuple[str, ...]]:
    """Where the stage's configuration names secrets; nowhere when it has none that can be read."""
    try:
        return references(parse(pull_configuration(stage=stage, store=store)).configuration)
    except ConfigError:
        return {}
