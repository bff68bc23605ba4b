"""Search events: one response per event, within its timeout."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from flexchat.errors import RetrievalError
from flexchat.search import SearchRequest, SearchResponse
from functions.retrieval.search import Search, search_handler
from functions.retrieval.services import SearchServices
from tests.contract.tool_lambdas import context
from tests.functional.retrieval.memory_services import MemoryCollection, MemoryServices, deployment_services, hit

EVENT = json.loads((Path(__file__).parents[3] / "events" / "retrieval-search.json").read_text())
COLLECTION = MemoryCollection([hit("Write a Lambda.", 0.2, title="Adding a tool", source="tools.md")])


def respond(services: MemoryServices, *, remaining_ms: int = 60_000, **changes: Any) -> dict[str, Any]:
    search = Search(services=SearchServices(catalog=services.catalog, create=services.create))
    return search_handler(search)({**EVENT, **changes}, context(remaining_ms))


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_search_returns_its_hits_and_class() -> None:
    assert respond(deployment_services({"docs": COLLECTION})) == {
        "version": 1,
        "hits": [
            {
                "title": "Adding a tool",
                "source": "tools.md",
                "text": "Write a Lambda.",
                "distance": 0.2,
                "id": "Write a Lambda.#0",
                "offset": 0,
                "metadata": {},
                "collection": "docs",
                "relevance": "match",
            }
        ],
        "searched": ["docs"],
        "skipped": [],
    }


def test_unknown_collection_is_an_error_with_its_code() -> None:
    assert respond(deployment_services({"docs": COLLECTION}), collection="dosc")["error"] == {
        "code": "not_found",
        "message": "collection 'dosc' not found; did you mean 'docs'? The collections are: docs",
    }


def test_failed_search_is_an_error_with_the_code_of_its_cause() -> None:
    broken = MemoryCollection(fault=RetrievalError("the index is damaged", code="damaged"))

    assert respond(deployment_services({"docs": broken}), collection="docs")["error"] == {
        "code": "damaged",
        "message": "the collection 'docs' cannot be searched: the index is damaged",
    }


def test_crash_is_an_error_without_its_cause(capsys: pytest.CaptureFixture[str]) -> None:
    response = respond(deployment_services({"docs": MemoryCollection(fault=ValueError("password=hunter2"))}))

    assert response["error"] == {"code": "damaged", "message": "the search failed unexpectedly"}
    output = capsys.readouterr().out
    assert "operation crashed" in output
    assert "hunter2" not in output


def test_search_ends_at_its_timeout() -> None:
    gate = threading.Event()

    def hangs(_request: SearchRequest) -> SearchResponse:
        gate.wait()
        return SearchResponse()

    response = search_handler(hangs)({**EVENT, "timeout_ms": 20}, context())
    gate.set()

    assert response["error"] == {"code": "unavailable", "message": "the search timed out after 20 ms"}


def test_search_without_remaining_time_is_not_started() -> None:
    services = deployment_services({"docs": COLLECTION})

    assert respond(services, remaining_ms=100)["error"]["message"] == "the search timed out after 0 ms"
    assert services.created == []


def test_invalid_event_is_rejected_with_the_names_of_its_fields() -> None:
    response = respond(deployment_services({"docs": COLLECTION}), top_k=0, surprise="canary")

    assert response["error"] == {
        "code": "configuration",
        "message": "Not a search request: surprise, top_k invalid",
    }


def test_search_is_logged_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    respond(deployment_services({"docs": COLLECTION}))

    written = lines(capsys)
    [line] = [line for line in written if line.get("message") == "search finished"]
    [metrics] = [line for line in written if "_aws" in line]
    assert (line["hits"], line["skipped"], line["request_id"]) == (1, 0, EVENT["request_id"])
    assert (metrics["tool"], metrics["ToolCalls"], metrics["ToolFaults"]) == ("rag_query", [1.0], [0.0])
