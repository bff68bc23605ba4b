"""Suggestions of known names for a misspelled one."""

import difflib
from collections.abc import Collection, Iterable

MAX_NAMES = 20
"""Maximum number of names in a message."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'calculate'?` when a known name is similar, else an empty text."""
    close = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def known_names(word: str, known: Collection[str]) -> str:
    """Return `'docs', 'faq' and 3 more`: the names closest to `word` first; `none` when there are none."""
    if not known:
        return "none"
    ranked = sorted(known, key=lambda name: (-difflib.SequenceMatcher(None, word, name).ratio(), name))
    more = len(ranked) - MAX_NAMES
    return ", ".join(map(repr, ranked[:MAX_NAMES])) + (f" and {more} more" if more > 0 else "")
