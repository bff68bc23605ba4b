"""Amazon S3 Vectors, checked against botocore's service model."""

import math
from collections.abc import Sequence
from typing import Any, cast

import botocore.session
import pytest
from boto3.session import Session
from botocore.exceptions import ConnectTimeoutError, EndpointConnectionError

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError, TransientRetrievalError
from flexchat.retrieval import CollectionInfo, CollectionMetadata, SearchQuery, SearchResult
from functions.retrieval.aws.s3vectors import VectorBucket
from functions.retrieval.retrievers.s3vectors import S3VectorsRetriever
from tests.contract.aws_answers import AwsAnswer, AwsRequest, answering, in_turn, refusal
from tests.unit.retrieval_remote.clock import Time

SERVICE = RagServiceConfig(
    type="s3vectors",
    bucket="my-vectors",
    embedding_model="main:embedding",
    collections=("docs", "my_faq"),
    collection_ids={"my_faq": "my-faq"},
)
FAULT = EndpointConnectionError(endpoint_url="https://s3vectors.example")


class Embedding:
    """Embeds every text as the same vector."""

    name = "main:embedding"
    dimensions = 2

    def __init__(self) -> None:
        self.queries: list[str] = []

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        self.queries.extend(texts)
        return [[0.6, 0.8] for _ in texts]


def near(key: str, distance: float, **metadata: Any) -> dict[str, Any]:
    return {"key": key, "distance": distance, "metadata": metadata}


def vectors(*found: dict[str, Any], metric: str = "cosine") -> AwsAnswer:
    return AwsAnswer({"vectors": list(found), "distanceMetric": metric})


def retriever(
    *answers: AwsAnswer, service: RagServiceConfig = SERVICE
) -> tuple[S3VectorsRetriever, list[AwsRequest], Embedding]:
    answer, queries = in_turn(*answers)
    bucket = VectorBucket.create(
        "my-vectors", region=None, timeout_seconds=10, session=answering("s3vectors.QueryVectors", answer)
    )
    time, embedding = Time(), Embedding()
    made = S3VectorsRetriever(
        name="vectors",
        service=service,
        vectors=bucket,
        embedder=embedding,
        retry=time.retry(),
        deadline=time.deadline(),
    )
    return made, queries, embedding


def refused(*answers: AwsAnswer, collection: str = "docs") -> RetrievalError:
    made, _, _ = retriever(*answers)
    with pytest.raises(RetrievalError) as error:
        made.search(collection, SearchQuery("q"))
    return error.value


def test_the_question_is_embedded_and_the_nearest_vectors_become_passages() -> None:
    made, queries, embedding = retriever(
        vectors(near("k1", 0.25, text="Write a Lambda.", title="Tools", source="docs/tools.md", lang="en", year=2024))
    )

    result = made.search("docs", SearchQuery("how?", top_k=3))

    (hit,) = result.hits
    (request,) = queries
    assert embedding.queries == ["how?"]
    assert request.url == "https://s3vectors.eu-central-1.api.aws/QueryVectors"
    assert request.body == {
        "vectorBucketName": "my-vectors",
        "indexName": "docs",
        "topK": 3,
        "queryVector": {"float32": [0.6, 0.8]},
        "returnMetadata": True,
        "returnDistance": True,
    }
    assert result == SearchResult(
        hits=(hit,), collection="docs", metadata=CollectionMetadata(embedding_model="main:embedding")
    )
    assert (hit.distance, hit.passage.id, hit.passage.text, hit.passage.title, hit.passage.source) == (
        0.25,
        "k1",
        "Write a Lambda.",
        "Tools",
        "docs/tools.md",
    )
    assert hit.passage.metadata == {"title": "Tools", "source": "docs/tools.md", "lang": "en", "year": 2024}


def test_a_collection_can_have_another_index_name_and_another_text_key() -> None:
    service = SERVICE.model_copy(update={"text_field": "AMAZON_BEDROCK_TEXT"})
    made, queries, _ = retriever(vectors(near("k", 0.1, AMAZON_BEDROCK_TEXT="t")), service=service)

    (hit,) = made.search("my_faq", SearchQuery("q")).hits

    assert (queries[0].body["indexName"], hit.passage.text) == ("my-faq", "t")


@pytest.mark.parametrize(
    ("filters", "sent"),
    [
        ({"lang": "en"}, {"lang": {"$eq": "en"}}),
        ({"lang": "en", "open": True}, {"$and": [{"lang": {"$eq": "en"}}, {"open": {"$eq": True}}]}),
    ],
)
def test_filters_are_applied_by_the_service(filters: dict[str, Any], sent: object) -> None:
    made, queries, _ = retriever(vectors())

    made.search("docs", SearchQuery("q", filters=filters))

    assert queries[0].body["filter"] == sent


def test_too_distant_passages_are_dropped() -> None:
    made, _, _ = retriever(vectors(near("a", 0.1, text="a"), near("b", 0.6, text="b")))

    assert [hit.passage.id for hit in made.search("docs", SearchQuery("q", max_distance=0.5)).hits] == ["a"]


@pytest.mark.parametrize("text", ["", "  \n", "\0"[:0]])
def test_a_blank_question_finds_nothing_and_calls_no_service(text: str) -> None:
    made, queries, embedding = retriever()

    assert (made.search("docs", SearchQuery(text)).hits, queries, embedding.queries) == ((), [], [])


@pytest.mark.parametrize(
    "passing",
    [
        refusal("TooManyRequestsException", status=429),
        refusal("ServiceUnavailableException", status=503),
        AwsAnswer(fault=FAULT),
        AwsAnswer(fault=ConnectTimeoutError(endpoint_url="https://s3vectors.example")),
    ],
)
def test_transient_errors_are_retried(passing: AwsAnswer) -> None:
    made, queries, _ = retriever(passing, passing, vectors())

    assert made.search("docs", SearchQuery("q")).hits == ()
    assert len(queries) == 3


def test_the_last_error_is_raised_after_all_retries() -> None:
    answer = refusal("ThrottlingException", status=429)

    error = refused(answer, answer, answer)

    assert isinstance(error, TransientRetrievalError)
    assert error.message == "the index 'docs' answered with ThrottlingException"


@pytest.mark.parametrize(
    ("code", "status", "meaning"),
    [
        ("NotFoundException", 404, "not_found"),
        ("ValidationException", 400, "invalid"),
        ("AccessDeniedException", 403, "unavailable"),
    ],
)
def test_a_rejection_is_reported_by_name_only_and_its_message_is_logged(
    code: str, status: int, meaning: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "arn:aws:sts::123456789012:assumed-role/x is not authorized"

    error = refused(refusal(code, words, status=status))

    assert (error.code, error.message) == (meaning, f"the index 'docs' answered with {code}")
    assert words in capsys.readouterr().out


@pytest.mark.parametrize("found", [near("k", 0.1), near("k", 0.1, text=5), near("k", 9.5, text="t")])
def test_a_vector_without_text_or_cosine_distance_is_an_error(found: dict[str, Any]) -> None:
    error = refused(vectors(found))

    assert error.code == "invalid"
    assert error.message == (
        "a vector of the service 'vectors' has no text under 'text' in its metadata, or no cosine distance"
    )


def test_an_index_with_another_distance_metric_is_rejected() -> None:
    error = refused(vectors(metric="euclidean"))

    assert (error.code, error.message) == (
        "invalid",
        "the index 'docs' has the metric euclidean; create it again with cosine",
    )


def test_an_unconfigured_collection_is_not_requested() -> None:
    assert refused(collection="secret").code == "not_found"


def test_the_collections_are_from_the_configuration() -> None:
    made, _, _ = retriever()

    assert made.collections() == (
        CollectionInfo(name="docs", created_at="", updated_at=""),
        CollectionInfo(name="my_faq", created_at="", updated_at=""),
    )


def test_a_lone_surrogate_in_a_stored_text_becomes_a_question_mark() -> None:
    made, _, _ = retriever(vectors(near("k", 0.1, text="a\ud800b", title="\ud800")))

    (hit,) = made.search("docs", SearchQuery("q")).hits

    assert (hit.passage.text, hit.passage.title) == ("a?b", "?")


def test_metadata_that_is_not_json_becomes_text() -> None:
    made, _, _ = retriever(vectors(near("k", 0.1, text="t", plain=math.nan, nested=[math.inf], flag=True)))

    (hit,) = made.search("docs", SearchQuery("q")).hits

    assert hit.passage.metadata == {"plain": "nan", "nested": "[inf]", "flag": True}


def test_a_missing_region_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    core = botocore.session.Session()
    core.set_config_variable("region", None)

    with pytest.raises(RetrievalError, match=r"AWS's s3vectors cannot be used \(NoRegionError\)"):
        VectorBucket.create("my-vectors", region=None, timeout_seconds=1, session=Session(botocore_session=core))


def test_requests_rejected_by_botocore_are_never_sent() -> None:
    session = answering("s3vectors.QueryVectors", in_turn()[0])
    bucket = VectorBucket.create("my-vectors", region=None, timeout_seconds=1, session=session)

    with pytest.raises(RetrievalError, match=r"the index 'docs' cannot be called \(ParamValidationError\)"):
        bucket.query("docs", cast("list[float]", ["not a number"]), top_k=1, filters={})
