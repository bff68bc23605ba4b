"""Answers from the numbered passages that `rag_context` puts into a prompt."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from flexchat.text import truncate

_NUMBER = re.compile(r"^\[(\d{1,3})\] ?(.*)$", re.M)
_END = re.compile(r"^</untrusted", re.M)
_SHOWN_PASSAGES = 2
_SHOWN_CHARACTERS = 240


def from_passages(system: str) -> str | None:
    """Return an answer that quotes the first passages of a system prompt by their numbers; None without passages."""
    quotes = list(islice(_quotes(system), _SHOWN_PASSAGES))
    return f"The passages I was given say: {' '.join(quotes)}" if quotes else None


def _quotes(system: str) -> Iterator[str]:
    system = _END.split(system)[0]
    for number, following in pairwise((*_NUMBER.finditer(system), None)):
        if number is None:
            return
        text = " ".join(system[number.end() : following.start() if following else None].split())
        shown = truncate(text, _SHOWN_CHARACTERS)
        title = f" {number[2]}" if number[2] else ""
        yield f'"{shown}" [{number[1]}]{title}.'
