"""Computed and given vectors of an index."""

from pathlib import Path

import numpy as np
import pytest

from flexchat.errors import RetrievalError
from flexchat.retrieval import SearchQuery
from functions.retrieval.index.reader import CollectionIndex, ReadLimits
from functions.retrieval.index.writer import IndexWriter
from tests.unit.retrieval.samples import document, found, two_subjects, written


class TestLearning:
    def test_the_embedding_is_recomputed_after_a_growth_by_half(self, path: Path) -> None:
        documents = [document(f"d{at}", " ".join(f"w{at * step % 97}" for step in range(1, 7))) for at in range(200)]
        dimensions: list[int] = []
        for upto in (63, 64, 95, 96, 200):
            with IndexWriter(path) as writer:
                writer.add(documents[:upto])
            dimensions.append(CollectionIndex(path).stats.dimensions)

        assert dimensions == [0, 16, 16, 24, 50]

    def test_a_collection_reduced_to_few_passages_is_compared_by_words_again(self, path: Path) -> None:
        written(path, *two_subjects(80))

        with IndexWriter(path) as writer:
            writer.delete_documents([f"d{at}" for at in range(60)])

        index = CollectionIndex(path)
        assert index.stats.dimensions == 0
        assert found(index, "number61") == ["d61#0"]

    def test_later_documents_use_the_existing_embedding(self, path: Path) -> None:
        written(path, *two_subjects(80))
        with IndexWriter(path) as writer:
            writer.add([document("late", "kitten puppy")])

        hits = CollectionIndex(path).search(SearchQuery("kitten puppy"))

        assert hits[0].passage.id == "late#0"
        assert hits[0].distance == pytest.approx(0, abs=1e-3)

    def test_the_same_documents_have_the_same_results(self, tmp_path: Path) -> None:
        first, second = (written(tmp_path / f"{at}.sqlite", *two_subjects()) for at in range(2))

        assert first.search(SearchQuery("horse cow")) == second.search(SearchQuery("horse cow"))


class TestGivenVectors:
    def test_the_distance_is_that_of_the_vectors(self, path: Path) -> None:
        index = written(
            path,
            document("a", "apple", vectors=([2.0, 0.0],)),
            document("b", "pear", vectors=([1.0, 1.0],)),
            document("c", "plum", vectors=([-1.0, 0.0],)),
        )

        hits = index.search(SearchQuery("fruit"), [3.0, 0.0])

        assert [(hit.passage.id, round(hit.distance, 3)) for hit in hits] == [("a#0", 0), ("b#0", 0.293), ("c#0", 2)]

    def test_terms_and_vectors_both_affect_the_ranking(self, path: Path) -> None:
        index = written(
            path,
            document("a", "pear", vectors=([0.9, 0.1],)),
            document("b", "apple", vectors=([0.8, 0.2],)),
            document("c", "plum", vectors=([0.0, 1.0],)),
        )

        assert found(index, "apple", [1.0, 0.0]) == ["b#0", "a#0", "c#0"]

    def test_only_candidate_vectors_are_compared_in_a_large_index(self, path: Path) -> None:
        written(
            path,
            document("a", "red apple in a tree", vectors=([0.0, 1.0],)),
            document("b", "green apple", vectors=([1.0, 0.0],)),
            document("c", "plum", vectors=([1.0, 0.0],)),
        )
        index = CollectionIndex(path, limits=ReadLimits(dense_in_memory=5))

        hits = index.search(SearchQuery("apple"), [1.0, 0.0])

        assert [(hit.passage.id, round(hit.distance, 3)) for hit in hits] == [("b#0", 0), ("a#0", 1)]
        assert index.search(SearchQuery("unheard of"), [1.0, 0.0]) == ()

    def test_filters_apply_to_vectors_too(self, path: Path) -> None:
        index = written(
            path,
            document("a", "apple", vectors=([1.0, 0.0],), metadata={"n": 1}),
            document("b", "pear", vectors=([0.0, 1.0],), metadata={"n": 2}),
        )

        assert [hit.passage.id for hit in index.search(SearchQuery("apple", filters={"n": 2}), [1.0, 0.0])] == ["b#0"]

    @pytest.mark.parametrize(("vector", "problem"), [(None, "the query has none"), ([1.0], "the query has one of 1")])
    def test_a_question_needs_a_vector_of_the_same_dimensions(
        self, path: Path, vector: list[float] | None, problem: str
    ) -> None:
        index = written(path, document("a", "apple", vectors=([1.0, 0.0],)))

        with pytest.raises(RetrievalError, match=problem) as raised:
            index.search(SearchQuery("apple"), vector)

        assert raised.value.code == "invalid"

    @pytest.mark.parametrize(
        ("texts", "vectors", "problem"),
        [
            (("x", "y"), ([1.0, 0.0],), "2 passages and 1 vectors"),
            (("x",), ([1.0],), "have 1 dimensions, those of the collection 2"),
            (("x",), (), "have 0 dimensions, those of the collection 2"),
            (("x", "y"), ([1.0, 0.0], [1.0]), "differ in length"),
            (("x",), ([1.0, float("nan")],), "contain a value that is not a number"),
        ],
    )
    def test_vectors_of_different_dimensions_are_rejected(
        self, path: Path, texts: tuple[str, ...], vectors: tuple[list[float], ...], problem: str
    ) -> None:
        written(path, document("a", "apple", vectors=([1.0, 0.0],)))

        with pytest.raises(RetrievalError, match=problem) as raised, IndexWriter(path) as writer:
            writer.add([document("b", *texts, vectors=vectors)])

        assert raised.value.code == "invalid"
        assert CollectionIndex(path).stats.documents == 1

    def test_a_document_without_passages_has_no_embedding(self, path: Path) -> None:
        index = written(path, document("a"), document("b", "apple", vectors=([1.0, 0.0],)))

        assert (index.stats.documents, index.stats.dimensions) == (2, 2)


def test_sample_positions_equal_the_documented_ones(path: Path) -> None:
    index = written(path, *two_subjects(20))
    sample = index.sample(5)

    distances = index.distances(sample[2].passage.text, None, [one.position for one in sample])

    assert [one.passage.document_id for one in sample] == ["d0", "d4", "d8", "d12", "d16"]
    assert int(np.argmin(distances)) == 2
    assert distances[2] == pytest.approx(0, abs=1e-6)
