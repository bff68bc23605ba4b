"""Collections and services that a search tool may use."""

import pytest

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.errors import RetrievalError, ToolError
from flexchat.messages import Json
from flexchat.retrieval import CollectionMetadata
from tests.functional.retrieval.collections import FAQ, HTTP, TOOLS, reason, texts
from tests.functional.retrieval.memory_services import (
    MemoryCollection,
    MemoryRetriever,
    MemoryServices,
    deployment_services,
)


def test_unknown_collection_error_lists_the_available_collections() -> None:
    with pytest.raises(ToolError) as error:
        deployment_services({"docs": TOOLS, "faq": FAQ}).search(collection="dosc")

    assert reason(error) == (
        "invalid_arguments",
        "collection 'dosc' not found; did you mean 'docs'? The collections are: docs, faq",
    )


@pytest.mark.parametrize("name", ["../secrets", "Docs", "a" * 64, "do\ncs"])
def test_invalid_collection_name_is_rejected_before_the_search(name: str) -> None:
    services = deployment_services({"faq": FAQ})

    with pytest.raises(ToolError) as error:
        services.search(collection=name)

    assert error.value.message == f"collection {name!r} not found. The collections are: faq"
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

    assert services.search(using=using)["skipped"] == [{"collection": "gone", "reason": "collection 'gone' not found"}]
    with pytest.raises(ToolError) as error:
        services.search(collection="gone", using=using)
    assert reason(error) == ("invalid_arguments", "collection 'gone' not found. The collections are: docs")


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


@pytest.mark.parametrize("using", [{}, {"collections": ["docs", "faq", "secret"]}])
def test_only_collections_of_the_caller_are_searched(using: dict[str, Json]) -> None:
    services = deployment_services({"docs": TOOLS, "faq": FAQ, "secret": TOOLS})

    assert services.search(using=using, permitted=("d*", "faq"))["searched"] == ["docs", "faq"]
    with pytest.raises(ToolError) as error:
        services.search(collection="secret", using=using, permitted=("d*", "faq"))
    assert error.value.message == "collection 'secret' not found. The collections are: docs, faq"


def test_a_caller_without_collections_finds_none() -> None:
    with pytest.raises(ToolError, match="no collection"):
        deployment_services({"docs": TOOLS}).search(permitted=())
