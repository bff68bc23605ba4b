"""Retrieval services with collections in memory."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Clock, Deadline
from flexchat.errors import RetrievalError
from flexchat.messages import Json
from flexchat.retrieval import CollectionInfo, CollectionMetadata, Hit, Passage, Retriever, SearchQuery, SearchResult
from flexchat.tools import CallTool
from functions.retrieval.implementation import Implementation
from functions.retrieval.search import Search
from functions.retrieval.services import SearchServices
from functions.retrieval.tool import SearchTool


def passage(text: str, *, title: str = "", source: str = "", metadata: Mapping[str, Any] | None = None) -> Passage:
    return Passage(
        id=f"{text[:20]}#0",
        document_id=text[:20],
        text=text,
        title=title,
        source=source,
        offset=0,
        hash="h",
        metadata=metadata or {},
    )


def hit(text: str, distance: float, **more: Any) -> Hit:
    return Hit(passage(text, **more), distance)


@dataclass
class MemoryCollection:
    """Hits, metadata and fault of one collection."""

    hits: Sequence[Hit] = ()
    metadata: CollectionMetadata = field(default_factory=CollectionMetadata)
    fault: Exception | None = None
    gate: threading.Event | None = None


@dataclass
class MemoryRetriever:
    """Retriever over collections in memory; records its `searches` and their `deadlines`."""

    by_name: Mapping[str, MemoryCollection]
    listing_fault: Exception | None = None
    searches: list[tuple[str, SearchQuery]] = field(default_factory=list[tuple[str, SearchQuery]])
    deadlines: list[Deadline] = field(default_factory=list[Deadline])

    def search(self, collection: str, query: SearchQuery) -> SearchResult:
        self.searches.append((collection, query))
        if collection not in self.by_name:
            raise RetrievalError(f"collection {collection!r} not found", code="not_found")
        found = self.by_name[collection]
        if found.gate is not None:
            found.gate.wait()
        if found.fault is not None:
            raise found.fault
        limit = query.max_distance
        near = [each for each in found.hits if limit is None or each.distance <= limit]
        return SearchResult(hits=tuple(near[: query.top_k]), collection=collection, metadata=found.metadata)

    def collections(self) -> Sequence[CollectionInfo]:
        if self.listing_fault is not None:
            raise self.listing_fault
        return [CollectionInfo(name=name, created_at="", updated_at="") for name in self.by_name]


@dataclass
class MemoryServices:
    """Services of a configuration with their retrievers."""

    services: Mapping[str, RagServiceConfig]
    retrievers: Mapping[str, MemoryRetriever]
    created: list[tuple[str, RagServiceConfig]] = field(default_factory=list[tuple[str, RagServiceConfig]])

    def catalog(self) -> Catalog:
        return Catalog(
            configuration=Configuration(rag_services=dict(self.services)),
            disabled=(),
            version="1",
        )

    def create(self, name: str, service: RagServiceConfig, deadline: Deadline) -> Retriever:
        self.created.append((name, service))
        retriever = self.retrievers[name]
        retriever.deadlines.append(deadline)
        return retriever

    def tool(self, *, clock: Clock = time.monotonic) -> SearchTool:
        return SearchTool(Search(services=SearchServices(catalog=self.catalog, create=self.create), clock=clock))

    def search(
        self,
        query: str = "how",
        *,
        timeout_ms: int = 5_000,
        using: Json = None,
        permitted: tuple[str, ...] | None = None,
        **arguments: Json,
    ) -> Any:
        """Return the result of one call by a caller with `permitted` collections; `using` is added to the
        implementation.
        """
        sent = call({"query": query, **arguments}, timeout_ms=timeout_ms, collections=permitted)
        return self.tool()(sent, implementation_of(using))


def deployment_services(collections: Mapping[str, MemoryCollection]) -> MemoryServices:
    """Return services of a configuration without any: only the deployment's own retriever."""
    return MemoryServices(services={}, retrievers={"internal": MemoryRetriever(collections)})


def implementation_of(more: Json = None) -> Implementation:
    return Implementation.model_validate(
        {"type": "internal", "handler": "rag_query", **(more if isinstance(more, dict) else {})}
    )


def call(
    arguments: dict[str, Json], *, timeout_ms: int = 5_000, collections: tuple[str, ...] | None = None
) -> CallTool:
    return CallTool(
        tool="search_documents",
        arguments=arguments,
        implementation={},
        call_id="call_1",
        idempotency_key="request-1:call_1",
        request_id="request-1",
        timeout_ms=timeout_ms,
        collections=collections,
    )
