"""Text that an operator reads before approving it: characters that are invisible or look like others have a number.

`functions/page/src/reviewed-text.js` does the same for the page; `tests/data/reviewed-texts.json` has examples of both.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from cli.terminal import number, visible_text
from flexchat.text import normalized

_WORDS: Final = re.compile(r"\w+|\W+")
_HIDDEN_CATEGORIES: Final = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs")
_BLANKS: Final = frozenset("\u2800\U0001d159")
"""Blank characters of other categories."""

_QUOTED: Final = "⟨"
"""First character of a number, so that no text can imitate one."""

_VARIATION_SELECTORS: Final = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))))

_SCRIPTS: Final = ("ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LISU")
"""Scripts with letters that look like Latin ones."""


def reviewed_text(text: str) -> str:
    """Return `text` with every character as its number that can hide in it; tabs and line breaks are left.

    These are, beside those of `visible_text`: spaces but the ASCII one, joiners and variation selectors, unassigned
    characters, accents apart from a Latin letter, letters that are ASCII ones in another form, and Cyrillic, Greek and
    similar letters in a word with ASCII ones.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_characters(text))


def _characters(text: str) -> Iterator[str]:
    base = " "
    for word in _WORDS.findall(text):
        latin = any(character.isascii() and character.isalpha() for character in word)
        for character in word:
            is_mark = unicodedata.category(character) in ("Mn", "Me")
            deceives = _hides(character) or (latin and _is_of_similar_script(character))
            yield number(character) if deceives or (is_mark and not _takes_marks(base)) else character
            base = base if is_mark else character


def _hides(character: str) -> bool:
    if character.isascii():
        return not character.isprintable() and character not in "\t\n"
    return (
        character == _QUOTED
        or unicodedata.category(character) in _HIDDEN_CATEGORIES
        or character in _VARIATION_SELECTORS
        or character in _BLANKS
        or visible_text(character) != character
        or any(each.isascii() and each.isalnum() for each in _compatible(character))
    )


def _compatible(character: str) -> str:
    """Return the characters that one is a compatible form of; an empty text for any other."""
    plain = normalized("NFKC", character)
    return plain if plain != character else ""


def _is_of_similar_script(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_SCRIPTS)


def _takes_marks(base: str) -> bool:
    """Return True for a letter of a script that needs marks, such as Devanagari."""
    return base.isalpha() and not base.isascii() and not unicodedata.name(base, "").startswith("LATIN")
