"""Embedding model of any provider: sends cleaned texts in batches, validates the vectors."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError

Purpose = Literal["query", "document"]
"""Purpose of a text; some models embed questions and passages differently."""

MAX_TEXT_BYTES = 8_000
"""Maximum length in bytes: a token has at least one byte, and embedding models read about 8,000 tokens."""

MAX_BATCH_BYTES = 200_000
"""Maximum of one request; OpenAI accepts 300,000 tokens."""

PROBE_SECONDS = 30.0

type Ask = Callable[[Sequence[str], Deadline], Sequence[Sequence[float]]]
"""One request to a model: a vector for each text, in order. Raises RetrievalError."""


class Wire(Struct, frozen=True):
    """Request function of a model: at most `batch` texts in one request, of `text_bytes` each."""

    ask: Ask
    batch: int
    text_bytes: int = MAX_TEXT_BYTES


class DimensionsError(RetrievalError):
    """The model does not have vectors of the requested dimensions."""

    def __init__(self, name: str, *, requested: int, length: int) -> None:
        message = f"the embedding model {name!r} has vectors of {length} numbers, not {requested}"
        super().__init__(message, code="invalid")


class ModelEmbedder:
    """`Embedder` of one model. `dimensions` are the requested ones, for models with a choice."""

    def __init__(self, name: str, wire: Wire, *, dimensions: int | None = None) -> None:
        self._name = name
        self._wire = wire
        self._requested = self._dimensions = dimensions

    @property
    def max_text_bytes(self) -> int:
        """Return the length of a text that is embedded as a whole."""
        return self._wire.text_bytes

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        """Return the requested dimensions, else those of the model's vectors, which may take a request."""
        if self._dimensions is None:
            self.embed(("dimensions",), Deadline.after(PROBE_SECONDS))
        return self._dimensions or 0

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        """Return one vector of length 1 per text, in order; only the beginning of a long text counts.

        Raises RetrievalError: `unavailable` without a valid response of the model, `invalid` for a blank text and for
        requested dimensions that the model does not have.
        """
        cleaned = [_beginning(text, self._wire.text_bytes) for text in texts]
        if not all(cleaned):
            raise RetrievalError("a blank text cannot be embedded", code="invalid")
        vectors: list[list[float]] = []
        for batch in self._batches(cleaned):
            answered = self._wire.ask(batch, deadline)
            if len(answered) != len(batch):
                raise self._unusable(f"{len(answered)} vectors for {len(batch)} texts")
            vectors.extend(self._normalised(vector) for vector in answered)
        return vectors

    def _batches(self, texts: Sequence[str]) -> Iterator[Sequence[str]]:
        batch: list[str] = []
        size = 0
        for text in texts:
            length = len(text.encode())
            if batch and (len(batch) == self._wire.batch or size + length > MAX_BATCH_BYTES):
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += length
        if batch:
            yield batch

    def _normalised(self, vector: Sequence[float]) -> list[float]:
        if self._dimensions is None:
            self._dimensions = len(vector)
        if self._requested not in (None, len(vector)):
            raise DimensionsError(self._name, requested=self._requested or 0, length=len(vector))
        if len(vector) != self._dimensions:
            raise self._unusable(f"a vector of {len(vector)} numbers instead of {self._dimensions}")
        length = math.hypot(*vector)
        if not 0 < length < math.inf:
            raise self._unusable("a zero vector")
        return [value / length for value in vector]

    def _unusable(self, what: str) -> RetrievalError:
        return RetrievalError(f"the embedding model {self._name!r} answered with {what}", code="unavailable")


def _beginning(text: str, max_bytes: int) -> str:
    """Return the beginning of `text` in whole characters, halves of surrogate pairs replaced; empty when it is
    blank."""
    encoded = text.encode("utf-8", "replace")[:max_bytes]
    return encoded.decode("utf-8", "ignore").strip()


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


class SingleQueryEmbedder:
    """Embedder of the texts of one search, each of which `model` embeds once."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self._vectors: dict[tuple[str, ...], list[list[float]]] = {}

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        key = tuple(texts)
        if key not in self._vectors:
            self._vectors[key] = self._model.embed(texts, deadline)
        return self._vectors[key]
