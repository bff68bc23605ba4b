"""Retriever of a vector service over HTTP.

POST {query, collection, top_k} returns {results: [{text, distance, metadata}], collection_metadata}.
"""

from collections.abc import Sequence

import httpx2
from pydantic import ConfigDict, Field, field_validator

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Deadline
from flexchat.deferred_model import DeferredModel
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.errors import RetrievalError
from flexchat.json import safe_loads
from flexchat.messages import Json
from flexchat.retrieval import CollectionInfo, Hit, SearchQuery, SearchResult
from flexchat.retry import Retry
from functions.retrieval.json_service import JsonService
from functions.retrieval.retrievers.passages import (
    cosine_distance,
    equals_all,
    found_passage,
    lenient_metadata,
    listed_collections,
    near_enough,
    whole_characters,
)

MAX_ANSWER_BYTES = 4_194_304

MAX_TOP_K = 100
"""Results requested with filters, which are applied to the response: the contract has none."""


class _Wire(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class _Result(_Wire):
    text: str
    distance: float
    metadata: dict[str, Json] = Field(default_factory=dict[str, Json])

    @field_validator("distance")
    @classmethod
    def _is_cosine(cls, value: float) -> float:
        distance = cosine_distance(value)
        if distance is None:
            raise ValueError("is not a cosine distance")
        return distance

    @field_validator("metadata", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return {} if value is None else value


class _Answer(_Wire):
    results: tuple[_Result, ...]
    collection_metadata: dict[str, Json] | None = None


class RemoteService:
    """Connection to one service of type http, shared by all searches."""

    def __init__(
        self,
        name: str,
        service: RagServiceConfig,
        *,
        retry: Retry | None = None,
        egress: EgressPolicy = PUBLIC,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self.name = name
        self.config = service
        self._json = JsonService(
            f"the service {name!r}",
            url=service.url or "",
            headers=service.headers,
            retry=retry or Retry(max_retries=service.max_retries),
            max_answer_bytes=MAX_ANSWER_BYTES,
            egress=egress,
            transport=transport,
        )

    def retriever(self, deadline: Deadline) -> "RemoteRetriever":
        """Return the retriever of this service until `deadline`."""
        return RemoteRetriever(self, deadline)

    def ask(self, collection: str, text: str, top_k: int, deadline: Deadline) -> _Answer:
        """Send one search. Raises RetrievalError, `not_found` for a missing collection."""
        body: Json = {
            "query": whole_characters(text),
            "collection": self.config.collection_ids.get(collection, collection),
            "top_k": top_k,
        }
        return self._json.post("", body, deadline=deadline, read=_read, codes={404: "not_found", 413: "too_large"})


class RemoteRetriever:
    """Retriever of a remote service, until a deadline."""

    def __init__(self, service: RemoteService, deadline: Deadline) -> None:
        self._service = service
        self._deadline = deadline

    def search(self, collection: str, query: SearchQuery) -> SearchResult:
        """Return the hits in the order of the service. Raises RetrievalError."""
        config = self._service.config
        if collection not in config.collection_names(self._service.name):
            raise RetrievalError(
                f"the service {self._service.name!r} has no collection {collection!r}", code="not_found"
            )
        top_k = MAX_TOP_K if query.filters else query.top_k
        answer = self._service.ask(collection, query.text, top_k, self._deadline)
        hits = [Hit(found_passage(found.text, found.metadata, config), found.distance) for found in answer.results]
        fitting = [hit for hit in hits if equals_all(hit.passage.metadata, query.filters)]
        metadata = lenient_metadata(answer.collection_metadata or {})
        return SearchResult(hits=near_enough(fitting, query), collection=collection, metadata=metadata)

    def collections(self) -> Sequence[CollectionInfo]:
        """Return the collections that the configuration lists."""
        return listed_collections(self._service.name, self._service.config)


def _read(body: bytes) -> _Answer:
    return _Answer.model_validate(safe_loads(body, max_bytes=MAX_ANSWER_BYTES))
