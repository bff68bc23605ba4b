"""`flexchat sessions`: the stored conversations of a token."""

from typing import Annotated

import typer

from cli.invocation import flexchat
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, YesOption, connect, print_json
from cli.terminal import echo, require_confirmation
from cli.transport import entries

app = command_group("List, show, rename and delete sessions.")

SessionId = Annotated[str, typer.Argument(metavar="ID", help="The session's id, from `list`.")]


@app.command("list")
def list_sessions(*, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List your sessions, the most recently changed first."""
    client = connect(url=url, token=token)
    found = list(entries("sessions", lambda cursor: client.sessions(cursor=cursor)))
    if as_json:
        print_json({"sessions": found})
        return
    if not found:
        echo(f"no sessions; start one: {flexchat('chat', '--session', 'NAME', 'Hello')}")
        return
    from cli.console import Console
    from cli.render.sessions import sessions_table

    Console().print(sessions_table(found))


@app.command()
def show(id: SessionId, *, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Show a session with its messages and tool calls."""
    client = connect(url=url, token=token)
    body = client.session(id)
    found = list(entries("messages", lambda cursor: client.session_messages(id, cursor=cursor)))
    if as_json:
        print_json({**body, "messages": found})
        return
    from cli.console import Console
    from cli.render.sessions import print_session

    print_session(Console(), body, found)


@app.command()
def rename(
    id: SessionId,
    title: Annotated[str, typer.Argument(help="The new title.")],
    *,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Rename a session."""
    body = connect(url=url, token=token).rename_session(id, title)
    if as_json:
        print_json(body)
    else:
        echo(f"{id}: {body.get('title')}")


@app.command()
def delete(id: SessionId, *, yes: YesOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """Delete a session with all its messages."""
    client = connect(url=url, token=token)
    if not yes:
        require_confirmation(f"Delete the session {id} with all its messages?")
    client.delete_session(id)
    echo(f"{id} is deleted")
