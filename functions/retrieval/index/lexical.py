"""Lexical embedding without a model: co-occurrence of words in the collection itself.

Latent semantic analysis: the passages' weighted terms, a sparse matrix, are reduced to their strongest directions by a
truncated singular value decomposition (randomised, from a fixed seed: Halko, Martinsson and Tropp 2011, algorithm 4.4).
Passages without a common word are near if their words occur in similar passages.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

type Floats = npt.NDArray[np.float32]
type Positions = npt.NDArray[np.intp]
type Entries = npt.NDArray[np.int32]
"""Type of positions of entries: a matrix has fewer than 2^31, and half the bytes take half the time."""

TERM_TYPE = np.dtype("<u4")
COUNT_TYPE = np.dtype("<u2")
DENSE_TYPE = np.dtype("<f2")

MAX_COUNT = 65_535


class TermMatrix(Struct, frozen=True):
    """Sparse matrix: row `i` has the entries `starts[i]` up to `starts[i + 1]` of `terms` (term ids) and `counts`."""

    starts: Entries
    terms: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint16]

    @classmethod
    def of_blobs(cls, terms: Sequence[bytes], counts: Sequence[bytes]) -> "TermMatrix":
        """Return the matrix of stored rows. Raises ValueError for inconsistent ones."""
        sizes = np.fromiter(map(len, terms), dtype=np.int32, count=len(terms)) // TERM_TYPE.itemsize
        starts = _starts(sizes)
        matrix = cls(
            starts, np.frombuffer(b"".join(terms), dtype=TERM_TYPE), np.frombuffer(b"".join(counts), dtype=COUNT_TYPE)
        )
        if not matrix.terms.size == matrix.counts.size == starts[-1]:
            raise ValueError("terms and counts differ in length")
        return matrix

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self, positions: Positions) -> "TermMatrix":
        """Return the rows at `positions`, in their order."""
        first = self.starts[positions]
        sizes = self.starts[positions + 1] - first
        starts = _starts(sizes)
        entries = np.repeat(first - starts[:-1], sizes)
        entries += np.arange(starts[-1], dtype=np.int32)
        return TermMatrix(starts, self.terms[entries], self.counts[entries])

    def summed(self, values: Floats) -> Floats:
        """Return the sum of each row's entries of `values`, which has one number, or one row of numbers, per entry."""
        sums = np.zeros((len(self), *values.shape[1:]), dtype=np.float32)
        filled = np.flatnonzero(np.diff(self.starts))
        if filled.size:
            sums[filled] = np.add.reduceat(values, self.starts[filled], axis=0)
        return sums

    def lengths(self, counted: Floats) -> Floats:
        """Return the number of terms of each passage; `counted` is by term id, 1 or 0 for one that does not count."""
        return self.summed(self.counts * counted[self.terms])

    def document_frequencies(self, vocabulary: int) -> Floats:
        """Return the number of passages of each term; `vocabulary` is one more than the largest term id."""
        return np.bincount(self.terms, minlength=vocabulary).astype(np.float32)

    def log_counts(self) -> Floats:
        """Return 1 + ln(count) of each entry: weights grow slower than counts."""
        return (1 + np.log(self.counts.astype(np.float32))).astype(np.float32)

    def times(self, values: Floats, dense: Floats) -> Floats:
        """Return the product of the sparse matrix of `values` with `dense`, (terms, columns).

        Computed row by row: the part of `dense` for one row fits into a processor's cache.
        """
        product = np.zeros((len(self), dense.shape[1]), dtype=np.float32)
        starts: list[int] = self.starts.tolist()
        for row, (first, last) in enumerate(pairwise(starts)):
            if first < last:
                product[row] = values[first:last] @ dense[self.terms[first:last]]
        return product

    def transposed(self, columns: int) -> tuple["TermMatrix", Positions]:
        """Return the transposed matrix, and the position of each of its entries in this matrix."""
        order = np.argsort(self.terms, kind="stable")
        starts = _starts(np.bincount(self.terms, minlength=columns))
        rows = np.repeat(np.arange(len(self), dtype=np.uint32), np.diff(self.starts))
        return TermMatrix(starts, rows[order], self.counts[order]), order


def _starts(sizes: npt.NDArray[np.integer]) -> Entries:
    starts = np.zeros(len(sizes) + 1, dtype=np.int32)
    np.cumsum(sizes, out=starts[1:])
    return starts


def even_steps(rows: int, count: int) -> Positions:
    """Return the positions of at most `count` of `rows` rows, at even steps."""
    wanted = min(rows, count)
    return np.arange(wanted, dtype=np.intp) * rows // max(wanted, 1)


def unit_rows(matrix: Floats) -> Floats:
    """Return every row scaled to length 1; a row of zeros is unchanged."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def inverse_frequencies(frequencies: Floats, passages: int) -> Floats:
    """Return BM25's idf, ln(1 + (N - df + 0.5) / (df + 0.5)): never negative, highest for terms in no passage."""
    return np.log(1 + (passages - frequencies + 0.5) / (frequencies + 0.5)).astype(np.float32)


DIMENSIONS: Final = 128
MIN_PASSAGES: Final = 64
"""Minimum number of passages; below it co-occurrence is random, and distances depend on shared terms alone."""

MAX_PASSAGES: Final = 16_384
MAX_TERMS: Final = 32_768
"""Maximum of the training data: passages at even steps, and the most frequent terms."""

_OVERSAMPLED: Final = 16
_ITERATIONS: Final = 2
_SEED: Final = 20_250_101


def dimensions(passages: int) -> int:
    """Return the number of dimensions for this number of passages; 0 for too few."""
    return min(DIMENSIONS, passages // 4) if passages >= MIN_PASSAGES else 0


def learn(matrix: TermMatrix, vocabulary: int) -> Floats:
    """Return the contribution of each term to a vector: (vocabulary, dimensions), zeros for rare terms.

    The number of dimensions is limited by the rank of the passages; zero when no term occurs in two of them. A
    passage's vector is the sum of its terms' rows, each times 1 + ln(count), scaled to length 1.
    """
    sample = matrix.rows(even_steps(len(matrix), MAX_PASSAGES))
    frequencies = sample.document_frequencies(vocabulary)
    common = np.argsort(-frequencies, kind="stable")[:MAX_TERMS]
    weights = np.zeros(vocabulary, dtype=np.float32)
    weights[common] = inverse_frequencies(frequencies, len(sample))[common]
    weights[frequencies < 2] = 0
    values = sample.log_counts() * weights[sample.terms]
    norms = np.sqrt(sample.summed(values**2))
    values /= np.repeat(np.where(norms > 0, norms, 1), np.diff(sample.starts))
    directions = _right_singular_vectors(sample, values, vocabulary, dimensions(len(matrix)))
    projection = directions * weights[:, None]
    return (projection / max(float(np.abs(projection).max(initial=0)), 1e-12)).astype(np.float32)


def _right_singular_vectors(matrix: TermMatrix, values: Floats, vocabulary: int, count: int) -> Floats:
    """Return the `count` strongest directions as columns: (vocabulary, count)."""
    transposed, order = matrix.transposed(vocabulary)
    width = min(count + _OVERSAMPLED, len(matrix))
    basis = np.random.default_rng(_SEED).standard_normal((len(matrix), width), dtype=np.float32)
    directions = _orthonormal(transposed.times(values[order], basis))
    for _ in range(_ITERATIONS):
        basis = _orthonormal(matrix.times(values, directions))
        directions = _orthonormal(transposed.times(values[order], basis))
    image = matrix.times(values, directions)
    strengths, rotation = np.linalg.eigh(image.T @ image)
    strongest = np.argsort(-strengths, kind="stable")[:count]
    return (directions @ rotation[:, strongest]).astype(np.float32)


def _orthonormal(columns: Floats) -> Floats:
    """Return an orthonormal basis of `columns` without directions of noise.

    Computed from their small Gram matrix: on tall matrices several times faster than a QR decomposition.
    """
    tall = columns.astype(np.float64)
    squares, rotation = np.linalg.eigh(tall.T @ tall)
    significant = squares > squares.max(initial=0) * 1e-10
    return (tall @ (rotation[:, significant] / np.sqrt(squares[significant]))).astype(np.float32)


def vectors(matrix: TermMatrix, projection: Floats) -> Floats:
    """Return the passages' vectors, of length 1: (rows, dimensions)."""
    return unit_rows(matrix.times(matrix.log_counts(), projection))
