"""Calibration of a collection's thresholds from the distribution of its distances.

The meaning of a distance depends on the embedding: 0.3 is unremarkable for one and very near for another. So the
collection is searched with two samples of questions: answered ones and unanswered ones. The partial threshold separates
the distances of the nearest passages of both samples; at the match threshold hardly any of the unanswered match, and
half of the answered do.

Sample questions of an operator are the answered ones. Otherwise, for the lexical embedding, they consist of words of a
passage and some of others, similar to real questions; an unanswered one has one word of each of several passages. Such
word lists are unsuitable for an embedding model, so with given vectors passages replace the questions: the nearest
neighbour in another document is an answer, random passages are none.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.retrieval import SearchQuery
from functions.retrieval.index.analysis import content_words
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.schema import SampledPassage

MIN_PASSAGES: Final = 8
MAX_SAMPLE: Final = 200

OWN_WORDS: Final = 5
OTHER_WORDS: Final = 2
"""Generated question: number of words of its passage, and number of others."""

QUESTIONS: Final = 4
"""Generated questions of each kind for one passage: with fewer, the partial threshold depends on the random words."""

STRAYS: Final = 0.05
"""Maximum share of unanswered questions that match."""

_PARTNERS: Final = 10
_SEED: Final = 20_250_101


class SampleQuestion(Struct, frozen=True):
    """Question that the collection should answer, with its vector if the collection has an embedding model."""

    text: str
    vector: Sequence[float] | None = None


class Calibration(Struct, frozen=True):
    """Calibrated thresholds and their sorted distances, the nearest first.

    `answered` are the nearest passages of questions that the collection answers, given ones when `given_questions`;
    `unanswered` those of other questions. `neighbours` and `pairs` are for the plot: the distance of a passage to the
    nearest in another document, and to any other.
    """

    match_threshold: float
    partial_threshold: float
    given_questions: bool
    answered: tuple[float, ...]
    unanswered: tuple[float, ...]
    neighbours: tuple[float, ...]
    pairs: tuple[float, ...]


def calibrate(
    index: CollectionIndex, questions: Sequence[SampleQuestion] = (), *, due: Deadline | None = None
) -> Calibration:
    """Return the calibration, deterministic for an index and questions.

    Raises RetrievalError `invalid` with too few passages, and TimeoutError for one that is not ready when it is `due`.
    """

    def ordered(distances: Iterable[float | None]) -> tuple[float, ...]:
        """Return the distances in order; a query without a hit counts as 1."""
        found: list[float] = []
        for distance in distances:
            if due is not None and due.expired:
                raise TimeoutError
            found.append(1.0 if distance is None else distance)
        return tuple(sorted(found))

    sample = [one for one in index.sample(MAX_SAMPLE) if _vocabulary(one)]
    if len(sample) < MIN_PASSAGES:
        message = f"the collection has {len(sample)} passages with words; a calibration needs {MIN_PASSAGES}"
        raise RetrievalError(message, code="invalid")
    generator = np.random.default_rng(_SEED)
    neighbours = ordered(_neighbour(index, one) for one in sample)
    pairs = _pairs(index, sample, generator)
    if index.takes_vectors:
        answered, unanswered = neighbours, pairs
    else:
        vocabularies = [_vocabulary(one) for one in sample] * QUESTIONS
        answered = ordered(_nearest(index, text) for text in _made(vocabularies, OWN_WORDS, generator))
        unanswered = ordered(_nearest(index, text) for text in _made(vocabularies, 1, generator))
    if questions:
        answered = ordered(_nearest(index, question.text, question.vector) for question in questions)
    match, partial = thresholds(answered, unanswered)
    return Calibration(match, partial, bool(questions), answered, unanswered, neighbours, pairs)


def thresholds(answered: Sequence[float], unanswered: Sequence[float]) -> tuple[float, float]:
    """Return the match and the partial threshold between two samples of distances, each sorted.

    Partial is the cut with the maximum of answered over unanswered questions below it (Youden's index), in the middle
    of its gap. Match is the nearer half of the answered, but at most `STRAYS` of the unanswered.
    """
    near, far = np.asarray(answered), np.asarray(unanswered)
    cuts = np.unique(np.concatenate([near, far, [2.0]]))
    middles = (cuts[:-1] + cuts[1:]) / 2
    gained = np.searchsorted(near, middles) / len(near) - np.searchsorted(far, middles) / len(far)
    partial = float(middles[int(gained.round(9).argmax())])
    match = min(partial, float(np.median(near)), float(np.quantile(far, STRAYS)))
    return round(match, 3), round(partial, 3)


def _nearest(index: CollectionIndex, text: str, vector: Sequence[float] | None = None) -> float | None:
    hits = index.search(SearchQuery(text), vector)
    return min((hit.distance for hit in hits), default=None)


def _neighbour(index: CollectionIndex, one: SampledPassage) -> float | None:
    passage = one.passage
    hits = index.search(SearchQuery(f"{passage.title}\n{passage.text}", top_k=20), one.vector)
    return min((hit.distance for hit in hits if hit.passage.document_id != passage.document_id), default=None)


def _pairs(
    index: CollectionIndex, sample: Sequence[SampledPassage], generator: np.random.Generator
) -> tuple[float, ...]:
    found: list[float] = []
    for at, one in enumerate(sample):
        others: list[int] = generator.integers(len(sample), size=_PARTNERS).tolist()
        positions = [sample[other].position for other in others if other != at]
        found += index.distances(f"{one.passage.title}\n{one.passage.text}", one.vector, positions)
    return tuple(sorted(found))


def _vocabulary(one: SampledPassage) -> list[str]:
    """Return the distinct words of a passage, without stop words."""
    return content_words(one.passage.text)


def _made(vocabularies: Sequence[list[str]], own: int, generator: np.random.Generator) -> list[str]:
    """Return one question for each passage, with `own` adjacent words of it and the rest of others."""
    length = OWN_WORDS + OTHER_WORDS
    questions: list[str] = []
    for vocabulary in vocabularies:
        start = int(generator.integers(max(len(vocabulary) - own, 0) + 1))
        chosen = vocabulary[start : start + own]
        others: list[int] = generator.integers(len(vocabularies), size=length - own).tolist()
        chosen += [vocabularies[other][int(generator.integers(len(vocabularies[other])))] for other in others]
        questions.append(" ".join(chosen))
    return questions
