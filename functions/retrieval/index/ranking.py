"""Ranking of passages: BM25, relevance feedback, and the fusion of two rankings.

Every parameter is a standard value, none was tuned on a collection: k1 and b are Robertson's, feedback is moderate
(RM3's form with five passages, twenty terms, three tenths of the weight), and 60 is the k of Cormack, Clarke and
Büttcher's fusion.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from functions.retrieval.index.matrix import Floats, Positions, TermMatrix

K1: Final = 1.2
B: Final = 0.75

FEEDBACK_PASSAGES: Final = 5
FEEDBACK_TERMS: Final = 20
FEEDBACK_WEIGHT: Final = 0.3

FUSION_K: Final = 60
DEPTH: Final = 200
"""Number of entries of each order that are fused."""


class Weighting(Struct, frozen=True):
    """BM25 weights of the whole collection: each term's idf, each passage's length and saturation, and the weight
    of a single occurrence of a term, times its idf."""

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
        shares = np.repeat(scores[best] / self.lengths[positions[best]], np.diff(top.starts))
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


class Order(Struct, frozen=True):
    """Return positions with their scores, the highest first."""

    positions: Positions
    scores: Floats

    @classmethod
    def of(cls, positions: Positions, scores: Floats, *, above: float) -> "Order":
        """Return the `DEPTH` best of `positions` with a score above `above`."""
        best = best_first(scores, DEPTH)
        best = best[scores[best] > above]
        return cls(positions[best], scores[best])

    def ranks(self) -> Positions:
        """Return the ranks from 1; equal scores share the first rank."""
        rounded = np.round(self.scores, 4)
        changes = np.flatnonzero(np.diff(rounded, prepend=np.inf))
        return np.repeat(changes + 1, np.diff(changes, append=len(rounded)))


def fused(orders: Sequence[Order]) -> Positions:
    """Fuse several orders by reciprocal rank."""
    positions, entries = np.unique(np.concatenate([order.positions for order in orders]), return_inverse=True)
    shares = np.bincount(entries, 1 / (FUSION_K + np.concatenate([order.ranks() for order in orders])))
    return positions[np.argsort(-shares.round(9), kind="stable")]
