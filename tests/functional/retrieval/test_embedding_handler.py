"""Embedding events: one response per event, with vectors in order or the cause of the failure."""

import json
import math
import struct
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest

from flexchat.embeddings import EmbeddingRequest, EmbeddingResponse
from functions.retrieval.embedding import embed, embedding_handler
from functions.retrieval.embeddings.factory import MAX_CACHED, Embedders
from tests.contract.tool_lambdas import context
from tests.unit.retrieval_remote.clock import Time
from tests.unit.retrieval_remote.embedding_server import ANSWERS, Server, catalog, openai_answer, vector

EVENT = json.loads((Path(__file__).parents[3] / "events" / "retrieval-embed.json").read_text())


def of_length(length: int) -> Any:
    def answer(body: Any) -> object:
        return {"data": [{"index": n, "embedding": [1.0] * length} for n, _ in enumerate(body["input"])]}

    return answer


def respond(server: Server, *, remaining_ms: int = 60_000, time: Time | None = None, **changes: Any) -> dict[str, Any]:
    time = time or Time()
    made = Embedders(catalog=catalog, transport=httpx2.MockTransport(server), retry=time.retry)
    handler = embedding_handler(lambda request: embed(request, made, clock=time.clock))
    return handler({**EVENT, **changes}, context(remaining_ms))


def numbers(encoded: str) -> Sequence[float]:
    data = b64decode(encoded)
    return struct.unpack(f"<{len(data) // 4}f", data)


@pytest.mark.parametrize("name", ANSWERS)
def test_texts_get_unit_vectors_of_32_bit_floats_in_order(name: str) -> None:
    texts = ["a", "bb", "c" * 30]

    response = respond(Server(ANSWERS[name]), model=name, texts=texts)

    assert [*response] == ["version", "vectors"]
    for text, encoded in zip(texts, response["vectors"], strict=True):
        expected, length = vector(text), math.hypot(*vector(text))
        assert numbers(encoded) == pytest.approx([value / length for value in expected], abs=1e-6)


def test_dimensions_are_sent_to_the_model() -> None:
    server = Server(of_length(4))

    response = respond(server, dimensions=4)

    assert [len(numbers(encoded)) for encoded in response["vectors"]] == [4, 4]
    assert server.bodies[0]["dimensions"] == 4


def test_dimensions_that_the_model_does_not_have_are_an_error_of_the_input() -> None:
    assert respond(Server(of_length(3)), dimensions=4) == {
        "version": 1,
        "vectors": [],
        "error": {
            "code": "input",
            "message": "the embedding model 'openai:text-embedding-3-small' has vectors of 3 numbers, not 4",
        },
    }


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a", " \n"], "input[1] is blank; send text"),
        (["é" * 4_001], "input[0] has 8002 bytes; this model embeds at most 8000 of one text"),
    ],
)
def test_text_that_cannot_be_embedded_as_a_whole_is_rejected_before_the_model(texts: list[str], message: str) -> None:
    server = Server(openai_answer)

    assert respond(server, texts=texts)["error"] == {"code": "input", "message": message}
    assert server.requests == []


def test_vectors_beyond_the_size_of_a_response_are_rejected_after_the_first_batch() -> None:
    server = Server(of_length(3_072))

    response = respond(server, texts=["text"] * 2_048)

    assert response["error"] == {
        "code": "input",
        "message": "the vectors of 2048 texts are too large for one response; send at most 366 texts",
    }
    assert len(server.requests) == 1


def test_the_largest_number_of_texts_fits_a_response() -> None:
    response = respond(Server(of_length(3_072)), texts=["text"] * 366)

    assert len(response["vectors"]) == 366
    assert len(json.dumps(response)) < 6 * 1024 * 1024


@pytest.mark.parametrize(
    ("status", "code"), [(400, "input"), (422, "input"), (401, "provider"), (404, "provider"), (503, "unavailable")]
)
def test_refusal_of_the_provider_is_an_error_with_its_cause(status: int, code: str) -> None:
    error = respond(Server(openai_answer, [status] * 10))["error"]

    assert error["code"] == code
    assert error["message"] == f"the llm 'openai' answered with status {status}: no, [redacted]"


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("nowhere:m", "the embedding model 'nowhere:m' cannot be used"),
        ("keyless:m", "the embedding model 'keyless:m' cannot be used: secret 'X' is not stored"),
        ("claude:m", "the llm 'claude' is of a provider without embeddings"),
    ],
)
def test_model_that_cannot_be_used_is_an_error_of_the_configuration(model: str, message: str) -> None:
    error = respond(Server(openai_answer), model=model)["error"]

    assert error["code"] == "configuration"
    assert error["message"].startswith(message)


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"texts": []}, "texts"),
        ({"texts": ["a"] * 2_049}, "texts"),
        ({"texts": [[1, 2]]}, "texts, texts.0"),
        ({"dimensions": 0, "surprise": "canary"}, "dimensions, surprise"),
    ],
)
def test_invalid_event_is_rejected_with_the_names_of_its_fields(changes: dict[str, Any], fields: str) -> None:
    assert respond(Server(openai_answer), **changes)["error"] == {
        "code": "configuration",
        "message": f"Not an embedding request: {fields} invalid",
    }


def test_request_without_remaining_time_calls_no_model() -> None:
    server = Server(openai_answer)

    response = respond(server, remaining_ms=100)

    assert response["error"] == {"code": "unavailable", "message": "the embedding timed out after 0 ms"}
    assert server.requests == []


def test_crash_is_an_error_without_its_cause(capsys: pytest.CaptureFixture[str]) -> None:
    def crash(_request: EmbeddingRequest) -> EmbeddingResponse:
        raise ValueError("password=hunter2")

    response = embedding_handler(crash)(EVENT, None)

    assert response["error"] == {"code": "internal", "message": "the embedding failed unexpectedly"}
    output = capsys.readouterr().out
    assert "operation crashed" in output
    assert "hunter2" not in output


def test_log_has_the_model_and_the_number_of_texts_but_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    respond(Server(openai_answer), texts=["canary-1", "canary-2"])

    output = capsys.readouterr().out
    line = next(line for line in map(json.loads, output.splitlines()) if line["message"] == "embedding finished")
    assert (line["model"], line["texts"], line["request_id"]) == (EVENT["model"], 2, EVENT["request_id"])
    assert "canary" not in output


def test_embedders_of_many_dimensions_are_not_all_cached() -> None:
    server, time = Server(of_length(1)), Time()
    made = Embedders(catalog=catalog, transport=httpx2.MockTransport(server), retry=time.retry)

    first = made.named("openai:m", purpose="document", dimensions=1)
    for dimensions in range(2, MAX_CACHED + 2):
        made.named("openai:m", purpose="document", dimensions=dimensions)

    assert made.named("openai:m", purpose="document", dimensions=1) is not first
    assert made.named("openai:m", purpose="document", dimensions=MAX_CACHED) is made.named(
        "openai:m", purpose="document", dimensions=MAX_CACHED
    )
