"""Ranking of passages: BM25, relevance feedback, and the fusion of rankings.

Standard parameters: k1 and b are Robertson's, feedback is moderate (RM3's form with five passages, twenty terms, three
tenths of the weight), and 60 is the k of Cormack, Clarke and Büttcher's fusion of ranks. Like the convex combination of
Bruch, Gai and Ingber (2023), the fusion also keeps the size of scores.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec import Struct

from functions.retrieval.index.lexical import Floats, Positions, TermMatrix

K1: Final = 1.2
B: Final = 0.75

FEEDBACK_PASSAGES: Final = 5
FEEDBACK_TERMS: Final = 20
FEEDBACK_WEIGHT: Final = 0.3

FUSION_K: Final = 60
DEPTH: Final = 200
"""Number of the best passages of each order that are fused."""

_DEVIATIONS: Final = 6
"""Width of the range of standard scores: three deviations on both sides of the mean."""

PROMINENCE_POWER: Final = 8
"""Power of a passage's share of the highest BM25 score and of its share of the query's terms: two thirds of either have
0.04 of the weight of all.

Developed on generated notes of other seeds than those of the tests; of the variants that were equal there, the one that
cost the test collections least."""


class Weighting(Struct, frozen=True):
    """BM25 weights of the whole collection: each term's idf, each passage's length in words and saturation, and
    the weight of a single occurrence of a term, times its idf."""

    idf: Floats
    lengths: Floats
    saturation: Floats
    once: Floats

    @classmethod
    def of(cls, idf: Floats, lengths: Floats) -> "Weighting":
        average = max(float(lengths.mean()), 1.0) if lengths.size else 1.0
        saturation = (K1 * (1 - B) + lengths * (K1 * B / average)).astype(np.float32)
        return cls(idf, lengths, saturation, (K1 + 1) / (1 + saturation))

    def scores(self, matrix: TermMatrix, positions: Positions, weights: Floats) -> Floats:
        """Return the BM25 scores of the passages at `positions`, whose rows are in `matrix`; `weights` are by term
        id."""
        counts = matrix.counts.astype(np.float32)
        per_term: Floats = (weights * self.idf)[matrix.terms]
        per_term *= counts * (K1 + 1) / (counts + np.repeat(self.saturation[positions], np.diff(matrix.starts)))
        return matrix.summed(per_term)

    def expanded(self, matrix: TermMatrix, positions: Positions, scores: Floats, weights: Floats) -> Floats:
        """Return `weights` with those of the terms that characterize the best passages.

        `matrix`, `positions` and `scores` are of the same passages, in the same order.
        """
        best = best_first(scores, FEEDBACK_PASSAGES)
        best = best[scores[best] > 0]
        if not best.size:
            return weights
        top = matrix.rows(best)
        # a passage of an identifier of function words alone, such as `is.it`, has no words
        lengths = np.maximum(self.lengths[positions[best]], 1)
        shares = np.repeat(scores[best] / lengths, np.diff(top.starts))
        terms, entries = np.unique(top.terms, return_inverse=True)
        gained = np.bincount(entries, top.counts * shares * self.idf[top.terms]).astype(np.float32)
        chosen = best_first(gained, FEEDBACK_TERMS)
        expanded = weights * ((1 - FEEDBACK_WEIGHT) / weights.sum())
        expanded[terms[chosen]] += FEEDBACK_WEIGHT * gained[chosen] / gained[chosen].sum()
        return expanded


def best_first(scores: Floats, count: int) -> Positions:
    """Return the positions of the `count` highest scores, descending; equal scores in their order."""
    if len(scores) > count:
        # equals of the last one may be anywhere, so all of them are compared
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        chosen = np.flatnonzero(scores >= least)
    else:
        chosen = np.arange(len(scores))
    return chosen[np.argsort(-scores[chosen], kind="stable")][:count]


def fused(*orders: Floats) -> Floats:
    """Return fused scores of passages from several scores of them, at least one.

    An order contributes the mean of a passage's reciprocal rank, from 0 to 1, and of its standard score, whose spread
    of six deviations is divided to 1: a rank alone hides by how much the first passage is ahead of the second.
    """
    shares = [(reciprocal_ranks(scores) + _standardized(scores) / _DEVIATIONS) / 2 for scores in orders]
    return np.mean(shares, axis=0).astype(np.float32)


def reciprocal_ranks(scores: Floats) -> Floats:
    """Return 1 for the highest scores, then less by their rank; equal scores share a rank."""
    ordered = np.sort(-np.round(scores, 4))
    ranks = np.searchsorted(ordered, -np.round(scores, 4)) + 1
    return ((FUSION_K + 1) / (FUSION_K + ranks)).astype(np.float32)


def _standardized(scores: Floats) -> Floats:
    deviation = float(scores.std()) if scores.size else 0.0
    if deviation <= 1e-6:
        return np.zeros_like(scores)
    return ((scores - scores.mean()) / deviation).astype(np.float32)


def prominence(scores: Floats, matched: Floats) -> Floats:
    """Return from 0 to 1 by how much each passage's BM25 score stands out, if it has almost all terms of the query.

    The only passage with a number, a name or an error code has a much higher score than all others, and almost 1 here.
    To a question about a subject, where many passages have some of its terms, no passage has more than some hundredths.
    `matched` is the share of the query's terms in each passage, by idf.
    """
    highest = float(scores.max(initial=0))
    if highest <= 0:
        return np.zeros_like(scores)
    powers = (scores / highest * matched) ** PROMINENCE_POWER
    shares = powers / max(float(powers.sum()), 1e-30)
    return (shares * matched**PROMINENCE_POWER).astype(np.float32)


COVERAGE_WEIGHT: Final = 0.2
"""Share of coverage in a lexical distance; the rest is the cosine.

The cosine of a few words with a long passage is small even if the passage has all of them. Measured: coverage separates
questions to this project's documents better from others (area under the curve 0.980 to 0.996), those to the Cranfield
abstracts, which have ten words, equally within the error (0.957 to 0.947, standard error 0.015).
"""


class IndexQuery(Struct, frozen=True):
    """Terms of a text in the index, rarest first, and its vectors.

    `weights` are the terms' own, (1 + ln count) x idf, divided by the length of the whole text's vector, including
    terms that are not in the index: these make a question longer and no passage nearer. `dense` has length 1, or less
    by the unknown part of the text; None without a vector.
    """

    terms: tuple[str, ...]
    ids: Positions
    counts: Floats
    weights: Floats
    dense: Floats | None

    @classmethod
    def of(
        cls, counts: Mapping[tuple[str, ...], int], ids: Mapping[str, int], idf: Floats, unknown_idf: float
    ) -> "IndexQuery":
        """Return the query of these words, without a dense vector.

        `counts` are by the alternative terms of a word, of which the heaviest one counts for the length; `ids` are
        those of the terms in the index.
        """
        amounts = dict[str, int]()
        squares = 0.0
        for alternatives, count in counts.items():
            present = [term for term in alternatives if term in ids]
            amounts.update((term, amounts.get(term, 0) + count) for term in present)
            weight = max((float(idf[ids[term]]) for term in present), default=unknown_idf)
            squares += ((1 + np.log(count)) * weight) ** 2
        known = sorted(amounts, key=lambda term: (-idf[ids[term]], term))
        positions = np.array([ids[term] for term in known], dtype=np.intp)
        numbers = np.array([amounts[term] for term in known], dtype=np.float32)
        weights = (1 + np.log(numbers)) * idf[positions] / max(np.sqrt(squares), 1e-9)
        return cls(tuple(known), positions, numbers, weights.astype(np.float32), None)

    @property
    def known(self) -> float:
        """Share of the text with terms in the index, from 0 to 1: the length of `weights`."""
        return min(float(np.linalg.norm(self.weights)), 1.0)


def term_cosines(question: IndexQuery, rows: TermMatrix, idf: Floats) -> Floats:
    """Return the cosine between the query and each passage of `rows` in the space of all terms."""
    entries = rows.log_counts() * idf[rows.terms]
    query_weights = np.zeros_like(idf)
    query_weights[question.ids] = question.weights
    lengths = np.sqrt(rows.summed(entries**2))
    cosines = rows.summed(entries * query_weights[rows.terms]) / np.where(lengths > 0, lengths, 1)
    return cosines.astype(np.float32)


def coverage(question: IndexQuery, rows: TermMatrix, vocabulary: int) -> Floats:
    """Return the share of the query's terms in each passage of `rows`, by weight, from 0 to 1.

    It is the cosine between the query and the query without the terms that the passage lacks. `vocabulary` is one more
    than the largest term id.
    """
    return np.sqrt(np.clip(_summed(question, question.weights**2, rows, vocabulary), 0, 1))


def matched(question: IndexQuery, rows: TermMatrix, idf: Floats) -> Floats:
    """Return the share of the query's terms in each passage of `rows`, by idf, from 0 to 1: of those in the index."""
    weights = idf[question.ids]
    return _summed(question, weights, rows, len(idf)) / max(float(weights.sum()), 1e-9)


def _summed(question: IndexQuery, weights: Floats, rows: TermMatrix, vocabulary: int) -> Floats:
    by_term = np.zeros(vocabulary, dtype=np.float32)
    by_term[question.ids] = weights
    return rows.summed(by_term[rows.terms])


def lexical_distances(cosine_distances: Floats, covered: Floats) -> Floats:
    """Return distances from 0 to 2: four fifths cosine distance, one fifth the missing part of the query's terms."""
    return (cosine_distances * (1 - COVERAGE_WEIGHT) + (1 - covered) * COVERAGE_WEIGHT).astype(np.float32)


def cosine_distances(question: IndexQuery, terms: Floats, dense: Floats | None) -> Floats:
    """Return the cosine distances between concatenated vectors of equal length: of terms, and the dense one.

    `terms` are the passages' cosines in the space of terms; `dense` their dense vectors, of length 1 or 0. A passage
    without a dense vector is compared by its terms alone.
    """
    if dense is None or question.dense is None:
        sides = 1.0 if dense is None else np.sqrt(1 + (dense != 0).any(axis=1))
        return np.clip(1 - terms / sides, 0, 2).astype(np.float32)
    passage_sides = 1 + (dense != 0).any(axis=1)
    return np.clip(1 - (terms + dense @ question.dense) / np.sqrt(2 * passage_sides), 0, 2).astype(np.float32)
