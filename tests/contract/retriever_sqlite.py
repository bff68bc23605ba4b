"""The deployment's own retriever, on objects in memory."""

from pathlib import Path

from flexchat.deadline import Deadline
from flexchat.errors import UnavailableError
from flexchat.retrieval import CollectionInfo, CollectionMetadata
from functions.retrieval.embeddings.model import Embedder
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import IndexStore, collection_key
from functions.retrieval.retrievers.sqlite import SqliteRetriever
from tests.contract.retrievers import COLLECTION, STORED
from tests.unit.retrieval.samples import MemoryObjects, document


class SqliteHarness:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def retriever(self) -> SqliteRetriever:
        return self._on(self._filled())

    def unreachable(self) -> SqliteRetriever:
        objects = self._filled()
        objects.broken = UnavailableError("cannot read s3://bucket: EndpointConnectionError")
        return self._on(objects)

    def _filled(self) -> MemoryObjects:
        info = CollectionInfo(name=COLLECTION, metadata=CollectionMetadata(), created_at="", updated_at="")
        objects = MemoryObjects({collection_key(COLLECTION): info.model_dump_json().encode()})
        documents = [
            document(one.source, one.text, title=one.title, source=one.source, metadata=one.metadata) for one in STORED
        ]
        IndexStore(objects, self._folder / "writer").update(COLLECTION, lambda writer: writer.add(documents))
        return objects

    def _on(self, objects: MemoryObjects) -> SqliteRetriever:
        return SqliteRetriever(
            metadata_reader=CollectionMetadataReader(objects),
            indexes=IndexStore(objects, self._folder / "reader"),
            embedder=no_model,
            deadline=Deadline.after(10),
        )


def no_model(name: str) -> Embedder:
    raise AssertionError(f"a lexical collection requested the model {name!r}")
