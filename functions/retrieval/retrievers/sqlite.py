"""The retriever that needs no service: one index file for each collection, searched in this process."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flexchat.deadline import Deadline
from flexchat.errors import ConfigError, RetrievalError, UnavailableError
from flexchat.observability import logger
from flexchat.retrieval import CollectionInfo, SearchQuery, SearchResult
from functions.retrieval.embeddings.base import Embedder
from functions.retrieval.index.metadata import CollectionInfos
from functions.retrieval.index.store import IndexStore

if TYPE_CHECKING:
    from functions.retrieval.index.reader import CollectionIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class SqliteRetriever:
    """Searches the deployment's own collections until `deadline`.

    `embedder` gives the model of a collection's `embedding_model`, for questions; a lexical collection asks for none.
    """

    infos: CollectionInfos
    indexes: IndexStore
    embedder: Callable[[str], Embedder]
    deadline: Deadline

    def search(self, collection: str, query: SearchQuery) -> SearchResult:
        """What the collection has. Raises RetrievalError; never for the text of a query."""
        with _translated():
            metadata = self.infos.named(collection).metadata
            nothing = SearchResult(hits=(), collection=collection, metadata=metadata)
            if not query.text.strip():
                return nothing
            index = self._index(collection)
            if index is None:
                return nothing
            vector = self._vector(metadata.embedding_model, query.text) if index.takes_vectors else None
            return SearchResult(hits=index.search(query, vector), collection=collection, metadata=metadata)

    def _index(self, collection: str) -> "CollectionIndex | None":
        """The collection's index; None when nothing was added to it yet."""
        try:
            return self.indexes.reader(collection)
        except RetrievalError as exc:
            if exc.code != "not_found":
                raise
            self.infos.named(collection, fresh=True)
            return None

    def _vector(self, model: str, text: str) -> Sequence[float]:
        (vector,) = self.embedder(model).embed((text,), self.deadline)
        return vector

    def collections(self) -> Sequence[CollectionInfo]:
        """Every collection of the deployment, by name."""
        with _translated():
            return self.infos.all()


@contextmanager
def _translated() -> Generator[None]:
    """Where the collections are kept cannot be reached, or not with these credentials.

    Which bucket and why is for the log alone: a model may read what a retriever says.
    """
    try:
        yield
    except (UnavailableError, ConfigError) as exc:
        logger.error("collections not read", reason=str(exc))
        raise RetrievalError("The collections cannot be read at the moment", code="unavailable") from exc
