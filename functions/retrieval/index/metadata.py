"""Metadata of collections: the objects `collection.json`."""

import re
import time
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, Protocol

from pydantic import ValidationError

from flexchat.aws.objects import ObjectSummary, StoredObject
from flexchat.errors import RetrievalError
from flexchat.observability import logger
from flexchat.retrieval import COLLECTION_NAME_PATTERN, CollectionInfo
from functions.retrieval.index.store import FRESH_SECONDS, PREFIX, collection_key

_KEY: Final = re.compile(rf"{PREFIX}({COLLECTION_NAME_PATTERN.strip('^$')})/collection\.json")


class InfoObjects(Protocol):
    """Part of an object store that the reader uses."""

    def get(self, key: str) -> StoredObject: ...

    def list(self, prefix: str) -> tuple[ObjectSummary, ...]: ...


class CollectionMetadataReader:
    """Reader of the metadata of a stage's collections, with a cache of two seconds."""

    def __init__(self, objects: InfoObjects, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._objects = objects
        self._clock = clock
        self._read: dict[str, tuple[float, CollectionInfo]] = {}
        self._lock = Lock()

    def named(self, name: str, *, fresh: bool = False) -> CollectionInfo:
        """Return one collection. Raises RetrievalError `not_found`, `damaged` or `invalid`."""
        with self._lock:
            cached = self._read.get(name)
        if cached is not None and not fresh and self._clock() - cached[0] < FRESH_SECONDS:
            return cached[1]
        key = collection_key(name)
        try:
            info = CollectionInfo.model_validate_json(self._objects.get(key).body)
        except ValidationError as exc:
            fields = sorted({".".join(map(str, error["loc"])) for error in exc.errors(include_url=False)} - {""})
            wrong = f"no valid {', '.join(map(repr, fields))}" if fields else "not a JSON object"
            message = f"the metadata of collection {name!r} cannot be read: {wrong} in {key!r}"
            raise RetrievalError(message, code="damaged") from exc
        except RetrievalError as exc:
            self.forget(name)
            if exc.code != "not_found":
                raise
            raise RetrievalError(f"collection {name!r} not found", code="not_found") from exc
        with self._lock:
            self._read[name] = (self._clock(), info)
        return info

    def forget(self, name: str) -> None:
        """Discard the cache for the next reader."""
        with self._lock:
            self._read.pop(name, None)

    def all(self) -> Sequence[CollectionInfo]:
        """Return every collection, by name; an unreadable one is skipped and logged."""
        found: list[CollectionInfo] = []
        for item in self._objects.list(PREFIX):
            if (match := _KEY.fullmatch(item.key)) is None:
                continue
            try:
                found.append(self.named(match[1]))
            except RetrievalError as exc:
                logger.warning("collection not listed", collection=match[1], reason=exc.message)
        return found
