"""Embedding models of a scripted server."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from flexchat.config.catalog import Catalog, DisabledEntry
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from functions.retrieval.embeddings.factory import Embedders
from functions.retrieval.embeddings.model import Embedder, Purpose
from tests.unit.retrieval_remote.clock import Time

KEY = "key-of-the-tests"
LLMS = {
    "openai": LlmConfig(type="openai", api_key=KEY, headers={"OpenAI-Organization": "org-1"}),
    "plain": LlmConfig(type="openai"),
    "azure": LlmConfig(type="openai", api_key=KEY, base_url="https://name.openai.azure.com?api-version=2024-10-21"),
    "local": LlmConfig(type="ollama"),
    "gemini": LlmConfig(type="gemini", api_key=KEY),
    "claude": LlmConfig(type="anthropic", api_key=KEY),
    "proxy": LlmConfig(type="openai", base_url="https://proxy.example/v1/", headers={"Authorization": "Basic x"}),
}
type Bodies = Callable[[Any], object]


@dataclass
class Server:
    """Responds to each request with the result of `answer` for its body."""

    answer: Bodies
    statuses: list[int] = field(default_factory=list[int])
    requests: list[httpx2.Request] = field(default_factory=list[httpx2.Request])

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        status = self.statuses.pop(0) if self.statuses else 200
        body = self.answer(json.loads(request.content)) if status == 200 else {"error": {"message": f"no, {KEY}"}}
        return httpx2.Response(status, json=body)

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]


def vector(text: str) -> list[float]:
    """Return a distinct vector for each text of length 5 or more."""
    return [3.0 * (len(text) + 1), 4.0 * (len(text) + 1), float(ord(text[0]))]


def openai_answer(body: Any) -> object:
    data = [{"object": "embedding", "index": n, "embedding": vector(text)} for n, text in enumerate(body["input"])]
    return {"object": "list", "data": data[::-1], "usage": {}}


def ollama_answer(body: Any) -> object:
    return {"model": body["model"], "embeddings": [vector(text) for text in body["input"]]}


def gemini_answer(body: Any) -> object:
    return {"embeddings": [{"values": vector(item["content"]["parts"][0]["text"])} for item in body["requests"]]}


ANSWERS: Mapping[str, Bodies] = {
    "openai:text-embedding-3-small": openai_answer,
    "local:nomic-embed-text": ollama_answer,
    "gemini:gemini-embedding-001": gemini_answer,
}


def catalog(llms: Mapping[str, LlmConfig] = LLMS) -> Catalog:
    disabled = DisabledEntry("llm", "keyless", ("secret 'X' is not stored",))
    return Catalog(configuration=Configuration(llms=dict(llms)), disabled=(disabled,), version="1")


def embedder(
    name: str, server: Server, time: Time, *, purpose: Purpose = "document", dimensions: int | None = None
) -> Embedder:
    made = Embedders(catalog=catalog, transport=httpx2.MockTransport(server), retry=time.retry)
    return made.named(name, purpose=purpose, dimensions=dimensions)
