"""Embeddings of the demo model."""

import base64
import json
import struct
from typing import Any

import pytest
from openai.types import CreateEmbeddingResponse

from dev.demo_model.http import Request
from dev.demo_model.model import DemoModel
from dev.demo_model.protocols.openai import OpenAIProtocol
from dev.demo_model.protocols.openai_embeddings import DIMENSIONS, vector_of


def asked(**body: Any) -> tuple[int, dict[str, Any]]:
    model = DemoModel([OpenAIProtocol()], wait=lambda _seconds: None)
    answer = model.answer(Request("POST", "/v1/embeddings", {}, json.dumps({"model": "demo", **body}).encode()))
    return answer.status, json.loads(answer.body)


def similarity(first: str, second: str) -> float:
    pairs = zip(vector_of(first, DIMENSIONS), vector_of(second, DIMENSIONS), strict=True)
    return sum(one * other for one, other in pairs)


def test_each_text_has_a_vector_in_the_form_of_openai() -> None:
    status, body = asked(input=["red lamp", "blue sky"], dimensions=8)

    answer = CreateEmbeddingResponse.model_validate(body, strict=True)
    assert status == 200
    assert [(one.index, len(one.embedding)) for one in answer.data] == [(0, 8), (1, 8)]
    assert answer.usage.total_tokens > 0


def test_texts_with_the_same_words_are_near() -> None:
    assert similarity("A red lamp", "the red LAMP") > 0.5 > abs(similarity("a red lamp", "bread and butter"))
    assert similarity("?!", "?!") == pytest.approx(1)


def test_base64_has_the_same_numbers() -> None:
    _, whole = asked(input="red lamp", dimensions=4)
    _, encoded = asked(input="red lamp", dimensions=4, encoding_format="base64")

    numbers = struct.unpack("<4f", base64.b64decode(encoded["data"][0]["embedding"]))
    assert numbers == pytest.approx(whole["data"][0]["embedding"])


@pytest.mark.parametrize("body", [{}, {"input": ""}, {"input": []}, {"input": "a", "dimensions": 0}])
def test_a_request_that_openai_refuses_is_refused(body: dict[str, Any]) -> None:
    assert asked(**body)[0] == 400
