"""Protocol of embedding models."""

from collections.abc import Sequence
from typing import Protocol

from flexchat.deadline import Deadline


class Embedder(Protocol):
    """Converts texts to vectors; their cosine distance measures similarity."""

    @property
    def name(self) -> str:
        """`llm:model`, the value of a collection's `embedding_model`."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        ...

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        """Return one vector per text, in order. Raises RetrievalError `unavailable` without an answer."""
        ...
