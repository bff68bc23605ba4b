"""`string`: mechanical operations on a text."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from flexchat.errors import ToolError, ToolInputError
from flexchat.messages import Json
from flexchat.text import normalized
from functions.tools.builtin.params import Params

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


MAX_TEXT: Final = 100_000
MAX_RESULT: Final = 1_000_000
MAX_PARTS: Final = 10_000

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_LATIN_MARKS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def string(arguments: Mapping[str, Json]) -> Json:
    """Params: `operation`, `text` (at most 100,000 characters) and

    - length, upper, lower, title, capitalize, reverse, slug: no other
    - replace: `search`, `replacement` (default empty)
    - count: `search`; occurrences that do not overlap
    - split: `separator` (default white space)

    Result: `{"result": value}`; a number for length and count, a list for split, else a text. Searches are literal and
    case-sensitive; length and reverse use grapheme clusters.
    """
    params = Params(arguments)
    operation = params.choice("operation", tuple(_OPERATIONS))
    text = params.text("text", max_length=MAX_TEXT)
    return {"result": _OPERATIONS[operation](text, params)}


def _replace(text: str, params: Params) -> Json:
    search = _search(params)
    replacement = params.text("replacement", max_length=MAX_TEXT, default="")
    if len(text) + text.count(search) * (len(replacement) - len(search)) > MAX_RESULT:
        raise ToolError(f"The result has more than {MAX_RESULT} characters")
    return text.replace(search, replacement)


def _count(text: str, params: Params) -> Json:
    return text.count(_search(params))


def _split(text: str, params: Params) -> Json:
    separator = params.optional_text("separator", max_length=MAX_TEXT)
    parts = text.split(separator or None)
    if len(parts) > MAX_PARTS:
        raise ToolError(f"The result has {len(parts)} parts, at most {MAX_PARTS} are returned")
    return list[Json](parts)


def _search(params: Params) -> str:
    search = params.text("search", max_length=MAX_TEXT)
    if not search:
        raise ToolInputError(("search must have at least 1 character",))
    return search


def _length(text: str, _: Params) -> Json:
    return len(graphemes(text))


def _upper(text: str, _: Params) -> Json:
    return text.upper()


def _lower(text: str, _: Params) -> Json:
    return text.lower()


def _title(text: str, _: Params) -> Json:
    """Return the text with every word capitalised; letters after an apostrophe belong to its word."""
    return _WORD.sub(lambda word: word.group().capitalize(), text)


def _capitalize(text: str, _: Params) -> Json:
    return text.capitalize()


def _reverse(text: str, _: Params) -> Json:
    return "".join(reversed(graphemes(text)))


def _slug(text: str, _: Params) -> Json:
    """Return lowercase words joined by hyphens, Latin letters without diacritics, other scripts unchanged."""
    plain = _LATIN_MARKS.sub("", normalized("NFKD", text.casefold()))
    return _BETWEEN_WORDS.sub("-", normalized("NFC", plain)).strip("-")


_OPERATIONS: Final[dict[str, Callable[[str, Params], Json]]] = {
    "length": _length,
    "upper": _upper,
    "lower": _lower,
    "title": _title,
    "capitalize": _capitalize,
    "reverse": _reverse,
    "replace": _replace,
    "count": _count,
    "split": _split,
    "slug": _slug,
}
