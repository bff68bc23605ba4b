"""The `rag_services` section: retrieval services."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from flexchat.config.models.base import (
    AWS_REGION_PATTERN,
    ConfigModel,
    Distance,
    Headers,
    Milliseconds,
    allow_comment,
    without_comment,
)
from flexchat.config.service_types import MATCH_THRESHOLD, PARTIAL_THRESHOLD, RagServiceType

VECTOR_BUCKET_PATTERN = r"^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$"


class RagServiceConfig(ConfigModel):
    """One entry of `rag_services`: a service that returns passages for a query.

    `internal` is the retriever of the deployment; `http` posts {query, collection, top_k} to `url` and reads `results`;
    `s3vectors` searches the vector `bucket` with the query embedded by `embedding_model` (`llm:model`); `bedrock_kb`
    searches knowledge bases of Bedrock. Thresholds are distances, smaller is nearer: a passage below `match_threshold`
    is a match, below `partial_threshold` a partial match, beyond `max_distance` it is dropped. `collections` are the
    names that may be searched. `collection_ids` maps a collection to its name at the service: an index, or the id of a
    knowledge base. `text_field`, `title_field` and `source_field` are the metadata fields of a passage's text, title
    and source. `headers` may refer to secrets as `${NAME}`.
    """

    type: RagServiceType = "internal"
    url: str | None = None
    region: Annotated[str, Field(pattern=AWS_REGION_PATTERN)] | None = None
    bucket: Annotated[str, Field(pattern=VECTOR_BUCKET_PATTERN)] | None = None
    embedding_model: str | None = None
    embedding_dimensions: Annotated[int, Field(ge=1, le=4096, strict=True)] | None = None
    timeout_ms: Milliseconds = 10_000
    max_retries: Annotated[int, Field(ge=0, le=5, strict=True)] = 2
    top_k: Annotated[int, Field(ge=1, le=100, strict=True)] = 5
    match_threshold: Distance = MATCH_THRESHOLD
    partial_threshold: Distance = PARTIAL_THRESHOLD
    max_distance: Distance | None = None
    headers: Headers = Field(default_factory=dict[str, str])
    collections: tuple[str, ...] = ()
    collection_ids: Annotated[
        dict[str, str], BeforeValidator(without_comment), Field(json_schema_extra=allow_comment)
    ] = Field(default_factory=dict[str, str])
    text_field: str = "text"
    title_field: str = "title"
    source_field: str = "source"

    def collection_names(self, service: str) -> tuple[str, ...]:
        """Return the names of the collections of this service; empty for every collection of `internal`.

        An `http` service without `collections` is one collection with the name of the service.
        """
        named = self.collections or tuple(self.collection_ids)
        return named or ((service,) if self.type == "http" else ())
