"""Sparse rows of counts, compared with full matrices."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from functions.retrieval.index.lexical import COUNT_TYPE, TERM_TYPE, Floats, TermMatrix, even_steps, unit_rows

type Counts = npt.NDArray[np.uint16]

COUNTS = hnp.arrays(np.uint16, st.tuples(st.integers(0, 8), st.just(6)), elements=st.integers(0, 3))


def sparse(full: Counts) -> TermMatrix:
    rows = [np.flatnonzero(row) for row in full]
    return TermMatrix.of_blobs(
        [row.astype(TERM_TYPE).tobytes() for row in rows],
        [full[at, row].astype(COUNT_TYPE).tobytes() for at, row in enumerate(rows)],
    )


@given(COUNTS, hnp.arrays(np.float32, 6, elements=st.sampled_from([0, 1])))
def test_lengths_and_frequencies_equal_those_of_the_full_matrix(full: Counts, counted: Floats) -> None:
    matrix = sparse(full)

    assert matrix.lengths(counted).tolist() == (full * counted).sum(axis=1).tolist()
    assert matrix.document_frequencies(6).tolist() == (full > 0).sum(axis=0).tolist()


@given(COUNTS, st.data())
def test_rows_are_selected_in_the_requested_order(full: Counts, data: st.DataObject) -> None:
    positions = data.draw(st.lists(st.integers(0, len(full) - 1)) if len(full) else st.just(list[int]()))
    taken = sparse(full).rows(np.array(positions, dtype=np.intp))

    assert taken.times(taken.counts.astype(np.float32), np.eye(6, dtype=np.float32)).tolist() == [
        full[position].tolist() for position in positions
    ]


@settings(max_examples=50)
@given(COUNTS)
def test_products_equal_those_of_the_full_matrix(full: Counts) -> None:
    matrix, dense = sparse(full), np.arange(12, dtype=np.float32).reshape(6, 2)

    assert matrix.times(matrix.counts.astype(np.float32), dense).tolist() == (full @ dense).tolist()


@given(COUNTS)
def test_a_transposed_matrix_has_terms_as_rows(full: Counts) -> None:
    matrix = sparse(full)
    transposed, order = matrix.transposed(6)
    values = matrix.counts.astype(np.float32)[order]

    product = transposed.times(values, np.eye(max(len(full), 1), dtype=np.float32))

    assert product[:, : len(full)].tolist() == full.T.tolist()


def test_rows_of_different_lengths_are_rejected() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        TermMatrix.of_blobs([b"\0" * 8], [b"\0" * 2])


def test_a_zero_row_stays_zero() -> None:
    assert unit_rows(np.array([[3, 4], [0, 0]], dtype=np.float32)).tolist() == [
        [np.float32(0.6), np.float32(0.8)],
        [0, 0],
    ]


@pytest.mark.parametrize(("rows", "count", "expected"), [(10, 5, [0, 2, 4, 6, 8]), (3, 5, [0, 1, 2]), (0, 5, [])])
def test_a_sample_has_even_steps(rows: int, count: int, expected: list[int]) -> None:
    assert even_steps(rows, count).tolist() == expected
