"""Rankings of passages, compared with manually computed ones."""

import numpy as np
import pytest

from functions.retrieval.index.lexical import Floats, Positions, TermMatrix, inverse_frequencies
from functions.retrieval.index.ranking import Order, Weighting, best_first, fused

# Four passages over the terms 0 to 3: "0 0 1", "1 2", "0 3", "3".
MATRIX = TermMatrix(
    np.array([0, 2, 4, 6, 7], dtype=np.int32),
    np.array([0, 1, 1, 2, 0, 3, 3], dtype=np.uint32),
    np.array([2, 1, 1, 1, 1, 1, 1], dtype=np.uint16),
)
WEIGHTING = Weighting.of(inverse_frequencies(MATRIX.document_frequencies(4), 4), MATRIX.lengths())
ALL: Positions = np.arange(4)


def floats(*values: float) -> Floats:
    return np.array(values, dtype=np.float32)


def test_the_weight_of_a_term_decreases_with_its_frequency() -> None:
    assert inverse_frequencies(floats(0, 1, 4), 4) == pytest.approx(np.log([10, 1 + 3.5 / 1.5, 1 + 0.5 / 4.5]))


def test_bm25_equals_the_reference_formula() -> None:
    idf = np.log(1 + 2.5 / 2.5)

    scores = WEIGHTING.scores(MATRIX, ALL, floats(1, 0, 0, 0))

    assert scores == pytest.approx(
        [idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2)), 0, idf * 2.2 / (1 + 1.2), 0], rel=1e-5
    )


def test_feedback_adds_terms_of_the_best_passages_with_a_small_weight() -> None:
    query = floats(1, 0, 0, 0)

    expanded = WEIGHTING.expanded(MATRIX, ALL, WEIGHTING.scores(MATRIX, ALL, query), query)

    assert expanded.sum() == pytest.approx(1)
    assert expanded[0] > 0.7
    assert expanded[1] > 0
    assert expanded[3] > 0
    assert expanded[2] == 0


def test_a_question_without_results_is_unchanged() -> None:
    query = floats(0, 0, 1, 0)

    assert WEIGHTING.expanded(MATRIX, ALL, floats(0, 0, 0, 0), query) is query


@pytest.mark.parametrize(
    ("scores", "count", "expected"),
    [
        ((1, 3, 2), 2, [1, 2]),
        ((1, 3, 2), 9, [1, 2, 0]),
        ((2, 1, 2, 2), 2, [0, 2]),
        ((0, 0, 0), 2, [0, 1]),
        ((), 2, []),
    ],
)
def test_equal_scores_are_in_the_original_order(scores: tuple[float, ...], count: int, expected: list[int]) -> None:
    assert best_first(floats(*scores), count).tolist() == expected


def order(**scores: float) -> Order:
    """`p7=0.5` is the passage at position 7 with the score 0.5."""
    return Order(np.array([int(name[1:]) for name in scores], dtype=np.intp), floats(*scores.values()))


def test_an_order_has_the_best_results_above_a_score() -> None:
    ranked = Order.of(np.array([4, 5, 6, 7]), floats(0, 0.5, -1, 2), above=0)

    assert (ranked.positions.tolist(), ranked.scores.tolist()) == ([7, 5], [2, 0.5])


def test_equal_scores_share_a_rank() -> None:
    assert order(p3=9, p1=2, p2=2.00001, p4=1).ranks().tolist() == [1, 2, 2, 4]


def test_results_high_in_both_orders_are_first() -> None:
    by_terms, by_vectors = order(p7=3, p1=2, p2=1), order(p3=0.9, p1=0.8)

    assert fused((by_terms, by_vectors)).tolist() == [1, 3, 7, 2]


def test_empty_orders_fuse_to_an_empty_order() -> None:
    assert fused((order(), order())).tolist() == []
