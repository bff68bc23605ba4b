"""Knowledge bases of Bedrock, by botocore's own model of them."""

from typing import Any

import pytest

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.errors import RetrievalError
from flexchat.retrieval import CollectionInfo, SearchQuery
from functions.retrieval.aws.bedrock import KnowledgeBases
from functions.retrieval.retrievers.bedrock_kb import KnowledgeBaseRetriever
from tests.contract.aws_answers import AwsAnswer, AwsRequest, answering, in_turn, refusal
from tests.unit.retrieval_remote.clock import Time

SERVICE = RagServiceConfig(type="bedrock_kb", collection_ids={"docs": "ABCDEFGHIJ"})


def found(text: str = "Write a Lambda.", score: float | None = 0.75, **more: Any) -> dict[str, Any]:
    return {"content": {"text": text}, **({} if score is None else {"score": score}), **more}


def results(*entries: dict[str, Any]) -> AwsAnswer:
    return AwsAnswer({"retrievalResults": list(entries)})


def retriever(
    *answers: AwsAnswer, service: RagServiceConfig = SERVICE
) -> tuple[KnowledgeBaseRetriever, list[AwsRequest]]:
    answer, requests = in_turn(*answers)
    session = answering("bedrock-agent-runtime.Retrieve", answer)
    time = Time()
    made = KnowledgeBaseRetriever(
        name="bases",
        service=service,
        bases=KnowledgeBases.create(region="eu-west-1", timeout_seconds=10, session=session),
        retry=time.retry(),
        deadline=time.deadline(),
    )
    return made, requests


def test_a_score_becomes_a_distance_and_a_location_becomes_source_and_title() -> None:
    made, requests = retriever(
        results(
            found(
                location={"type": "S3", "s3Location": {"uri": "s3://bucket/docs/tools.md"}},
                metadata={"x-amz-bedrock-kb-chunk-id": "1%3Aabc", "lang": "en", "page": 3.0},
                documentId="doc-1",
            )
        )
    )

    (hit,) = made.search("docs", SearchQuery("how?", top_k=7)).hits

    (request,) = requests
    assert request.url == "https://bedrock-agent-runtime.eu-west-1.amazonaws.com/knowledgebases/ABCDEFGHIJ/retrieve"
    assert request.body == {
        "retrievalQuery": {"text": "how?"},
        "retrievalConfiguration": {"vectorSearchConfiguration": {"numberOfResults": 7}},
    }
    assert (hit.distance, hit.passage.text) == (0.25, "Write a Lambda.")
    assert (hit.passage.id, hit.passage.document_id) == ("1%3Aabc", "doc-1")
    assert (hit.passage.title, hit.passage.source) == ("tools.md", "s3://bucket/docs/tools.md")
    assert hit.passage.metadata["lang"] == "en"


def test_title_and_source_of_the_metadata_override_the_location() -> None:
    made, _ = retriever(
        results(
            found(
                location={"type": "WEB", "webLocation": {"url": "https://x.example/a"}},
                metadata={"title": "Tools", "source": "the manual"},
            )
        )
    )

    (hit,) = made.search("docs", SearchQuery("q")).hits

    assert (hit.passage.title, hit.passage.source) == ("Tools", "the manual")


@pytest.mark.parametrize(
    ("location", "source"),
    [
        ({"type": "CONFLUENCE", "confluenceLocation": {"url": "https://c"}}, "https://c"),
        ({"type": "CUSTOM", "customDocumentLocation": {"id": "d-7"}}, "d-7"),
        ({"type": "KENDRA", "kendraDocumentLocation": {"uri": "k"}}, "k"),
        ({"type": "SQL", "sqlLocation": {"query": "SELECT 1"}}, "SELECT 1"),
        ({"type": "S3"}, ""),
        ({"type": "S3", "s3Location": {}}, ""),
    ],
)
def test_the_source_of_every_location_type_is_parsed(location: dict[str, Any], source: str) -> None:
    made, _ = retriever(results(found(location=location)))

    (hit,) = made.search("docs", SearchQuery("q")).hits

    assert hit.passage.source == source


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            {"row": [{"columnName": "city", "columnValue": "Paris"}, {"columnName": "people", "columnValue": "2"}]},
            "city: Paris\npeople: 2",
        ),
        ({"audio": {"s3Uri": "s3://a/b", "transcription": "heard"}}, "heard"),
        ({"video": {"s3Uri": "s3://a/b", "summary": "seen"}}, "seen"),
    ],
)
def test_non_text_content_is_returned_as_text_if_possible(content: dict[str, Any], text: str) -> None:
    made, _ = retriever(results({"content": content, "score": 0.5}, {"content": {"byteContent": "data:image"}}))

    assert [hit.passage.text for hit in made.search("docs", SearchQuery("q")).hits] == [text]


@pytest.mark.parametrize(("score", "distance"), [(1.0, 0.0), (1.4, 0.0), (0.0, 1.0), (-0.3, 1.0), (None, 1.0)])
def test_every_score_becomes_a_distance_between_0_and_1(score: float | None, distance: float) -> None:
    made, _ = retriever(results(found(score=score)))

    (hit,) = made.search("docs", SearchQuery("q")).hits

    assert hit.distance == distance


@pytest.mark.parametrize(
    ("filters", "sent"),
    [
        ({"lang": "en"}, {"equals": {"key": "lang", "value": "en"}}),
        (
            {"lang": "en", "open": True},
            {"andAll": [{"equals": {"key": "lang", "value": "en"}}, {"equals": {"key": "open", "value": True}}]},
        ),
    ],
)
def test_filters_are_applied_by_the_service(filters: dict[str, Any], sent: object) -> None:
    made, requests = retriever(results())

    made.search("docs", SearchQuery("q", filters=filters))

    assert requests[0].body["retrievalConfiguration"]["vectorSearchConfiguration"]["filter"] == sent


def test_a_long_question_is_truncated_and_a_blank_one_is_not_sent() -> None:
    made, requests = retriever(results())

    made.search("docs", SearchQuery("x" * 100_000))
    blank = made.search("docs", SearchQuery(" \n"))

    assert ([len(request.body["retrievalQuery"]["text"]) for request in requests], blank.hits) == ([20_000], ())


def test_too_distant_passages_are_dropped() -> None:
    made, _ = retriever(results(found("near", 0.9), found("far", 0.2)))

    assert [hit.passage.text for hit in made.search("docs", SearchQuery("q", max_distance=0.5)).hits] == ["near"]


def test_throttling_is_retried() -> None:
    made, requests = retriever(refusal("ThrottlingException", status=429), results(found()))

    assert len(made.search("docs", SearchQuery("q")).hits) == 1
    assert len(requests) == 2


def test_a_missing_knowledge_base_is_reported() -> None:
    made, _ = retriever(refusal("ResourceNotFoundException", status=404))

    with pytest.raises(RetrievalError) as error:
        made.search("docs", SearchQuery("q"))

    assert (error.value.code, error.value.message) == (
        "not_found",
        "the knowledge base 'ABCDEFGHIJ' answered with ResourceNotFoundException",
    )


@pytest.mark.parametrize(
    "service",
    [SERVICE, RagServiceConfig(type="bedrock_kb", collections=("a",), collection_ids={"secret": "ABCDEFGHIJ"})],
)
def test_an_unconfigured_collection_is_not_requested(service: RagServiceConfig) -> None:
    made, requests = retriever(service=service)

    with pytest.raises(RetrievalError) as error:
        made.search("secret", SearchQuery("q"))

    assert (error.value.code, requests) == ("not_found", [])


def test_the_collections_are_from_the_configuration() -> None:
    made, _ = retriever()

    assert made.collections() == (CollectionInfo(name="docs", created_at="", updated_at=""),)
