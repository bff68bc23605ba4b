"""Lexical embedding without a model: co-occurrence of words in the collection itself.

Latent semantic analysis: the passages' weighted terms, a sparse matrix, are reduced to their strongest directions by a
truncated singular value decomposition (randomised, from a fixed seed: Halko, Martinsson and Tropp 2011, algorithm 4.4).
Passages without a common word are near if their words occur in similar passages.
"""

from typing import Final

import numpy as np

from functions.retrieval.index.matrix import Floats, TermMatrix, even_steps, inverse_frequencies, unit_rows

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
