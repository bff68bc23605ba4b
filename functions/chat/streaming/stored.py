"""Stored form of a run's events: parts of its log, each in one item, so that a reader finds all of a part or nothing.

The sort key of a part is the position after its last event.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from flexchat.json import dumps
from functions.chat.streaming.log import Logged, LoggedEvent, LoggedText, Position, position_after

MAX_CHARACTERS: Final = 40_000
"""Characters of a part; in JSON, at up to six bytes each, they fit into an item. A single event may be longer."""


def parts_of(logged: Iterable[Logged]) -> Iterator[tuple[str, str]]:
    """Yield the sort key and the content of each part, in order."""
    part: list[Logged] = []
    characters = 0
    for each in _pieces(logged):
        size = len(each.data if isinstance(each, LoggedEvent) else each.text)
        if part and characters + size > MAX_CHARACTERS:
            yield _item(part)
            part, characters = [], 0
        part.append(each)
        characters += size
    if part:
        yield _item(part)


def sort_key(position: Position) -> str:
    """Return the lowest sort key of a part with events after `position`."""
    return f"EVENT#{position.step:06}#{position.characters:09}"


def events_of(content: str) -> Iterator[Logged]:
    """Yield the events of a part."""
    rows: list[list[Any]] = json.loads(content)
    for name, *fields in rows:
        yield LoggedText(*fields) if name == "delta" else LoggedEvent(fields[0], name, fields[1])


def _pieces(logged: Iterable[Logged]) -> Iterator[Logged]:
    """Yield the events, with long texts in pieces."""
    for each in logged:
        if isinstance(each, LoggedEvent) or len(each.text) <= MAX_CHARACTERS:
            yield each
            continue
        for offset in range(0, len(each.text), MAX_CHARACTERS):
            text = each.text[offset : offset + MAX_CHARACTERS]
            yield LoggedText(each.step, each.start + offset, each.iteration, text)


def _item(part: Sequence[Logged]) -> tuple[str, str]:
    return sort_key(position_after(part[-1])), dumps([_row(each) for each in part])


def _row(each: Logged) -> list[str | int]:
    if isinstance(each, LoggedText):
        return ["delta", each.step, each.start, each.iteration, each.text]
    return [each.name, each.step, each.data]
