"""Embedding models over HTTP: responses, batches and errors."""

import json
import math
from collections.abc import Sequence

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError
from functions.retrieval.embeddings.factory import Embedders
from functions.retrieval.embeddings.model import ModelEmbedder, Wire
from tests.unit.retrieval_remote.clock import Time
from tests.unit.retrieval_remote.embedding_server import (
    ANSWERS,
    KEY,
    LLMS,
    Server,
    catalog,
    embedder,
    openai_answer,
    vector,
)


def unit(text: str) -> list[float]:
    length = math.hypot(*vector(text))
    return [value / length for value in vector(text)]


def test_every_text_gets_a_unit_vector_in_order(name: str) -> None:
    time, server = Time(), Server(ANSWERS[name])

    vectors = embedder(name, server, time).embed(["a", "bb", "c" * 30], time.deadline())

    assert vectors == [unit("a"), unit("bb"), unit("c" * 30)]
    assert len(server.requests) == 1


def test_many_texts_are_sent_in_batches_and_the_order_is_preserved(name: str) -> None:
    time, server = Time(), Server(ANSWERS[name])
    texts = [chr(97 + n % 26) * (n % 90 + 1) for n in range(600)]

    vectors = embedder(name, server, time).embed(texts, time.deadline())

    assert vectors == [unit(text) for text in texts]
    assert len(server.requests) == {"openai": 3, "local": 10, "gemini": 6}[name.partition(":")[0]]


def test_large_texts_are_sent_in_smaller_batches() -> None:
    time, server = Time(), Server(openai_answer)

    embedder("openai:m", server, time).embed(["é" * 4_000] * 60, time.deadline())

    assert [len(body["input"]) for body in server.bodies] == [25, 25, 10]


def test_nothing_to_embed_calls_no_model(name: str) -> None:
    time, server = Time(), Server(ANSWERS[name])

    assert embedder(name, server, time).embed([], time.deadline()) == []
    assert server.requests == []


def test_a_long_text_is_truncated_at_a_character_boundary(name: str) -> None:
    time, server = Time(), Server(ANSWERS[name])

    embedder(name, server, time).embed(["x" + "\N{GRINNING FACE}" * 50_000], time.deadline())

    (body,) = server.bodies
    (sent,) = body["input"] if "input" in body else [body["requests"][0]["content"]["parts"][0]["text"]]
    assert sent == "x" + "\N{GRINNING FACE}" * 1_999


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_a_blank_text_is_rejected(name: str, text: str) -> None:
    time = Time()

    with pytest.raises(RetrievalError) as error:
        embedder(name, Server(ANSWERS[name]), time).embed(["a", text], time.deadline())

    assert error.value.code == "invalid"


def test_user_text_is_sent_unchanged(name: str) -> None:
    time, server = Time(), Server(ANSWERS[name])

    embedder(name, server, time).embed(["\"' \0 \ud800 col:x\n-b"], time.deadline())

    assert json.dumps("\"' \0 ? col:x\n-b")[1:-1] in json.dumps(server.bodies[0])


def test_an_overloaded_model_is_retried(name: str) -> None:
    time, server = Time(), Server(ANSWERS[name], statuses=[429, 503])

    assert embedder(name, server, time).embed(["a"], time.deadline()) == [unit("a")]
    assert (len(server.requests), time.waits) == (3, [0.5, 1.0])


def test_a_rejection_has_the_provider_message_without_the_key(name: str) -> None:
    time, server = Time(), Server(ANSWERS[name], statuses=[401])

    with pytest.raises(RetrievalError) as error:
        embedder(name, server, time).embed(["a"], time.deadline())

    llm = name.partition(":")[0]
    shown = KEY if llm == "local" else "[redacted]"
    assert error.value.message == f"the llm {llm!r} answered with status 401: no, {shown}"
    assert error.value.code == "unavailable"


BAD_BODIES: list[object] = [{}, [], {"data": [], "embeddings": None}, {"data": [{"index": 0, "embedding": ["x"]}]}]


@pytest.mark.parametrize("body", BAD_BODIES)
def test_an_unparsable_response_is_an_error(name: str, body: object) -> None:
    time = Time()

    with pytest.raises(RetrievalError) as error:
        embedder(name, Server(lambda _: body), time).embed(["a"], time.deadline())

    assert error.value.code == "unavailable"


def fixed(*vectors: Sequence[float]) -> Wire:
    def post_texts(_texts: Sequence[str], _deadline: Deadline) -> Sequence[Sequence[float]]:
        return vectors

    return Wire(post_texts, batch=100)


@pytest.mark.parametrize(
    ("vectors", "problem"),
    [
        (((1.0, 0.0),), "1 vectors for 2 texts"),
        (((1.0, 0.0), (1.0,)), "a vector of 1 numbers instead of 2"),
        (((1.0, 0.0), (0.0, 0.0)), "a zero vector"),
        (((1.0, 0.0), (math.nan, 0.0)), "a zero vector"),
        (((1.0, 0.0), (math.inf, 0.0)), "a zero vector"),
    ],
)
def test_invalid_vectors_are_rejected(vectors: tuple[tuple[float, ...], ...], problem: str) -> None:
    made = ModelEmbedder("main:m", fixed(*vectors))

    with pytest.raises(RetrievalError) as error:
        made.embed(["a", "b"], Time().deadline())

    assert error.value.message == f"the embedding model 'main:m' answered with {problem}"


def test_requested_dimensions_that_the_model_does_not_have_are_rejected() -> None:
    made = ModelEmbedder("main:m", fixed((1.0, 0.0), (0.0, 1.0)), dimensions=3)

    with pytest.raises(RetrievalError) as error:
        made.embed(["a", "b"], Time().deadline())

    assert error.value.code == "invalid"
    assert error.value.message == "the embedding model 'main:m' has vectors of 2 numbers, not 3"


def test_the_dimensions_are_the_requested_or_the_returned_ones() -> None:
    requested = ModelEmbedder("main:m", fixed((1.0, 0.0)), dimensions=2)
    found_out = ModelEmbedder("main:m", fixed((1.0, 0.0, 0.0)))

    assert (requested.dimensions, found_out.dimensions, found_out.name) == (2, 3, "main:m")


def test_an_embedder_is_created_once_per_purpose_and_again_after_a_change_of_its_llm() -> None:
    llms = dict(LLMS)
    embedders = Embedders(catalog=lambda: catalog(llms))

    first = embedders.named("openai:m", purpose="query")

    assert embedders.named("openai:m", purpose="query") is first
    assert embedders.named("openai:m", purpose="document") is not first
    assert embedders.named("openai:m", purpose="query", dimensions=8) is not first
    llms["openai"] = LlmConfig(type="openai", api_key="another")
    assert embedders.named("openai:m", purpose="query") is not first


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("opnai:m", "the embedding model 'opnai:m' cannot be used: no llm named 'opnai' among"),
        ("keyless:m", "the embedding model 'keyless:m' cannot be used: secret 'X' is not stored"),
        ("openai:", "the embedding model 'openai:' cannot be used: 'openai:' is not a model name"),
        ("claude:opus", "the llm 'claude' is of a provider without embeddings"),
    ],
)
def test_a_model_without_embeddings_is_an_error(name: str, message: str) -> None:
    with pytest.raises(RetrievalError) as error:
        Embedders(catalog=catalog).named(name, purpose="query")

    assert error.value.code == "invalid"
    assert error.value.message.startswith(message)
