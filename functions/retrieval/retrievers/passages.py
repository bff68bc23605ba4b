"""Passages and metadata from the results of other services."""

import hashlib
import math
from collections.abc import Mapping

from pydantic import ValidationError

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.json import JsonError, dumps
from flexchat.messages import Json
from flexchat.retrieval import CollectionInfo, CollectionMetadata, Hit, MetadataValue, Passage, SearchQuery


def found_passage(
    text: str, metadata: Mapping[str, Json], service: RagServiceConfig, *, id: str | None = None, source: str = ""
) -> Passage:
    """Return a passage of another service, with title and source from the metadata fields of its configuration.

    The default `id` is the hash of its source and text.
    """
    text = whole_characters(text)
    title = metadata.get(service.title_field)
    named_source = metadata.get(service.source_field)
    source = str(named_source) if isinstance(named_source, str | int) and named_source else source
    digest = hashlib.sha256(text.encode()).hexdigest()
    own_id = id or _text(metadata.get("id")) or hashlib.sha256(f"{source}\0{digest}".encode()).hexdigest()[:32]
    offset = metadata.get("offset")
    return Passage(
        id=whole_characters(own_id),
        document_id=whole_characters(_text(metadata.get("document_id")) or source or own_id),
        text=text,
        title=whole_characters(title) if isinstance(title, str) else "",
        source=whole_characters(source),
        offset=offset if isinstance(offset, int) and offset >= 0 else 0,
        hash=digest,
        metadata={whole_characters(name): _flat(value) for name, value in metadata.items() if value is not None},
    )


def whole_characters(text: str) -> str:
    """Return `text` with a question mark for each lone surrogate, which JSON readers reject."""
    return text.encode("utf-8", "replace").decode()


def cosine_distance(value: float) -> float | None:
    """Return `value` clamped to 0 to 2; None when it is not a cosine distance."""
    return min(2.0, max(0.0, value)) if -0.001 <= value <= 2.001 else None


def near_enough(hits: list[Hit], query: SearchQuery) -> tuple[Hit, ...]:
    """Return the first `top_k` of `hits` within the query's `max_distance`."""
    limit = query.max_distance
    return tuple(hit for hit in hits if limit is None or hit.distance <= limit)[: query.top_k]


def equals_all(metadata: Mapping[str, MetadataValue], filters: Mapping[str, MetadataValue] | None) -> bool:
    """Return true when all `filters` equal the metadata; a boolean equals no number."""
    return all(
        name in metadata and metadata[name] == value and isinstance(metadata[name], bool) == isinstance(value, bool)
        for name, value in (filters or {}).items()
    )


def lenient_metadata(value: Mapping[str, Json]) -> CollectionMetadata:
    """Return the valid fields of another service's collection metadata."""
    known = {name: value[name] for name in CollectionMetadata.model_fields if name in value}
    try:
        return CollectionMetadata.model_validate(known)
    except ValidationError as exc:
        wrong = {error["loc"][0] for error in exc.errors()}
        return CollectionMetadata.model_validate({name: item for name, item in known.items() if name not in wrong})


def listed_collections(name: str, service: RagServiceConfig) -> tuple[CollectionInfo, ...]:
    """Return the collections that a service's configuration lists, without sizes and times."""
    return tuple(
        CollectionInfo(name=collection, created_at="", updated_at="") for collection in service.collection_names(name)
    )


def _text(value: Json) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _flat(value: Json) -> MetadataValue:
    """Return a value of metadata; lists and objects as JSON, since metadata is only compared."""
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, int | float) and math.isfinite(value):
        return value
    try:
        return whole_characters(dumps(value))
    except JsonError:
        return str(value)
