"""Concurrent changes of a collection, and unreadable collections."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from flexchat.aws.clients import s3
from flexchat.aws.objects import ObjectStore
from flexchat.errors import RetrievalError
from flexchat.retrieval import CollectionInfo, CollectionMetadata, SearchQuery
from functions.retrieval.collections import Collections
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import collection_key
from functions.retrieval.ingest.documents import Document
from functions.retrieval.metadata_writer import MAX_TRIES, CollectionMetadataWriter
from tests.functional.collections.documents import HANDBOOK, add, documents, soon
from tests.functional.collections.harness import BUCKET, service


@pytest.fixture
def lexical(collections: Collections) -> Collections:
    """Service with a lexical collection."""
    collections.create(HANDBOOK, CollectionMetadata())
    return collections


@dataclass
class Interrupted:
    """Documents of one writer; another writer runs `meanwhile` during their iteration."""

    documents: Sequence[Document]
    meanwhile: Callable[[], object]

    def __iter__(self) -> Iterator[Document]:
        yield from self.documents
        self.meanwhile()


def test_concurrent_writers_both_add_their_documents(lexical: Collections, tmp_path: Path) -> None:
    other = service(tmp_path / "other")
    both = Interrupted(documents("apple"), lambda: add(other, *documents("pear")))

    report = lexical.add(HANDBOOK, both, deadline=soon())

    assert (report.added, report.passages) == (1, 2)
    assert (lexical.get(HANDBOOK).documents, other.get(HANDBOOK).documents) == (2, 2)
    answer = service(tmp_path / "reader").query(HANDBOOK, SearchQuery("apple pear"), deadline=soon())
    assert {hit.passage.document_id for hit in answer.hits} == {"apple", "pear"}


def test_collection_deleted_during_an_addition_stays_deleted(lexical: Collections, tmp_path: Path) -> None:
    other = service(tmp_path / "other")

    with pytest.raises(RetrievalError) as raised:
        lexical.add(HANDBOOK, Interrupted(documents("apple"), lambda: other.delete(HANDBOOK)), deadline=soon())

    assert raised.value.code == "not_found"
    assert s3().list_objects_v2(Bucket=BUCKET).get("Contents", []) == []


def test_conflicting_change_is_retried_on_the_new_version(lexical: Collections, tmp_path: Path) -> None:
    other = service(tmp_path / "other")
    objects = ObjectStore(s3(), BUCKET)
    metadata_reader = CollectionMetadataReader(objects)
    records = CollectionMetadataWriter(objects, metadata_reader, sleep=lambda _: None)
    times: list[int] = []

    def describe(info: CollectionInfo) -> CollectionInfo:
        if not times:
            other.change(HANDBOOK, CollectionMetadata(display_name="theirs"))
        times.append(1)
        return info.model_copy(update={"metadata": info.metadata.model_copy(update={"description": "mine"})})

    changed = records.change(HANDBOOK, describe)

    assert (changed.metadata.display_name, changed.metadata.description, len(times)) == ("theirs", "mine", 2)


def test_repeatedly_conflicting_change_is_rejected(lexical: Collections, tmp_path: Path) -> None:
    other = service(tmp_path / "other")
    objects = ObjectStore(s3(), BUCKET)
    waits: list[float] = []
    records = CollectionMetadataWriter(objects, CollectionMetadataReader(objects), sleep=waits.append)

    def loses(info: CollectionInfo) -> CollectionInfo:
        other.change(HANDBOOK, CollectionMetadata(description=f"{len(waits)}"))
        return info

    with pytest.raises(RetrievalError) as raised:
        records.change(HANDBOOK, loses)
    assert (raised.value.code, len(waits)) == ("conflict", MAX_TRIES - 1)


def test_unreadable_collection_is_reported(lexical: Collections, tmp_path: Path) -> None:
    s3().put_object(Bucket=BUCKET, Key=collection_key(HANDBOOK), Body=b"{")
    with pytest.raises(RetrievalError) as raised:
        lexical.get(HANDBOOK)
    assert raised.value.code == "damaged"
    assert service(tmp_path / "reader").list() == []
    lexical.delete(HANDBOOK)
    assert s3().list_objects_v2(Bucket=BUCKET).get("Contents", []) == []


def test_document_id_has_a_maximum_length(lexical: Collections) -> None:
    report = add(lexical, Document("x" * 1025, "t", "long.txt", "words"))
    assert [(failure.source, failure.reason) for failure in report.failed] == [
        ("long.txt", "its id has more than 1024 characters")
    ]
