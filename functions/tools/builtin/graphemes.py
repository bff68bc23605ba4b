"""Text in the characters a reader sees."""

import unicodedata
from typing import Final

_JOINER: Final = "\u200d"


def graphemes(text: str) -> list[str]:
    """The characters of `text` as a reader counts them.

    Combining marks stay with their letter, an emoji with its skin tone and with what it is joined to, two regional
    indicators are a flag, CR LF is one line end. Simpler than Unicode's own rules (Annex 29) in scripts that build
    syllables from several letters.
    """
    clusters: list[str] = []
    for character in unicodedata.normalize("NFC", text):
        if clusters and _continues(clusters[-1], character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _continues(cluster: str, character: str) -> bool:
    if character in (_JOINER, "\n"):
        return character == _JOINER or cluster == "\r"
    if _is_regional(character):
        return len(cluster) == 1 and _is_regional(cluster)
    extends = unicodedata.category(character) in ("Mn", "Mc", "Me") or "\U0001f3fb" <= character <= "\U0001f3ff"
    return extends or cluster[-1] == _JOINER


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
