"""Sessions as a table, and one of them with its messages."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.padding import Padding

from cli.console import Console, Table, Text
from cli.transport import parse_answer
from flexchat.api.sessions import (
    SessionList,
    SessionMatch,
    SessionMessages,
    SessionMessageView,
    SessionView,
    ShareView,
    TextPart,
)
from flexchat.messages import Json
from flexchat.text import counted


def sessions_table(found: Sequence[Any]) -> Table:
    """Print one row per session, with complete ids."""
    listed = parse_answer(SessionList, {"sessions": found}).sessions
    table = Table(box=None, pad_edge=False)
    table.add_column("ID", min_width=max(len(session.id) for session in listed))
    for heading in ("TITLE", "TURNS", "CHANGED", "KEPT UNTIL"):
        table.add_column(heading, justify="right" if heading == "TURNS" else "left")
    for session in listed:
        table.add_row(*map(Text, (session.id, session.title or "", str(session.turns), *_times(session))))
    return table


def found_table(found: Sequence[Any]) -> Table:
    """Return one row for each session of a search, with the found words in its title and the best message."""
    listed = parse_answer(SessionList, {"sessions": found}).sessions
    table = Table(box=None, pad_edge=False)
    table.add_column("ID", min_width=max(len(session.id) for session in listed))
    for heading in ("CHANGED", "TITLE", "MESSAGE"):
        table.add_column(heading)
    for session in listed:
        match = session.match or SessionMatch()
        title = _marked(match.title) if match.title else Text(session.title or "")
        table.add_row(Text(session.id), _time(session.updated_at), title, _excerpt(match))
    return table


def _excerpt(match: SessionMatch) -> Text:
    """Return the part of a message with the found words, after its author."""
    if not match.message:
        return Text()
    author = "you" if match.role == "user" else "answer"
    return Text.assemble((f"{author}: ", "dim"), _marked(match.message))


def _marked(parts: Sequence[TextPart]) -> Text:
    text = Text()
    for part in parts:
        text.append(" ".join(part.text.splitlines()), style="bold underline" if part.marked else None)
    return text


def links_table(shares: Sequence[ShareView]) -> Table:
    """Return one row for each link, with complete ids."""
    table = Table(box=None, pad_edge=False)
    table.add_column("ID", min_width=max(len(share.id) for share in shares))
    for heading in ("FOR", "TURNS", "SHOWS", "CREATED", "EXPIRES"):
        table.add_column(heading, justify="right" if heading == "TURNS" else "left")
    for share in shares:
        shown = [name for name, is_shown in _shown(share) if is_shown]
        cells = (share.id, _reader(share), str(share.turns), ", ".join(["messages", *shown]))
        table.add_row(*map(Text, (*cells, _time(share.created_at), _time(share.expires_at))))
    return table


def link_note(share: ShareView) -> str:
    """Return what a new link shows, to whom and for how long."""
    shown = " and ".join(name for name, is_shown in _shown(share) if is_shown)
    content = f"{counted(share.turns, 'turn')} with {shown}" if shown else counted(share.turns, "turn")
    return (
        f"Link {share.id} shows {content} to {_reader(share)} until {_time(share.expires_at)}. "
        "Copy it now: it cannot be shown again. Who opens it signs in to the page first."
    )


def _shown(share: ShareView) -> tuple[tuple[str, bool], ...]:
    return (("tool calls", share.tool_calls), ("names of files", share.attachments))


def _reader(share: ShareView) -> str:
    return "every token" if share.role == "user" else f"tokens with the role {share.role}"


def print_session(console: Console, body: Mapping[str, Json], messages: Sequence[Any]) -> None:
    """Print a session with its messages and tool calls."""
    session = parse_answer(SessionView, body)
    changed, expires = _times(session)
    console.print(Text(session.title or session.id, style="bold"))
    about = f"about {session.topic}, " if session.topic else ""
    console.print(f"{about}changed {changed}, kept until {expires}", style="dim")
    for message in parse_answer(SessionMessages, {"messages": messages}).messages:
        _print_message(console, message)


def _print_message(console: Console, message: SessionMessageView) -> None:
    mark = "> " if message.role == "user" else ""
    console.print()
    if message.content:
        console.print(Text(f"{mark}{message.content}", style="bold" if message.role == "user" else ""))
    for call in message.tool_calls:
        outcome = ("✓", "green") if call.result.success else ("✗", "red")
        params = call.params if isinstance(call.params, str) else json.dumps(call.params, ensure_ascii=False)
        console.print(Padding(Text.assemble(outcome, f" {call.tool} {params}"), (0, 0, 0, 4)))
    if message.model:
        facts = [
            _time(message.at),
            message.model,
            message.rule,
            message.status if message.status != "complete" else None,
        ]
        console.print(Text(" · ".join(filter(None, facts)), style="dim"))


def _times(session: SessionView) -> tuple[str, str]:
    return _time(session.updated_at), _time(session.expires_at)


def _time(moment: str) -> str:
    """Return a time in UTC to the minute."""
    return moment[:16].replace("T", " ")
