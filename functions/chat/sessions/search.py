"""Search over the sessions of an owner: matching of words, and the excerpts around them.

A text matches regardless of case and of Unicode's compatible forms (full width, ligatures). A word is found inside
others, so that languages without spaces can be searched; every word of a query must be in the title or a message.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from itertools import batched
from typing import Final

from msgspec import Struct

from flexchat.api.sessions import SessionMatch, TextPart
from flexchat.deadline import Deadline
from flexchat.errors import RequestError
from flexchat.sessions import RecordedMessage, Session
from flexchat.text import normalized, single_line

MAX_QUERY_CHARACTERS: Final = 200
MAX_WORDS: Final = 16

SEARCH_SECONDS: Final = 5.0
"""Time after which a request returns the sessions found so far, with a cursor for the rest."""

PARALLEL_READS: Final = 16
"""Sessions that are read at the same time: a read takes milliseconds, and its processing a fraction of one."""

MAX_SESSION_CHARACTERS: Final = 2_000_000
"""Characters of a session that are searched, its last messages first."""

BEFORE_CHARACTERS: Final = 60
EXCERPT_CHARACTERS: Final = 200
BLOCK_CHARACTERS: Final = 4_000


def folded(text: str) -> str:
    """Return the form in which texts are compared."""
    return normalized("NFKC", normalized("NFKC", text).casefold())


def read_words(query: str) -> tuple[str, ...]:
    """Return the different words of a query in their folded form. Raises RequestError (400) for none or too many."""
    words = tuple(dict.fromkeys(folded(query).split()))
    if not words:
        raise RequestError("query has only white space; send a word to search for", status=HTTPStatus.BAD_REQUEST)
    if len(words) > MAX_WORDS:
        message = f"query has {len(words)} words; send at most {MAX_WORDS}"
        raise RequestError(message, status=HTTPStatus.BAD_REQUEST)
    return words


class FoundSession(Struct, frozen=True):
    """Searched session; `match` is None where a word is missing."""

    session: Session
    match: SessionMatch | None


type ReadMessages = Callable[[Session], Iterable[RecordedMessage]]
"""Returns the messages of a session, the newest first."""


def search(
    sessions: Iterator[Session], words: Sequence[str], read: ReadMessages, *, deadline: Deadline
) -> Iterator[FoundSession]:
    """Yield each of `sessions` with its match, in order; end at the deadline after at least one batch of them."""

    def searched(session: Session) -> FoundSession:
        return FoundSession(session, match_of(session, words, read))

    with ThreadPoolExecutor(max_workers=PARALLEL_READS, thread_name_prefix="search") as pool:
        for batch in batched(sessions, PARALLEL_READS, strict=False):
            yield from pool.map(searched, batch)
            if deadline.expired:
                return


def match_of(session: Session, words: Sequence[str], read: ReadMessages) -> SessionMatch | None:
    """Return the match of a session; its messages are read only where the title lacks a word."""
    title = session.title or ""
    missing = set(words) - _found(title, words)
    if not missing:
        return SessionMatch(title=marked(title, words))
    best: RecordedMessage | None = None
    most = characters = 0
    for message in read(session):
        found = _found(message.message.text, words)
        missing -= found
        if len(found) > most:
            best, most = message, len(found)
        characters += len(message.message.text)
        if most == len(words) or characters > MAX_SESSION_CHARACTERS:
            break
    if missing or best is None:
        return None
    return SessionMatch(
        title=marked(title, words),
        turn=best.turn,
        role="user" if best.message.role == "user" else "assistant",
        message=excerpt(best.message.text, words),
    )


def _found(text: str, words: Iterable[str]) -> set[str]:
    comparable = folded(text)
    return {word for word in words if word in comparable}


def excerpt(text: str, words: Sequence[str]) -> tuple[TextPart, ...]:
    """Return the part of `text` around the first of `words`, on one line, with all words in it marked."""
    text = normalized("NFC", text)
    first = _block(text, words)
    spans = _spans(text[first : first + 2 * BLOCK_CHARACTERS], words)
    place = first + spans[0][0] if spans else first
    start = max(0, place - BEFORE_CHARACTERS)
    if start:  # begin with a whole word, where there is one
        space = text.find(" ", start, place)
        start = start if space < 0 else space + 1
    end = start + EXCERPT_CHARACTERS
    head = "…" if start else ""
    tail = "…" if end < len(text) else ""
    return marked(head + single_line(text[start:end]) + tail, words)


def _block(text: str, words: Sequence[str]) -> int:
    """Return the start of the first block of a long text that has a word: letter by letter it would take seconds."""
    for start in range(0, len(text), BLOCK_CHARACTERS):
        if _found(text[start : start + BLOCK_CHARACTERS + MAX_QUERY_CHARACTERS], words):
            return start
    return 0


def marked(text: str, words: Sequence[str]) -> tuple[TextPart, ...]:
    """Return the parts of `text`, those that are equal to one of `words` marked."""
    text = normalized("NFC", text)
    parts: list[TextPart] = []
    end = 0
    for start, stop in _spans(text, words):
        if start > end:
            parts.append(TextPart(text=text[end:start]))
        parts.append(TextPart(text=text[start:stop], marked=True))
        end = stop
    if end < len(text):
        parts.append(TextPart(text=text[end:]))
    return tuple(parts)


def _spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of `words` in `text`, in order and without overlaps.

    A letter that is folded with its neighbours (a Hangul syllable of single letters) is not found here, and is not
    marked.
    """
    letters, places = _aligned(text)
    found: list[tuple[int, int]] = []
    for word in words:
        start = letters.find(word)
        while start >= 0:
            found.append((places[start], places[start + len(word) - 1] + 1))
            start = letters.find(word, start + len(word))
    spans: list[tuple[int, int]] = []
    for start, stop in sorted(found):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(stop, spans[-1][1]))
        else:
            spans.append((start, stop))
    return spans


def _aligned(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded letters of `text`, and for each the position of its character in `text`."""
    whole = folded(text)
    if text.isascii():
        return whole, range(len(text))
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        folded_character = folded(character)
        letters.append(folded_character)
        places.extend([place] * len(folded_character))
    return "".join(letters), places
