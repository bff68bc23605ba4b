"""Lambda handler and composition root of the retrieval function.

One function serves REST API requests, searches and calls of `internal` tools, so that all share the local copies of
collections in /tmp. Adapters are created at first use: a search of a remote service imports no numpy, a refused request
nothing.
"""

from flexchat.startup import modules_imported  # first: it turns garbage collection off

# isort: split
import os
import tempfile
import time
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from flexchat.aws.catalog import CatalogSource
from flexchat.aws.clients import AwsClients, close_connections
from flexchat.aws.objects import ObjectStore
from flexchat.aws.packed_configuration import PackedObject
from flexchat.aws.parameters import ParameterStore
from flexchat.deadline import Deadline, time_limit
from flexchat.egress.settings import EgressSettings
from flexchat.errors import FlexchatError, RetrievalError
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.retrieval import Retriever
from flexchat.search import SearchRequest, SearchResponse
from flexchat.settings import read_environment
from flexchat.snapstart import after_restore, before_snapshot
from flexchat.stage_secrets import StageSecrets
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool
from functions.retrieval.implementation import Implementation
from functions.retrieval.retrievers.factory import Retrievers
from functions.retrieval.search import Search, search_handler
from functions.retrieval.services import SearchServices, ServiceSecrets
from functions.retrieval.tool import SearchTool

if TYPE_CHECKING:
    from flexchat.attachments import LoadedFile
    from functions.retrieval.collections import Collections
    from functions.retrieval.embeddings.factory import Embedders
    from functions.retrieval.embeddings.model import Embedder, Purpose
    from functions.retrieval.index.metadata import CollectionMetadataReader
    from functions.retrieval.index.store import IndexStore
    from functions.retrieval.operations import OperationHandler
    from functions.retrieval.routes import CollectionsApi
    from functions.retrieval.search_limits import SearchLimits


class RetrievalSettings(EgressSettings):
    """Environment of the function.

    `FLEXCHAT_COLLECTIONS_BUCKET` has the collections, `FLEXCHAT_CHATS_TABLE` the counters of limits;
    `FLEXCHAT_ALLOWED_ORIGINS` is a list separated by commas;
    `FLEXCHAT_CATALOG_TTL_SECONDS` is the time after which the configuration, and a secret, is read again;
    `FLEXCHAT_CONFIGURATION_BUCKET` has the packed configuration, without which entries are read one by one.
    """

    stage: str
    collections_bucket: str
    chats_table: str
    allowed_origins: str = ""
    catalog_ttl_seconds: float = 60.0
    configuration_bucket: str = ""


class RetrievalFunction:
    """Container of one Lambda environment: configuration, local copies of collections, connections to services."""

    def __init__(self, settings: RetrievalSettings, clients: AwsClients | None = None, *, cache_folder: Path) -> None:
        clients = clients or AwsClients()
        self._clients, self._settings = clients, settings
        self._objects = ObjectStore(clients.s3, settings.collections_bucket)
        self._cache_folder = cache_folder
        self._allowed_origins = tuple(filter(None, settings.allowed_origins.split(",")))
        self._creation = Lock()
        self._egress = settings.egress
        store, ttl_seconds = ParameterStore(clients.ssm), settings.catalog_ttl_seconds
        packed = PackedObject.of(lambda: clients.s3, settings.configuration_bucket, stage=settings.stage)
        self._catalog = CatalogSource(store=store, packed=packed, stage=settings.stage, ttl_seconds=ttl_seconds)
        reader = StageSecrets(store=store, stage=settings.stage, ttl_seconds=ttl_seconds)
        secrets = ServiceSecrets(reader, settings.stage)
        create = Retrievers(own=self._own, embedders=lambda: self.embedders, secrets=secrets, egress=self._egress)
        self.search = Search(services=SearchServices(catalog=self._catalog.current, create=create))
        self.search_tool = SearchTool(self.search)

    def prepare(self) -> None:
        """Import what a search needs, and read the stored configuration, if any.

        Runs before a snapshot.
        """
        from functions.retrieval.embeddings.factory import import_wires

        import_wires()
        _ = self.collections, self.api, self.embedders, self.limits
        try:
            self._catalog.current()  # without a deadline, which would leave a thread at work in the snapshot
        except FlexchatError as error:
            logger.warning("configuration not read before the snapshot", reason=str(error))
        close_connections()

    def renew(self) -> None:
        """Check the configuration of a restored snapshot before its next use."""
        self._catalog.restored()

    @cached_property
    def collections(self) -> "Collections":
        """Collections of the stage, on the same local copies as searches."""
        from functions.retrieval.collections import Collections
        from functions.retrieval.metadata_writer import CollectionMetadataWriter

        return Collections(
            records=CollectionMetadataWriter(self._objects, self._metadata_reader),
            metadata_reader=self._metadata_reader,
            indexes=self._indexes,
            embedder=self._embedder,
        )

    @cached_property
    def api(self) -> "CollectionsApi":
        """HTTP API of the collections."""
        from functions.retrieval.routes import CollectionsApi

        return CollectionsApi(self, allowed_origins=self._allowed_origins)

    @cached_property
    def limits(self) -> "SearchLimits":
        """Limits of the callers of searches."""
        from flexchat.aws.limit_counters import LimitCounters
        from flexchat.limits.rate_limits import RateLimits
        from functions.retrieval.search_limits import SearchLimits

        stage, table = self._settings.stage, self._settings.chats_table
        limits = RateLimits(counters=lambda: LimitCounters(self._clients.dynamodb, table), now=time.time, stage=stage)
        return SearchLimits(catalog=self._catalog.current, limits=limits, stage=stage)

    def file_content(self, key: str) -> bytes:
        """Return the content of a file of a chat. Raises RetrievalError, UnavailableError and ConfigError."""
        return self._objects.get(key).body

    def uploaded_file(self, owner: str, file_id: str, deadline: Deadline) -> "LoadedFile | None":
        """Return a file that `owner` uploaded; None for one that is not stored.

        Raises UnavailableError and ConfigError.
        """
        from flexchat.attachments import LoadedFile, upload_key

        try:
            with time_limit(deadline.remaining()):
                stored = self._objects.get(upload_key(owner, file_id))
        except RetrievalError:
            return None
        return LoadedFile(stored.body, unquote(stored.metadata.get("name", "")))

    def _embedder(self, name: str, *, purpose: "Purpose") -> "Embedder":
        return self.embedders.named(name, purpose=purpose)

    @cached_property
    def embedders(self) -> "Embedders":
        """Embedding models of the configuration."""
        from functions.retrieval.embeddings.factory import Embedders

        return Embedders(catalog=self._catalog.current, egress=self._egress)

    @cached_property
    def _metadata_reader(self) -> "CollectionMetadataReader":
        from functions.retrieval.index.metadata import CollectionMetadataReader

        return CollectionMetadataReader(self._objects)

    @cached_property
    def _indexes(self) -> "IndexStore":
        from functions.retrieval.index.store import IndexStore

        return IndexStore(self._objects, self._cache_folder)

    def _own(self, deadline: Deadline) -> Retriever:
        from functions.retrieval.retrievers.sqlite import SqliteRetriever

        with self._creation:  # parallel searches share one store of copies
            metadata_reader, indexes = self._metadata_reader, self._indexes
        return SqliteRetriever(
            metadata_reader=metadata_reader,
            indexes=indexes,
            embedder=lambda name: self._embedder(name, purpose="query"),
            deadline=deadline,
        )


@cache
def retrieval_function() -> RetrievalFunction:
    settings = read_environment(RetrievalSettings, os.environ)
    folder = Path(tempfile.gettempdir()) / "collections"
    return RetrievalFunction(settings, cache_folder=folder)


def _search(request: SearchRequest) -> SearchResponse:
    return retrieval_function().search(request)


def _call_tool(call: CallTool, implementation: Implementation) -> dict[str, Json]:
    return retrieval_function().search_tool(call, implementation)


@cache
def _embedding_handler() -> "OperationHandler":
    """Return the handler of embedding events, which imports the providers."""
    from functions.retrieval.embedding import embed, embedding_handler

    return embedding_handler(lambda request: embed(request, retrieval_function().embedders))


@cache
def _file_text_handler() -> "OperationHandler":
    """Return the handler of events for the texts of files, which imports the readers."""
    from functions.retrieval.file_text import file_text, file_text_handler

    return file_text_handler(lambda request: file_text(request, retrieval_function().file_content))


_handle_search = search_handler(_search)
_handle_tool_call = tool_handler(Implementation, _call_tool)


@logger.inject_lambda_context(clear_state=True)
def _handle_request(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return retrieval_function().api.resolve(event, context)


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Handle a REST API proxy event, a search, a request for embeddings or for a file's text, or a tool call."""
    if "httpMethod" in event:
        return _handle_request(event, context)
    match event.get("operation"):
        case None:
            return _handle_tool_call(event, context)
        case "embed":
            return _embedding_handler()(event, context)
        case "read":
            return _file_text_handler()(event, context)
        case _:
            return _handle_search(event, context)


before_snapshot(lambda: retrieval_function().prepare())
after_restore(lambda: retrieval_function().renew())
modules_imported()
