"""Results and allowed collections of a search tool."""

import threading
from typing import Any

import pytest

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.errors import RetrievalError, ToolError, ToolInputError, UnavailableError
from flexchat.json import byte_size
from flexchat.messages import Json
from flexchat.retrieval import CollectionMetadata, SearchQuery, SearchResult
from flexchat.timeouts import time_left, time_limit
from functions.retrieval.search import MAX_COLLECTIONS, Search
from functions.retrieval.services import SearchServices
from functions.retrieval.tool import SearchTool
from tests.functional.retrieval.memory_services import (
    MemoryCollection,
    MemoryRetriever,
    MemoryServices,
    call,
    deployment_services,
    hit,
    implementation_of,
)

TOOLS = MemoryCollection(
    [hit("Write a Lambda.", 0.2, title="Adding a tool", source="docs/tools.md", metadata={"lang": "en"})]
)
FAQ = MemoryCollection([hit("Ask us.", 0.7, title="FAQ", source="faq.md")])
HTTP = RagServiceConfig(type="http", url="https://search.example.com", collections=("tickets",), max_distance=0.9)


def texts(result: dict[str, Any]) -> list[str]:
    return [passage["text"] for passage in result["results"]]


def reason(error: pytest.ExceptionInfo[ToolError]) -> tuple[str, str]:
    return error.value.type, error.value.message


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

    assert reason(error) == ("execution_failed", "there is no collection to search")


def test_number_of_searched_collections_is_limited_and_the_others_reported() -> None:
    result = deployment_services(
        {f"c{n:02}": MemoryCollection([hit(f"{n}", 0.5)]) for n in range(MAX_COLLECTIONS + 2)}
    ).search()

    assert len(result["searched"]) == MAX_COLLECTIONS
    assert result["skipped"] == [
        {"collection": f"c{n}", "reason": "only 16 collections are searched at once; name this one"} for n in (16, 17)
    ]


def test_unknown_collection_error_lists_the_available_collections() -> None:
    with pytest.raises(ToolError) as error:
        deployment_services({"docs": TOOLS, "faq": FAQ}).search(collection="dosc")

    assert reason(error) == (
        "invalid_arguments",
        "there is no collection 'dosc' to search; did you mean 'docs'? There are: docs, faq",
    )


@pytest.mark.parametrize("name", ["../secrets", "Docs", "a" * 64, "do\ncs"])
def test_invalid_collection_name_is_rejected_before_the_search(name: str) -> None:
    services = deployment_services({"faq": FAQ})

    with pytest.raises(ToolError) as error:
        services.search(collection=name)

    assert error.value.message == f"there is no collection {name!r} to search. There are: faq"
    assert services.retrievers["internal"].searches == []


@pytest.mark.parametrize("allowed", [["faq"], ["faq", "gone"]])
def test_collection_outside_the_allowed_list_is_rejected_before_the_search(
    allowed: list[Json],
) -> None:
    services = deployment_services({"docs": TOOLS, "faq": FAQ})

    with pytest.raises(ToolError) as error:
        services.search(collection="docs", using={"collections": allowed})

    assert "docs" not in error.value.message.partition("There are:")[2]
    assert services.retrievers["internal"].searches == []


def test_only_allowed_collections_are_searched() -> None:
    services = deployment_services({"docs": TOOLS, "faq": FAQ, "secret": TOOLS})

    assert services.search(using={"collections": ["faq", "docs"]})["searched"] == ["faq", "docs"]


def test_missing_allowed_collection_is_skipped_or_reported_if_requested() -> None:
    services = deployment_services({"docs": TOOLS})
    using: Json = {"collections": ["docs", "gone"]}

    assert services.search(using=using)["skipped"] == [
        {"collection": "gone", "reason": "there is no collection 'gone'"}
    ]
    with pytest.raises(ToolError) as error:
        services.search(collection="gone", using=using)
    assert reason(error) == ("invalid_arguments", "there is no collection 'gone' to search. There are: docs")


def test_only_collections_listed_by_services_are_searched() -> None:
    services = MemoryServices(
        {"desk": HTTP, "own": RagServiceConfig(collections=("docs",))},
        {"desk": MemoryRetriever({"tickets": FAQ}), "own": MemoryRetriever({"docs": TOOLS, "secret": TOOLS})},
    )

    assert services.search()["searched"] == ["tickets", "docs"]
    with pytest.raises(ToolError):
        services.search(collection="secret")
    with pytest.raises(ToolError):
        services.search(collection="secret", using={"collections": ["secret"]})


def test_allowed_collection_may_be_of_the_deployment_beside_a_remote_service() -> None:
    services = MemoryServices(
        {"desk": HTTP}, {"desk": MemoryRetriever({"tickets": FAQ}), "internal": MemoryRetriever({"docs": TOOLS})}
    )

    assert services.search()["searched"] == ["tickets"]
    assert services.search(using={"collections": ["docs", "tickets"]})["searched"] == ["docs", "tickets"]


def test_service_without_a_list_has_all_unlisted_collections() -> None:
    services = MemoryServices(
        {"desk": HTTP, "own": RagServiceConfig()},
        {"desk": MemoryRetriever({"tickets": FAQ}), "own": MemoryRetriever({"docs": TOOLS, "tickets": TOOLS})},
    )

    assert services.search()["searched"] == ["tickets", "docs"]
    assert services.search(collection="tickets")["results"][0]["text"] == "Ask us."


def test_collection_is_searched_at_the_first_service_listing_it() -> None:
    services = MemoryServices(
        {"desk": HTTP, "own": RagServiceConfig(collections=("tickets",))},
        {"desk": MemoryRetriever({"tickets": FAQ}), "own": MemoryRetriever({"tickets": TOOLS})},
    )

    assert texts(services.search()) == texts(services.search(collection="tickets")) == ["Ask us."]


def test_service_with_a_failing_list_is_skipped() -> None:
    own_retriever = MemoryRetriever({}, listing_fault=RetrievalError("the bucket does not answer", code="unavailable"))
    services = MemoryServices(
        {"desk": HTTP, "own": RagServiceConfig()}, {"desk": MemoryRetriever({"tickets": FAQ}), "own": own_retriever}
    )

    result = services.search()

    assert (result["searched"], result["skipped"]) == (
        ["tickets"],
        [{"collection": "own", "reason": "the bucket does not answer"}],
    )


@pytest.mark.parametrize("using", [{"services": ["own"]}, {"service": "own"}, {"service": "own", "services": ["own"]}])
def test_implementation_can_select_services(using: Json) -> None:
    services = MemoryServices(
        {"desk": HTTP, "own": RagServiceConfig()},
        {"desk": MemoryRetriever({"tickets": FAQ}), "own": MemoryRetriever({"docs": TOOLS})},
    )

    assert services.search(using=using)["searched"] == ["docs"]
    with pytest.raises(ToolError):
        services.search(collection="tickets", using={"services": ["desk"], "collections": ["docs"]})


def test_unconfigured_service_is_skipped_and_no_service_is_an_error() -> None:
    services = MemoryServices({"own": RagServiceConfig()}, {"own": MemoryRetriever({"docs": TOOLS})})

    assert services.search(using={"services": ["own", "gone"]})["searched"] == ["docs"]
    with pytest.raises(ToolError) as error:
        services.search(using={"services": ["gone"]})
    assert reason(error) == ("configuration", "none of the services that this tool searches is available")


def test_inline_service_is_used_alone_with_its_collection_metadata() -> None:
    metadata = CollectionMetadata(display_name="Documents", match_threshold=0.6)
    retriever = MemoryRetriever({"docs": MemoryCollection(TOOLS.hits, metadata=metadata)})
    services = MemoryServices({"desk": HTTP}, {"given": retriever})
    service: Json = {"name": "given", "type": "http", "url": "https://x.example", "collections": ["docs"]}

    result = services.search(collection="docs", max_results=100, using={"service": service})

    assert result["collection_metadata"] == {"display_name": "Documents", "match_threshold": 0.6}
    assert texts(result) == ["Write a Lambda."]
    assert retriever.searches[0][1].top_k == 100


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

    class Watched(MemoryRetriever):
        def search(self, collection: str, query: SearchQuery) -> SearchResult:
            limits.append(time_left())
            return super().search(collection, query)

    services = MemoryServices(services={}, retrievers={"internal": Watched({"docs": TOOLS, "faq": FAQ})})

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
