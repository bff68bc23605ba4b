"""Retriever of collections in Amazon S3 Vectors; the query is embedded by this function."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.retrieval import CollectionInfo, CollectionMetadata, Hit, MetadataValue, SearchQuery, SearchResult
from flexchat.retry import Retry
from functions.retrieval.aws.s3vectors import NearVector
from functions.retrieval.embeddings.model import Embedder
from functions.retrieval.json_service import call_service
from functions.retrieval.retrievers.passages import (
    cosine_distance,
    found_passage,
    listed_collections,
    near_enough,
)


class FindsVectors(Protocol):
    """A vector bucket."""

    def query(
        self, index: str, vector: Sequence[float], *, top_k: int, filters: Mapping[str, MetadataValue]
    ) -> tuple[NearVector, ...]: ...


class S3VectorsRetriever(Struct, frozen=True, kw_only=True):
    """Retriever of one service of type s3vectors, until `deadline`.

    The metadata of each vector has its passage, in the fields of the service's configuration.
    """

    name: str
    service: RagServiceConfig
    vectors: FindsVectors
    embedder: Embedder
    retry: Retry
    deadline: Deadline

    def search(self, collection: str, query: SearchQuery) -> SearchResult:
        """Return the nearest passages. Raises RetrievalError."""
        service = self.service
        if collection not in service.collection_names(self.name):
            raise RetrievalError(f"the service {self.name!r} has no collection {collection!r}", code="not_found")
        metadata = CollectionMetadata(embedding_model=self.embedder.name)
        if not query.text.strip():
            return SearchResult(hits=(), collection=collection, metadata=metadata)
        (vector,) = self.embedder.embed((query.text,), self.deadline)
        found = call_service(
            self.retry,
            lambda _seconds: self.vectors.query(
                service.collection_ids.get(collection, collection),
                vector,
                top_k=query.top_k,
                filters=query.filters or {},
            ),
            deadline=self.deadline,
            service=f"the service {self.name!r}",
        )
        hits = [self._hit(near) for near in found]
        return SearchResult(hits=near_enough(hits, query), collection=collection, metadata=metadata)

    def collections(self) -> Sequence[CollectionInfo]:
        """Return the collections that the configuration lists."""
        return listed_collections(self.name, self.service)

    def _hit(self, near: NearVector) -> Hit:
        metadata = dict(near.metadata)
        text = metadata.pop(self.service.text_field, None)
        distance = cosine_distance(near.distance)
        if not isinstance(text, str) or distance is None:
            raise RetrievalError(
                f"a vector of the service {self.name!r} has no text under {self.service.text_field!r} "
                "in its metadata, or no cosine distance",
                code="invalid",
            )
        return Hit(found_passage(text, metadata, self.service, id=near.key), distance)
