"""An existing vector service over HTTP."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.errors import RetrievalError
from flexchat.messages import Json
from flexchat.retrieval import CollectionInfo, CollectionMetadata, Hit, Passage, SearchQuery, SearchResult
from functions.retrieval.retrievers.remote import RemoteRetriever, RemoteService
from tests.unit.retrieval_remote.clock import Time

SERVICE = RagServiceConfig(
    type="http",
    url="https://search.example.com/query",
    collections=("docs", "faq"),
    collection_ids={"faq": "Frequently Asked"},
    headers={"Authorization": "Bearer key-of-the-tests"},
)


class Server:
    """Server that returns one answer to every query and records the queries."""

    def __init__(self, answer: object, status: int = 200) -> None:
        self._answer = answer
        self._status = status
        self.requests: list[dict[str, Any]] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(json.loads(request.content))
        return httpx2.Response(self._status, json=self._answer)


def retriever(server: Server, service: RagServiceConfig = SERVICE) -> RemoteRetriever:
    time = Time()
    connected = RemoteService("desk", service, retry=time.retry(), transport=httpx2.MockTransport(server))
    return connected.retriever(time.deadline())


def answer(*results: Mapping[str, Any], **more: Json) -> dict[str, Any]:
    return {"results": list(results), **more}


def test_responses_of_the_own_contract_become_passages() -> None:
    server = Server(
        answer(
            {
                "text": "Write a Lambda.",
                "distance": 0.25,
                "metadata": {
                    "title": "Tools",
                    "source": "docs/tools.md",
                    "id": "p1",
                    "offset": 12,
                    "tags": ["a"],
                    "x": None,
                },
            },
            {"text": "Bare.", "distance": 0.5},
            collection_metadata={"match_threshold": 0.3, "partial_threshold": "wide", "unknown": 1},
            took_ms=4,
        )
    )

    result = retriever(server).search("docs", SearchQuery("how?", top_k=3))

    bare = result.hits[1].passage
    assert server.requests == [{"query": "how?", "collection": "docs", "top_k": 3}]
    first = Passage(
        id="p1",
        document_id="docs/tools.md",
        text="Write a Lambda.",
        title="Tools",
        source="docs/tools.md",
        offset=12,
        hash=hashlib.sha256(b"Write a Lambda.").hexdigest(),
        metadata={"title": "Tools", "source": "docs/tools.md", "id": "p1", "offset": 12, "tags": '["a"]'},
    )
    assert result == SearchResult(
        hits=(Hit(first, 0.25), Hit(bare, 0.5)),
        collection="docs",
        metadata=CollectionMetadata(match_threshold=0.3),
    )
    assert (bare.title, bare.source, bare.metadata, bare.document_id) == ("", "", {}, bare.id)


def test_a_collection_can_have_another_remote_name_and_other_metadata_keys() -> None:
    server = Server(answer({"text": "x", "distance": 0, "metadata": {"heading": "H", "url": "https://u"}}))
    service = SERVICE.model_copy(update={"title_field": "heading", "source_field": "url"})

    (hit,) = retriever(server, service).search("faq", SearchQuery("q")).hits

    assert server.requests[0]["collection"] == "Frequently Asked"
    assert (hit.passage.title, hit.passage.source) == ("H", "https://u")


def test_too_distant_and_excess_passages_are_dropped_and_the_order_is_preserved() -> None:
    found = [{"text": str(distance), "distance": distance} for distance in (0.4, 0.1, 0.9, 0.3)]

    result = retriever(Server(answer(*found))).search("docs", SearchQuery("q", top_k=2, max_distance=0.5))

    assert [hit.distance for hit in result.hits] == [0.4, 0.1]


def test_filters_are_applied_locally_to_all_returned_passages() -> None:
    found = [
        {"text": "a", "distance": 0.1, "metadata": {"lang": "de", "draft": False}},
        {"text": "b", "distance": 0.2, "metadata": {"lang": "en", "draft": 0}},
        {"text": "c", "distance": 0.3, "metadata": {"lang": "en", "draft": False}},
    ]
    server = Server(answer(*found))

    result = retriever(server).search("docs", SearchQuery("q", top_k=1, filters={"lang": "en", "draft": False}))

    assert [hit.passage.text for hit in result.hits] == ["c"]
    assert server.requests[0]["top_k"] == 100


@pytest.mark.parametrize(("given", "taken"), [(-0.0004, 0.0), (2.0005, 2.0), (1, 1.0)])
def test_a_distance_rounded_beyond_the_range_is_clamped(given: float, taken: float) -> None:
    (hit,) = retriever(Server(answer({"text": "x", "distance": given}))).search("docs", SearchQuery("q")).hits

    assert hit.distance == taken


BAD_ANSWERS: list[Json] = [
    [],
    {},
    {"results": None},
    {"results": [{"distance": 0.1}]},
    {"results": [{"text": "x"}]},
    {"results": [{"text": "x", "distance": "near"}]},
    {"results": [{"text": "x", "distance": 7.5}]},
    {"results": [{"text": "x", "distance": -1}]},
    {"results": [{"text": "x", "distance": 0.1, "metadata": []}]},
]


@pytest.mark.parametrize("body", BAD_ANSWERS)
def test_a_response_outside_the_contract_is_an_error(body: object) -> None:
    with pytest.raises(RetrievalError) as error:
        retriever(Server(body)).search("docs", SearchQuery("q"))

    assert error.value.message == "the service 'desk' returned a response that cannot be parsed"


@pytest.mark.parametrize(("status", "code"), [(404, "not_found"), (413, "too_large"), (401, "unavailable")])
def test_a_rejection_has_its_meaning_for_the_collection(status: int, code: str) -> None:
    with pytest.raises(RetrievalError) as error:
        retriever(Server({"error": "no"}, status)).search("docs", SearchQuery("q"))

    assert error.value.code == code


def test_an_unconfigured_collection_is_not_requested() -> None:
    server = Server(answer())

    with pytest.raises(RetrievalError) as error:
        retriever(server).search("secret", SearchQuery("q"))

    assert (error.value.code, server.requests) == ("not_found", [])


def test_a_lone_surrogate_breaks_neither_question_nor_response() -> None:
    server = Server(answer({"text": "x", "distance": 0.1, "metadata": {"title": "t"}}))

    retriever(server).search("docs", SearchQuery("a\ud800"))

    assert server.requests[0]["query"] == "a?"


def test_the_collections_are_from_the_configuration() -> None:
    assert retriever(Server(answer())).collections() == (
        CollectionInfo(name="docs", created_at="", updated_at=""),
        CollectionInfo(name="faq", created_at="", updated_at=""),
    )


def test_a_service_without_a_list_is_one_collection() -> None:
    service = RagServiceConfig(type="http", url="https://search.example.com")

    assert [info.name for info in retriever(Server(answer()), service).collections()] == ["desk"]
