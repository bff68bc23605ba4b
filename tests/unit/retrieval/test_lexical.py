"""The embedding learned from a collection, compared with the full decomposition."""

import numpy as np

from functions.retrieval.index import lexical
from functions.retrieval.index.lexical import COUNT_TYPE, TERM_TYPE, Floats, TermMatrix


def matrix_of(rows: list[list[int]]) -> TermMatrix:
    return TermMatrix.of_blobs(
        [np.array(row, dtype=TERM_TYPE).tobytes() for row in rows],
        [np.ones(len(row), dtype=COUNT_TYPE).tobytes() for row in rows],
    )


def random_rows(rows: int, terms: int) -> TermMatrix:
    generator = np.random.default_rng(7)
    return matrix_of([sorted(set((generator.zipf(1.3, 20) % terms).tolist())) for _ in range(rows)])


def cosines(vectors: Floats) -> Floats:
    return vectors @ vectors.T


def test_the_directions_equal_those_of_the_full_decomposition() -> None:
    matrix = random_rows(400, 150)
    vocabulary = 150
    full = matrix.times(matrix.log_counts(), np.eye(vocabulary, dtype=np.float32))
    frequencies = (full > 0).sum(axis=0)
    weights = np.where(frequencies > 1, np.log(1 + (400 - frequencies + 0.5) / (frequencies + 0.5)), 0)
    weighted = full * weights
    scaled = weighted / np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-9)
    directions = np.linalg.svd(scaled, full_matrices=False)[2][: lexical.dimensions(400)].T
    expected = weighted @ directions
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)

    learned = lexical.vectors(matrix, lexical.learn(matrix, vocabulary))

    assert np.abs(cosines(learned) - cosines(expected.astype(np.float32))).mean() < 0.02


def test_learning_is_deterministic() -> None:
    matrix = random_rows(200, 100)

    assert (lexical.learn(matrix, 100) == lexical.learn(matrix, 100)).all()


def test_terms_of_one_passage_are_ignored() -> None:
    matrix = matrix_of([[0, 1, 2 + at] if at % 2 else [1, 2 + at] for at in range(64)])

    projection = lexical.learn(matrix, 66)

    assert projection[:2].any(axis=1).all()
    assert not projection[2:].any()


def test_passages_without_common_terms_give_no_directions() -> None:
    matrix = matrix_of([[at] for at in range(64)])

    projection = lexical.learn(matrix, 64)

    assert projection.shape == (64, 0)
    assert lexical.vectors(matrix, projection).shape == (64, 0)


def test_a_passage_without_learned_terms_has_no_vector() -> None:
    matrix = random_rows(100, 50)
    projection = lexical.learn(matrix, 50)

    assert not lexical.vectors(matrix_of([[]]), projection).any()


def test_the_number_of_passages_has_a_minimum_and_a_maximum() -> None:
    assert [lexical.dimensions(passages) for passages in (0, 63, 64, 400, 50_000)] == [0, 0, 16, 100, 128]
