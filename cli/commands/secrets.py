"""`flexchat secrets`: store, list and delete the secrets that a configuration names as `${NAME}`."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import UnknownNameError, unknown
from cli.lazy import command_group
from cli.options import Stage, require_deployed
from flexchat.config.parameters import secret_name, secrets_path
from flexchat.errors import ConfigError

if TYPE_CHECKING:
    from flexchat.aws.parameters import ParameterStore

app = command_group("Store, list and delete the secrets of a stage.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name, as in ${NAME}.")]


@app.command("set")
def set_(name: Name, stage: Stage) -> None:
    """Store a secret. Its value is read from a prompt or from standard input, never from an argument."""
    from cli.configuration import store_secrets
    from flexchat.aws.parameters import operator_store

    value = typer.prompt(f"Value of {name}", hide_input=True) if sys.stdin.isatty() else sys.stdin.read().rstrip("\r\n")
    changed = store_secrets({name: value}, stage=stage, store=operator_store())
    outcome = "is stored" if changed else "was stored already"
    typer.echo(f"Secret {name} {outcome} at {stage!r}; functions read it within a minute.", err=True)
    _warn_unless_deployed(stage)


@app.command("list")
def list_(stage: Stage) -> None:
    """List the stored and the missing secrets, and the configuration entries that use them."""
    from flexchat.aws.parameters import operator_store

    store = operator_store()
    used = _used(store, stage)
    stored = {name.rpartition("/")[2] for name in store.names(secrets_path(stage))}
    for name in sorted({*stored, *used}):
        state = "stored " if name in stored else "MISSING"
        typer.echo(f"{state}  {name}  {', '.join(used.get(name, ())) or 'not used'}")
    if not stored and not used:
        require_deployed(stage)
        typer.echo(f"{stage!r} has no secret, and its configuration names none.", err=True)


@app.command()
def delete(name: Name, stage: Stage) -> None:
    """Delete a secret. Entries that name it are disabled within a minute."""
    from flexchat.aws.parameters import operator_store

    store = operator_store()
    parameter = secret_name(stage, name)
    stored = store.names(secrets_path(stage))
    if parameter not in stored:
        raise unknown("secret", name, [path.rpartition("/")[2] for path in stored], where=f"stage {stage!r}")
    store.delete((parameter,))
    typer.echo(f"Secret {name} is deleted at {stage!r}.", err=True)


def _warn_unless_deployed(stage: str) -> None:
    """Print the deployed stages unless `stage` is one of them: secrets may be stored before the first deployment."""
    from cli.errors import DeploymentError

    try:
        require_deployed(stage)
    except UnknownNameError as error:
        typer.secho(f"warning: {error}", fg=typer.colors.YELLOW, err=True)
    except DeploymentError:
        pass  # these credentials may not list stacks


def _used(store: "ParameterStore", stage: str) -> dict[str, tuple[str, ...]]:
    """Return the paths in the stage's configuration that name each secret; empty without a readable configuration."""
    from cli.configuration import pull_configuration
    from flexchat.config.document import parse
    from flexchat.config.secrets import references

    try:
        return references(parse(pull_configuration(stage=stage, store=store)).configuration)
    except ConfigError:
        return {}
