"""Table of retrievers by the type of a service, on connections cached by configuration."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, assert_never

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.errors import RetrievalError
from flexchat.retrieval import Retriever

if TYPE_CHECKING:
    import httpx2

    from functions.retrieval.embeddings.factory import Embedders

MAX_CONNECTIONS = 32
"""Maximum of cached connections; more come from changed configurations."""

type _Connected = Callable[[Deadline], Retriever]


class OwnRetriever(Protocol):
    """Create the deployment's own retriever for one search."""

    def __call__(self, deadline: Deadline) -> Retriever: ...


@dataclass(slots=True, kw_only=True)
class Retrievers:
    """`CreateRetriever` for every type of service. A type's library is imported at its first use.

    `secrets` resolves references in a service's headers; it raises RetrievalError. `egress` limits the addresses of
    services; `transport` replaces the network.
    """

    own: OwnRetriever
    embedders: Callable[[], "Embedders"]
    secrets: Callable[[RagServiceConfig], RagServiceConfig]
    egress: EgressPolicy = PUBLIC
    transport: "httpx2.BaseTransport | None" = None
    _connections: dict[tuple[str, str], _Connected] = field(
        default_factory=dict[tuple[str, str], _Connected], init=False
    )
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __call__(self, name: str, service: RagServiceConfig, deadline: Deadline) -> Retriever:
        """Return the retriever of the service `name` until `deadline`. Raises RetrievalError."""
        service = self.secrets(service)
        key = (name, service.model_dump_json())
        with self._lock:
            if key not in self._connections:
                if len(self._connections) >= MAX_CONNECTIONS:
                    self._connections.clear()
                self._connections[key] = self._connected(name, service)
            connected = self._connections[key]
        return connected(deadline)

    def _connected(self, name: str, service: RagServiceConfig) -> _Connected:
        match service.type:
            case "http":
                return self._http(name, service)
            case "s3vectors":
                return self._s3vectors(name, service)
            case "bedrock_kb":
                return _bedrock_kb(name, service)
            case "internal":
                return self.own
            case _:
                assert_never(service.type)

    def _http(self, name: str, service: RagServiceConfig) -> _Connected:
        from functions.retrieval.retrievers.remote import RemoteService

        if service.url is None:
            raise RetrievalError(f"the service {name!r} needs a url", code="invalid")
        return RemoteService(name, service, egress=self.egress, transport=self.transport).retriever

    def _s3vectors(self, name: str, service: RagServiceConfig) -> _Connected:
        from flexchat.retry import Retry
        from functions.retrieval.aws.s3vectors import VectorBucket
        from functions.retrieval.retrievers.s3vectors import S3VectorsRetriever

        if service.bucket is None or service.embedding_model is None:
            raise RetrievalError(f"the service {name!r} needs a bucket and an embedding_model", code="invalid")
        vectors = VectorBucket.create(service.bucket, region=service.region, timeout_seconds=service.timeout_ms / 1000)
        model = service.embedding_model
        return lambda deadline: S3VectorsRetriever(
            name=name,
            service=service,
            vectors=vectors,
            embedder=self.embedders().named(model, purpose="query", dimensions=service.embedding_dimensions),
            retry=Retry(max_retries=service.max_retries),
            deadline=deadline,
        )


def _bedrock_kb(name: str, service: RagServiceConfig) -> _Connected:
    from flexchat.retry import Retry
    from functions.retrieval.aws.bedrock import KnowledgeBases
    from functions.retrieval.retrievers.bedrock_kb import KnowledgeBaseRetriever

    bases = KnowledgeBases.create(region=service.region, timeout_seconds=service.timeout_ms / 1000)
    return lambda deadline: KnowledgeBaseRetriever(
        name=name,
        service=service,
        bases=bases,
        retry=Retry(max_retries=service.max_retries),
        deadline=deadline,
    )
