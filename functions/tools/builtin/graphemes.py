"""Grapheme clusters: characters as a reader counts them."""

import unicodedata
from itertools import pairwise
from typing import Final

from flexchat.text import normalized

_JOINER: Final = "\u200d"


def graphemes(text: str) -> list[str]:
    """Return the grapheme clusters of `text`.

    Combining marks belong to their letter, an emoji includes its skin tone and joined emojis, two regional indicators
    are a flag, CR LF is one line end. Simpler than Unicode's own rules (Annex 29) in scripts that build syllables from
    several letters.
    """
    composed = normalized("NFC", text)
    starts = [0] if composed else []
    for index in range(1, len(composed)):
        if not _continues(composed, starts[-1], index):
            starts.append(index)
    return [composed[start:end] for start, end in pairwise([*starts, len(composed)])]


def _continues(text: str, start: int, index: int) -> bool:
    """Return true when the character at `index` belongs to the cluster that begins at `start`."""
    character, before = text[index], text[index - 1]
    if character == "\n":
        return index - start == 1 and before == "\r"
    if _is_regional(character):
        return index - start == 1 and _is_regional(before)
    modifies = unicodedata.category(character) in ("Mn", "Mc", "Me") or "\U0001f3fb" <= character <= "\U0001f3ff"
    return modifies or _JOINER in (character, before)


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
