"""Contents of an index, and search results."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from flexchat.errors import RetrievalError
from flexchat.retrieval import Hit, MetadataValue, Passage, SearchQuery
from functions.retrieval.index.documents import AddReport, IndexStats
from functions.retrieval.index.reader import CollectionIndex, Limits
from functions.retrieval.index.writer import IndexWriter
from tests.unit.retrieval.samples import document, found, two_subjects, written


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def test_a_passage_is_returned_as_it_was_added(path: Path) -> None:
    index = written(
        path,
        document(
            "guide.md",
            "Install it.\n",
            "A tool is a Lambda.\x00",
            title="Adding a tool",
            source="docs/guide.md",
            metadata={"language": "en", "year": 2024, "draft": False},
        ),
    )

    assert index.search(SearchQuery("lambda")) == (
        Hit(
            Passage(
                id="guide.md#1",
                document_id="guide.md",
                text="A tool is a Lambda.\x00",
                title="Adding a tool",
                source="docs/guide.md",
                offset=12,
                hash=hashlib.sha256(b"A tool is a Lambda.\x00").hexdigest(),
                metadata={"language": "en", "year": 2024, "draft": False},
            ),
            index.search(SearchQuery("lambda"))[0].distance,
        ),
    )


def test_a_passage_is_found_by_its_title(path: Path) -> None:
    index = written(path, document("a", "It is a Lambda.", title="Adding a tool"), document("b", "Nothing of that."))

    assert found(index, "how do I add tools?") == ["a#0"]


def test_a_lone_surrogate_is_stored_as_a_question_mark(path: Path) -> None:
    index = written(path, document("a\ud800", "broken \udc00 text", title="\ud83d", source="\ud83d"))

    (hit,) = index.search(SearchQuery("broken"))

    assert (hit.passage.id, hit.passage.text, hit.passage.title) == ("a?#0", "broken ? text", "?")


def test_distances_range_from_the_same_text_to_no_common_term(path: Path) -> None:
    index = written(path, document("a", "red apple"), document("b", "red pear"), document("c", "blue sky"))

    hits = index.search(SearchQuery("red apple"))

    assert [hit.passage.id for hit in hits] == ["a#0", "b#0"]
    assert hits[0].distance == pytest.approx(0, abs=1e-6)
    assert 0.5 < hits[1].distance < 1


def test_unknown_words_increase_every_distance(path: Path) -> None:
    index = written(path, *two_subjects())

    distances = [
        index.search(SearchQuery(text))[0].distance for text in ("cat kitten dog", "cat kitten dog zeppelin baroque")
    ]

    assert distances == sorted(distances)
    assert distances[1] - distances[0] > 0.1


def test_related_terms_are_found_without_a_common_word(path: Path) -> None:
    index = written(path, *two_subjects(), document("odd", "calf foal"))

    hits = index.search(SearchQuery("kitten", top_k=60))
    kitten_free = [hit for hit in hits if "kitten" not in hit.passage.text]

    assert kitten_free
    assert not [hit for hit in kitten_free if "hammer" in hit.passage.text]
    assert index.stats.dimensions == 16


def test_few_passages_are_compared_by_words_only(path: Path) -> None:
    index = written(path, *two_subjects(20))

    assert index.stats.dimensions == 0
    assert "kitten" in index.search(SearchQuery("kitten"))[0].passage.text


def test_an_index_without_passages_finds_nothing(path: Path) -> None:
    index = written(path)

    assert index.search(SearchQuery("anything")) == ()
    assert index.stats == IndexStats(0, 0, path.stat().st_size, 0, 0, lexical=True)


def test_passages_without_words_are_stored_and_not_found(path: Path) -> None:
    index = written(path, document("a", "🙂", ""), document("b"), document("c", "the word"))

    assert found(index, "🙂 word") == ["c#0"]
    assert (index.stats.documents, index.stats.passages) == (3, 3)


@pytest.mark.parametrize("top_k", [0, -1])
def test_zero_requested_passages_return_none(path: Path, top_k: int) -> None:
    assert written(path, document("a", "word")).search(SearchQuery("word", top_k=top_k)) == ()


def test_at_most_top_k_passages_within_max_distance_are_returned(path: Path) -> None:
    index = written(path, *two_subjects())
    every = index.search(SearchQuery("cat kitten", top_k=100))
    cut = sorted(hit.distance for hit in every)[4]

    near = index.search(SearchQuery("cat kitten", top_k=100, max_distance=cut))

    assert index.search(SearchQuery("cat kitten", top_k=3)) == every[:3]
    assert near == tuple(hit for hit in every if hit.distance <= cut)


def test_the_nearest_passage_is_returned_even_if_ranked_after_too_distant_ones(path: Path) -> None:
    index = written(path, *two_subjects())
    every = index.search(SearchQuery("cat kitten", top_k=100))
    nearest = min(every, key=lambda hit: hit.distance)

    assert index.search(SearchQuery("cat kitten", top_k=1, max_distance=nearest.distance)) == (nearest,)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"language": "en"}, ["a#0", "c#0"]),
        ({"language": "en", "year": 2024}, ["a#0"]),
        ({"year": 2024.0}, ["a#0", "b#0"]),
        ({"year": 2024.5}, ["d#0"]),
        ({"draft": True}, ["b#0"]),
        ({"draft": 1}, []),
        ({"language": "EN"}, []),
        ({"language": "' OR 1=1 --"}, []),
        ({"nothing": "en"}, []),
        ({"\ud800": "\ud800"}, []),
        ({}, ["a#0", "b#0", "c#0", "d#0"]),
    ],
)
@pytest.mark.parametrize("candidate_rows", [1, 4_000])
def test_filters_compare_value_and_type(
    path: Path, filters: dict[str, MetadataValue], expected: list[str], candidate_rows: int
) -> None:
    written(
        path,
        document("a", "word", metadata={"language": "en", "year": 2024}),
        document("b", "word", metadata={"language": "de", "year": 2024, "draft": True}),
        document("c", "word", metadata={"language": "en", "year": 2023}),
        document("d", "word", metadata={"year": 2024.5}),
    )
    index = CollectionIndex(path, limits=Limits(candidate_rows=candidate_rows))

    hits = index.search(SearchQuery("word", filters=filters))

    assert {hit.passage.id for hit in hits} <= set(expected)
    if candidate_rows > 1:
        assert [hit.passage.id for hit in hits] == expected


def test_a_filter_with_many_matches_applies_too(path: Path) -> None:
    written(path, *(document(f"d{at}", "word here", metadata={"even": at % 2 == 0}) for at in range(100)))
    index = CollectionIndex(path, limits=Limits(candidate_rows=40))

    hits = index.search(SearchQuery("word", top_k=100, filters={"even": True}))

    assert hits
    assert all(hit.passage.metadata == {"even": True} for hit in hits)


def test_rare_terms_are_read_first_if_there_are_too_many_rows(path: Path) -> None:
    written(path, *(document(f"d{at}", "common" + (" rare" if at == 70 else "")) for at in range(90)))

    assert found(CollectionIndex(path, limits=Limits(candidate_rows=2)), "common rare")[0] == "d70#0"


def test_passages_with_two_of_the_too_common_terms_are_read(path: Path) -> None:
    words = {50: "add tool", 51: "tool", 52: "add"}
    written(path, *(document(f"d{at}", words.get(at, "add" if at % 2 else "tool")) for at in range(60)))

    assert found(CollectionIndex(path, limits=Limits(candidate_rows=5)), "how to add a tool")[0] == "d50#0"


def test_adding_the_same_document_again_changes_nothing(path: Path) -> None:
    documents = [document("a", "one"), document("b", "two")]
    written(path, *documents)
    before = path.read_bytes()

    with IndexWriter(path) as writer:
        report = writer.add(documents)

    assert (report, writer.changed) == (AddReport(unchanged=2), False)
    assert path.read_bytes() == before


def test_a_new_version_of_a_document_replaces_its_passages(path: Path) -> None:
    written(path, document("a", "old words", "older words", metadata={"v": 1}), document("b", "other words"))

    with IndexWriter(path) as writer:
        report = writer.add([document("a", "new words", metadata={"v": 2}), document("c", "more")])

    index = CollectionIndex(path)
    assert report == AddReport(added=1, replaced=1)
    assert found(index, "old older") == []
    assert found(index, "new") == ["a#0"]
    assert index.search(SearchQuery("words", filters={"v": 1})) == ()
    assert (index.stats.documents, index.stats.passages) == (3, 3)


def test_a_deleted_document_leaves_no_word(path: Path) -> None:
    written(path, document("secret", "Zebra crossing", metadata={"owner": "Quagga"}), document("b", "a crossing"))

    with IndexWriter(path) as writer:
        deleted = writer.delete_documents(["secret", "never was"])

    assert (deleted, writer.changed) == (1, True)
    assert found(CollectionIndex(path), "zebra crossing") == ["b#0"]
    assert not [word for word in (b"zebra", b"quagga", b"secret") if word in path.read_bytes().lower()]


def test_a_deleted_word_can_be_added_again(path: Path) -> None:
    written(path, document("a", "zebra"), document("b", "crossing"))
    with IndexWriter(path) as writer:
        writer.delete_documents(["a"])

    with IndexWriter(path) as writer:
        writer.add([document("c", "lion"), document("d", "zebra")])

    assert [found(CollectionIndex(path), text) for text in ("zebra", "lion", "crossing")] == [["d#0"], ["c#0"], ["b#0"]]


def test_an_emptied_index_accepts_another_embedding(path: Path) -> None:
    written(path, *two_subjects())
    with IndexWriter(path) as writer:
        writer.clear()
        writer.add([document("a", "word", vectors=([1.0, 0.0],))])

    index = CollectionIndex(path)

    assert index.takes_vectors
    assert index.stats == IndexStats(1, 1, path.stat().st_size, 1, 2, lexical=False)


def test_a_failed_change_has_no_effect(path: Path) -> None:
    written(path, document("a", "one"))
    before = CollectionIndex(path).stats

    def write() -> None:
        with IndexWriter(path) as writer:
            writer.add([document("b", "two")])
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 # raised above
        write()

    assert CollectionIndex(path).stats == before


def test_the_hashes_of_stored_documents_are_available_before_adding(path: Path) -> None:
    written(path, document("a", "one", hash="1"), document("b", "two", hash="2"))

    with IndexWriter(path) as writer:
        assert writer.hashes() == {"a": "1", "b": "2"}


def test_each_passage_has_its_own_title_and_source(path: Path) -> None:
    from dataclasses import replace

    whole = replace(document("a", "one", "two"), cites=(("Page 1", "a.pdf#page=1"), ("Page 2", "a.pdf#page=2")))

    (hit,) = written(path, whole).search(SearchQuery("two"))

    assert (hit.passage.title, hit.passage.source) == ("Page 2", "a.pdf#page=2")


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
        index = CollectionIndex(path, limits=Limits(dense_in_memory=5))

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

    @pytest.mark.parametrize(
        ("vector", "problem"), [(None, "the question has none"), ([1.0], "the question has one of 1")]
    )
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


class TestDamage:
    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            (b"", "not a SQLite file"),
            (b"<html>" * 100, "not a SQLite file"),
            (b"SQLite format 3\x00", "not a SQLite file"),
        ],
    )
    @pytest.mark.parametrize("opened", [CollectionIndex, IndexWriter])
    def test_a_file_that_is_no_index_is_rejected(
        self, path: Path, content: bytes, problem: str, opened: type[CollectionIndex | IndexWriter]
    ) -> None:
        path.write_bytes(content)

        with pytest.raises(RetrievalError, match=problem) as raised:
            opened(path)

        assert raised.value.code == "damaged"

    def test_a_truncated_file_is_rejected(self, path: Path) -> None:
        written(path, *two_subjects())
        whole = path.read_bytes()
        path.write_bytes(whole[:-1000])

        with pytest.raises(RetrievalError, match=f"it has {len(whole) - 1000} bytes of {len(whole)}"):
            CollectionIndex(path)

    @pytest.mark.parametrize(("at", "problem"), [(68, "no index of a collection"), (60, "its version is")])
    def test_another_database_is_rejected(self, path: Path, at: int, problem: str) -> None:
        written(path, document("a", "one"))
        content = bytearray(path.read_bytes())
        content[at : at + 4] = b"\0\0\0\x63"
        path.write_bytes(content)

        with pytest.raises(RetrievalError, match=problem):
            CollectionIndex(path)

    def test_broken_pages_are_always_reported_as_damage(self, path: Path) -> None:
        written(path, *two_subjects())
        sound = path.read_bytes()
        codes: set[str] = set()
        for page in range(1, len(sound) // 4096):
            broken = bytearray(sound)
            broken[page * 4096 : (page + 1) * 4096] = b"\xa5" * 4096
            path.write_bytes(broken)
            try:
                CollectionIndex(path).search(SearchQuery("cat kitten"))
            except RetrievalError as exc:
                codes.add(exc.code)

        assert codes == {"damaged"}

    def test_a_passage_without_its_vector_is_damage(self, path: Path) -> None:
        import sqlite3
        from contextlib import closing

        written(path, document("a", "one", "two"))
        with closing(sqlite3.connect(path)) as database:
            database.execute("DELETE FROM vectors WHERE passage = 1")
            database.commit()

        with pytest.raises(RetrievalError, match="2 passages and 1 vectors"):
            CollectionIndex(path)


def test_sample_positions_equal_the_documented_ones(path: Path) -> None:
    index = written(path, *two_subjects(20))
    sample = index.sample(5)

    distances = index.distances(sample[2].passage.text, None, [one.position for one in sample])

    assert [one.passage.document_id for one in sample] == ["d0", "d4", "d8", "d12", "d16"]
    assert int(np.argmin(distances)) == 2
    assert distances[2] == pytest.approx(0, abs=1e-6)
