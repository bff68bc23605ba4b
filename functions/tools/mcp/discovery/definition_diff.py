"""Diff of two definitions of a tool, in which every change of a character is visible.

The lines have all that `McpDefinition.hash` covers: what an operator reads is what the approval names.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from flexchat.mcp_listings import McpDefinition
from flexchat.text import truncate

CONTEXT: Final = 3
"""Unchanged lines around a change."""

EXCERPT: Final = 40
"""Maximum length of the changed text in a note."""

_DISTINCT: Final = ("CJK ", "HANGUL ", "HIRAGANA ", "KATAKANA ")
"""Names of characters that no ASCII character looks like."""


def definition_diff(before: McpDefinition | None, after: McpDefinition) -> tuple[str, ...]:
    """Return the lines of a unified diff of two definitions as JSON with sorted keys; without `before`, all lines.

    A line that begins with `?` is a note in ASCII on the changed line above it: its first different character, and the
    characters beyond ASCII that are in one of the lines only, since some of them look alike or are invisible.
    """
    new = _lines(after)
    if before is None:
        return tuple(f"+{line}" for line in new)
    return tuple(_diff(_lines(before), new))


def _lines(definition: McpDefinition) -> list[str]:
    text = json.dumps(dict(definition.content), indent=2, sort_keys=True, ensure_ascii=False)
    return text.split("\n")  # not at the other separators of `splitlines`, which are characters of texts


def _diff(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    yield "--- approved"
    yield "+++ listed"
    for group in SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for tag, begin, end, new_begin, new_end in group:
            removed, added = old[begin:end], new[new_begin:new_end]
            if tag == "equal":
                yield from (f" {line}" for line in removed)
                continue
            yield from (f"-{line}" for line in removed)
            for position, line in enumerate(added):
                yield f"+{line}"
                if position < len(removed):
                    yield f"?  {_note(removed[position], line)}"


def _range(begin: int, end: int) -> str:
    """Return the range of a heading of a hunk, as `diff -u` writes it."""
    length = end - begin
    return str(begin + 1) if length == 1 else f"{begin + 1 if length else begin},{length}"


def _note(before: str, after: str) -> str:
    at = next(place for place, (old, new) in enumerate(zip_longest(before, after)) if old != new)
    note = f"from character {at + 1}: {_excerpt(before, at)} is now {_excerpt(after, at)}"
    former, current = (Counter(filter(_may_deceive, line)) for line in (before, after))
    for title, characters in (("new", current - former), ("removed", former - current)):
        if characters:
            note += f"; {title} characters: {', '.join(map(_named, sorted(characters)))}"
    return note


def _excerpt(line: str, at: int) -> str:
    return ascii(truncate(line[at : at + EXCERPT + 1], EXCERPT))


def _may_deceive(character: str) -> bool:
    return not character.isascii() and not unicodedata.name(character, "").startswith(_DISTINCT)


def _named(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
