"""Places of faults in a JSON file, with the line and a mark below it."""

import re
from collections.abc import Iterator
from typing import Final

from flexchat.redaction import redact_text

SHOWN_CHARACTERS: Final = 100
"""Characters of a line that are shown, around the place."""

_PLACE: Final = re.compile(r" at line (\d+) column (\d+)$")

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"(\s*:)?|[{}\[\]]')


def with_place(message: str, text: str) -> str:
    """Return the message of a JSON error with the line of its place, and with the remedy for comments.

    The place of a name that an object has twice is found in `text`.
    """
    found = _PLACE.search(message)
    if found is not None:
        line, column = int(found[1]), int(found[2])
        return f"{_remedy(message, text, line, column)}{_marked(text, line, column)}"
    if "same name twice" not in message or (place := next(_repeated(text), None)) is None:
        return message
    name, first, second = place
    line, column = _position(text, second)
    before = _position(text, first)[0]
    message = f"the name {name} is in this object already, at line {before}; give every name once at line {line}"
    return f"{message} column {column}{_marked(text, line, column)}"


def _remedy(message: str, text: str, line: int, column: int) -> str:
    rest = text.splitlines()[line - 1 :][:1]
    if rest and rest[0][column - 1 :].startswith(("//", "/*", "#")):
        return f"JSON has no comments; write them as the value of the key `comment`, at line {line} column {column}"
    return message


def _repeated(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each repeated name of an object, with the offsets of its first and of this place."""
    objects: list[dict[str, int]] = []
    for token in _TOKEN.finditer(text):
        kind = token[0]
        if kind in "{[":
            objects.append({})
        elif kind in "}]":
            if objects:
                objects.pop()
        elif token[1] and objects:
            name = kind[: -len(token[1])]
            if name in objects[-1]:
                yield name, objects[-1][name], token.start()
            objects[-1].setdefault(name, token.start())


def _position(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def _marked(text: str, line: int, column: int) -> str:
    """Return a line with a caret below a column, a long one from some characters before it; empty for a blank one
    and for one with a secret."""
    lines = text.splitlines()
    shown = lines[line - 1] if line <= len(lines) else ""
    if not shown.strip() or redact_text(shown) != shown:
        return ""
    start = max(0, column - SHOWN_CHARACTERS // 2) if len(shown) > SHOWN_CHARACTERS else 0
    part = shown[start : start + SHOWN_CHARACTERS].replace("\t", " ")
    return f"\n    {part}\n    {' ' * (column - 1 - start)}^"
