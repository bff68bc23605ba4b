"""Contents of an index, and search results."""

import hashlib
from pathlib import Path

import pytest

from flexchat.retrieval import Hit, MetadataValue, Passage, SearchQuery
from functions.retrieval.index.reader import CollectionIndex, ReadLimits
from functions.retrieval.index.schema import IndexStats
from tests.unit.retrieval.samples import document, found, two_subjects, written


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


def test_an_identifier_does_not_lengthen_a_passage(path: Path) -> None:
    # 6 words; 5 words, and 2 identifiers
    longer = document("longer", "pump etc ssh sshd config roof", vectors=([1, 0],))
    shorter = document("shorter", "pump /etc/ssh/sshd_config", vectors=([1, 0],))

    assert found(written(path, longer, shorter), "pump", [1, 0]) == ["shorter#0", "longer#0"]


def test_a_passage_of_an_identifier_without_words_is_found(path: Path) -> None:
    assert found(written(path, document("a", "is.it"), document("b", "pump")), "is.it") == ["a#0"]


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
    index = CollectionIndex(path, limits=ReadLimits(candidate_rows=candidate_rows))

    hits = index.search(SearchQuery("word", filters=filters))

    assert {hit.passage.id for hit in hits} <= set(expected)
    if candidate_rows > 1:
        assert [hit.passage.id for hit in hits] == expected


def test_a_filter_with_many_matches_applies_too(path: Path) -> None:
    written(path, *(document(f"d{at}", "word here", metadata={"even": at % 2 == 0}) for at in range(100)))
    index = CollectionIndex(path, limits=ReadLimits(candidate_rows=40))

    hits = index.search(SearchQuery("word", top_k=100, filters={"even": True}))

    assert hits
    assert all(hit.passage.metadata == {"even": True} for hit in hits)


def test_rare_terms_are_read_first_if_there_are_too_many_rows(path: Path) -> None:
    written(path, *(document(f"d{at}", "common" + (" rare" if at == 70 else "")) for at in range(90)))

    assert found(CollectionIndex(path, limits=ReadLimits(candidate_rows=2)), "common rare")[0] == "d70#0"


def test_passages_with_two_of_the_too_common_terms_are_read(path: Path) -> None:
    words = {50: "add tool", 51: "tool", 52: "add"}
    written(path, *(document(f"d{at}", words.get(at, "add" if at % 2 else "tool")) for at in range(60)))

    assert found(CollectionIndex(path, limits=ReadLimits(candidate_rows=5)), "how to add a tool")[0] == "d50#0"


def test_each_passage_has_its_own_title_and_source(path: Path) -> None:
    from copy import replace

    whole = replace(document("a", "one", "two"), cites=(("Page 1", "a.pdf#page=1"), ("Page 2", "a.pdf#page=2")))

    (hit,) = written(path, whole).search(SearchQuery("two"))

    assert (hit.passage.title, hit.passage.source) == ("Page 2", "a.pdf#page=2")
