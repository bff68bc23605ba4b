"""Distances between questions and passages."""

from pathlib import Path

import numpy as np
import pytest

from flexchat.retrieval import SearchQuery
from functions.retrieval.index.lexical import COUNT_TYPE, TERM_TYPE, TermMatrix
from functions.retrieval.index.ranking import IndexQuery, coverage, lexical_distances
from tests.unit.retrieval.samples import document, written

FILLER = " ".join(f"filler{at}" for at in range(80))


def rows_of(*rows: list[int]) -> TermMatrix:
    return TermMatrix.of_blobs(
        [np.array(row, dtype=TERM_TYPE).tobytes() for row in rows],
        [np.ones(len(row), dtype=COUNT_TYPE).tobytes() for row in rows],
    )


def test_coverage_is_the_weighted_share_of_question_terms_in_a_passage() -> None:
    idf = np.array([1.0, 1.0, 1.0, 1.0], dtype=np.float32)
    question = IndexQuery.of({("add",): 1, ("tool",): 1}, {"add": 0, "tool": 1}, idf, unknown_idf=1.0)

    covered = coverage(question, rows_of([0, 1, 2, 3], [0, 3], [2, 3], []), 4)

    assert covered.tolist() == pytest.approx([1, 0.5**0.5, 0, 0])


def test_terms_missing_in_the_index_are_not_covered() -> None:
    idf = np.array([1.0, 1.0], dtype=np.float32)
    question = IndexQuery.of({("capital",): 1, ("mongolia",): 1}, {"capital": 0}, idf, unknown_idf=1.0)

    assert coverage(question, rows_of([0, 1]), 2).tolist() == pytest.approx([0.5**0.5])


def test_a_question_without_indexed_terms_has_no_coverage() -> None:
    idf = np.array([1.0], dtype=np.float32)
    question = IndexQuery.of({("mongolia",): 1}, {}, idf, unknown_idf=1.0)

    assert coverage(question, rows_of([0]), 1).tolist() == [0]


@pytest.mark.parametrize(("cosine", "covered", "expected"), [(0, 1, 0), (1, 0, 1), (0.7, 1, 0.56), (0.7, 0.5, 0.66)])
def test_a_distance_is_four_fifths_cosine_and_one_fifth_coverage(
    cosine: float, covered: float, expected: float
) -> None:
    found = lexical_distances(np.array([cosine], dtype=np.float32), np.array([covered], dtype=np.float32))

    assert found.tolist() == pytest.approx([expected])


def test_a_long_passage_with_every_word_is_nearer_than_one_with_half_of_the_words(tmp_path: Path) -> None:
    index = written(
        tmp_path / "index.sqlite",
        document("whole", f"revoke a token {FILLER}"),
        document("half", f"revoke a grant {FILLER}"),
        document("other", f"something else {FILLER}"),
    )

    found = {hit.passage.document_id: hit.distance for hit in index.search(SearchQuery("revoke token"))}

    assert list(found) == ["whole", "half"]
    assert found["whole"] < found["half"] - 0.05


def test_the_same_text_has_distance_zero(tmp_path: Path) -> None:
    index = written(tmp_path / "index.sqlite", document("a", "revoke token"), document("b", "something else"))

    hits = index.search(SearchQuery("token, revoke"))

    assert [(hit.passage.document_id, round(hit.distance, 4)) for hit in hits] == [("a", 0)]
