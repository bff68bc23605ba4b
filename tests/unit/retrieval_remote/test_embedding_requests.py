"""Requests of each embedding model in its own format."""

import subprocess
import sys

import pytest

from flexchat import __version__
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


def test_a_deployment_of_azure_is_called_with_its_path_and_key_header() -> None:
    time, server = Time(), Server(openai_answer)

    embedder("azure:mine", server, time, dimensions=3).embed(["a"], time.deadline())

    (request,) = server.requests
    address = "https://name.openai.azure.com/openai/deployments/mine/embeddings?api-version=2024-10-21"
    assert str(request.url) == address
    assert (request.headers["api-key"], request.headers.get("authorization")) == (KEY, None)
    assert server.bodies == [{"model": "mine", "input": ["a"], "encoding_format": "float", "dimensions": 3}]


def test_a_request_to_openai_has_the_configured_headers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://environment.test")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-environment: yes")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-environment")
    time, server = Time(), Server(openai_answer)

    embedder("plain:m", server, time).embed(["a"], time.deadline())

    (request,) = server.requests
    assert str(request.url) == "https://api.openai.com/v1/embeddings"
    assert dict(request.headers) == {
        "accept": "application/json",
        "accept-encoding": "identity",
        "connection": "keep-alive",
        "content-length": str(len(request.content)),
        "content-type": "application/json",
        "host": "api.openai.com",
        "user-agent": f"flexchat/{__version__}",
    }


def test_the_openai_package_is_imported_by_an_llm_of_type_openai_alone() -> None:
    program = (
        "import sys\n"
        "from functions.retrieval import app\n"
        "from tests.unit.retrieval_remote.clock import Time\n"
        "from tests.unit.retrieval_remote.embedding_server import Server, embedder, openai_answer\n"
        "for name in ('local:m', 'gemini:m', 'openai:m'):\n"
        "    embedder(name, Server(openai_answer), Time())\n"
        "    print(name, 'openai' in sys.modules)"
    )
    environment = {"FLEXCHAT_STAGE": "test", "FLEXCHAT_COLLECTIONS_BUCKET": "b", "AWS_DEFAULT_REGION": "us-east-1"}

    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )

    assert done.stdout == "local:m False\ngemini:m False\nopenai:m True\n"


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
