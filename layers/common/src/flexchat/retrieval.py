"""The words of retrieval: collections, passages, what a search finds, and what it amounts to.

All distances are cosine distances: 0 is the same, 1 has nothing in common, 2 is the opposite.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import ConfigDict, Field

from flexchat.messages import Json
from flexchat.strict_numbers import StrictNumberModel

COLLECTION_NAME_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,62}$"

LEXICAL: Literal["lexical"] = "lexical"
"""The embedding that needs no model."""

Distance = Annotated[float, Field(ge=0, le=2)]
MetadataValue = str | int | float | bool
"""What a passage's metadata may hold, so that a search can filter on equality."""


class CollectionMetadata(StrictNumberModel):
    """What an operator says of a collection.

    Thresholds left out are the service's. `embedding_model` is `lexical`, or `llm:model` of the configuration.
    `title_field` and `source_field` name the metadata that a passage's title and source are taken from.
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
    """A collection as it is listed: its name, its metadata, how much is in it. `updated_at` is ISO 8601 in UTC.

    `calibrated_passages` is there when its thresholds were not set by an operator but told from that many passages.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=COLLECTION_NAME_PATTERN)]
    metadata: CollectionMetadata = CollectionMetadata()
    documents: int = 0
    passages: int = 0
    bytes: int = 0
    calibrated_passages: int | None = None
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Passage:
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


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that a search found, with its cosine distance to the question."""

    passage: Passage
    distance: float


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One search. `text` is raw user text of any kind. `filters` must all equal the passage's metadata.

    `max_distance` drops what is farther away.
    """

    text: str
    top_k: int = 5
    filters: Mapping[str, MetadataValue] | None = None
    max_distance: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a retriever found, nearest first as it ranks them, with the collection's own metadata for the thresholds."""

    hits: tuple[Hit, ...]
    collection: str
    metadata: CollectionMetadata


class Retriever(Protocol):
    """Finds passages. Raises `RetrievalError` when it cannot; never for the text of a query."""

    def search(self, collection: str, query: SearchQuery) -> SearchResult: ...

    def collections(self) -> Sequence[CollectionInfo]:
        """The collections this retriever can search."""
        ...


RagClass = Literal["match", "partial", "none"]


def classify(distance: float | None, *, match_threshold: float, partial_threshold: float) -> RagClass:
    """What a nearest passage amounts to: below `match_threshold` a match, below `partial_threshold` a partial."""
    if distance is None:
        return "none"
    if distance < match_threshold:
        return "match"
    return "partial" if distance < partial_threshold else "none"


def hit_view(hit: Hit) -> dict[str, Json]:
    """A hit as tools and the API show it."""
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
