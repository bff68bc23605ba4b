"""Collections that are knowledge bases of Amazon Bedrock.

A knowledge base returns a score, 1 for the best: its complement is used as the distance. With a cosine metric that is
the cosine distance; a hybrid search or a reranking model has another scale, for which the thresholds must be chosen.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Protocol

from msgspec import Struct

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.messages import Json
from flexchat.retrieval import (
    CollectionInfo,
    CollectionMetadata,
    Hit,
    MetadataValue,
    Passage,
    SearchQuery,
    SearchResult,
)
from flexchat.retry import Retry
from functions.retrieval.aws.bedrock import RetrievedPassage
from functions.retrieval.json_service import call_service
from functions.retrieval.retrievers.passages import (
    found_passage,
    listed_collections,
    near_enough,
    whole_characters,
)

_CHUNK_ID = "x-amz-bedrock-kb-chunk-id"
_DOCUMENT_ID = "document_id"


class RetrievesPassages(Protocol):
    """Knowledge bases of a region."""

    def retrieve(
        self, knowledge_base: str, text: str, *, top_k: int, filters: Mapping[str, MetadataValue]
    ) -> tuple[RetrievedPassage, ...]: ...


class KnowledgeBaseRetriever(Struct, frozen=True, kw_only=True):
    """Searches one service of type bedrock_kb until `deadline`."""

    name: str
    service: RagServiceConfig
    bases: RetrievesPassages
    retry: Retry
    deadline: Deadline

    def search(self, collection: str, query: SearchQuery) -> SearchResult:
        """Return the best passages. Raises RetrievalError."""
        identifier = self.service.collection_ids.get(collection)
        if identifier is None or collection not in self.service.collection_names(self.name):
            raise RetrievalError(f"the service {self.name!r} has no collection {collection!r}", code="not_found")
        metadata = CollectionMetadata()
        text = whole_characters(query.text).strip()
        if not text:
            return SearchResult(hits=(), collection=collection, metadata=metadata)
        found = call_service(
            self.retry,
            lambda _seconds: self.bases.retrieve(identifier, text, top_k=query.top_k, filters=query.filters or {}),
            deadline=self.deadline,
            service=f"the service {self.name!r}",
        )
        hits = [Hit(self._passage(passage), min(1.0, max(0.0, 1 - passage.score))) for passage in found]
        return SearchResult(hits=near_enough(hits, query), collection=collection, metadata=metadata)

    def collections(self) -> Sequence[CollectionInfo]:
        """Return the collections that the configuration lists."""
        return listed_collections(self.name, self.service)

    def _passage(self, passage: RetrievedPassage) -> Passage:
        """Return the metadata, with the source of the document where it has none."""
        metadata: dict[str, Json] = dict(passage.metadata)
        metadata.setdefault(self.service.title_field, PurePosixPath(passage.source).name)
        if passage.document_id:
            metadata.setdefault(_DOCUMENT_ID, passage.document_id)
        chunk = metadata.get(_CHUNK_ID)
        return found_passage(
            passage.text, metadata, self.service, id=chunk if isinstance(chunk, str) else None, source=passage.source
        )
