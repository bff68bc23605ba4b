"""`flexchat tokens`: create, list and revoke the API tokens of a stage."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from cli.errors import unknown
from cli.invocation import flexchat
from cli.lazy import command_group
from cli.options import JsonOption, Stage, print_json
from cli.terminal import echo
from flexchat.tokens import MAX_DAYS, ROLES, TokenRecord, checked_name, is_role_name, ordered_roles

app = command_group("Create, list and revoke the API tokens of a stage.")


def _checked_roles(roles: list[str]) -> list[str]:
    for role in roles:
        if not is_role_name(role):
            raise typer.BadParameter(
                f"{role!r} is no name of a role: lower-case letters, digits, '_' and '-', a letter first"
            )
    return roles


def _require_configured(roles: list[str], stage: str) -> None:
    """Raise UnknownNameError for a role that the published configuration has not."""
    if not roles:
        return
    from cli.configuration import pull_configuration
    from flexchat.aws.parameters import operator_store
    from flexchat.config.document import parse

    configured = parse(pull_configuration(stage=stage, store=operator_store())).configuration.roles
    for role in roles:
        if role not in configured:
            raise unknown("role", role, [*ROLES, *configured], where=f"the configuration of stage {stage!r}")


def checked_name_option(name: str) -> str:
    """Return the name of a new token. Raises BadParameter."""
    try:
        return checked_name(name)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


@app.command()
def create(
    stage: Stage,
    name: Annotated[str, typer.Option(help="The user or program that the token is for.", callback=checked_name_option)],
    role: Annotated[
        list[str],
        typer.Option(
            help="user, operator, service, or a role of the configuration; may be given several times.",
            callback=_checked_roles,
            default_factory=lambda: ["user"],
            show_default="user",
        ),
    ],
    days: Annotated[int, typer.Option(min=1, max=MAX_DAYS, help="Days until it expires.")] = 90,
    as_json: JsonOption = False,
) -> None:
    """Create a token and print it, this once: only its hash is stored."""
    from cli.audit import operator_audit
    from cli.tokens import create_token
    from flexchat.aws.tokens import operator_tokens

    _require_configured([each for each in role if each not in ROLES], stage)
    issued = create_token(
        store=operator_tokens(stage),
        audit=operator_audit(stage),
        name=name,
        roles=ordered_roles(role),
        days=days,
        now=datetime.now(UTC),
    )
    if as_json:
        print_json({"token": issued.token.reveal()} | _described(issued.record))
        return
    echo(issued.token.reveal())
    echo(
        f"Token {issued.record.id} for {name!r} at {stage!r}, until {issued.record.expires_at:%Y-%m-%d}. "
        "Store it now: it cannot be shown again.",
        err=True,
    )


@app.command("list")
def list_(stage: Stage, as_json: JsonOption = False) -> None:
    """List the tokens that have not expired, the newest first, without their secrets."""
    from flexchat.aws.tokens import operator_tokens

    now = datetime.now(UTC)
    live = [record for record in operator_tokens(stage).list() if record.is_live(now=now)]
    if as_json:
        print_json([_described(record) for record in live])
        return
    if not live:
        create = flexchat("tokens", "create", "--stage", stage, "--name", "NAME")
        echo(f"{stage!r} has no token, so its API refuses every request. Create one: {create}", err=True)
        return
    for record in live:
        echo(
            f"{record.id}  …{record.hint}  {','.join(record.roles):<21}  "
            f"{record.created_at:%Y-%m-%d} to {record.expires_at:%Y-%m-%d}  {record.name}"
        )


@app.command()
def revoke(
    id: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as `list` shows it.")], stage: Stage
) -> None:
    """Revoke a token. The API may accept it from its cache for up to a minute."""
    from cli.audit import operator_audit
    from cli.tokens import revoke_token
    from flexchat.aws.tokens import operator_tokens

    store = operator_tokens(stage)
    if not revoke_token(id, store=store, audit=operator_audit(stage)):
        raise unknown("token", id, [record.id for record in store.list()], where=f"stage {stage!r}")
    echo(f"Token {id} is revoked; the API refuses it within a minute.", err=True)


def _described(record: TokenRecord) -> dict[str, str | list[str]]:
    return {
        "id": record.id,
        "name": record.name,
        "roles": list(record.roles),
        "hint": record.hint,
        "created_at": record.created_at.isoformat(),
        "expires_at": record.expires_at.isoformat(),
    }
