"""HTTP vector service that ranks passages by common words."""

import json

import httpx

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.retrieval import Retriever
from functions.retrieval.retrievers.remote import RemoteService
from tests.contract.retrievers import COLLECTION, nearest, words
from tests.mock_transport import MockTransport
from tests.unit.retrieval_remote.clock import Time

SERVICE = RagServiceConfig(type="http", url="https://search.example.com/query", collections=(COLLECTION,))


class RemoteHarness:
    def retriever(self) -> Retriever:
        return self._on(_answered)

    def unreachable(self) -> Retriever:
        return self._on(_refused)

    def _on(self, server: MockTransport) -> Retriever:
        time = Time()
        service = RemoteService("desk", SERVICE, retry=time.retry(), transport=server)
        return service.retriever(time.deadline())


def _answer(request: httpx.Request) -> httpx.Response:
    query_words = json.loads(request.content)
    found = nearest(words(query_words["query"]), {}, query_words["top_k"])
    results = [
        {
            "text": stored.text,
            "distance": distance,
            "metadata": {"title": stored.title, "source": stored.source, **stored.metadata},
        }
        for stored, distance in found
    ]
    return httpx.Response(200, json={"results": results, "collection_metadata": {}})


def _refuse(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("connection refused", request=request)


_answered = MockTransport(_answer)
_refused = MockTransport(_refuse)
