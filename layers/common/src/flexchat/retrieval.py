"""Types of retrieval: collections, passages, searches and the class of a distance.

All distances are cosine distances: 0 is equal, 1 unrelated, 2 opposite.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Protocol

from msgspec import Struct
from pydantic import ConfigDict, Field

from flexchat.json import StrictNumberModel
from flexchat.messages import Json

COLLECTION_NAME_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,62}$"

LEXICAL: Literal["lexical"] = "lexical"
"""Name of the embedding that needs no model."""

Distance = Annotated[float, Field(ge=0, le=2)]
MetadataValue = str | int | float | bool
"""Type of a metadata value of a passage, which a search can filter on equality."""


class CollectionMetadata(StrictNumberModel):
    """Settings of a collection.

    Default thresholds are those of the service. `embedding_model` is `lexical`, or `llm:model` of the configuration.
    `title_field` and `source_field` are the metadata fields with a passage's title and source.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    display_name: str | None = None
    description: str = ""
    match_threshold: Distance | None = None
    partial_threshold: Distance | None = None
    embedding_model: str = LEXICAL
    title_field: str | None = None
    source_field: str | None = None


class CollectionInfo(StrictNumberModel):
    """Entry of a collection in a list: name, metadata, sizes. `updated_at` is ISO 8601 in UTC.

    `calibrated_passages` is the number of passages that its thresholds were calibrated from, None for an operator's.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=COLLECTION_NAME_PATTERN)]
    metadata: CollectionMetadata = CollectionMetadata.model_construct()
    documents: int = 0
    passages: int = 0
    bytes: int = 0
    calibrated_passages: int | None = None
    created_at: str
    updated_at: str


class Passage(Struct, frozen=True):
    """A piece of a document. `offset` counts characters in the document's text; `hash` is that of the text.

    `id` is unique in its collection and the same whenever the same document is added again.
    """

    id: str
    document_id: str
    text: str
    title: str
    source: str
    offset: int
    hash: str
    metadata: Mapping[str, MetadataValue]


class Hit(Struct, frozen=True):
    """Passage in a search result, with its cosine distance to the query."""

    passage: Passage
    distance: float


class SearchQuery(Struct, frozen=True):
    """One search.

    `text` is raw user text of any kind. `filters` must all equal the passage's metadata. Passages beyond `max_distance`
    are dropped.
    """

    text: str
    top_k: int = 5
    filters: Mapping[str, MetadataValue] | None = None
    max_distance: float | None = None


class SearchResult(Struct, frozen=True):
    """Hits in the retriever's order, with the collection's metadata for the thresholds."""

    hits: tuple[Hit, ...]
    collection: str
    metadata: CollectionMetadata


class Retriever(Protocol):
    """Source of passages. Raises `RetrievalError`, but never for the text of a query."""

    def search(self, collection: str, query: SearchQuery) -> SearchResult: ...

    def collections(self) -> Sequence[CollectionInfo]:
        """Return the collections of this retriever."""
        ...


RagClass = Literal["match", "partial", "none"]


def classify(distance: float | None, *, match_threshold: float, partial_threshold: float) -> RagClass:
    """Return the class of a distance: below `match_threshold` a match, below `partial_threshold` a partial match."""
    if distance is None:
        return "none"
    if distance < match_threshold:
        return "match"
    return "partial" if distance < partial_threshold else "none"


def hit_view(hit: Hit) -> dict[str, Json]:
    """Return a hit in the format of tools and the API."""
    passage = hit.passage
    return {
        "title": passage.title,
        "source": passage.source,
        "text": passage.text,
        "distance": round(hit.distance, 4),
        "id": passage.id,
        "offset": passage.offset,
        "metadata": dict(passage.metadata),
    }
