"""Analysis of text to terms: stems of words, whole identifiers, and characters of Chinese, Japanese and Korean.

Terms are computed here, so that no character of a text is interpreted as syntax. Stems depend on the language of the
document; a word with a digit is not stemmed. An identifier, such as a version, a path or the name of a function, is a
term as a whole besides the words that it consists of.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain
from threading import Lock
from typing import Final

from flexchat.text import normalized
from functions.retrieval.index.languages import (
    CJK_SEPARATORS,
    CJK_STOP_WORDS,
    STOP_WORDS,
    Stemmers,
    detected,
    query_language,
)

MAX_WORD: Final = 64
"""Maximum length of a word; a longer one is data, not language, and is split."""

MAX_IDENTIFIER: Final = 128
"""Maximum length of an identifier that is a term as a whole."""

MAX_LANGUAGE_WORDS: Final = 5_000
"""Number of words by which the language of a text is detected."""

MAX_KNOWN_WORDS: Final = 500_000
"""Words with cached stems, about 50 MB; the cache is cleared when it is full."""

JOINT: Final = "\u00b7"
"""Separator of the parts of an identifier: a character that the full-text table does not split at."""

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f"
_LETTER: Final = rf"[^\W_{_CJK}]"
_WORD: Final = re.compile(rf"{_LETTER}{{1,{MAX_WORD}}}|[{_CJK}]+")
_UNSPACED: Final = re.compile(f"[{_CJK}]")
_CJK_SEPARATORS: Final = re.compile("|".join(CJK_SEPARATORS))
_IDEOGRAPH: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_MARKS: Final = re.compile("[\u0300-\u036f]")
_DIGIT: Final = re.compile(r"\d")

_RUN: Final = re.compile(rf"{_LETTER}++(?:(?:[._\-/\\:@]{{1,3}}+|(?<=\d),(?=\d)){_LETTER}++)*+")
"""Words joined by punctuation. A single word is a run too, so that a search takes linear time."""

_IDENTIFYING: Final = re.compile(r"[\d_\\:@]")
"""Characters that only an identifier has."""

_SEPARATORS: Final = re.compile(r"[._\-/\\:@,]+")
_SEGMENT_SEPARATORS: Final = re.compile(r"[/\\:@]+")
_HUMP: Final = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VERSION: Final = re.compile(rf"v(?=\d+{JOINT})")


def words(text: str) -> list[str]:
    """Return the words of any text, folded, in order; those of `parseConfig` are `parse` and `config`."""
    return _words(normalized("NFKC", text))


def _words(text: str) -> list[str]:
    found = _WORD.findall(_HUMP.sub(" ", text).casefold())
    return found if text.isascii() else list(chain.from_iterable(map(_characters, found)))


def _characters(word: str) -> Iterator[str]:
    """Yield a word; of Chinese, Japanese and Korean the characters and the pairs of adjacent ones."""
    if word.isascii() or not _UNSPACED.match(word):
        yield word
        return
    for part in _CJK_SEPARATORS.split(word):
        for at, character in enumerate(part):
            if character not in CJK_STOP_WORDS and (len(part) == 1 or _IDEOGRAPH.match(character)):
                yield character
            pair = part[at : at + 2]
            if len(pair) == 2 and pair not in CJK_STOP_WORDS:
                yield pair


def identifiers(text: str) -> Iterator[str]:
    """Yield the identifiers of any text, folded, with `JOINT` for their punctuation.

    The last folder or module of a path is one too. A version with a `v` is also one without.
    """
    for run in _RUN.findall(normalized("NFKC", text)):
        if run.isalnum():
            if _HUMP.search(run):
                yield from _whole(run)
        elif _is_identifier(run):
            yield from dict.fromkeys(chain(_whole(run), _parts(run)))


def _is_identifier(run: str) -> bool:
    """Return false for words that language joins: `e.g`, `well-known` and `and/or`."""
    if _IDENTIFYING.search(run):
        return True
    return ("." in run or run.count("/") > 1) and max(map(len, _SEPARATORS.split(run))) > 1


def _parts(run: str) -> Iterator[str]:
    segments = _SEGMENT_SEPARATORS.split(run)
    if len(segments) > 1:
        for segment in segments:
            if not segment.isalnum() and _is_identifier(segment):
                yield from _whole(segment)
    for part in _SEPARATORS.split(run):
        if _HUMP.search(part):
            yield from _whole(part)


def _whole(run: str) -> Iterator[str]:
    whole = JOINT.join(_SEPARATORS.split(run.casefold()))
    if len(whole) <= MAX_IDENTIFIER:
        yield whole
        if _VERSION.match(whole):
            yield whole[1:]


def content_words(text: str) -> list[str]:
    """Return the distinct words of a text, in order, without the function words of its language."""
    found = words(text)
    return [word for word in dict.fromkeys(found) if word not in STOP_WORDS[_language(found)]]


def language_of(text: str) -> str:
    """Return the language of a text, one of `STOP_WORDS`."""
    return _language(words(text))


def _language(found: list[str]) -> str:
    return detected(found[:MAX_LANGUAGE_WORDS])


class Analyzer:
    """Terms of texts. May be used from several threads."""

    def __init__(self, *, max_words: int = MAX_KNOWN_WORDS) -> None:
        """Create an analyzer that caches the stems of `max_words`."""
        self._max_words = max_words
        self._lock = Lock()
        self._known: dict[str, dict[str, str]] = {language: {} for language in STOP_WORDS}
        self._stemmers = Stemmers()

    def terms(self, text: str, language: str) -> list[str]:
        """Return the terms of a text in `language`, without stop words."""
        found = [word for word in words(text) if word not in STOP_WORDS[language]]
        with self._lock:
            return [*self._stems(found, language), *map(_folded, identifiers(text))]

    def query_terms(self, text: str, languages: Collection[str]) -> Counter[tuple[str, ...]]:
        """Return the terms of a query to documents in `languages`, with their numbers.

        A word has several alternative terms if its stems differ by language. The function words of the query's own
        language are left out, also when no document has it.
        """
        terms = Counter[tuple[str, ...]](
            {(_folded(whole),): count for whole, count in Counter(identifiers(text)).items()}
        )
        for _, count, stems in self._query_words(text, languages):
            terms[stems] += count
        return terms

    def query_words(self, text: str, languages: Collection[str]) -> dict[str, tuple[str, ...]]:
        """Return the words of a query with their alternative terms, as `query_terms` has them, in order."""
        return {word: stems for word, _, stems in self._query_words(text, languages)}

    def word_of(self, term: str, text: str, language: str) -> str | None:
        """Return a word of `text` whose stem is `term`; None without one."""
        found = words(text)
        with self._lock:
            stems = self._stems(found, language)
            return next((word for word, stem in zip(found, stems, strict=True) if stem == term), None)

    def _query_words(self, text: str, languages: Collection[str]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
        """Yield each word of a query that is not a function word, with its number and its stems by language."""
        found = words(text)
        own = query_language(found, languages)
        stop_words = STOP_WORDS[own] if own is not None else frozenset[str]()
        counts = Counter(word for word in found if word not in stop_words)
        for word, count in counts.items():
            spoken = [language for language in sorted(languages) if word not in STOP_WORDS[language]]
            with self._lock:
                stems = dict.fromkeys(stem for language in spoken for stem in self._stems([word], language))
            if stems:
                yield word, count, tuple(stems)

    def _stems(self, found: list[str], language: str) -> Iterator[str]:
        known = self._known[language]
        unknown = set(found).difference(known)
        if len(known) + len(unknown) > self._max_words:
            known.clear()
            unknown = set(found)
        for word in unknown:
            known[word] = _folded(word if _DIGIT.search(word) else self._stemmers.stem(word, language))
        return map(known.__getitem__, found)


def _folded(term: str) -> str:
    """Return a term without diacritics."""
    if term.isascii() or _UNSPACED.match(term):
        return term
    return normalized("NFC", _MARKS.sub("", normalized("NFKD", term)))
