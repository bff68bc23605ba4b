"""Index stores on one machine, and damaged objects."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from functions.retrieval.index.schema import AddReport, IndexedDocument
from functions.retrieval.index.store import FRESH_SECONDS, IndexStore, collection_key, index_key
from functions.retrieval.index.writer import IndexWriter
from tests.unit.retrieval.samples import MemoryObjects

KEY = index_key("docs")


@dataclass
class StoreHarness:
    """Store of the collection `docs` on objects in memory, with a manual clock."""

    cache: Path
    objects: MemoryObjects = field(default_factory=lambda: MemoryObjects({collection_key("docs"): b"{}"}))
    now: float = 0.0
    waits: list[float] = field(default_factory=list[float])

    def store(self, cache: str = "cache") -> IndexStore:
        return IndexStore(
            self.objects,
            self.cache / cache,
            clock=lambda: self.now,
            sleep=self.waits.append,
            jitter=lambda: 0.5,
        )

    def later(self) -> None:
        self.now += FRESH_SECONDS


def adding(*documents: IndexedDocument) -> Callable[[IndexWriter], AddReport]:
    return lambda writer: writer.add(documents)


def files(folder: Path) -> list[str]:
    return sorted(path.name.partition("@")[0] for path in folder.iterdir())
