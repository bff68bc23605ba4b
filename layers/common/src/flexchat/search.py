"""Search contract of the retrieval function.

chat ──SearchRequest──> retrieval function ──SearchResponse──> chat

A tool of type `internal` reaches the same search through an adapter of the tool contract (`functions.retrieval.tool`).
"""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from flexchat.config.models.base import ENTRY_NAME_PATTERN
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deferred_model import DeferredModel
from flexchat.errors import RetrievalErrorCode
from flexchat.messages import Json
from flexchat.retrieval import CollectionMetadata, MetadataValue, RagClass

MAX_TOP_K = 100

MAX_RESPONSE_BYTES = 24_000
"""Default size of the hits as JSON: about 6,000 tokens, and below the default limit of one tool result."""


class NamedService(RagServiceConfig):
    """Whole configuration of a service. Its headers name their secrets as `${NAME}`."""

    name: Annotated[str, Field(pattern=ENTRY_NAME_PATTERN)]


class _Contract(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SearchScope(_Contract):
    """Services and collections that a search may use; a field left out is no restriction.

    `service` is a service outside the stage's configuration, and then the only one; `services` are names of configured
    services. `permitted` are the names of the collections that the caller may search, where `*` stands for any
    characters; left out of the JSON without a restriction, so that an earlier version accepts it.
    """

    service: NamedService | None = None
    services: tuple[str, ...] | None = None
    collections: tuple[str, ...] | None = None
    permitted: Annotated[tuple[str, ...] | None, Field(exclude_if=lambda names: names is None)] = None


class SearchRequest(_Contract):
    """Event of one search of `collection`, or of every collection in `scope`.

    `query` is text of any kind. `filters` must all equal a passage's metadata. `max_bytes` limits the hits as JSON.
    """

    version: Literal[1] = 1
    operation: Literal["search"] = "search"
    query: str
    collection: str | None = None
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] = 5
    filters: dict[str, MetadataValue] = Field(default_factory=dict[str, MetadataValue])
    scope: SearchScope = SearchScope.model_construct()
    max_bytes: Annotated[int, Field(ge=1)] = MAX_RESPONSE_BYTES
    request_id: str
    timeout_ms: Annotated[int, Field(ge=1)]


class SearchHit(_Contract):
    """One passage with its cosine distance to the query, and the class of that distance in its collection."""

    title: str = ""
    source: str = ""
    text: str
    distance: float
    id: str = ""
    offset: int = 0
    metadata: dict[str, Json] = Field(default_factory=dict[str, Json])
    collection: str
    relevance: RagClass


class SkippedCollection(_Contract):
    """A collection, or a whole service, that was not searched."""

    collection: str
    reason: str


class SearchError(_Contract):
    """Reason of a failed search, in words that a model may read: no host, address, secret or stack."""

    code: RetrievalErrorCode
    message: str


class SearchResponse(_Contract):
    """Hits, best first, or `error`.

    `collection_metadata` is that of the one collection that a search of a whole `scope.service` found.
    """

    version: Literal[1] = 1
    hits: tuple[SearchHit, ...] = ()
    searched: tuple[str, ...] = ()
    skipped: tuple[SkippedCollection, ...] = ()
    collection_metadata: CollectionMetadata | None = None
    error: SearchError | None = None
