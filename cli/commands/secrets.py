"""`flexchat secrets`: store, list and delete the secrets that a configuration names as `${NAME}`."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import UnknownNameError, unknown
from cli.lazy import command_group
from cli.options import Stage, require_deployed
from cli.terminal import echo, prompt
from flexchat.errors import ConfigError
from flexchat.secret_references import bound_hosts, secret_hosts_name, secret_name, secrets_path

if TYPE_CHECKING:
    from flexchat.aws.parameters import ParameterStore
    from flexchat.config.models.configuration import Configuration

app = command_group("Store, list and delete the secrets of a stage.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name, as in ${NAME}.")]
Hosts = Annotated[
    list[str],
    typer.Option("--host", metavar="HOST", help="A host that the secret may be sent to; may be repeated."),
]


@app.command("set")
def set_(name: Name, stage: Stage, host: Hosts = []) -> None:  # noqa: B006 # typer reads the default
    """Store a secret. Its value is read from a prompt or from standard input, never from an argument.

    Hosts replace those that it is bound to. Without any, they stay; a secret that has none is bound to the addresses of
    the llms and services that use it.
    """
    from cli.configuration import store_secrets
    from cli.secret_hosts import bind_secret, bind_unbound, checked_hosts
    from flexchat.aws.parameters import operator_store

    hosts, store = checked_hosts(host), operator_store()
    value = prompt(f"Value of {name}", hide_input=True) if sys.stdin.isatty() else sys.stdin.read().rstrip("\r\n")
    changed = store_secrets({name: value}, stage=stage, store=store)
    outcome = "is stored" if changed else "was stored already"
    echo(f"Secret {name} {outcome} at {stage!r}; functions read it within a minute.", err=True)
    if hosts:
        bind_secret(name, hosts, stage=stage, store=store)
    else:
        hosts = bind_unbound(_configuration(store, stage), stage=stage, store=store, names=(name,)).get(name, ())
    if hosts:
        echo(f"{name} may be sent to {', '.join(hosts)}.", err=True)
    _warn_unless_deployed(stage)


@app.command()
def bind(
    name: Name,
    stage: Stage,
    host: Hosts = [],  # noqa: B006 # typer reads the default
    *,
    replace: Annotated[bool, typer.Option("--replace", help="Remove the hosts that are not given.")] = False,
) -> None:
    """Add hosts that a secret may be sent to."""
    from cli.secret_hosts import bind_secret, checked_hosts
    from flexchat.aws.parameters import operator_store

    hosts, store = checked_hosts(host), operator_store()
    if not hosts and not replace:
        raise typer.BadParameter("name a host, or use --replace to remove all", param_hint="--host")
    _require_stored(store, name, stage)
    parameter = secret_hosts_name(stage, name)
    present = () if replace else sorted(bound_hosts(store.read((parameter,)).get(parameter, "")))
    hosts = tuple(dict.fromkeys((*present, *hosts)))
    bind_secret(name, hosts, stage=stage, store=store)
    echo(f"{name} may be sent to {', '.join(hosts) or 'no host'}.", err=True)


@app.command("list")
def list_(stage: Stage) -> None:
    """List the stored and the missing secrets, and the configuration entries that use them."""
    from flexchat.aws.parameters import operator_store

    store = operator_store()
    used = _used(store, stage)
    stored = _stored(store, stage)
    hosts = store.read(secret_hosts_name(stage, name) for name in stored)
    for name in sorted({*stored, *used}):
        state = "stored " if name in stored else "MISSING"
        bound = ", ".join(sorted(bound_hosts(hosts.get(secret_hosts_name(stage, name), ""))))
        echo(f"{state}  {name}  {', '.join(used.get(name, ())) or 'not used'}{f'  -> {bound}' if bound else ''}")
    if not stored and not used:
        require_deployed(stage)
        echo(f"{stage!r} has no secret, and its configuration names none.", err=True)


@app.command()
def delete(name: Name, stage: Stage) -> None:
    """Delete a secret. Entries that name it are disabled within a minute."""
    from flexchat.aws.parameters import operator_store

    store = operator_store()
    _require_stored(store, name, stage)
    store.delete((secret_name(stage, name), secret_hosts_name(stage, name)))
    echo(f"Secret {name} is deleted at {stage!r}.", err=True)


def _stored(store: "ParameterStore", stage: str) -> tuple[str, ...]:
    """Return the names of the stored secrets; below each name may be the parameter of its hosts."""
    path = f"{secrets_path(stage)}/"
    names = (name.removeprefix(path) for name in store.names(secrets_path(stage)))
    return tuple(name for name in names if "/" not in name)


def _require_stored(store: "ParameterStore", name: str, stage: str) -> None:
    stored = _stored(store, stage)
    if name not in stored:
        raise unknown("secret", name, list(stored), where=f"stage {stage!r}")


def _warn_unless_deployed(stage: str) -> None:
    """Print the deployed stages unless `stage` is one of them: secrets may be stored before the first deployment."""
    from cli.errors import DeploymentError

    try:
        require_deployed(stage)
    except UnknownNameError as error:
        echo(f"warning: {error}", err=True, colour="yellow")
    except DeploymentError:
        pass  # these credentials may not list stacks


def _used(store: "ParameterStore", stage: str) -> dict[str, tuple[str, ...]]:
    """Return the paths in the stage's configuration that name each secret; empty without a readable configuration."""
    from flexchat.config.secrets import references

    return references(_configuration(store, stage))


def _configuration(store: "ParameterStore", stage: str) -> "Configuration":
    """Return the stage's configuration; an empty one without a readable configuration."""
    from cli.configuration import pull_configuration
    from flexchat.config.document import parse

    try:
        return parse(pull_configuration(stage=stage, store=store)).configuration
    except ConfigError:
        return parse({}).configuration
