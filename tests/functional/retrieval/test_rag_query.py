"""Results of a search tool: passages, failures and size."""

import threading
from typing import Any

import pytest

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import time_left, time_limit
from flexchat.errors import RetrievalError, ToolError, ToolInputError, UnavailableError
from flexchat.json import byte_size
from flexchat.messages import Json
from flexchat.retrieval import CollectionMetadata, SearchQuery, SearchResult
from functions.retrieval.search import MAX_COLLECTIONS, Search
from functions.retrieval.services import SearchServices
from functions.retrieval.tool import SearchTool
from tests.functional.retrieval.collections import FAQ, HTTP, TOOLS, reason, texts
from tests.functional.retrieval.memory_services import (
    MemoryCollection,
    MemoryRetriever,
    MemoryServices,
    call,
    deployment_services,
    hit,
    implementation_of,
)


def test_named_collection_returns_passages_with_title_source_and_distance() -> None:
    result = deployment_services({"docs": TOOLS, "faq": FAQ}).search("add a tool", collection="docs")

    assert result == {
        "results": [
            {
                "title": "Adding a tool",
                "source": "docs/tools.md",
                "text": "Write a Lambda.",
                "distance": 0.2,
                "id": "Write a Lambda.#0",
                "offset": 0,
                "metadata": {"lang": "en"},
                "collection": "docs",
                "relevance": "match",
            }
        ],
        "searched": ["docs"],
        "skipped": [],
    }


def test_query_reaches_the_retriever_unchanged() -> None:
    retriever = MemoryRetriever({"tickets": TOOLS})
    services = MemoryServices({"desk": HTTP}, {"desk": retriever})
    raw = 'quotes " OR col:x -b \0 \N{GRINNING FACE}'

    services.search(raw, collection="tickets", max_results=3, filters={"lang": "en", "year": 2024, "open": True})

    assert retriever.searches == [
        (
            "tickets",
            SearchQuery(text=raw, top_k=3, filters={"lang": "en", "year": 2024, "open": True}, max_distance=0.9),
        )
    ]


def test_all_collections_are_searched_and_matches_listed_first() -> None:
    services = deployment_services(
        {
            "docs": MemoryCollection([hit("far", 0.6), hit("partial", 0.4)]),
            "faq": MemoryCollection([hit("near", 0.1), hit("also partial", 0.3)]),
        }
    )

    result = services.search()

    assert [(passage["text"], passage["relevance"]) for passage in result["results"]] == [
        ("near", "match"),
        ("also partial", "partial"),
        ("partial", "partial"),
        ("far", "none"),
    ]
    assert result["searched"] == ["docs", "faq"]


def test_passages_of_a_collection_preserve_the_order_of_its_retriever() -> None:
    services = deployment_services({"docs": MemoryCollection([hit("by words", 0.6), hit("by vector", 0.1)])})

    assert texts(services.search()) == ["by words", "by vector"]


def test_collection_thresholds_override_service_thresholds() -> None:
    lexical = CollectionMetadata(match_threshold=0.8, partial_threshold=0.9)
    services = deployment_services({"docs": MemoryCollection([hit("near", 0.7)], metadata=lexical), "faq": FAQ})

    assert [(p["collection"], p["relevance"]) for p in services.search()["results"]] == [
        ("docs", "match"),
        ("faq", "none"),
    ]


def test_results_of_all_collections_are_limited_together() -> None:
    collections = {name: MemoryCollection([hit(f"{name} {n}", 0.1 * n) for n in range(1, 6)]) for name in ("a", "b")}

    assert len(deployment_services(collections).search()["results"]) == 5
    assert texts(deployment_services(collections).search(max_results=2)) == ["a 1", "b 1"]


def test_failed_collection_is_skipped_and_the_others_answer() -> None:
    broken = MemoryCollection(fault=RetrievalError("the index is damaged", code="damaged"))

    result = deployment_services({"docs": TOOLS, "old": broken}).search()

    assert (texts(result), result["searched"], result["skipped"]) == (
        ["Write a Lambda."],
        ["docs"],
        [{"collection": "old", "reason": "the index is damaged"}],
    )


def test_collection_timeout_is_skipped() -> None:
    gate = threading.Event()
    services = deployment_services({"docs": TOOLS, "slow": MemoryCollection(gate=gate)})
    try:
        result = services.search(timeout_ms=300)
    finally:
        gate.set()

    assert (texts(result), result["skipped"]) == (
        ["Write a Lambda."],
        [{"collection": "slow", "reason": "it did not answer in time"}],
    )


def test_unexpected_error_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        deployment_services({"docs": TOOLS, "odd": MemoryCollection(fault=ZeroDivisionError())}).search()


def test_error_has_the_reasons_when_every_collection_fails() -> None:
    broken = MemoryCollection(fault=RetrievalError("the index is damaged", code="damaged"))

    with pytest.raises(ToolError) as error:
        deployment_services({"a": broken, "b": broken}).search()

    assert reason(error) == (
        "unavailable",
        "no collection could be searched (a: the index is damaged; b: the index is damaged)",
    )


def test_search_without_any_collection_is_reported() -> None:
    with pytest.raises(ToolError) as error:
        deployment_services({}).search()

    assert reason(error) == ("execution_failed", "no collections are configured for this search")


def test_number_of_searched_collections_is_limited_and_the_others_reported() -> None:
    result = deployment_services(
        {f"c{n:02}": MemoryCollection([hit(f"{n}", 0.5)]) for n in range(MAX_COLLECTIONS + 2)}
    ).search()

    assert len(result["searched"]) == MAX_COLLECTIONS
    assert result["skipped"] == [
        {"collection": f"c{n}", "reason": "only 16 collections are searched at once; name this one"} for n in (16, 17)
    ]


def test_deadline_of_a_search_is_limited_by_service_and_call() -> None:
    retriever = MemoryRetriever({"docs": TOOLS})
    services = MemoryServices({"own": RagServiceConfig(timeout_ms=2_000)}, {"own": retriever})
    tool = services.tool(clock=lambda: 100.0)
    implementation = implementation_of()

    for timeout_ms in (60_000, 1_000):
        tool(call({"query": "x", "collection": "docs"}, timeout_ms=timeout_ms), implementation)

    assert [round(deadline.at, 3) for deadline in retriever.deadlines] == [102.0, 100.9]


def test_socket_timeouts_end_with_the_call() -> None:
    limits: list[float | None] = []

    class RecordingRetriever(MemoryRetriever):
        def search(self, collection: str, query: SearchQuery) -> SearchResult:
            limits.append(time_left())
            return super().search(collection, query)

    services = MemoryServices(services={}, retrievers={"internal": RecordingRetriever({"docs": TOOLS, "faq": FAQ})})

    with time_limit(60):
        services.search()

    assert [left is not None and 0 < left <= 60 for left in limits] == [True, True]


@pytest.mark.parametrize(
    ("code", "kind"),
    [("unavailable", "unavailable"), ("damaged", "execution_failed"), ("invalid", "execution_failed")],
)
def test_failed_named_collection_is_reported_with_its_reason(code: Any, kind: str) -> None:
    with pytest.raises(ToolError) as error:
        deployment_services({"docs": MemoryCollection(fault=RetrievalError("it is so", code=code))}).search(
            collection="docs"
        )

    assert reason(error) == (kind, "the collection 'docs' cannot be searched: it is so")
    assert error.value.user_message == "The documents cannot be searched at the moment."


def test_unreadable_configuration_is_reported_without_details() -> None:
    def catalog() -> Any:
        raise UnavailableError("SSM at 10.0.0.7 does not answer")

    services = deployment_services({"docs": TOOLS})
    tool = SearchTool(Search(services=SearchServices(catalog=catalog, create=services.create)))

    with pytest.raises(ToolError) as error:
        tool(call({"query": "x"}), implementation_of())

    assert reason(error) == ("unavailable", "the configuration of the search cannot be read")


BAD_FILTERS: list[Json] = [[], "a", {"a": None}, {"a": ["b"]}, {str(n): n for n in range(11)}, {"x" * 129: 1}]
BAD_ARGUMENTS: list[tuple[dict[str, Json], tuple[str, ...]]] = [
    ({}, ("Missing required parameter: query",)),
    ({"query": 5}, ("query must be a string",)),
    ({"query": "x", "collection": 5}, ("collection must be a string",)),
    ({"query": "x", "max_results": "5"}, ("max_results must be an integer",)),
    ({"query": "x", "max_results": True}, ("max_results must be an integer",)),
    ({"query": "x", "max_results": 0}, ("max_results must be at least 1 and at most 20",)),
    ({"query": "x", "max_results": 21}, ("max_results must be at least 1 and at most 20",)),
    *(
        (
            {"query": "x", "filters": filters},
            ("filters must be an object of at most 10 fields, each a string, number or boolean",),
        )
        for filters in BAD_FILTERS
    ),
    (
        {"collection": 1, "max_results": 0.5},
        ("Missing required parameter: query", "collection must be a string", "max_results must be an integer"),
    ),
]


@pytest.mark.parametrize(("arguments", "errors"), BAD_ARGUMENTS)
def test_all_invalid_arguments_are_reported(arguments: dict[str, Json], errors: tuple[str, ...]) -> None:
    with pytest.raises(ToolInputError) as error:
        deployment_services({"docs": TOOLS}).tool()(call(arguments), implementation_of())

    assert error.value.errors == errors


@pytest.mark.parametrize(
    "arguments", [{"max_results": 5.0}, {"max_results": None}, {"filters": None}, {"collection": " "}]
)
def test_omitted_or_convertible_arguments_are_accepted(arguments: dict[str, Json]) -> None:
    result = deployment_services({"docs": TOOLS}).tool()(call({"query": "x", **arguments}), implementation_of())

    assert result["searched"] == ["docs"]


def test_result_is_truncated_to_its_size_within_each_passage() -> None:
    long = [hit(f"begin{n} " + "word ü\n" * 4_000 + f"end{n}", 0.1) for n in range(5)]

    result = deployment_services({"docs": MemoryCollection([*long[:4], hit("short", 0.1)])}).search()

    assert 23_000 < byte_size(result) <= 24_000
    assert texts(result)[4] == "short"
    for number, text in enumerate(texts(result)[:4]):
        assert text.startswith(f"begin{number} ")
        assert text.endswith(f"end{number}")
        assert "characters left out" in text


def test_result_size_is_configurable() -> None:
    collection = MemoryCollection([hit("word " * 2_000, 0.1, metadata={"note": "x" * 3_000}) for _ in range(20)])

    result = deployment_services({"docs": collection}).search(max_results=20, using={"max_bytes": 2_000})

    assert byte_size(result) <= 2_000
    assert 0 < len(result["results"]) < 20
    assert {len(passage["metadata"]) for passage in result["results"]} == {0}
