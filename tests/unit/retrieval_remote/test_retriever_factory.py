"""Retriever class of each service type."""

from typing import cast

import pytest

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from flexchat.retrieval import Retriever
from functions.retrieval.embeddings.factory import Embedders
from functions.retrieval.retrievers.bedrock_kb import KnowledgeBaseRetriever
from functions.retrieval.retrievers.factory import MAX_CONNECTIONS, Retrievers
from functions.retrieval.retrievers.remote import RemoteRetriever
from functions.retrieval.retrievers.s3vectors import S3VectorsRetriever

HTTP = RagServiceConfig(type="http", url="https://search.example.com")
VECTORS = RagServiceConfig(
    type="s3vectors",
    region="eu-west-1",
    bucket="my-vectors",
    embedding_model="main:m",
    embedding_dimensions=256,
    collections=("docs",),
)
BASES = RagServiceConfig(type="bedrock_kb", region="eu-west-1", collection_ids={"docs": "ABCDEFGHIJ"})
DEADLINE = Deadline.after(5)


class InternalRetriever:
    """Minimal fake of the deployment's own retriever."""


def retrievers(own: InternalRetriever | None = None) -> Retrievers:
    llms = {"main": LlmConfig(type="openai", api_key="k")}
    catalog = Catalog(configuration=Configuration(llms=llms), disabled=(), version="1")
    embedders = Embedders(catalog=lambda: catalog)

    def make_own(deadline: Deadline) -> Retriever:
        return cast("Retriever", own or InternalRetriever())

    return Retrievers(own=make_own, embedders=lambda: embedders, secrets=lambda service: service)


def test_a_service_of_type_internal_uses_the_sqlite_retriever() -> None:
    own = InternalRetriever()

    assert cast("object", retrievers(own)("docs", RagServiceConfig(), DEADLINE)) is own


@pytest.mark.parametrize(
    ("service", "kind"), [(HTTP, RemoteRetriever), (VECTORS, S3VectorsRetriever), (BASES, KnowledgeBaseRetriever)]
)
def test_each_other_type_has_its_own_retriever(service: RagServiceConfig, kind: type[object]) -> None:
    assert type(retrievers()("docs", service, DEADLINE)) is kind


def test_s3_vectors_embeds_questions_with_the_model_of_the_configuration() -> None:
    found = retrievers()("docs", VECTORS, DEADLINE)

    assert isinstance(found, S3VectorsRetriever)
    assert (found.embedder.name, found.embedder.dimensions) == ("main:m", 256)


def test_connections_to_a_service_are_created_once_per_configuration() -> None:
    made = retrievers()

    def vectors(service: RagServiceConfig) -> object:
        found = made("docs", service, DEADLINE)
        assert isinstance(found, S3VectorsRetriever)
        return found.vectors

    first = vectors(VECTORS)

    assert vectors(VECTORS.model_copy()) is first
    assert vectors(VECTORS.model_copy(update={"bucket": "another"})) is not first


def test_connections_of_changed_configurations_are_closed() -> None:
    made = retrievers()
    first = made("docs", VECTORS, DEADLINE)

    for number in range(MAX_CONNECTIONS):
        made("docs", HTTP.model_copy(update={"url": f"https://{number}.example"}), DEADLINE)
    again = made("docs", VECTORS, DEADLINE)

    assert isinstance(first, S3VectorsRetriever)
    assert isinstance(again, S3VectorsRetriever)
    assert again.vectors is not first.vectors


@pytest.mark.parametrize(
    ("service", "message"),
    [
        (RagServiceConfig(type="http"), "the service 'docs' needs a url"),
        (RagServiceConfig(type="s3vectors"), "the service 'docs' needs a bucket and an embedding_model"),
        (
            VECTORS.model_copy(update={"embedding_model": "gone:m"}),
            "the embedding model 'gone:m' cannot be used: no llm named 'gone' among 'main'",
        ),
    ],
)
def test_a_service_without_required_options_is_an_error(service: RagServiceConfig, message: str) -> None:
    with pytest.raises(RetrievalError) as error:
        retrievers()("docs", service, DEADLINE)

    assert (error.value.code, error.value.message) == ("invalid", message)
