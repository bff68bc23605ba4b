"""The SQLite retriever: results, thresholds and errors of its collections."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, Problem, RetrievalError
from flexchat.retrieval import CollectionInfo, CollectionMetadata, SearchQuery, SearchResult
from functions.retrieval.embeddings.model import Embedder
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import FRESH_SECONDS, IndexStore, collection_key, index_key
from functions.retrieval.retrievers.sqlite import SqliteRetriever
from tests.unit.retrieval.samples import MemoryObjects, document

METADATA = CollectionMetadata(display_name="Documents", match_threshold=0.4, embedding_model="main:embedding")


@dataclass
class Embedding:
    """Embeds every text alike."""

    vector: list[float]
    name: str = "main:embedding"
    embedded: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])

    @property
    def dimensions(self) -> int:
        return len(self.vector)

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        self.embedded += [(text, deadline.remaining()) for text in texts]
        return [self.vector for _ in texts]


@dataclass
class RetrieverHarness:
    """The collection `docs`, with nothing in it at first."""

    cache: Path
    now: float = 0.0
    embedding: Embedding = field(default_factory=lambda: Embedding([1.0, 0.0]))
    models: list[str] = field(default_factory=list[str])
    objects: MemoryObjects = field(
        default_factory=lambda: MemoryObjects(
            {
                collection_key("docs"): CollectionInfo(name="docs", metadata=METADATA, created_at="", updated_at="")
                .model_dump_json()
                .encode()
            }
        )
    )

    def __post_init__(self) -> None:
        self.indexes = IndexStore(self.objects, self.cache, clock=self.clock)
        self.retriever = SqliteRetriever(
            metadata_reader=CollectionMetadataReader(self.objects, clock=self.clock),
            indexes=self.indexes,
            embedder=self.embedder,
            deadline=Deadline.after(7, clock=self.clock),
        )

    def clock(self) -> float:
        return self.now

    def embedder(self, name: str) -> Embedder:
        self.models.append(name)
        return self.embedding

    def fill(self, *vectors: Sequence[float]) -> None:
        self.indexes.update("docs", lambda writer: writer.add([document("a", "one", vectors=vectors)]))

    def search(self, text: str = "one") -> SearchResult:
        return self.retriever.search("docs", SearchQuery(text))


@pytest.fixture
def harness(tmp_path: Path) -> RetrieverHarness:
    return RetrieverHarness(tmp_path)


def test_a_collection_returns_passages_with_its_thresholds(harness: RetrieverHarness) -> None:
    harness.fill()

    result = harness.search()

    assert (result.collection, result.metadata) == ("docs", METADATA)
    assert [hit.passage.text for hit in result.hits] == ["one"]


def test_only_a_collection_with_given_vectors_calls_its_model_within_the_deadline(harness: RetrieverHarness) -> None:
    harness.fill()
    harness.search()
    lexical = list(harness.models)
    harness.indexes.update("docs", lambda writer: writer.clear())
    harness.fill([0.6, 0.8])
    harness.now += FRESH_SECONDS

    result = harness.search("what is one?")

    assert (lexical, harness.models, harness.embedding.embedded) == ([], ["main:embedding"], [("what is one?", 5.0)])
    assert [round(hit.distance, 3) for hit in result.hits] == [0.4]


def test_a_changed_embedding_model_is_reported(harness: RetrieverHarness) -> None:
    harness.fill([0.6, 0.8])
    harness.embedding = Embedding([1.0, 0.0, 0.0])

    with pytest.raises(RetrievalError, match="have 2 dimensions, the query has one of 3") as raised:
        harness.search()

    assert raised.value.code == "invalid"


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_a_blank_question_finds_nothing_and_calls_no_model(harness: RetrieverHarness, text: str) -> None:
    harness.fill([0.6, 0.8])

    assert (harness.search(text).hits, harness.models) == ((), [])


def test_an_empty_collection_finds_nothing(harness: RetrieverHarness) -> None:
    assert harness.search() == SearchResult(hits=(), collection="docs", metadata=METADATA)


def delete_index(harness: RetrieverHarness) -> None:
    harness.indexes.delete("docs")


def delete_after_a_read(harness: RetrieverHarness) -> None:
    harness.search()
    harness.objects.contents.clear()
    harness.indexes.delete("docs")


@pytest.mark.parametrize("delete", [delete_index, delete_after_a_read])
def test_a_deleted_collection_is_missing(harness: RetrieverHarness, delete: Callable[[RetrieverHarness], None]) -> None:
    harness.fill()
    delete(harness)

    with pytest.raises(RetrievalError, match="collection 'docs' not found") as raised:
        harness.search()

    assert raised.value.code == "not_found"


def test_a_damaged_index_is_reported_as_damaged(harness: RetrieverHarness) -> None:
    harness.objects.contents[index_key("docs")] = b"?"

    with pytest.raises(RetrievalError) as raised:
        harness.search()

    assert raised.value.code == "damaged"


def test_a_bucket_without_read_permission_is_unavailable(harness: RetrieverHarness) -> None:
    harness.objects.broken = ConfigError((Problem("s3://bucket", "these credentials may not do that"),))

    for use in (harness.search, harness.retriever.collections):
        with pytest.raises(RetrievalError, match="cannot be read at the moment") as raised:
            use()
        assert raised.value.code == "unavailable"


def test_the_collections_are_listed(harness: RetrieverHarness) -> None:
    assert [(info.name, info.metadata) for info in harness.retriever.collections()] == [("docs", METADATA)]
