"""Documents, indexes and a store of objects for the tests of retrieval."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import IO

from flexchat.aws.objects import ObjectSummary, StoredObject
from flexchat.errors import RetrievalError
from flexchat.retrieval import MetadataValue, SearchQuery
from functions.retrieval.index.reader import CollectionIndex
from functions.retrieval.index.schema import IndexedDocument
from functions.retrieval.index.writer import IndexWriter


def document(
    id: str,
    *texts: str,
    title: str = "",
    source: str = "",
    hash: str | None = None,
    metadata: Mapping[str, MetadataValue] | None = None,
    vectors: tuple[Sequence[float], ...] = (),
) -> IndexedDocument:
    """A document with `texts` as consecutive passages."""
    passages: list[tuple[str, int]] = []
    offset = 0
    for text in texts:
        passages.append((text, offset))
        offset += len(text)
    own = hashlib.sha256(repr((texts, title, source)).encode()).hexdigest()
    return IndexedDocument(id, title, source, hash or own, metadata or {}, tuple(passages), vectors)


def written(path: Path, *documents: IndexedDocument) -> CollectionIndex:
    """The index at `path` with `documents` added, opened for reading."""
    with IndexWriter(path) as writer:
        writer.add(documents)
    return CollectionIndex(path)


def found(index: CollectionIndex, text: str, vector: Sequence[float] | None = None) -> list[str]:
    """The ids of the passages that a search finds, the best first."""
    return [hit.passage.id for hit in index.search(SearchQuery(text), vector)]


ANIMALS = ("cat", "kitten", "dog", "puppy", "horse", "foal", "cow", "calf")
TOOLS = ("hammer", "nail", "saw", "plank", "drill", "screw", "wrench", "bolt")


def two_subjects(count: int = 80) -> list[IndexedDocument]:
    """Passages of three words each, of animals or of tools; neighbours in the lists occur together."""
    made: list[IndexedDocument] = []
    for at in range(count):
        words = (ANIMALS, TOOLS)[at % 2]
        made.append(document(f"d{at}", " ".join(words[(at // 2 + step) % 8] for step in range(3)) + f" number{at}"))
    return made


@dataclass
class MemoryObjects:
    """Objects in memory, with ETags and conditions as S3 has them. `before_put` is called ahead of each put."""

    contents: dict[str, bytes] = field(default_factory=dict[str, bytes])
    downloads: list[str] = field(default_factory=list[str])
    checks: int = 0
    before_put: Callable[[], object] | None = None
    broken: Exception | None = None
    _lock: Lock = field(default_factory=Lock)

    def etag(self, key: str) -> str | None:
        self._reach()
        return _etag(self.contents[key]) if key in self.contents else None

    def get(self, key: str) -> StoredObject:
        self._reach()
        if key not in self.contents:
            raise RetrievalError(f"object {key!r} not found", code="not_found")
        return StoredObject(self.contents[key], _etag(self.contents[key]))

    def download(self, key: str, path: Path, *, unless_etag: str | None = None) -> str | None:
        self.checks += 1
        found = self.get(key)
        if found.etag == unless_etag:
            return None
        self.downloads.append(key)
        path.write_bytes(found.body)
        return found.etag

    def put(self, key: str, body: bytes | IO[bytes], *, if_match: str | None = None, if_absent: bool = False) -> str:
        before, self.before_put = self.before_put, None
        if before is not None:
            before()
        self._reach()
        content = body if isinstance(body, bytes) else body.read()
        with self._lock:
            present = self.contents.get(key)
            if (if_match is not None and (present is None or _etag(present) != if_match)) or (if_absent and present):
                raise RetrievalError(f"another writer changed {key!r} at the same time", code="conflict")
            self.contents[key] = content
        return _etag(content)

    def list(self, prefix: str) -> tuple[ObjectSummary, ...]:
        self._reach()
        return tuple(
            ObjectSummary(key, _etag(body), len(body))
            for key, body in sorted(self.contents.items())
            if key.startswith(prefix)
        )

    def delete(self, key: str) -> None:
        self._reach()
        self.contents.pop(key, None)

    def _reach(self) -> None:
        if self.broken is not None:
            raise self.broken


def _etag(body: bytes) -> str:
    return f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'
