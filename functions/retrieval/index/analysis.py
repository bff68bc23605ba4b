"""Analysis of text to terms: words, stop words, and the stems of FTS5.

Words are split here, so that no character of a text is interpreted as syntax. Their terms are those of FTS5's own
tokenizer, run once for each word, so that a query and a passage have the same stems.
"""

import re
import sqlite3
import weakref
from collections.abc import Iterable
from itertools import chain
from threading import Lock
from typing import Final

from flexchat.text import normalized

TOKENIZER: Final = "porter unicode61 remove_diacritics 2"

MAX_WORD: Final = 64
"""Maximum length of a word; a longer one is data, not language, and is split."""

MAX_KNOWN_WORDS: Final = 500_000
"""Words with cached terms, about 50 MB; the cache is cleared when it is full."""

_WORD: Final = re.compile(rf"[^\W_]{{1,{MAX_WORD}}}")
_UNSPACED: Final = re.compile(
    "([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f]+)"
)
"""Japanese, Chinese and Korean have no spaces between words, so pairs of adjacent characters are the terms."""

STOP_WORDS: Final = frozenset(
    """
    a about above after again against all am an and any are as at be because been before being below between both but by
    can could did do does doing don down during each few for from further had has have having he her here hers herself
    him himself his how i if in into is it its itself just ll me more most my myself no nor not now of off on once only
    or other our ours ourselves out over own re s same she should so some such t than that the their theirs them
    themselves then there these they this those through to too under until up ve very was we were what when where which
    while who whom why will with would you your yours yourself yourselves
    """.split()  # noqa: SIM905 # a list of 130 strings is harder to read
)
"""Common English stop words. In other languages frequent words have low weights by their frequency."""


def words(text: str) -> list[str]:
    """Return the words of any text, folded, in order."""
    if text.isascii():
        return _WORD.findall(text.lower())
    found = _WORD.findall(normalized("NFKC", text).casefold())
    return list(chain.from_iterable(_pairs(word) if not word.isascii() else (word,) for word in found))


def _pairs(word: str) -> Iterable[str]:
    for part in _UNSPACED.split(word):
        if _UNSPACED.match(part) and len(part) > 1:
            yield from (part[at : at + 2] for at in range(len(part) - 1))
        elif part:
            yield part


class Analyzer:
    """Terms of texts, as computed by FTS5. May be used from several threads."""

    def __init__(self, *, max_words: int = MAX_KNOWN_WORDS) -> None:
        """Create an analyzer that caches the terms of `max_words`."""
        self._max_words = max_words
        self._lock = Lock()
        self._known: dict[str, tuple[str, ...]] = {}
        self._database = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        weakref.finalize(self, self._database.close)
        self._database.execute(f"CREATE VIRTUAL TABLE words USING fts5(word, content='', tokenize='{TOKENIZER}')")
        self._database.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'instance')")
        # Never committed: nothing is stored, and every commit would write the words to its tables.
        self._database.execute("BEGIN")

    def terms(self, text: str) -> list[str]:
        """Return the terms of `text`, in order, without stop words."""
        found = words(text)
        with self._lock:
            known = self._known
            unknown = set(found).difference(known)
            if unknown:
                if len(known) + len(unknown) > self._max_words:
                    known.clear()
                    unknown = set(found)
                self._learn(sorted(unknown))
            return list(chain.from_iterable(map(known.__getitem__, found)))

    def _learn(self, unknown: list[str]) -> None:
        analyzed = [word for word in unknown if word not in STOP_WORDS]
        self._known.update(dict.fromkeys(unknown, ()))
        run = self._database.execute
        self._database.executemany("INSERT INTO words(rowid, word) VALUES (?, ?)", enumerate(analyzed))
        for row, term in run("SELECT doc, term FROM terms ORDER BY doc, offset").fetchall():
            self._known[analyzed[row]] += (term,)
        run("INSERT INTO words(words) VALUES ('delete-all')")
