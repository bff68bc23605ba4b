"""HTTP vector service that ranks passages by common words."""

import json

import httpx2

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.retrieval import Retriever
from functions.retrieval.retrievers.remote import RemoteService
from tests.contract.retrievers import COLLECTION, nearest, words
from tests.unit.retrieval_remote.clock import Time

SERVICE = RagServiceConfig(type="http", url="https://search.example.com/query", collections=(COLLECTION,))


class RemoteHarness:
    def retriever(self) -> Retriever:
        return self._on(_answered)

    def unreachable(self) -> Retriever:
        return self._on(_refused)

    def _on(self, server: httpx2.MockTransport) -> Retriever:
        time = Time()
        service = RemoteService("desk", SERVICE, retry=time.retry(), transport=server)
        return service.retriever(time.deadline())


def _answer(request: httpx2.Request) -> httpx2.Response:
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
    return httpx2.Response(200, json={"results": results, "collection_metadata": {}})


def _refuse(request: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("connection refused", request=request)


_answered = httpx2.MockTransport(_answer)
_refused = httpx2.MockTransport(_refuse)
