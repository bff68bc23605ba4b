"""Embedding models of Amazon Bedrock, checked against botocore's service model."""

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from flexchat.config.catalog import Catalog
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import RetrievalError
from functions.retrieval.embeddings.factory import Embedders
from functions.retrieval.embeddings.model import Embedder, Purpose
from tests.contract.aws_answers import AwsAnswer, AwsRequest, answering, refusal
from tests.unit.retrieval_remote.clock import Time

TITAN = "amazon.titan-embed-text-v2:0"
COHERE = "cohere.embed-multilingual-v3"


def embedder(
    model: str,
    answer: Callable[[AwsRequest], AwsAnswer],
    time: Time,
    *,
    purpose: Purpose = "document",
    dimensions: int | None = None,
) -> Embedder:
    llm = LlmConfig(type="bedrock", region="us-east-1", headers={"X-Team": "docs"})
    catalog = Catalog(configuration=Configuration(llms={"aws": llm}), disabled=(), version="1")
    session = answering("bedrock-runtime.InvokeModel", answer)
    made = Embedders(catalog=lambda: catalog, session=session, retry=time.retry)
    return made.named(f"aws:{model}", purpose=purpose, dimensions=dimensions)


class Models:
    """Responses of Titan and Cohere; every text is embedded as [its length, 0]."""

    def __init__(self) -> None:
        self.requests: list[AwsRequest] = []

    def __call__(self, request: AwsRequest) -> AwsAnswer:
        self.requests.append(request)
        if "inputText" in request.body:
            return AwsAnswer({"embedding": [float(len(request.body["inputText"])), 0.0], "inputTextTokenCount": 1})
        vectors = [[float(len(text)), 0.0] for text in request.body["texts"]]
        return AwsAnswer({"embeddings": {"float": vectors}, "response_type": "embeddings_by_type"})

    @property
    def bodies(self) -> list[Any]:
        return [request.body for request in self.requests]


def test_titan_is_called_once_per_text_and_the_order_is_preserved() -> None:
    models, time = Models(), Time()

    vectors = embedder(TITAN, models, time, dimensions=2).embed([f"text {n}" for n in range(20)], time.deadline())

    assert vectors == [[1.0, 0.0]] * 20
    assert sorted(body["inputText"] for body in models.bodies) == sorted(f"text {n}" for n in range(20))
    assert {body["dimensions"] for body in models.bodies} == {2}
    (url,) = {request.url for request in models.requests}
    assert url == "https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.titan-embed-text-v2%3A0/invoke"
    assert {request.headers["X-Team"] for request in models.requests} == {"docs"}


def test_the_first_titan_version_has_fixed_dimensions() -> None:
    models, time = Models(), Time()

    embedder("amazon.titan-embed-text-v1", models, time, dimensions=2).embed(["a"], time.deadline())

    assert models.bodies == [{"inputText": "a"}]


@pytest.mark.parametrize(("purpose", "kind"), [("query", "search_query"), ("document", "search_document")])
def test_cohere_is_called_with_input_types_for_questions_and_documents(purpose: Purpose, kind: str) -> None:
    models, time = Models(), Time()

    embedder(COHERE, models, time, purpose=purpose).embed(["a", "b" * 5_000], time.deadline())

    assert models.bodies == [
        {"texts": ["a", "b" * 2_048], "input_type": kind, "embedding_types": ["float"], "truncate": "END"}
    ]


def test_the_fourth_cohere_version_has_selectable_dimensions_and_longer_texts() -> None:
    models, time = Models(), Time()

    embedder("eu.cohere.embed-v4:0", models, time, dimensions=2).embed(["b" * 5_000], time.deadline())

    (body,) = models.bodies
    assert (body["output_dimension"], len(body["texts"][0])) == (2, 5_000)


def test_cohere_vectors_without_a_type_are_parsed() -> None:
    time = Time()
    made = embedder(COHERE, lambda _: AwsAnswer({"embeddings": [[3.0, 4.0]]}), time)

    assert made.embed(["a"], time.deadline()) == [[0.6, 0.8]]


def test_many_texts_are_sent_to_cohere_in_batches() -> None:
    models, time = Models(), Time()

    embedder(COHERE, models, time).embed(["a"] * 100, time.deadline())

    assert [len(body["texts"]) for body in models.bodies] == [96, 4]


@pytest.mark.parametrize("model", [TITAN, COHERE])
def test_a_throttled_model_is_retried(model: str) -> None:
    models, time = Models(), Time()
    refusals = [refusal("ThrottlingException", status=429), refusal("ModelNotReadyException", status=429)]

    made = embedder(model, lambda request: refusals.pop() if refusals else models(request), time)

    assert made.embed(["a"], time.deadline()) == [[1.0, 0.0]]
    assert time.waits == [0.5, 1.0]


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        (
            refusal("AccessDeniedException", "User: arn:aws:iam::1:role/x", status=403),
            "unavailable",
            f"the model {TITAN!r} answered with AccessDeniedException",
        ),
        (refusal("ValidationException"), "invalid", f"the model {TITAN!r} answered with ValidationException"),
        (
            AwsAnswer({"vector": [1.0]}),
            "unavailable",
            f"the model {TITAN!r} returned a response that cannot be parsed",
        ),
    ],
)
def test_each_failure_has_an_error_type(answer: AwsAnswer, code: str, message: str) -> None:
    time = Time()

    with pytest.raises(RetrievalError) as error:
        embedder(TITAN, lambda _: answer, time).embed(["a"], time.deadline())

    assert (error.value.code, error.value.message) == (code, message)


def test_an_unreachable_model_is_an_error_without_its_address() -> None:
    time = Time()
    fault = AwsAnswer(fault=ReadTimeoutError(endpoint_url="https://10.0.0.7"))

    with pytest.raises(RetrievalError) as error:
        embedder(TITAN, lambda _: fault, time).embed(["a"], time.deadline())

    assert error.value.message == f"the model {TITAN!r} could not be reached (ReadTimeoutError)"


def test_a_model_of_another_vendor_is_rejected() -> None:
    with pytest.raises(RetrievalError) as error:
        embedder("anthropic.claude-opus-4-5", Models(), Time())

    assert error.value.code == "invalid"
