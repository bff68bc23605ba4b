"""Text truncation and normalization in bounded time."""

import re
import unicodedata
from itertools import pairwise
from typing import Literal

MARKER_CHARACTERS = 64
"""Upper bound of the length of `omission_marker`."""

_HEAD_SHARE = 0.7

_MARKS = re.compile(r"[^\w\s\x00-\x7f]{30}")
"""Length of a run of possible combining marks; no writing system has as many on one letter."""


def truncate(text: str, limit: int) -> str:
    """Return `text`, or the first characters of it and an ellipsis, at most `limit` characters in all."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def truncate_middle(text: str, limit: int) -> str:
    """Return `text`, or its head and tail, `limit` characters together, around `omission_marker`."""
    if len(text) <= limit:
        return text
    head = int(limit * _HEAD_SHARE)
    tail = limit - head
    return f"{text[:head]}{omission_marker(len(text) - limit)}{text[-tail:]}"


def omission_marker(characters: int) -> str:
    """Return the marker in place of omitted `characters`, a text of at most `MARKER_CHARACTERS`."""
    return f"… [{characters} characters left out] …"


def single_line(text: str) -> str:
    """Return `text` with every run of whitespace replaced by one space."""
    return " ".join(text.split())


def last_line(text: str) -> str:
    """Return the last line of `text` that is not empty; empty without one."""
    return text.rstrip().rpartition("\n")[2].strip()


def normalized(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return `text` in a Unicode normal form.

    Sorting the marks on one letter takes time by the square of their number (100,000 took 26 s), so a run of marks is
    normalized 30 at a time.
    """
    if text.isascii():
        return text
    cuts = [run.end() for run in _MARKS.finditer(text)]
    if not cuts:
        return unicodedata.normalize(form, text)
    pieces = pairwise([0, *cuts, len(text)])
    return "".join(unicodedata.normalize(form, text[start:end]) for start, end in pieces)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural ends in s: `1 error`, `2 errors`, `1,234 errors`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
