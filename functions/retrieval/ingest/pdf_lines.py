"""Text of PDF pages as its author wrote it: words that a page layout has divided, reversed or split into glyphs.

PDFium returns characters in the order of the page's content, which keeps columns in their reading order.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

_LETTERS = 64
"""Maximum of characters of a word on each side of a hyphen."""

_BREAK = re.compile(r"(?:[\x02\ufffe\xad]|[-\u2010](?=[ \t]*\n))(?:[ \t]*\n)?[ \t]*")
"""Hyphen at the end of a line: PDFium's mark of one, whose line end it leaves out, or a hyphen and the line end."""

_PART_BEFORE = re.compile(r"\w[\w'’-]*")  # noqa: RUF001 # an apostrophe in a word, which is read from its end
_PART_AFTER = re.compile(r"\w[\w'’]*")  # noqa: RUF001 # the same
_WORD = re.compile(r"\w+(?:[-\u2010]\w+)*+")
_LIGATURE = re.compile(r"[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe70-\ufefc]+")
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_CJK = r"\u2e80-\u2fdf\u3005-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
_CJK_LETTER = re.compile(f"[{_CJK}]")
_CJK_END = re.compile(rf"[{_CJK}、，（「『〈《・ー]")  # noqa: RUF001 # punctuation of CJK
_CJK_START = re.compile(rf"[{_CJK}、，。）」』〉》・ー]")  # noqa: RUF001 # punctuation of CJK
# Spacing accents and the combining marks of the same shape.
_ACCENTS = dict(
    zip(
        "\u00a8\u00b4`\u02cb\u02ca\u02c6\u02dc\u02c7\u02da\u02d8\u00af\u02d9\u02dd\u00b8\u02db",
        "\u0308\u0301\u0300\u0300\u0301\u0302\u0303\u030c\u030a\u0306\u0304\u0307\u030b\u0327\u0328",
        strict=True,
    )
)
_DOTLESS = {"\u0131": "i", "\u0237": "j"}
_ALEF, _LAM = "\u0622\u0623\u0625\u0627\u0671", "\u0644"
_NEEDS_PLACES = re.compile(f"{_RTL.pattern}|[{''.join(_ACCENTS)}]")


class Glyph(Struct, frozen=True):
    """Character of a page, with the horizontal position of its glyph and the edges of its box, in points."""

    text: str
    origin: float
    left: float
    right: float


def needs_places(text: str) -> bool:
    """Return true for a page whose characters need `placed`: it has right-to-left letters or separate accents."""
    return _NEEDS_PLACES.search(text) is not None


def placed(glyphs: Iterable[Glyph]) -> str:
    """Return the text of a page by the positions of its characters.

    An accent that is a character of its own joins the letter that it stands above. In a line of right-to-left text, a
    word whose letters follow each other from left to right is reversed, as are Latin words in descending order.
    """
    lines = _lines(_accented(list(glyphs)))
    return "\n".join(_right_to_left(line) if _is_right_to_left(line) else _text(line) for line in lines)


def _text(glyphs: Iterable[Glyph]) -> str:
    return "".join(glyph.text for glyph in glyphs)


def _lines(glyphs: Iterable[Glyph]) -> Iterator[list[Glyph]]:
    line: list[Glyph] = []
    for glyph in glyphs:
        if glyph.text == "\n":
            yield line
            line = []
        elif glyph.text != "\r":
            line.append(glyph)
    yield line


def _accented(glyphs: Sequence[Glyph]) -> Iterator[Glyph]:
    """Yield the characters with every separate accent composed with the letter above or below which it is."""
    held: list[Glyph] = []
    waiting = ""
    for at, glyph in enumerate(glyphs):
        mark = _ACCENTS.get(glyph.text)
        if mark is not None:
            if held and (composed := _composed(held[-1], mark, glyph)) is not None:
                held[-1] = composed
                continue
            if at + 1 < len(glyphs) and _composed(glyphs[at + 1], mark, glyph) is not None:
                waiting = mark
                continue
        if waiting and (composed := _composed(glyph, waiting, glyph)) is not None:
            glyph, waiting = composed, ""
        if held:
            yield held.pop()
        held.append(glyph)
    yield from held


def _composed(letter: Glyph, mark: str, accent: Glyph) -> Glyph | None:
    """Return `letter` with `mark`, None if Unicode has no such letter or the middle of the accent is beside it."""
    middle = (accent.left + accent.right) / 2
    if not letter.left <= middle <= letter.right:
        return None
    text = unicodedata.normalize("NFC", _DOTLESS.get(letter.text, letter.text) + mark)
    return Glyph(text, letter.origin, letter.left, letter.right) if len(text) == 1 and letter.text.isalpha() else None


def _is_right_to_left(line: Sequence[Glyph]) -> bool:
    letters = [_is_rtl(glyph) for glyph in line if glyph.text.isalpha()]
    return sum(letters) * 2 > len(letters)


def _is_rtl(glyph: Glyph) -> bool:
    return _RTL.match(glyph.text) is not None


def _right_to_left(line: Sequence[Glyph]) -> str:
    words = [list(word) for is_space, word in groupby(line, key=lambda glyph: glyph.text.isspace()) if not is_space]
    ordered: list[str] = []
    latin: list[list[Glyph]] = []
    for word in words:
        if any(map(_is_rtl, word)):
            ordered += _ascending(latin)
            latin = []
            ordered.append(_text(_lam_first(_reversed(word))))
        else:
            latin.append(word)
    return " ".join([*ordered, *_ascending(latin)])


def _ascending(words: Sequence[Sequence[Glyph]]) -> Iterator[str]:
    """Return neighboring words that are read from left to right: at least one has a letter."""
    if any(glyph.text.isalpha() for word in words for glyph in word):
        words = sorted(words, key=lambda word: word[0].left)
    return map(_text, words)


def _reversed(word: Sequence[Glyph]) -> Sequence[Glyph]:
    """Return a word whose letters follow each other from left to right in reverse, without the marks around it."""
    at = [place for place, glyph in enumerate(word) if _is_rtl(glyph)]
    first, last = at[0], at[-1] + 1
    if not _runs_left_to_right([word[place].left for place in at]):
        return word
    return [*word[:first], *reversed(word[first:last]), *word[last:]]


def _lam_first(word: Sequence[Glyph]) -> Sequence[Glyph]:
    """Return a word with the letters of each ligature of lam and alef, the only one of Arabic, in their order."""
    letters = list(word)
    for at, (glyph, following) in enumerate(pairwise(word)):
        if glyph.text in _ALEF and following.text == _LAM and glyph.origin == following.origin:
            letters[at : at + 2] = following, glyph
    return letters


def _runs_left_to_right(edges: Sequence[float]) -> bool:
    return sum((after > before) - (after < before) for before, after in pairwise(edges)) > 0


def written(pages: Sequence[str]) -> list[str]:
    """Return the texts of a document's pages without hyphens and line ends that only its layout has.

    A hyphen at the end of a line is left out before a lower-case letter, unless the document has the word with its
    hyphen elsewhere, or more often than without, or the word has another hyphen. It stays before a capital letter or a
    digit, unless the document has the word without it. A word is completed on the page that it begins on.
    """
    pages = [_LIGATURE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), page) for page in pages]
    known = Counter[str](word.casefold() for page in pages for word in _WORD.findall(_BREAK.sub("\n", page)))
    pages = [_joined(page, known) for page in _completed(pages)]
    return [_unbroken_cjk(page) for page in pages]


def _completed(pages: Sequence[str]) -> Sequence[str]:
    """Return the pages with the rest of a word that continues on the next page moved to its beginning."""
    moved = list(pages)
    for at in range(len(moved) - 1):
        before = moved[at].rstrip().rstrip("0123456789").rstrip()
        rest = _PART_AFTER.match(moved[at + 1])
        if before.endswith(("\x02", "\ufffe", "-")) and rest and rest[0][0].islower():
            number = moved[at][len(before) :].strip()
            moved[at] = f"{before[:-1]}\x02{rest[0]}" + (f"\n{number}" if number else "")
            moved[at + 1] = moved[at + 1][rest.end() :].lstrip()
    return moved


def _joined(text: str, known: Counter[str]) -> str:
    parts: list[str] = []
    last = 0
    for found in _BREAK.finditer(text):
        before = _PART_BEFORE.match(text[max(last, found.start() - _LETTERS) : found.start()][::-1])
        after = _PART_AFTER.match(text, found.end(), found.end() + _LETTERS)
        soft = found[0][0] == "\xad"
        if before is None or after is None:
            between = "" if soft else found[0]  # a dash, or a symbol without a name
        elif soft:
            between = ""
        elif after[0][0].isdigit() and not before[0][0].isdigit():
            between = "-\n"  # the number of the page, or of a footnote
        else:
            between = "-" if _is_compound(before[0][::-1], after[0], known) else ""
        parts += (text[last : found.start()], between)
        last = found.end()
    return "".join((*parts, text[last:]))


def _is_compound(before: str, after: str, known: Counter[str]) -> bool:
    whole, hyphenated = known[(before + after).casefold()], known[f"{before}-{after}".casefold()]
    if whole or hyphenated:
        return hyphenated > whole
    return not after[0].islower() or "-" in before


def _unbroken_cjk(text: str) -> str:
    """Return `text` without the line ends within Chinese and Japanese sentences, which have no spaces.

    Only a line that is nearly full, or that has one column of vertical writing, continues on the next one.
    """
    if not _CJK_LETTER.search(text):
        return text
    lines = [line.strip() for line in text.split("\n")]
    full = max(map(len, lines)) * 3 / 4
    joined = [lines[0]]
    last = lines[0]
    for line in lines[1:]:
        vertical = len(last) <= 2 and len(line) <= 2
        if (vertical or len(last) >= full) and _CJK_END.match(last[-1:]) and _CJK_START.match(line):
            joined[-1] += line
        else:
            joined.append(line)
        last = line
    return "\n".join(joined)
