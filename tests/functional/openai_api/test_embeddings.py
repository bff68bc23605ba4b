"""Embeddings by OpenAI's own client, through the retrieval function's own handler."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import httpx2
import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from openai import APIStatusError, InternalServerError, OpenAI, RateLimitError
from openai.types import CreateEmbeddingResponse

from functions.retrieval.embedding import embed, embedding_handler
from functions.retrieval.embeddings.factory import Embedders
from tests.functional.chat.harness import configuration, deploy
from tests.functional.openai_api.sdk import FunctionTransport, openai_client
from tests.unit.retrieval_remote.clock import Time
from tests.unit.retrieval_remote.embedding_server import Server, catalog, openai_answer, vector

MODEL = "openai:text-embedding-3-small"


class Service:
    """Chat function and retrieval function, with a scripted server of the model."""

    def __init__(
        self,
        server: Server | None = None,
        dynamodb: DynamoDBClient | None = None,
        *,
        retrieval: Callable[[Any, Any], Any] | None = None,
        **config: Any,
    ) -> None:
        self.server = server or Server(openai_answer)
        time = Time()
        made = Embedders(catalog=catalog, transport=httpx2.MockTransport(self.server), retry=time.retry)
        handler = retrieval or embedding_handler(lambda request: embed(request, made))
        settings = {**configuration(), "openai_api": {"embedding_model": MODEL}, **config}
        self.chat = deploy([], settings, handlers={"internal": handler}, dynamodb=dynamodb)
        self.transport = FunctionTransport(self.chat.function)
        self.client: OpenAI = openai_client(self.transport)

    def create(self, input: Any = "text", **parameters: Any) -> CreateEmbeddingResponse:
        create: Any = self.client.embeddings.create
        return create(**{"model": MODEL, "input": input, **parameters})

    def fail(self, input: Any = "text", **parameters: Any) -> tuple[int, dict[str, Any]]:
        with pytest.raises(APIStatusError) as caught:
            self.create(input, **parameters)
        body: Any = caught.value.body
        return caught.value.status_code, body


def unit(text: str) -> list[float]:
    length = math.hypot(*vector(text))
    return [value / length for value in vector(text)]


def test_texts_get_unit_vectors_in_order_by_the_encoding_of_the_client() -> None:
    service = Service()

    response = service.create(["a", "bb"])

    assert json.loads(service.transport.requests[0]["body"])["encoding_format"] == "base64"
    assert [item.index for item in response.data] == [0, 1]
    assert response.data[0].embedding == pytest.approx(unit("a"), abs=1e-6)
    assert response.data[1].embedding == pytest.approx(unit("bb"), abs=1e-6)
    assert (response.object, response.model, response.usage.prompt_tokens, response.usage.total_tokens) == (
        "list",
        MODEL,
        2,
        2,
    )


def test_floats_are_those_of_the_base64() -> None:
    service = Service()

    numbers = service.create("a", encoding_format="float").data[0].embedding
    encoded = service.create("a").data[0].embedding

    CreateEmbeddingResponse.model_validate_json(service.transport.responses[0].content)
    assert numbers == pytest.approx(encoded, rel=1e-8)


def test_base64_is_text_in_the_response() -> None:
    service = Service()

    assert isinstance(service.create("a", encoding_format="base64").data[0].embedding, str)


def test_dimensions_reach_the_model() -> None:
    service = Service()

    response = service.create("a", dimensions=3)

    assert len(response.data[0].embedding) == 3
    assert service.server.bodies[0]["dimensions"] == 3
    assert service.server.bodies[0]["model"] == "text-embedding-3-small"


def test_ignored_parameters_change_nothing() -> None:
    assert len(Service().create("a", user="u", extra_body={"truncate": "END"}).data) == 1


@pytest.mark.parametrize(
    ("parameters", "param", "message"),
    [
        ({"input": [1, 2, 3]}, "input", "has tokens at 0, which are not supported; send text"),
        ({"input": [[1, 2], [3]]}, "input", "has tokens at 0, which are not supported; send text"),
        ({"input": []}, "input", "has 0 texts; send 1 to 2048"),
        ({"input": ["a"] * 2_049}, "input", "has 2049 texts; send 1 to 2048"),
        ({"input": ""}, "input", "has a blank text at 0; send text"),
        ({"input": ["a", " "]}, "input", "has a blank text at 1; send text"),
        ({"input": None}, "input", "must be a string or a list of strings"),
        ({"input": ["a", {"text": "b"}]}, "input", "has no text at 1"),
        ({"dimensions": 0}, "dimensions", "greater than or equal to 1"),
        ({"encoding_format": "int8"}, "encoding_format", "'float' or 'base64'"),
    ],
)
def test_parameter_that_cannot_be_used_is_rejected_by_its_name(
    parameters: dict[str, Any], param: str, message: str
) -> None:
    service = Service()

    status, error = service.fail(**parameters)

    assert (status, error["param"], error["type"]) == (400, param, "invalid_request_error")
    assert message in error["message"]
    assert service.server.requests == []


@pytest.mark.parametrize(
    ("model", "configured", "message"),
    [
        ("text-embedding-3-small", MODEL, f"the embedding model is {MODEL!r}"),
        ("flexchat", MODEL, f"the embedding model is {MODEL!r}"),
        (MODEL, None, "openai_api.embedding_model is not configured"),
    ],
)
def test_other_model_is_not_found(model: str, configured: str | None, message: str) -> None:
    service = Service(openai_api={"embedding_model": configured})

    status, error = service.fail(model=model)

    assert (status, error["code"], error["param"]) == (404, "model_not_found", "model")
    assert error["message"] == f"model is {model!r}, which has no embeddings here; {message}"


def test_text_that_is_too_long_for_the_model_is_rejected() -> None:
    assert Service().fail(["a", "b" * 8_001]) == (
        400,
        {
            "message": "input[1] has 8001 bytes; this model embeds at most 8000 of one text",
            "type": "invalid_request_error",
            "param": "input",
            "code": None,
        },
    )


def test_dimensions_that_the_model_does_not_have_are_rejected() -> None:
    status, error = Service().fail("a", dimensions=5)

    assert status == 400
    assert error["message"] == f"the embedding model {MODEL!r} has vectors of 3 numbers, not 5"


@pytest.mark.slow
def test_vectors_that_are_too_large_as_numbers_are_rejected_with_the_smaller_form() -> None:
    def answer(body: Any) -> object:
        return {"data": [{"index": n, "embedding": [1 / 3 + n] * 3_072} for n, _ in enumerate(body["input"])]}

    texts = ["text"] * 300

    status, error = Service(Server(answer)).fail(texts, encoding_format="float")

    assert (status, error["param"]) == (400, "input")
    assert error["message"] == (
        "input has 300 texts, whose vectors are too large for one response; send fewer texts, "
        "or encoding_format 'base64'"
    )
    assert len(Service(Server(answer)).create(texts).data) == 300


@pytest.mark.parametrize(
    ("statuses", "status", "code"),
    [([401], 502, "model_permission"), ([400], 400, None), ([503] * 10, 503, "unavailable")],
)
def test_failure_of_the_provider_has_its_status(statuses: list[int], status: int, code: str | None) -> None:
    found, error = Service(Server(openai_answer, statuses)).fail()

    assert (found, error["code"]) == (status, code)
    assert "key-of-the-tests" not in str(error)


def replies(**error: str) -> Callable[[Any, Any], Mapping[str, Any]]:
    return lambda _event, _context: {"version": 1, "vectors": [], "error": error}


def nonsense(_event: Any, _context: Any) -> Any:
    return "nonsense"


def crashes(_event: Any, _context: Any) -> Any:
    raise ArithmeticError("secret")


@pytest.mark.parametrize(
    ("retrieval", "status", "code"),
    [
        (replies(code="configuration", message="no llm named 'x'"), 500, "configuration"),
        (replies(code="internal", message="the embedding failed unexpectedly"), 500, "internal_error"),
        (replies(code="unavailable", message="late"), 503, "unavailable"),
        (crashes, 500, "internal_error"),
        (nonsense, 500, "internal_error"),
    ],
)
def test_failure_of_the_retrieval_function_has_its_status(
    retrieval: Callable[[Any, Any], Any], status: int, code: str
) -> None:
    found, error = Service(retrieval=retrieval).fail()

    assert (found, error["code"], error["type"]) == (status, code, "server_error")
    assert "secret" not in str(error)


def test_deployment_without_the_retrieval_function_reports_its_configuration() -> None:
    chat = deploy([], {**configuration(), "openai_api": {"embedding_model": MODEL}})

    with pytest.raises(InternalServerError) as caught:
        openai_client(FunctionTransport(chat.function)).embeddings.create(model=MODEL, input="a")

    assert caught.value.code == "configuration"
    assert caught.value.response.headers["x-should-retry"] == "false"


def test_body_beyond_its_limit_is_refused() -> None:
    status, error = Service().fail(["a" * 8_000] * 140)

    assert (status, error["code"]) == (413, "payload_too_large")


def test_request_counts_in_the_limits_of_its_caller(dynamodb: DynamoDBClient) -> None:
    service = Service(dynamodb=dynamodb, limits={"caller": {"requests_per_minute": 2}})
    service.create()
    service.create()

    with pytest.raises(RateLimitError) as caught:
        service.create()

    assert (caught.value.code, caught.value.type) == ("rate_limit_exceeded", "requests")
    assert len(service.server.requests) == 2


def test_tokens_count_in_the_limits_of_its_caller(dynamodb: DynamoDBClient) -> None:
    service = Service(dynamodb=dynamodb, limits={"caller": {"tokens_per_day": 2_500}, "reserved_tokens": 1})
    service.create("a" * 7_000)
    service.create("a" * 7_000)

    with pytest.raises(RateLimitError) as caught:
        service.create("a" * 7_000)

    assert (caught.value.code, caught.value.type) == ("rate_limit_exceeded", "tokens")


def test_refused_texts_cost_no_tokens(dynamodb: DynamoDBClient) -> None:
    service = Service(dynamodb=dynamodb, limits={"caller": {"tokens_per_day": 2_600}, "reserved_tokens": 1})
    service.fail("a" * 8_001)

    assert len(service.create("a" * 7_000).data) == 1


def test_caller_without_a_role_is_refused() -> None:
    service = Service()
    service.transport.roles = ""

    status, error = service.fail()

    assert (status, error["code"]) == (403, "forbidden")
