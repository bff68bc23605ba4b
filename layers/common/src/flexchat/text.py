"""Work on texts of any length and content in bounded time."""

import re
import unicodedata
from itertools import pairwise
from typing import Literal

MARKER_CHARACTERS = 64
"""At most in the marker of a text that was cut."""

_HEAD_SHARE = 0.7

_MARKS = re.compile(r"[^\w\s\x00-\x7f]{30}")
"""30 characters in a row that may be combining marks; no writing system puts as many on one letter."""


def cut(text: str, limit: int) -> str:
    """`text` as it is, or its head and tail, `limit` characters of it, around a marker of how much was left out."""
    if len(text) <= limit:
        return text
    head = int(limit * _HEAD_SHARE)
    tail = limit - head
    return f"{text[:head]}… [{len(text) - limit} characters left out] …{text[-tail:]}"


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
    """`1 error`, `2 errors`, `1,234 errors`: a number with its noun, whose plural ends in s."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
