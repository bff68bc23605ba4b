"""Embedding model of a server of OpenAI's protocol, for measurements."""

from collections.abc import Sequence
from typing import Final

import httpx2

from flexchat.deadline import Deadline

EMBEDDING_SECONDS: Final = 3600.0
"""Time limit of embedding a whole collection."""


class ServerEmbedder:
    """Embedder of a model behind `POST /embeddings`."""

    def __init__(self, base_url: str, model: str) -> None:
        self.name = model
        self.dimensions = 0
        self._client = httpx2.Client(base_url=base_url)

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        response = self._client.post(
            "/embeddings", json={"model": self.name, "input": list(texts)}, timeout=deadline.remaining()
        )
        response.raise_for_status()
        return [entry["embedding"] for entry in response.json()["data"]]
