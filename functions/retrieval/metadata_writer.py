"""Writes the metadata of collections with optimistic locking."""

import time
from collections.abc import Callable
from typing import IO, Protocol

from flexchat.errors import RetrievalError
from flexchat.retrieval import CollectionInfo
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import collection_key

MAX_TRIES = 10
WAIT_SECONDS = 0.05


class RecordObjects(Protocol):
    """Part of an object store that the writer uses; see `flexchat.aws.objects.ObjectStore`."""

    def etag(self, key: str) -> str | None: ...

    def put(
        self, key: str, body: bytes | IO[bytes], *, if_match: str | None = None, if_absent: bool = False
    ) -> str: ...


class CollectionMetadataWriter:
    """Writer of the objects `collection.json`; invalidates the cache of `metadata_reader`."""

    def __init__(
        self,
        objects: RecordObjects,
        metadata_reader: CollectionMetadataReader,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._objects = objects
        self._metadata_reader = metadata_reader
        self._sleep = sleep

    def create(self, info: CollectionInfo) -> CollectionInfo:
        """Store the metadata of a new collection. Raises RetrievalError `exists` for a name in use."""
        try:
            self._objects.put(collection_key(info.name), _written(info), if_absent=True)
        except RetrievalError as exc:
            if exc.code != "conflict":
                raise
            raise RetrievalError(f"the collection {info.name!r} already exists", code="exists") from exc
        return self._metadata_reader.named(info.name, fresh=True)

    def change(self, name: str, change: Callable[[CollectionInfo], CollectionInfo]) -> CollectionInfo:
        """Replace the metadata of a collection by the result of `change`, which is called again after a conflict.

        Raises RetrievalError `not_found` for a deleted collection, `conflict` after too many conflicts.
        """
        for attempt in range(MAX_TRIES):
            if attempt:
                self._sleep(WAIT_SECONDS * attempt)
            # ETag first: the metadata read after it is at least as new.
            etag = self._objects.etag(collection_key(name))
            changed = change(self._metadata_reader.named(name, fresh=True))
            if etag is None:
                continue
            try:
                self._objects.put(collection_key(name), _written(changed), if_match=etag)
            except RetrievalError as exc:
                if exc.code != "conflict":
                    raise
                continue
            return self._metadata_reader.named(name, fresh=True)
        raise RetrievalError(f"the collection {name!r} has concurrent changes; try again", code="conflict")


def _written(info: CollectionInfo) -> bytes:
    return info.model_dump_json(indent=2).encode()
