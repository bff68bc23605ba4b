"""Vectors of texts by a configured model, for the embedding contract."""

import struct
import time
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from itertools import batched
from typing import Final, Protocol

from flexchat.deadline import Clock, Deadline
from flexchat.embeddings import EmbeddingError, EmbeddingErrorCode, EmbeddingRequest, EmbeddingResponse
from flexchat.errors import RefusedRequestError, RetrievalError, RetrievalErrorCode
from flexchat.observability import logger
from functions.retrieval.embeddings.model import DimensionsError, ModelEmbedder, Purpose
from functions.retrieval.operations import OperationHandler, operation_handler

BATCH: Final = 64
"""Texts that are embedded before the size of the response is known."""

MAX_VECTOR_BYTES: Final = 6_000_000
"""Maximum of the vectors of one response, below Lambda's 6 MB."""

RESPONSE_SECONDS: Final = 0.25
"""Part of the time of a request that is reserved for its response."""

_INPUT_STATUS: Final = frozenset({400, 413, 422})
"""Statuses by which providers refuse texts or dimensions."""


_CODES: Final[Mapping[RetrievalErrorCode, EmbeddingErrorCode]] = {"unavailable": "unavailable", "damaged": "internal"}


class NamedEmbedders(Protocol):
    """Embedding models of the configuration."""

    def named(self, name: str, *, purpose: Purpose, dimensions: int | None = None) -> ModelEmbedder: ...


class InputError(RetrievalError):
    """The texts or the dimensions of a request cannot be used."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="invalid")


def embed(request: EmbeddingRequest, embedders: NamedEmbedders, *, clock: Clock = time.monotonic) -> EmbeddingResponse:
    """Return the vectors of a request. Raises RetrievalError."""
    deadline = Deadline.after(request.timeout_ms / 1000, clock=clock).minus(RESPONSE_SECONDS)
    embedder = embedders.named(request.model, purpose="document", dimensions=request.dimensions)
    _check(request.texts, embedder.max_text_bytes)
    vectors: list[str] = []
    for texts in batched(request.texts, BATCH, strict=False):
        encoded = [_base64(vector) for vector in embedder.embed(texts, deadline)]
        if not vectors and (size := len(encoded[0])) * len(request.texts) > MAX_VECTOR_BYTES:
            raise InputError(
                f"the vectors of {len(request.texts)} texts are too large for one response; send at most "
                f"{MAX_VECTOR_BYTES // size} texts"
            )
        vectors += encoded
    return EmbeddingResponse(vectors=tuple(vectors))


def embedding_handler(
    run: Callable[[EmbeddingRequest], EmbeddingResponse], *, clock: Clock = time.monotonic
) -> OperationHandler:
    """Return the Lambda handler of embedding events, which raises nothing: a failure is a response with an `error`."""
    return operation_handler("embed", EmbeddingRequest, run, fail=_failed, report=_report, clock=clock)


def _check(texts: Sequence[str], max_bytes: int) -> None:
    """Raise InputError for a blank text, and for one that the model would read in part."""
    for index, text in enumerate(texts):
        if not text.strip():
            raise InputError(f"input[{index}] is blank; send text")
        size = len(text.encode("utf-8", "replace"))
        if size > max_bytes:
            raise InputError(f"input[{index}] has {size} bytes; this model embeds at most {max_bytes} of one text")


def _base64(vector: Sequence[float]) -> str:
    return b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def _failed(error: RetrievalError) -> EmbeddingResponse:
    return EmbeddingResponse(error=EmbeddingError(code=_code(error), message=error.message))


def _code(error: RetrievalError) -> EmbeddingErrorCode:
    match error:
        case InputError() | DimensionsError():
            return "input"
        case RefusedRequestError():
            return "input" if error.status in _INPUT_STATUS else "provider"
        case _:
            return _CODES.get(error.code, "configuration")


def _report(request: EmbeddingRequest, response: EmbeddingResponse, duration_ms: int) -> None:
    error = response.error
    log = logger.info if error is None else logger.warning
    log(
        "embedding finished",
        model=request.model,
        texts=len(request.texts),
        error=error.code if error else None,
        duration_ms=duration_ms,
    )
