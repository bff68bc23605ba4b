"""Requests of each embedding model in its own format."""

import pytest

from functions.retrieval.embeddings.model import Purpose
from tests.unit.retrieval_remote.clock import Time
from tests.unit.retrieval_remote.embedding_server import (
    KEY,
    Server,
    embedder,
    gemini_answer,
    ollama_answer,
    openai_answer,
)


def test_openai_is_called_with_its_own_format() -> None:
    time, server = Time(), Server(openai_answer)

    embedder("openai:text-embedding-3-small", server, time, dimensions=3).embed(["a"], time.deadline())

    (request,) = server.requests
    assert str(request.url) == "https://api.openai.com/v1/embeddings"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["openai-organization"] == "org-1"
    assert server.bodies == [
        {"model": "text-embedding-3-small", "input": ["a"], "encoding_format": "float", "dimensions": 3}
    ]


def test_a_compatible_server_is_called_with_its_own_url_and_headers() -> None:
    time, server = Time(), Server(openai_answer)

    embedder("proxy:m", server, time).embed(["a"], time.deadline())

    assert str(server.requests[0].url) == "https://proxy.example/v1/embeddings"
    assert server.requests[0].headers.get_list("authorization") == ["Basic x"]
    assert "dimensions" not in server.bodies[0]


@pytest.mark.parametrize("dimensions", [None, 3])
def test_ollama_is_called_with_its_own_format(dimensions: int | None) -> None:
    time, server = Time(), Server(ollama_answer)

    embedder("local:nomic-embed-text", server, time, dimensions=dimensions).embed(["a"], time.deadline())

    assert str(server.requests[0].url) == "http://localhost:11434/api/embed"
    assert "authorization" not in server.requests[0].headers
    chosen = {} if dimensions is None else {"dimensions": 3}
    assert server.bodies == [{"model": "nomic-embed-text", "input": ["a"], "truncate": True, **chosen}]


@pytest.mark.parametrize(("purpose", "task"), [("query", "RETRIEVAL_QUERY"), ("document", "RETRIEVAL_DOCUMENT")])
def test_gemini_is_called_with_task_types_for_questions_and_documents(purpose: Purpose, task: str) -> None:
    time, server = Time(), Server(gemini_answer)

    embedder("gemini:gemini-embedding-001", server, time, purpose=purpose, dimensions=3).embed(["a"], time.deadline())

    (request,) = server.requests
    assert str(request.url) == (
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001:batchEmbedContents"
    )
    assert request.headers["x-goog-api-key"] == KEY
    assert server.bodies == [
        {
            "requests": [
                {
                    "model": "models/gemini-embedding-001",
                    "content": {"parts": [{"text": "a"}]},
                    "taskType": task,
                    "outputDimensionality": 3,
                }
            ]
        }
    ]
