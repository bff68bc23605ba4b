"""Metadata of collections."""

import pytest

from flexchat.errors import RetrievalError
from flexchat.retrieval import CollectionInfo, CollectionMetadata
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import FRESH_SECONDS, collection_key, index_key
from tests.unit.retrieval.samples import MemoryObjects


def info(name: str, description: str = "") -> CollectionInfo:
    return CollectionInfo(
        name=name,
        metadata=CollectionMetadata(description=description),
        created_at="2025-01-01T00:00:00Z",
        updated_at="2025-01-01T00:00:00Z",
    )


def objects(*infos: CollectionInfo) -> MemoryObjects:
    return MemoryObjects({collection_key(one.name): one.model_dump_json().encode() for one in infos})


def test_infos_are_cached_for_two_seconds() -> None:
    now = [0.0]
    stored = objects(info("docs", "old"))
    reader = CollectionMetadataReader(stored, clock=lambda: now[0])
    reader.named("docs")
    stored.contents.update(objects(info("docs", "new")).contents)

    soon, fresh = reader.named("docs").metadata.description, reader.named("docs", fresh=True).metadata.description
    stored.contents.update(objects(info("docs", "newer")).contents)
    now[0] += FRESH_SECONDS

    assert (soon, fresh, reader.named("docs").metadata.description) == ("old", "new", "newer")


def test_a_deleted_collection_is_removed_from_the_cache() -> None:
    stored = objects(info("docs"))
    reader = CollectionMetadataReader(stored)
    reader.named("docs")
    stored.contents.clear()

    for fresh in (True, False):
        with pytest.raises(RetrievalError, match="collection 'docs' not found") as raised:
            reader.named("docs", fresh=fresh)
        assert raised.value.code == "not_found"


def test_collections_are_listed_by_name_without_unreadable_ones() -> None:
    stored = objects(info("b"), info("a"))
    stored.contents |= {
        collection_key("broken"): b"{",
        index_key("a"): b"",
        index_key("left-over"): b"",
        "collections/Not-A-Name/collection.json": b"",
        "collections/a/b/collection.json": b"",
    }

    assert CollectionMetadataReader(stored).all() == [info("a"), info("b")]


def test_an_unreadable_info_is_reported_as_damage() -> None:
    stored = MemoryObjects({collection_key("docs"): b'{"name": "docs", "documents": "many"}'})

    with pytest.raises(
        RetrievalError, match=r"no valid 'created_at', 'documents', 'updated_at' in 'collections/docs"
    ) as raised:
        CollectionMetadataReader(stored).named("docs")

    assert raised.value.code == "damaged"


def test_a_collection_unreadable_twice_stays_reported() -> None:
    stored = MemoryObjects({collection_key("docs"): b""})
    reader = CollectionMetadataReader(stored)

    for _ in range(2):
        with pytest.raises(RetrievalError):
            reader.named("docs")


def test_an_invalid_name_is_rejected() -> None:
    with pytest.raises(RetrievalError) as raised:
        CollectionMetadataReader(MemoryObjects()).named("../docs")

    assert raised.value.code == "invalid"
