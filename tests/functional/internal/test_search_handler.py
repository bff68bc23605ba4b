"""Search events: one response for each, within the time of its request."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from flexchat.errors import RetrievalError
from flexchat.search import SearchRequest, SearchResponse
from functions.retrieval.search import Search
from functions.retrieval.search_handler import search_handler
from functions.retrieval.services import SearchServices
from tests.contract.tool_lambdas import context
from tests.functional.internal.world import Shelf, World, hit, own

EVENT = json.loads((Path(__file__).parents[3] / "events" / "retrieval-search.json").read_text())
SHELF = Shelf([hit("Write a Lambda.", 0.2, title="Adding a tool", source="tools.md")])


def respond(world: World, *, remaining_ms: int = 60_000, **changes: Any) -> dict[str, Any]:
    search = Search(services=SearchServices(catalog=world.catalog, create=world.create))
    return search_handler(search)({**EVENT, **changes}, context(remaining_ms))


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_search_returns_its_hits_with_their_class() -> None:
    assert respond(own({"docs": SHELF})) == {
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


def test_an_unknown_collection_is_an_error_with_its_code() -> None:
    assert respond(own({"docs": SHELF}), collection="dosc")["error"] == {
        "code": "not_found",
        "message": "There is no collection 'dosc' to search; did you mean 'docs'? There are: docs",
    }


def test_a_failed_search_is_an_error_with_the_code_of_its_cause() -> None:
    broken = Shelf(fault=RetrievalError("the index is damaged", code="damaged"))

    assert respond(own({"docs": broken}), collection="docs")["error"] == {
        "code": "damaged",
        "message": "The collection 'docs' cannot be searched: the index is damaged",
    }


def test_a_crash_is_an_error_without_its_cause(capsys: pytest.CaptureFixture[str]) -> None:
    response = respond(own({"docs": Shelf(fault=ValueError("password=hunter2"))}))

    assert response["error"] == {"code": "damaged", "message": "The search failed unexpectedly"}
    output = capsys.readouterr().out
    assert "search crashed" in output
    assert "hunter2" not in output


def test_a_search_ends_at_its_timeout() -> None:
    gate = threading.Event()

    def hangs(_request: SearchRequest) -> SearchResponse:
        gate.wait()
        return SearchResponse()

    response = search_handler(hangs)({**EVENT, "timeout_ms": 20}, context())
    gate.set()

    assert response["error"] == {"code": "unavailable", "message": "The search timed out after 20 ms"}


def test_a_search_without_time_is_not_started() -> None:
    world = own({"docs": SHELF})

    assert respond(world, remaining_ms=100)["error"]["message"] == "The search timed out after 0 ms"
    assert world.created == []


def test_an_event_outside_the_contract_is_refused_with_the_names_of_its_fields() -> None:
    response = respond(own({"docs": SHELF}), top_k=0, surprise="canary")

    assert response["error"] == {
        "code": "configuration",
        "message": "Not a search request: surprise, top_k invalid",
    }


def test_a_search_is_logged_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    respond(own({"docs": SHELF}))

    written = lines(capsys)
    [line] = [line for line in written if line.get("message") == "search finished"]
    [metrics] = [line for line in written if "_aws" in line]
    assert (line["hits"], line["skipped"], line["request_id"]) == (1, 0, EVENT["request_id"])
    assert (metrics["tool"], metrics["ToolCalls"], metrics["ToolFaults"]) == ("rag_query", [1.0], [0.0])
