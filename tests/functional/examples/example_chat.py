"""Chat function with an example configuration, real collections and a scripted model."""

from pathlib import Path
from typing import Any

from cli.configuration import read_file
from flexchat.aws.objects import ObjectStore
from flexchat.config.catalog import Catalog
from flexchat.config.document import parse
from flexchat.deadline import Deadline
from flexchat.retrieval import CollectionMetadata, Retriever
from flexchat.tool_runtime import tool_handler
from functions.retrieval.collections import Collections
from functions.retrieval.implementation import Implementation
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import IndexStore
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import SourceFile
from functions.retrieval.ingest.load import load
from functions.retrieval.retrievers.factory import Retrievers
from functions.retrieval.retrievers.sqlite import SqliteRetriever
from functions.retrieval.search import Search, search_handler
from functions.retrieval.services import SearchServices
from functions.retrieval.tool import SearchTool
from tests.functional.chat.harness import Chat, deploy
from tests.functional.chat.scripted_provider import Step

EXAMPLES = Path(__file__).parents[3] / "config" / "examples"
BUCKET = "flexchat-test-collections"


def no_embedder(*_name: str, **_purpose: str) -> Any:
    raise AssertionError("the collections are lexical; a model must not be called")


class Service:
    """Chat function with an example configuration and the collections of docs/examples.md."""

    def __init__(self, example: str, objects: ObjectStore, cache: Path) -> None:
        configuration = parse(read_file(EXAMPLES / f"{example}.json")).configuration
        self._configuration = configuration
        self._objects = objects
        self._cache = cache
        self._catalog = Catalog(configuration, (), "1")

    def fill(self, name: str, thresholds: tuple[float, float], *sources: SourceFile) -> None:
        """Create a lexical collection of short passages."""
        collections = Collections.of(self._objects, cache=self._cache, embedder=no_embedder)
        match, partial = thresholds
        collections.create(name, CollectionMetadata(match_threshold=match, partial_threshold=partial))
        documents = [document for source in sources for document in load(source)]
        collections.add(name, documents, deadline=Deadline.after(60), chunking=Chunking(size=300, overlap=0))

    def deploy(self, *script: Step, **more: Any) -> Chat:
        """Deploy the service with a model that follows `script`."""
        config = self._configuration.model_dump(mode="json", exclude_unset=True, by_alias=True)
        search = Search(
            services=SearchServices(
                catalog=lambda: self._catalog,
                create=Retrievers(own=self._own, embedders=no_embedder, secrets=lambda service: service),
            )
        )
        search_event, call_tool = search_handler(search), tool_handler(Implementation, SearchTool(search))

        def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
            return search_event(event, context) if "operation" in event else call_tool(event, context)

        return deploy(script, config, handlers={"internal": handler}, **more)

    def _own(self, deadline: Deadline) -> Retriever:
        return SqliteRetriever(
            metadata_reader=CollectionMetadataReader(self._objects),
            indexes=IndexStore(self._objects, self._cache),
            embedder=no_embedder,
            deadline=deadline,
        )


def outcome(body: dict[str, Any]) -> tuple[str, str | None, list[str]]:
    return body["rule"], body["intent"], [call["tool"] for call in body["tool_calls"]]
