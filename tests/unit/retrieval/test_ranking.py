"""Rankings of passages, compared with manually computed ones."""

import numpy as np
import pytest

from functions.retrieval.index.lexical import Floats, Positions, TermMatrix, inverse_frequencies
from functions.retrieval.index.ranking import (
    IndexQuery,
    Weighting,
    best_first,
    fused,
    matched,
    prominence,
    reciprocal_ranks,
)

# Four passages over the terms 0 to 3: "0 0 1", "1 2", "0 3", "3".
MATRIX = TermMatrix(
    np.array([0, 2, 4, 6, 7], dtype=np.int32),
    np.array([0, 1, 1, 2, 0, 3, 3], dtype=np.uint32),
    np.array([2, 1, 1, 1, 1, 1, 1], dtype=np.uint16),
)
WEIGHTING = Weighting.of(
    inverse_frequencies(MATRIX.document_frequencies(4), 4), MATRIX.lengths(np.ones(4, dtype=np.float32))
)
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


def test_equal_scores_share_a_rank() -> None:
    assert reciprocal_ranks(floats(1, 2, 2.00001, 9)) == pytest.approx([61 / 64, 61 / 62, 61 / 62, 1])


def test_passages_high_in_both_orders_are_first() -> None:
    by_terms, by_vectors = floats(0.1, 0.8, 0.7, 0.9), floats(0.2, 0.9, 0.1, 0.1)

    assert fused(by_terms, by_vectors).argmax() == 1


def test_a_much_higher_score_counts_more_than_a_slightly_higher_one() -> None:
    by_vectors, others = floats(*np.linspace(1, 0, 40)), np.linspace(0, 1, 39)
    slightly, much = (fused(floats(*others, highest), by_vectors) for highest in (1.01, 5))

    assert much[-1] - much[:-1].max() > slightly[-1] - slightly[:-1].max() + 0.1


def test_equal_scores_are_no_order() -> None:
    assert fused(floats(0.5, 0.5), floats(0.1, 0.2)).tolist() == pytest.approx(
        [(1 + 61 / 62 - 1 / 6) / 4, (2 + 1 / 6) / 4]
    )
    assert fused(floats(), floats()).tolist() == []


def test_a_passage_is_prominent_by_a_much_higher_score_and_all_terms() -> None:
    alone = prominence(floats(10, *[3] * 50), np.ones(51, dtype=np.float32))
    some_terms = prominence(floats(10, *[3] * 50), np.full(51, 0.5, dtype=np.float32))
    common = prominence(floats(10, *[9] * 50), np.ones(51, dtype=np.float32))

    assert alone[0] > 0.95
    assert alone[1:].max() < 0.001
    assert some_terms[0] < 0.1
    assert common.max() < 0.1
    assert prominence(floats(0, 0), floats(0, 0)).tolist() == [0, 0]


def test_the_matched_share_of_a_query_is_by_the_weight_of_its_terms() -> None:
    idf = floats(3, 1, 1, 1)
    question = IndexQuery.of({("rare",): 1, ("common",): 2, ("unheard",): 1}, {"rare": 0, "common": 3}, idf, 4)

    assert matched(question, MATRIX, idf).tolist() == pytest.approx([0.75, 0, 1, 0.25])


def test_alternative_terms_of_a_word_count_once_for_the_length_of_a_query() -> None:
    question = IndexQuery.of({("casts", "cast"): 1}, {"casts": 0, "cast": 1}, floats(2, 1, 0, 0), 4)

    assert (question.terms, question.weights.tolist()) == (("casts", "cast"), pytest.approx([1, 0.5]))
    assert question.known == 1
