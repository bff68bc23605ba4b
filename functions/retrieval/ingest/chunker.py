"""Chunking of a text into overlapping passages at natural boundaries.

A passage ends at the best boundary in its second half: the end of a paragraph, of a sentence, of a line, of a word; the
beginning of a section ends it earlier. The next one begins up to `overlap` characters before that end, at a sentence or
a word. Cuts never fall inside a grapheme (a letter with its accents, an emoji of several code points), so scripts
without spaces work too.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import regex
from msgspec import Struct

MIN_SIZE = 60

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_SENTENCE = re.compile(r"""[.!?…]["'”’»)\]]*\s+|[。！？｡][”’」』）]*\s*""")  # noqa: RUF001 # those of CJK
_LINE = re.compile(r"\n\s*")
_WORD = re.compile(r"\s+|[、，；：]")  # noqa: RUF001 # those of CJK
_BOUNDARIES = (_PARAGRAPH, _SENTENCE, _LINE, _WORD)
_GRAPHEME = regex.compile(r"\X")
_LOOKAHEAD = 64
"""Above the length of any grapheme in use: a window may end within one."""


class Chunking(Struct, frozen=True):
    """Size and overlap of passages, in characters. Raises ValueError for an invalid combination."""

    size: int = 1_200
    overlap: int = 200

    def __post_init__(self) -> None:
        if self.size < MIN_SIZE:
            raise ValueError(f"a passage must have at least {MIN_SIZE} characters, not {self.size}")
        if not 0 <= self.overlap <= self.size // 3:
            raise ValueError(
                f"the overlap of passages of {self.size} characters must be 0 to {self.size // 3}, not {self.overlap}"
            )


def chunking_of(size: int, overlap: int | None = None) -> Chunking:
    """Return passages of a size; the default overlap is a sixth of it, at most that of the default size."""
    return Chunking(size, min(Chunking().overlap, size // 6) if overlap is None else overlap)


class Chunk(Struct, frozen=True):
    """Text of a passage, stripped, at `offset` characters of the document."""

    text: str
    offset: int


def chunks(text: str, chunking: Chunking, *, breaks: Sequence[int] = ()) -> Iterator[Chunk]:
    """Return the passages of `text`, in order; together they contain every character that is not white space.

    `breaks` are offsets of preferred ends, in order. A passage is never longer than `chunking.size`; only a single
    grapheme longer than that is cut.
    """
    start = 0
    while start < len(text):
        window = _Window(text, start, chunking.size)
        end = window.end(breaks)
        first, last = window.trimmed(end)
        if first < last:
            yield Chunk(text[first:last], first)
        start = end if end == len(text) or _is_break(end, breaks) else window.resume(end, chunking.overlap)


def _is_break(offset: int, breaks: Sequence[int]) -> bool:
    index = bisect_left(breaks, offset)
    return index < len(breaks) and breaks[index] == offset


class _Window:
    """Text of at most one passage: `size` characters from `start`, with the possible cuts."""

    def __init__(self, text: str, start: int, size: int) -> None:
        self._text = text
        self._start = start
        self._size = size
        self._limit = min(len(text), start + size)
        self._cuts = self._allowed()

    def end(self, breaks: Sequence[int]) -> int:
        """Return the end of the passage: a break after its first sixth, the end of the text, or the best boundary."""
        index = bisect_left(breaks, self._start + max(1, self._size // 6))
        if index < len(breaks) and breaks[index] <= self._limit and self._is_cut(breaks[index]):
            return breaks[index]
        if self._limit == len(self._text):
            return self._limit
        half = self._start + self._size // 2
        for boundary in _BOUNDARIES:
            ends = [end for end in self._ends(boundary, half) if self._is_cut(end)]
            if ends:
                return ends[-1]
        return self._cuts[-1]

    def resume(self, end: int, overlap: int) -> int:
        """Return the start of the next passage: a sentence, else a word, at most `overlap` before `end`."""
        earliest = max(self._start + 1, end - overlap)
        for boundary in (_SENTENCE, _WORD):
            for begin in self._ends(boundary, earliest):
                if begin < end and self._is_cut(begin):
                    return begin
        return self._cuts[bisect_left(self._cuts, earliest)]

    def trimmed(self, end: int) -> tuple[int, int]:
        """Return the passage stripped, except for a space with a combining mark."""
        piece = self._text[self._start : end]
        first = self._start + len(piece) - len(piece.lstrip())
        last = self._start + len(piece.rstrip())
        if first >= last:
            return self._start, self._start
        return self._cuts[bisect_right(self._cuts, first) - 1], self._cuts[bisect_left(self._cuts, last)]

    def _ends(self, boundary: re.Pattern[str], earliest: int) -> Iterator[int]:
        """Return the offsets after each match of `boundary`, from `earliest` to the window's limit."""
        for match in boundary.finditer(self._text, self._start, self._limit):
            if match.end() >= earliest:
                yield match.end()

    def _is_cut(self, offset: int) -> bool:
        index = bisect_left(self._cuts, offset)
        return index < len(self._cuts) and self._cuts[index] == offset

    def _allowed(self) -> Sequence[int]:
        """Return every offset between two graphemes, from the window's start to its limit."""
        ahead = min(len(self._text), self._limit + _LOOKAHEAD)
        piece = self._text[self._start : ahead]
        if piece.isascii() and "\r" not in piece:
            return range(self._start, self._limit + 1)
        cuts = [self._start]
        # In the piece alone: in the whole text each flag (two regional indicators) is counted from its beginning.
        for match in _GRAPHEME.finditer(piece):
            end = self._start + match.end()
            if end > self._limit:
                break
            if end < ahead or ahead == len(self._text):
                cuts.append(end)
        return cuts if len(cuts) > 1 else [self._start, self._limit]
