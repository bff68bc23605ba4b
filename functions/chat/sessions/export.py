"""Exports of a session as JSON or Markdown: whole turns, as many as a response has room for."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal

from msgspec import Struct

from flexchat.api.answer import ToolCallView, ToolSuccessView
from flexchat.api.sessions import SessionExport, SessionMessageView, SessionView
from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.text import counted, single_line
from functions.chat.response import MAX_PAYLOAD_BYTES, fitted_calls, payload_bytes

type ExportFormat = Literal["json", "markdown"]

ROOM_BYTES: Final = MAX_PAYLOAD_BYTES - 100_000
"""Room for turns; the rest is for the session and the headers."""

INDENTED_CHARACTERS: Final = 2_000
"""Longest JSON that Markdown shows with line breaks, which may double its size."""


class Export(Struct, frozen=True):
    """File with some or all turns of a session; `next_turn` is the first that is left out, None for the last file."""

    text: str
    media_type: str
    file_name: str
    next_turn: int | None


def export(
    session: SessionView,
    messages: Iterable[SessionMessageView],
    form: ExportFormat,
    *,
    exported_at: str,
    from_turn: int,
    room: int = ROOM_BYTES,
) -> Export:
    """Return the export of `messages`, which begin with `from_turn`.

    A file has complete turns. Only a turn that is larger than `room` alone loses parts of results, each marked as
    truncated.
    """
    kept: list[SessionMessageView] = []
    texts: list[str] = []
    next_turn: int | None = None
    left = room
    for number, group in groupby(messages, key=attrgetter("turn")):
        turn = tuple(group)
        text = _turn_text(turn, form)
        if payload_bytes(text) > room:
            turn = _fitted(turn, room)
            text = _turn_text(turn, form)
        left -= payload_bytes(text)
        if texts and left < 0:
            next_turn = number
            break
        kept.extend(turn)
        texts.append(text)
    if form == "json":
        exported = SessionExport(
            exported_at=exported_at,
            session=session,
            from_turn=from_turn,
            next_turn=next_turn,
            messages=tuple(kept),
        )
        text = dumps(exported.model_dump(mode="json"))
        return Export(_safe(text), "application/json", f"{session.id}.json", next_turn)
    head = _head(session, exported_at) if from_turn == 1 else ""
    parts = [head, *texts, _continuation(session, kept, next_turn)]
    text = "\n".join(filter(None, parts))
    return Export(_safe(text), "text/markdown; charset=utf-8", f"{session.id}.md", next_turn)


def _safe(text: str) -> str:
    """Return `text` with lone surrogates, which no file can have, replaced."""
    return text.encode(errors="replace").decode()


def _turn_text(turn: Sequence[SessionMessageView], form: ExportFormat) -> str:
    if form == "json":
        return dumps([message.model_dump(mode="json") for message in turn])
    return "".join(map(_message, turn))


def _fitted(turn: Sequence[SessionMessageView], room: int) -> tuple[SessionMessageView, ...]:
    """Return a turn whose largest arguments and results are truncated."""
    plain = [message.model_copy(update={"tool_calls": ()}).model_dump(mode="json") for message in turn]
    calls = [call.model_dump(mode="json") for message in turn for call in message.tool_calls]
    fitting = iter(fitted_calls(calls, max(0, room * 9 // 10 - payload_bytes(plain))))
    return tuple(
        message.model_copy(
            update={"tool_calls": tuple(ToolCallView.model_validate(next(fitting)) for _ in message.tool_calls)}
        )
        for message in turn
    )


def _head(session: SessionView, exported_at: str) -> str:
    lines = [
        f"# {single_line(session.title or session.id)}",
        "",
        f"- Session: `{session.id}`",
        *([f"- Topic: {single_line(session.topic)}"] if session.topic else []),
        f"- Turns: {session.turns}",
        f"- Created: {_time(session.created_at)}",
        f"- Changed: {_time(session.updated_at)}",
        f"- Exported: {_time(exported_at)}",
    ]
    return "\n".join(lines) + "\n"


def _continuation(session: SessionView, kept: Sequence[SessionMessageView], next_turn: int | None) -> str:
    """Return the note at the end of a file that is not the last."""
    if next_turn is None:
        return ""
    return (
        f"*Turns {kept[0].turn} to {kept[-1].turn} of {session.turns}; "
        f"turn {next_turn} and later ones are in the next part (`from_turn={next_turn}`).*\n"
    )


def _message(message: SessionMessageView) -> str:
    return "\n".join((*_message_lines(message), ""))


def _message_lines(message: SessionMessageView) -> Iterator[str]:
    if message.role == "user":
        yield f"## {message.turn}. User, {_time(message.at)}"
    else:
        yield f"### {' · '.join(_facts(message))}"
    yield ""
    if message.content:
        yield message.content
        yield ""
    for attachment in message.attachments:
        size = counted(attachment.size, "byte")
        yield f"- {attachment.type.capitalize()}: {_code(attachment.name)} ({attachment.media_type}, {size})"
    if message.attachments:
        yield ""
    for call in message.tool_calls:
        yield from _call_lines(call)


def _facts(message: SessionMessageView) -> Iterator[str]:
    yield "Assistant"
    if message.model:
        yield f"{message.service}:{message.model}" if message.service else message.model
    if message.demo:
        yield "demo model"
    if message.rule:
        yield f"rule {single_line(message.rule)}"
    if message.status == "partial":
        yield "partial answer"
    yield _time(message.at)


def _call_lines(call: ToolCallView) -> Iterator[str]:
    result = call.result
    outcome = "succeeded" if result.success else "failed"
    yield f"#### Tool call {_code(call.tool)}, iteration {call.iteration}, {outcome} in {result.execution_time_ms} ms"
    yield ""
    yield "Arguments:"
    yield ""
    yield _block(call.params)
    yield ""
    if isinstance(result, ToolSuccessView):
        yield "Result, truncated:" if result.truncated else "Result:"
        yield ""
        yield _block(result.result)
    else:
        yield f"Error, {result.error_type}:"
        yield ""
        yield _block(result.error)
    yield ""


def _block(value: Json) -> str:
    """Return a fenced block, whose fence is longer than any in its text."""
    text = value if isinstance(value, str) else dumps(value)
    if not isinstance(value, str) and len(text) <= INDENTED_CHARACTERS:
        text = json.dumps(value, ensure_ascii=False, indent=2)
    fence = "`" * max(3, 1 + _longest_run(text))
    return f"{fence}{'' if isinstance(value, str) else 'json'}\n{text}\n{fence}"


def _code(text: str) -> str:
    line = single_line(text)
    ticks = "`" * (1 + _longest_run(line))
    pad = " " if "`" in line else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks."""
    return max((len(list(run)) for character, run in groupby(text) if character == "`"), default=0)


def _time(moment: str) -> str:
    return f"{moment[:16].replace('T', ' ')} UTC"
