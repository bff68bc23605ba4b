"""Retriever of the deployment's own collections: one local index file for each."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, RetrievalError, UnavailableError
from flexchat.observability import logger
from flexchat.retrieval import CollectionInfo, SearchQuery, SearchResult
from functions.retrieval.embeddings.model import Embedder
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import IndexStore

if TYPE_CHECKING:
    from functions.retrieval.index.reader import CollectionIndex


class SqliteRetriever(Struct, frozen=True, kw_only=True):
    """Retriever of the deployment's own collections, until `deadline`.

    `embedder` returns the model of a collection's `embedding_model`, for queries; a lexical collection needs none.
    """

    metadata_reader: CollectionMetadataReader
    indexes: IndexStore
    embedder: Callable[[str], Embedder]
    deadline: Deadline

    def search(self, collection: str, query: SearchQuery) -> SearchResult:
        """Return the hits of a collection. Raises RetrievalError; never for the text of a query."""
        with _translated():
            metadata = self.metadata_reader.named(collection).metadata
            nothing = SearchResult(hits=(), collection=collection, metadata=metadata)
            if not query.text.strip():
                return nothing
            index = self._index(collection)
            if index is None:
                return nothing
            vector = self._vector(metadata.embedding_model, query.text) if index.takes_vectors else None
            return SearchResult(hits=index.search(query, vector), collection=collection, metadata=metadata)

    def _index(self, collection: str) -> "CollectionIndex | None":
        """Return the index of a collection; None while it is empty."""
        try:
            return self.indexes.reader(collection)
        except RetrievalError as exc:
            if exc.code != "not_found":
                raise
            self.metadata_reader.named(collection, fresh=True)
            return None

    def _vector(self, model: str, text: str) -> Sequence[float]:
        (vector,) = self.embedder(model).embed((text,), self.deadline)
        return vector

    def collections(self) -> Sequence[CollectionInfo]:
        """Return every collection of the deployment, by name."""
        with _translated():
            return self.metadata_reader.all()


@contextmanager
def _translated() -> Generator[None]:
    """Translate errors of the bucket to RetrievalError.

    Only the log has the bucket and the reason: a model may read the text of the error.
    """
    try:
        yield
    except (UnavailableError, ConfigError) as exc:
        logger.error("collections not read", reason=str(exc))
        raise RetrievalError("the collections cannot be read at the moment", code="unavailable") from exc
