"""What every model that embeds texts can do."""

from collections.abc import Sequence
from typing import Protocol

from flexchat.deadline import Deadline


class Embedder(Protocol):
    """Turns texts into vectors whose cosine distance says how much the texts have in common."""

    @property
    def name(self) -> str:
        """`llm:model`, as a collection's `embedding_model` names it."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        ...

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        """One vector per text, in order. Raises RetrievalError `unavailable` when the model does not answer."""
        ...
