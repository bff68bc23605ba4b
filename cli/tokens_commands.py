"""`flexchat tokens`: create, list and revoke the API tokens of a stage."""

import json
from datetime import UTC, datetime, timedelta
from typing import Annotated, get_args

import typer

from cli.stages import Stage
from flexchat.aws.tokens import TokenStore, operator_tokens
from flexchat.tokens import IssuedToken, Role, TokenRecord, issue

app = typer.Typer(no_args_is_help=True, help="API tokens: who may call a stage, and until when.")

ROLES: tuple[Role, ...] = get_args(Role)

AsJson = Annotated[bool, typer.Option("--json", help="For machines: JSON on standard output.")]


def _checked_roles(roles: list[str]) -> list[str]:
    for role in roles:
        if role not in ROLES:
            raise typer.BadParameter(f"there is no role {role!r}; there are {' and '.join(ROLES)}")
    return roles


def checked_name(name: str) -> str:
    if not 1 <= len(name) <= 64 or not name.isprintable() or name != name.strip():
        raise typer.BadParameter("must be 1 to 64 printable characters, without space at either end")
    return name


def create_token(
    *, store: TokenStore, name: str, roles: tuple[Role, ...] = ("user",), days: int = 90, now: datetime
) -> IssuedToken:
    """Issue a token, keep its record in `store` and return it; this is the only time its secret is seen."""
    issued = issue(name=name, roles=roles, lifetime=timedelta(days=days), now=now)
    store.put(issued.record)
    return issued


@app.command()
def create(
    stage: Stage,
    name: Annotated[str, typer.Option(help="Who or what will use the token.", callback=checked_name)],
    role: Annotated[
        list[str],
        typer.Option(
            help="user or operator; may be given several times.",
            callback=_checked_roles,
            default_factory=lambda: ["user"],
            show_default="user",
        ),
    ],
    days: Annotated[int, typer.Option(min=1, max=3650, help="Days until it expires.")] = 90,
    as_json: AsJson = False,
) -> None:
    """Create a token and print it. It is shown this once: only its hash is kept."""
    issued = create_token(
        store=operator_tokens(stage),
        name=name,
        roles=tuple(known for known in ROLES if known in role),
        days=days,
        now=datetime.now(UTC),
    )
    if as_json:
        typer.echo(json.dumps({"token": issued.token.reveal()} | _described(issued.record), indent=2))
        return
    typer.echo(issued.token.reveal())
    typer.echo(
        f"Token {issued.record.id} for {name!r} at {stage!r}, until {issued.record.expires_at:%Y-%m-%d}. "
        "Keep it now: it cannot be shown again.",
        err=True,
    )


@app.command("list")
def list_(stage: Stage, as_json: AsJson = False) -> None:
    """List the tokens that have not expired, the newest first, without their secrets."""
    now = datetime.now(UTC)
    live = [record for record in operator_tokens(stage).list() if record.is_live(now=now)]
    if as_json:
        typer.echo(json.dumps([_described(record) for record in live], indent=2))
        return
    if not live:
        typer.echo(f"No token at {stage!r}: the API is closed. Create one: flexchat tokens create", err=True)
        return
    for record in live:
        typer.echo(
            f"{record.id}  …{record.hint}  {','.join(record.roles):<13}  "
            f"{record.created_at:%Y-%m-%d} to {record.expires_at:%Y-%m-%d}  {record.name}"
        )


@app.command()
def revoke(
    id: Annotated[str, typer.Argument(metavar="ID", help="The token's id, as `list` shows it.")], stage: Stage
) -> None:
    """Revoke a token. The API may go on admitting it from its cache for up to a minute."""
    if not operator_tokens(stage).revoke(id):
        typer.echo(f"There is no token {id!r} at {stage!r}.", err=True)
        raise typer.Exit(1)
    typer.echo(f"Token {id} is revoked; the API forgets it within a minute.", err=True)


def _described(record: TokenRecord) -> dict[str, str | list[Role]]:
    return {
        "id": record.id,
        "name": record.name,
        "roles": list(record.roles),
        "hint": record.hint,
        "created_at": record.created_at.isoformat(),
        "expires_at": record.expires_at.isoformat(),
    }
