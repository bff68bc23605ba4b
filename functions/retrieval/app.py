"""The Lambda of the tools of type internal: chooses the adapters, and which door an event came through.

One function has both doors, so that the copies of collections it keeps in /tmp serve both. What a door needs is made
when it first needs it: a search of a service elsewhere loads no numpy, a call that is refused loads nothing.
"""

import os
import tempfile
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from flexchat.aws.catalog import CatalogSource
from flexchat.aws.clients import close_connections, s3, ssm
from flexchat.aws.objects import ObjectStore
from flexchat.aws.parameters import ParameterStore
from flexchat.deadline import Deadline
from flexchat.errors import FlexchatError
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.retrieval import Retriever
from flexchat.settings import Settings, read_environment
from flexchat.snapstart import after_restore, before_snapshot
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool
from functions.retrieval.implementation import Implementation
from functions.retrieval.rag_query import RagQuery
from functions.retrieval.retrievers.factory import Retrievers
from functions.retrieval.secrets import StageSecrets
from functions.retrieval.services import Services

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_ssm import SSMClient

    from functions.retrieval.collections import Collections
    from functions.retrieval.embeddings.base import Embedder
    from functions.retrieval.embeddings.factory import Embedders
    from functions.retrieval.embeddings.model import Purpose
    from functions.retrieval.index.metadata import CollectionInfos
    from functions.retrieval.index.store import IndexStore
    from functions.retrieval.routes import CollectionsDoor


class InternalSettings(Settings):
    """`FLEXCHAT_COLLECTIONS_BUCKET` is where the collections are; `FLEXCHAT_ALLOWED_ORIGINS` is a list separated by
    commas; `FLEXCHAT_CATALOG_TTL_SECONDS` is how long a configuration, and a secret, is used before it is read again.
    """

    stage: str
    collections_bucket: str
    allowed_origins: str = ""
    catalog_ttl_seconds: float = 60.0


class InternalFunction:
    """What one environment keeps: the configuration, the copies of collections, the connections to services."""

    def __init__(
        self, settings: InternalSettings, *, parameters: "SSMClient", objects: "S3Client", cache_folder: Path
    ) -> None:
        self._objects = ObjectStore(objects, settings.collections_bucket)
        self._cache_folder = cache_folder
        self._allowed_origins = tuple(filter(None, settings.allowed_origins.split(",")))
        self._making = Lock()
        store, ttl_seconds = ParameterStore(parameters), settings.catalog_ttl_seconds
        self._catalog = CatalogSource(store=store, stage=settings.stage, ttl_seconds=ttl_seconds)
        secrets = StageSecrets(store=store, stage=settings.stage, ttl_seconds=ttl_seconds)
        create = Retrievers(own=self._own, embedders=lambda: self._embedders, secrets=secrets)
        self.rag_query = RagQuery(services=Services(catalog=self._catalog.current, create=create))

    def prepare(self) -> None:
        """Import before a snapshot what a search of the stage's own collections needs, and read the configuration where
        one is stored by then."""

        _ = self.collections, self.door, self._embedders
        try:
            self._catalog.current()  # without a deadline, which would leave a thread at work in the snapshot
        except FlexchatError as error:
            logger.warning("configuration not read before the snapshot", reason=str(error))
        close_connections()

    def renew(self) -> None:
        """Have the configuration of a restored snapshot confirmed before it is used."""
        self._catalog.restored()

    @cached_property
    def collections(self) -> "Collections":
        """The collections to be kept, on the copies that searches use."""
        from functions.retrieval.collections import Collections
        from functions.retrieval.metadata_writer import CollectionRecords

        return Collections(
            records=CollectionRecords(self._objects, self._infos),
            infos=self._infos,
            indexes=self._indexes,
            embedder=self._embedder,
        )

    @cached_property
    def door(self) -> "CollectionsDoor":
        """The HTTP door."""
        from functions.retrieval.routes import CollectionsDoor

        return CollectionsDoor(collections=lambda: self.collections, allowed_origins=self._allowed_origins)

    def _embedder(self, name: str, *, purpose: "Purpose") -> "Embedder":
        return self._embedders.named(name, purpose=purpose)

    @cached_property
    def _embedders(self) -> "Embedders":
        from functions.retrieval.embeddings.factory import Embedders

        return Embedders(catalog=self._catalog.current)

    @cached_property
    def _infos(self) -> "CollectionInfos":
        from functions.retrieval.index.metadata import CollectionInfos

        return CollectionInfos(self._objects)

    @cached_property
    def _indexes(self) -> "IndexStore":
        from functions.retrieval.index.store import IndexStore

        return IndexStore(self._objects, self._cache_folder)

    def _own(self, deadline: Deadline) -> Retriever:
        from functions.retrieval.retrievers.sqlite import SqliteRetriever

        with self._making:  # several collections are searched at the same time, on one store of copies
            infos, indexes = self._infos, self._indexes
        return SqliteRetriever(
            infos=infos,
            indexes=indexes,
            embedder=lambda name: self._embedder(name, purpose="query"),
            deadline=deadline,
        )


@cache
def internal_function() -> InternalFunction:
    settings = read_environment(InternalSettings, os.environ)
    folder = Path(tempfile.gettempdir()) / "collections"
    return InternalFunction(settings, parameters=ssm(), objects=s3(), cache_folder=folder)


def _rag_query(call: CallTool, implementation: Implementation) -> dict[str, Json]:
    return internal_function().rag_query(call, implementation)


_answer_tool_call = tool_handler(Implementation, _rag_query)


@logger.inject_lambda_context(clear_state=True)
def _answer_request(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return internal_function().door.resolve(event, context)


def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Answer a REST API proxy event, or a tool call."""
    return _answer_request(event, context) if "httpMethod" in event else _answer_tool_call(event, context)


before_snapshot(lambda: internal_function().prepare())
after_restore(lambda: internal_function().renew())
