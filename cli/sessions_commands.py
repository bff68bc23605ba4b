"""`flexchat sessions`: the conversations that a service remembers for a token."""

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.service import JsonOption, TokenOption, UrlOption, connect
from flexchat.api.sessions import SessionList, SessionMessages, SessionMessageView, SessionView
from flexchat.messages import Json

app = typer.Typer(no_args_is_help=True, help="Conversations that the service remembers: look at them, rename, delete.")

PAGE_LIMIT = 1_000
"""Pages that are asked for at most; nobody reads more."""

SessionId = Annotated[str, typer.Argument(metavar="ID", help="As the answer of `flexchat chat --session` names it.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command("list")
def list_sessions(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Show your sessions, the one that changed last first."""
    client = connect(url=url, token=token)
    found = list(_all("sessions", lambda cursor: client.sessions(cursor=cursor)))
    if as_json:
        _print_json({"sessions": found})
        return
    listed = SessionList.model_validate({"sessions": found}, extra="ignore").sessions
    if not listed:
        typer.echo("no sessions; begin one: flexchat chat --session NAME 'Hello'")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("ID", min_width=max(len(session.id) for session in listed))  # whole: it is to be copied
    for heading in ("TITLE", "TURNS", "CHANGED", "KEPT UNTIL"):
        table.add_column(heading, justify="right" if heading == "TURNS" else "left")
    for session in listed:
        table.add_row(*map(Text, (session.id, session.title or "", str(session.turns), *_times(session))))
    Console().print(table)


@app.command()
def show(id: SessionId, *, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Show a session with its messages and tool calls."""
    client = connect(url=url, token=token)
    body = client.session(id)
    found = list(_all("messages", lambda cursor: client.session_messages(id, cursor=cursor)))
    if as_json:
        _print_json({**body, "messages": found})
        return
    session = SessionView.model_validate(body, extra="ignore")
    console = Console()
    changed, kept = _times(session)
    console.print(f"[bold]{escape(session.title or session.id)}[/bold]", highlight=False)
    about = f"about {session.topic}, " if session.topic else ""
    console.print(f"{about}changed {changed}, kept until {kept}", style="dim", highlight=False, markup=False)
    for message in SessionMessages.model_validate({"messages": found}, extra="ignore").messages:
        _print_message(console, message)


@app.command()
def rename(
    id: SessionId,
    title: Annotated[str, typer.Argument(help="The new title.")],
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Give a session another title."""
    body = connect(url=url, token=token).rename_session(id, title)
    if as_json:
        _print_json(body)
    else:
        typer.echo(f"{id}: {SessionView.model_validate(body, extra='ignore').title}")


@app.command()
def delete(id: SessionId, *, yes: Yes = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Delete a session with all its messages, for good."""
    client = connect(url=url, token=token)
    if not yes:
        typer.confirm(f"Delete the session {id} with all its messages?", abort=True)
    client.delete_session(id)
    typer.echo(f"{id} is deleted")


def _all(key: str, page: Callable[[str | None], dict[str, Json]]) -> Iterator[Any]:
    """The entries of all pages, which `page` gives by their cursor."""
    cursor: str | None = None
    for _ in range(PAGE_LIMIT):
        body = page(cursor)
        entries = body.get(key)
        yield from entries if isinstance(entries, list) else []
        following = body.get("cursor")
        if not isinstance(following, str):
            return
        cursor = following


def _print_message(console: Console, message: SessionMessageView) -> None:
    mark = "> " if message.role == "user" else ""
    console.print()
    if message.content:
        console.print(Text(f"{mark}{message.content}", style="bold" if message.role == "user" else ""))
    for call in message.tool_calls:
        outcome = ("✓", "green") if call.result.success else ("✗", "red")
        params = call.params if isinstance(call.params, str) else json.dumps(call.params, ensure_ascii=False)
        console.print(Padding(Text.assemble(outcome, f" {call.tool} {params}"), (0, 0, 0, 4)), highlight=False)
    if message.model:
        told = [
            _time(message.at),
            message.model,
            message.rule,
            message.status if message.status != "complete" else None,
        ]
        console.print(Text(" · ".join(filter(None, told)), style="dim"))


def _times(session: SessionView) -> tuple[str, str]:
    return _time(session.updated_at), _time(session.expires_at)


def _time(moment: str) -> str:
    """A moment in UTC to the minute."""
    return moment[:16].replace("T", " ")


def _print_json(body: dict[str, Json]) -> None:
    typer.echo(json.dumps(body, ensure_ascii=False, indent=2))
