"""Explanations of search results: the reason for the class of a result, in words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from flexchat.config.suggestions import did_you_mean
from flexchat.json import dumps
from flexchat.retrieval import Hit, MetadataValue, RagClass, SearchQuery
from flexchat.text import counted, truncate
from functions.retrieval.thresholds import Thresholds

if TYPE_CHECKING:
    from functions.retrieval.index.reader import CollectionIndex, UnknownWord

ExplanationCode = Literal[
    "match",
    "partial",
    "above_threshold",
    "no_word_occurs",
    "no_words",
    "filters_exclude_all",
    "max_distance_excludes_all",
    "empty_collection",
]

EXCLUDED: Final = 3
"""Maximum of passages that filters or `max_distance` excluded."""

_MAX_WORD: Final = 60
_MAX_VALUE: Final = 100


class Misspelling(Struct, frozen=True):
    """Word of a query that does not occur in the collection, with similar words that do."""

    word: str
    similar: tuple[str, ...]


class Explanation(Struct, frozen=True):
    """Reason for the class of a result.

    `excluded` are the nearest passages without the filters and the maximum distance that excluded all of them.
    """

    code: ExplanationCode
    sentence: str
    unknown_words: tuple[Misspelling, ...] = ()
    excluded: tuple[Hit, ...] = ()


class QueryResult(Struct, frozen=True):
    """Hits of a query, best first, with the class of the nearest."""

    result: RagClass
    hits: tuple[Hit, ...]
    thresholds: Thresholds
    explanation: Explanation


def empty_collection(name: str) -> Explanation:
    """Return the explanation of a search in a collection without documents."""
    return Explanation("empty_collection", f"The collection {name!r} has no documents; add some first.")


def explained(
    query: SearchQuery,
    *,
    result: RagClass,
    hits: tuple[Hit, ...],
    unfiltered: tuple[Hit, ...],
    thresholds: Thresholds,
    index: "CollectionIndex",
) -> Explanation:
    """Return the reason for a result of a collection with documents.

    `unfiltered` are the hits without the filters and the maximum distance of the query, where these left none.
    """
    nearest = min((hit.distance for hit in hits), default=None)
    if result == "match" and nearest is not None:
        return Explanation("match", f"The nearest passage has the distance {_number(nearest)}; {_match(thresholds)}.")
    unknown, words = index.unknown_words(query.text)
    misspelled = tuple(Misspelling(truncate(each.word, _MAX_WORD), each.similar) for each in unknown)
    if nearest is not None:
        near = f"The nearest passage has the distance {_number(nearest)}; "
        if result == "partial":
            return Explanation("partial", f"{near}{_partial(thresholds)}, and {_match(thresholds)}.", misspelled)
        sentence = f"{near}{_partial(thresholds)}.{_unknown(unknown)}"
        return Explanation("above_threshold", sentence, misspelled)
    if not words and not unfiltered:
        return Explanation(
            "no_words", "The query has no words to search for; function words such as 'the' and signs do not count."
        )
    if query.filters and (reason := _filters(query.filters, index)):
        return Explanation("filters_exclude_all", reason, misspelled, unfiltered[:EXCLUDED])
    if not unfiltered:
        sentence = "None of the words of the query occurs in the collection."
        return Explanation("no_word_occurs", f"{sentence}{_unknown(unknown)}", misspelled)
    if query.max_distance is not None:
        distance = _number(min(hit.distance for hit in unfiltered))
        sentence = f"The nearest passage has the distance {distance}; max_distance is {_number(query.max_distance)}."
        return Explanation("max_distance_excludes_all", sentence, misspelled, unfiltered[:EXCLUDED])
    sentence = "The passages that the filters allow have none of the words of the query; other passages have some."
    return Explanation("filters_exclude_all", sentence, misspelled, unfiltered[:EXCLUDED])


def _match(thresholds: Thresholds) -> str:
    return f"a match is below {_number(thresholds.match)}"


def _partial(thresholds: Thresholds) -> str:
    return f"a partial match is below {_number(thresholds.partial)}"


def _number(distance: float) -> str:
    return f"{distance:.3f}"


def _unknown(words: "tuple[UnknownWord, ...]") -> str:
    """Return a sentence on the words that do not occur; empty without one."""
    if not words:
        return ""
    named = ", ".join(repr(truncate(each.word, _MAX_WORD)) for each in words)
    similar = ", ".join(dict.fromkeys(repr(word) for each in words for word in each.similar))
    verb = "does" if len(words) == 1 else "do"
    return f" {named} {verb} not occur in it." + (f" Similar words that occur: {similar}." if similar else "")


def _filters(filters: Mapping[str, MetadataValue], index: "CollectionIndex") -> str:
    """Return why filters exclude every document; empty when a document has all of them."""
    for field, value in filters.items():
        if index.has_value(field, value):
            continue
        values = index.filter_values(field)
        if values:
            listed = ", ".join(truncate(each, _MAX_VALUE) for each in values)
            return f"No document has {_filter(field, value)}; values of {field!r} are {listed}."
        fields = index.filter_fields()
        if not fields:
            return f"The filter {_filter(field, value)} excludes every document: the documents have no metadata."
        listed = ", ".join(map(repr, fields))
        return f"No document has the metadata {field!r}{did_you_mean(field, fields) or f'; there is {listed}.'}"
    if len(filters) > 1 and not index.allows(filters):
        return (
            f"No document has {' and '.join(_filter(field, value) for field, value in filters.items())}, "
            f"though {counted(len(filters), 'filter')} allow some documents each."
        )
    return ""


def _filter(field: str, value: MetadataValue) -> str:
    return truncate(f"{field} = {dumps(value)}", _MAX_VALUE)
