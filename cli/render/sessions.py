"""Sessions as a table, and one of them with its messages."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.padding import Padding

from cli.console import Console, Table, Text
from cli.transport import parse_answer
from flexchat.api.sessions import SessionList, SessionMessages, SessionMessageView, SessionView
from flexchat.messages import Json


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
