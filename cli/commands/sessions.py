"""`flexchat sessions`: the stored conversations of a token."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.errors import ServiceError
from cli.invocation import flexchat
from cli.lazy import command_group
from cli.options import JsonOption, Limit, TokenOption, UrlOption, YesOption, connect, print_json
from cli.terminal import echo, require_confirmation
from cli.transport import entries, parse_answer
from flexchat.messages import Json

app = command_group("List, search, export, share and delete sessions.")

Format = Literal["markdown", "json"]
Reader = Literal["user", "operator"]

DEFAULT_DAYS = 7
"""Validity of a link where the service allows it."""
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
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="The words; a session has all of them.")],
    *,
    limit: Limit = 50,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Search the titles and messages of your sessions, the most recently changed first.

    Exit code 1 when no session has the words.
    """
    client, query = connect(url=url, token=token), " ".join(words)
    searched = 0

    def page(cursor: str | None) -> dict[str, Json]:
        nonlocal searched
        body = client.search_sessions(query, cursor=cursor)
        progress = body.get("searched")
        count = progress.get("sessions") if isinstance(progress, dict) else None
        searched += count if isinstance(count, int) else 0
        return body

    found = list(islice(entries("sessions", page), limit))
    if as_json:
        print_json({"sessions": found})
    elif found:
        from cli.console import Console
        from cli.render.sessions import found_table

        Console().print(found_table(found))
        if len(found) == limit:
            echo(f"the last changed {limit} are shown; --limit shows more", err=True)
    if not found:
        owned = f"none of your {searched} sessions has" if searched else "you have no sessions, so none has"
        raise ServiceError(f"{owned} {query!r} in its title or its messages")


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


@app.command()
def share(
    id: SessionId,
    *,
    days: Annotated[
        int | None,
        typer.Option(min=1, max=365, help=f"Days until it expires. [default: {DEFAULT_DAYS}, or the maximum]"),
    ] = None,
    role: Annotated[Reader, typer.Option(help="The role of its readers' tokens; every token has user.")] = "user",
    tool_calls: Annotated[
        bool, typer.Option("--tool-calls", help="Show tool calls with their arguments and results.")
    ] = False,
    attachments: Annotated[bool, typer.Option("--attachments", help="Show the names of pictures and files.")] = False,
    as_json: JsonOption = False,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Create a read-only link to a session as it is now, and print it, this once.

    Only people with a token of the service, or an account that it accepts, can open the link.
    """
    client = connect(url=url, token=token)
    new: dict[str, Json] = {
        "expires_in_days": _default_days(client.shares(id)) if days is None else days,
        "role": role,
        "tool_calls": tool_calls,
        "attachments": attachments,
    }
    body = client.create_share(id, new)
    if as_json:
        print_json(body)
        return
    from cli.render.sessions import link_note
    from flexchat.api.sessions import CreatedShare

    created = parse_answer(CreatedShare, body)
    echo(f"{client.url}/{created.path}")
    echo(link_note(created), err=True)


def _default_days(links: dict[str, Json]) -> int:
    from flexchat.api.sessions import ShareList

    return min(DEFAULT_DAYS, parse_answer(ShareList, links).settings.max_days)


@app.command()
def links(id: SessionId, *, as_json: JsonOption = False, url: UrlOption = None, token: TokenOption = None) -> None:
    """List the links to a session that have not expired, without their secrets."""
    body = connect(url=url, token=token).shares(id)
    if as_json:
        print_json(body)
        return
    from flexchat.api.sessions import ShareList

    listed = parse_answer(ShareList, body)
    if not listed.settings.enabled:
        echo(
            "sharing is off: no link opens until `sessions.sharing.enabled` of the configuration is true",
            err=True,
        )
    if not listed.shares:
        echo(f"no links; create one: {flexchat('sessions', 'share', id)}")
        return
    from cli.console import Console
    from cli.render.sessions import links_table

    Console().print(links_table(listed.shares))


@app.command()
def revoke(
    id: SessionId,
    link: Annotated[str, typer.Argument(metavar="LINK", help="The link's id, from `links`.")],
    *,
    url: UrlOption = None,
    token: TokenOption = None,
) -> None:
    """Revoke a link to a session: it shows nothing from now on."""
    connect(url=url, token=token).revoke_share(id, link)
    echo(f"the link {link} is revoked")
