"""Numbered events of one run in a form that is sent, stored, merged and cut."""

import re
from collections.abc import Iterable, Iterator
from copy import replace
from typing import Final

from msgspec import Struct

from flexchat.errors import RequestError
from flexchat.json import dumps

_ID: Final = re.compile(r"(\d{1,6})\.(\d{1,9})", re.ASCII)


LAST_STEP: Final = 999_999
"""Number of the last event, the answer or the error, of every run."""


class Position(Struct, frozen=True):
    """Place in the events of a run: `characters` of text were received after event number `step`."""

    step: int = 0
    characters: int = 0

    @classmethod
    def of(cls, last_event_id: str) -> "Position":
        """Return the position of a `Last-Event-ID`; an empty one is the start. Raises RequestError for other forms."""
        if not last_event_id.strip():
            return cls()
        found = _ID.fullmatch(last_event_id.strip())
        if found is None:
            message = f"Last-Event-ID is {last_event_id!r}; send the id of an event, such as 3.120, or leave it out"
            raise RequestError(message, code="invalid_last_event_id")
        return cls(int(found[1]), int(found[2]))


class LoggedEvent(Struct, frozen=True):
    """Event of a run with its JSON `data`."""

    step: int
    name: str
    data: str

    @property
    def frame(self) -> bytes:
        return _frame(f"{self.step}.0", self.name, self.data)


class LoggedText(Struct, frozen=True):
    """Text of deltas after event number `step`, from character `start` on."""

    step: int
    start: int
    iteration: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def frame(self) -> bytes:
        data = dumps({"iteration": self.iteration, "text": self.text})
        return _frame(f"{self.step}.{self.end}", "delta", data)


type Logged = LoggedEvent | LoggedText


def merged(logged: Iterable[Logged]) -> list[Logged]:
    """Return the same events with consecutive texts as one."""
    result: list[Logged] = []
    for each in logged:
        last = result[-1] if result else None
        if isinstance(each, LoggedText) and isinstance(last, LoggedText) and last.step == each.step:
            result[-1] = replace(last, text=last.text + each.text)
        else:
            result.append(each)
    return result


def after(logged: Iterable[Logged], position: Position) -> Iterator[Logged]:
    """Yield the events, and the rest of the text, that follow `position`; repeated ones only once."""
    for each in logged:
        if each.step > position.step:
            found = each
        elif each.step == position.step and isinstance(each, LoggedText) and each.end > position.characters:
            received = max(0, position.characters - each.start)
            found = replace(each, start=each.start + received, text=each.text[received:])
        else:
            continue
        position = position_after(found)
        yield found


def position_after(each: Logged) -> Position:
    return Position(each.step, each.end if isinstance(each, LoggedText) else 0)


def _frame(id: str, name: str, data: str) -> bytes:
    return f"id: {id}\nevent: {name}\ndata: {data}\n\n".encode(errors="replace")
