"""`flexchat sessions`: the stored conversations of a token."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.invocation import flexchat
from cli.lazy import command_group
from cli.options import JsonOption, TokenOption, UrlOption, YesOption, connect, print_json
from cli.terminal import echo, require_confirmation
from cli.transport import entries

app = command_group("List, show, export, rename and delete sessions.")

Format = Literal["markdown", "json"]
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
def export(
    id: SessionId,
    *,
    form: Annotated[Format, typer.Option("--format", help="The format of the file.")] = "markdown",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A new file, instead of the terminal.")] = None,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Export a session with its tool calls as Markdown or JSON."""
    if output is not None and output.exists():
        raise typer.BadParameter(f"{str(output)!r} exists already; name a new file")
    parts = list(connect(url=url, token=token).export_session(id, form))
    text = "\n".join(parts) if form == "markdown" else _joined(parts)
    if output is None:
        echo(text)
        return
    output.write_text(text, "utf-8")
    echo(f"{id} is exported to {output}")


def _joined(parts: Sequence[str]) -> str:
    """Return one JSON document with the messages of all parts."""
    documents = [json.loads(part) for part in parts]
    first = {name: value for name, value in documents[0].items() if name != "next_turn"}
    first["messages"] = [message for document in documents for message in document["messages"]]
    return json.dumps(first, ensure_ascii=False, indent=2)


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
