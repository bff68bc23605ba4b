"""Contract of every retriever: results, limits and errors."""

from pathlib import Path

import pytest

from flexchat.errors import RetrievalError
from flexchat.retrieval import MetadataValue, Retriever, SearchQuery
from tests.contract.retriever_bedrock_kb import KnowledgeBaseHarness
from tests.contract.retriever_remote import RemoteHarness
from tests.contract.retriever_s3vectors import S3VectorsHarness
from tests.contract.retriever_sqlite import SqliteHarness
from tests.contract.retrievers import COLLECTION, STORED, RetrieverHarness
from tests.unit.retrieval.test_query_text import TEXTS


@pytest.fixture(params=["sqlite", "http", "s3vectors", "bedrock_kb"])
def harness(request: pytest.FixtureRequest, tmp_path: Path) -> RetrieverHarness:
    match request.param:
        case "sqlite":
            return SqliteHarness(tmp_path)
        case "http":
            return RemoteHarness()
        case "s3vectors":
            return S3VectorsHarness()
        case _:
            return KnowledgeBaseHarness()


@pytest.fixture
def retriever(harness: RetrieverHarness) -> Retriever:
    return harness.retriever()


def sources(retriever: Retriever, query: SearchQuery) -> list[str]:
    return [hit.passage.source for hit in retriever.search(COLLECTION, query).hits]


def test_a_passage_has_its_title_source_and_metadata(retriever: Retriever) -> None:
    result = retriever.search(COLLECTION, SearchQuery("which command deploys the stage?", top_k=1))

    (hit,) = result.hits
    expected = STORED[2]
    assert result.collection == COLLECTION
    assert (hit.passage.text, hit.passage.title, hit.passage.source) == (expected.text, expected.title, expected.source)
    assert expected.metadata.items() <= hit.passage.metadata.items()
    assert hit.passage.id
    assert hit.passage.hash
    assert 0 <= hit.distance < 1


def test_the_same_passage_has_the_same_id_in_every_search(harness: RetrieverHarness) -> None:
    ids = [harness.retriever().search(COLLECTION, SearchQuery("one command", top_k=1)).hits[0].passage.id for _ in "12"]

    assert ids[0] == ids[1]


def test_a_passage_with_the_words_of_the_question_has_the_smallest_distance(retriever: Retriever) -> None:
    near = retriever.search(COLLECTION, SearchQuery(STORED[0].text)).hits[0]
    far = retriever.search(COLLECTION, SearchQuery("another text about a Lambda without its words")).hits[0]

    assert near.passage.source == STORED[0].source
    assert near.distance < far.distance


@pytest.mark.parametrize("top_k", [1, 2])
def test_no_more_passages_are_returned_than_requested(retriever: Retriever, top_k: int) -> None:
    assert len(sources(retriever, SearchQuery("lambda function", top_k=top_k))) == top_k


def test_passages_beyond_the_maximal_distance_are_dropped(retriever: Retriever) -> None:
    hits = retriever.search(COLLECTION, SearchQuery("lambda function")).hits
    nearest = min(hit.distance for hit in hits)

    near_hits = retriever.search(COLLECTION, SearchQuery("lambda function", max_distance=nearest + 0.001)).hits

    assert near_hits
    assert all(hit.distance <= nearest + 0.001 for hit in near_hits)
    assert sources(retriever, SearchQuery("lambda function", max_distance=0.0)) == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"language": "de"}, {STORED[1].source}),
        ({"language": "en", "year": 2024}, {STORED[0].source}),
        ({"language": "fr"}, set[str]()),
    ],
)
def test_every_passage_matches_every_filter(
    retriever: Retriever, filters: dict[str, MetadataValue], expected: set[str]
) -> None:
    assert set(sources(retriever, SearchQuery("a lambda function", filters=filters))) == expected


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:20]))
def test_any_query_text_is_searchable(retriever: Retriever, text: str) -> None:
    hits = retriever.search(COLLECTION, SearchQuery(text)).hits

    assert len(hits) <= 5
    assert all(0 <= hit.distance <= 2 for hit in hits)


def test_an_unknown_collection_raises_unknown_collection(retriever: Retriever) -> None:
    with pytest.raises(RetrievalError, match="nowhere") as raised:
        retriever.search("nowhere", SearchQuery("lambda"))

    assert raised.value.code == "not_found"


def test_an_unreachable_service_raises_service_unavailable(harness: RetrieverHarness) -> None:
    with pytest.raises(RetrievalError) as raised:
        harness.unreachable().search(COLLECTION, SearchQuery("lambda"))

    assert raised.value.code == "unavailable"


def test_the_searchable_collections_are_listed(retriever: Retriever) -> None:
    assert [info.name for info in retriever.collections()] == [COLLECTION]
