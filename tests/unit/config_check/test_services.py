"""RAG services have the fields that their type needs."""

from collections.abc import Mapping

import pytest

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.config_check.check import check_source
from flexchat.messages import Json
from flexchat.tool_types import TOOL_TYPES
from tests.unit.config.sources import problem_lines, source, tool

VECTORS: dict[str, Json] = {
    "type": "s3vectors",
    "bucket": "my-vectors",
    "embedding_model": "main:text-embedding-3-small",
    "collections": ["docs"],
}
KNOWLEDGE: dict[str, Json] = {"type": "bedrock_kb", "collection_ids": {"docs": "ABCDEFGHIJ"}}
REMOTE: dict[str, Json] = {"type": "http", "url": "https://search.example.com"}


def problems(service: Mapping[str, Json], *, name: str = "docs", severity: str = "error") -> list[str]:
    document = source(rag_services={name: dict(service)}, responses=[])
    found = problem_lines(check_source(document, {})[1], severity)
    return [line.removeprefix("rag_services.") for line in found if line.startswith("rag_services")]


@pytest.mark.parametrize(
    "service", [{}, VECTORS, KNOWLEDGE, REMOTE], ids=["internal", "s3vectors", "bedrock_kb", "http"]
)
def test_a_service_with_the_required_options_has_no_problem(service: dict[str, Json]) -> None:
    assert (problems(service), problems(service, severity="warning")) == ([], [])


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        (
            {"type": "s3vectors"},
            [
                "docs.bucket: is required for a service of type 's3vectors'",
                "docs.embedding_model: is required for a service of type 's3vectors'",
                "docs.collections: is required for a service of type 's3vectors': the indexes to search",
            ],
        ),
        (
            {"type": "bedrock_kb", "collections": ["docs"]},
            [("docs.collection_ids: is required for a service of type 'bedrock_kb': {collection: knowledge base id}")],
        ),
        (
            {**KNOWLEDGE, "collections": ["doc"]},
            ["docs.collections[0]: 'doc' has no knowledge base in collection_ids; did you mean 'docs'?"],
        ),
        (
            {**KNOWLEDGE, "collection_ids": {"docs": "short"}},
            [
                (
                    "docs.collection_ids.docs: "
                    "'short' is not a knowledge base; it must be an id such as 'ABCDEFGHIJ', or an ARN"
                )
            ],
        ),
        (
            {**VECTORS, "collections": ["my_docs"]},
            [
                (
                    "docs.collections: 'my_docs' is not an index name; it must be 3 to 63 of a-z, 0-9, . and -; "
                    "set the index of the collection in collection_ids"
                )
            ],
        ),
        (
            {**REMOTE, "collections": ["Our Docs"]},
            [
                (
                    "docs.collections[0]: 'Our Docs' is not a collection name; "
                    "it must be up to 63 of a-z, 0-9, _ and -; "
                    "set the service's own name in collection_ids"
                )
            ],
        ),
        (
            {**VECTORS, "embedding_model": "mane:m"},
            ["docs.embedding_model: no llm named 'mane' among 'main', 'local'; did you mean 'main'?"],
        ),
    ],
)
def test_unsupported_options_are_an_error_with_the_correct_form(service: dict[str, Json], expected: list[str]) -> None:
    assert problems(service) == expected


def test_an_index_with_its_own_name_serves_a_collection_of_any_name() -> None:
    assert problems({**VECTORS, "collections": ["my_docs"], "collection_ids": {"my_docs": "my-docs.v2"}}) == []


def test_a_knowledge_base_can_be_given_by_its_arn() -> None:
    arn = "arn:aws:bedrock:eu-central-1:123456789012:knowledge-base/ABCDEFGHIJ"

    assert problems({**KNOWLEDGE, "collection_ids": {"comment": "owned by Ada", "docs": arn}}) == []


def test_an_http_service_is_one_collection_with_the_name_of_the_service() -> None:
    (problem,) = problems(REMOTE, name="Docs.v1")

    assert problem.endswith(".collections: is required: the service's own name 'Docs.v1' is not a collection name")
    assert problems({**REMOTE, "collections": ["docs"]}, name="Docs.v1") == []


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        (
            {"url": "https://x.example", "collection_ids": {"docs": "x"}},
            [
                "docs.url: is not used: it is for services of type 'http'",
                "docs.collection_ids: is not used: it is for services of type 'http' or 's3vectors' or 'bedrock_kb'",
            ],
        ),
        (
            {**REMOTE, "collections": ["docs"], "collection_ids": {"doc": "x"}},
            ["docs.collection_ids.doc: 'doc' is not among the service's collections; did you mean 'docs'?"],
        ),
        (
            {"max_distance": 0.4},
            ["docs.max_distance: must not be below partial_threshold (0.5): it would drop partial results"],
        ),
    ],
)
def test_options_without_effect_are_a_warning(service: dict[str, Json], expected: list[str]) -> None:
    assert problems(service, severity="warning") == expected


def test_a_model_of_a_provider_without_embeddings_is_an_error() -> None:
    document = source(
        llms={"claude": {"type": "anthropic"}, "main": {"type": "openai"}, "odd": {"type": "nope"}},
        rag_services={
            "one": {**VECTORS, "embedding_model": "claude:claude-opus-4-5"},
            "two": {**VECTORS, "embedding_model": "odd:reported-already"},
        },
        responses=[],
        topic=None,
    )

    found = [line for line in problem_lines(check_source(document, {})[1]) if line.startswith("rag_services")]

    assert found == ["rag_services.one.embedding_model: llms.claude is of type 'anthropic', which has no embeddings"]


def test_a_tool_with_an_unknown_service_is_reported_at_the_service_name() -> None:
    searching = {"type": "internal", "handler": "rag_query"}
    document = source(
        tools={
            "enabled": True,
            "registry": [
                tool("a", implementation={**searching, "services": ["docs", "docks"]}),
                tool("b", implementation={**searching, "service": "docks"}),
                tool("c", implementation={**searching, "service": {"name": "inline"}}),
            ],
        },
        responses=[],
    )

    assert list(problem_lines(check_source(document, TOOL_TYPES)[1])) == [
        "tools.registry[0].implementation.services[1]: no service named 'docks'; did you mean 'docs'?",
        "tools.registry[1].implementation.service: no service named 'docks'; did you mean 'docs'?",
    ]


@pytest.mark.parametrize(
    ("service", "names"),
    [
        (RagServiceConfig(), ()),
        (RagServiceConfig(collections=("a",)), ("a",)),
        (RagServiceConfig(type="http"), ("docs",)),
        (RagServiceConfig(type="http", collection_ids={"b": "B"}), ("b",)),
        (RagServiceConfig(type="http", collections=("a",), collection_ids={"b": "B"}), ("a",)),
        (RagServiceConfig(type="bedrock_kb"), ()),
    ],
)
def test_the_collections_of_a_service_are_listed(service: RagServiceConfig, names: tuple[str, ...]) -> None:
    assert service.collection_names("docs") == names
