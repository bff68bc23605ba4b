"""Embedding contract of the retrieval function.

chat ──EmbeddingRequest──> retrieval function ──EmbeddingResponse──> chat
"""

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field

from flexchat.deferred_model import DeferredModel

MAX_TEXTS: Final = 2_048
MAX_DIMENSIONS: Final = 16_384

type EmbeddingErrorCode = Literal["input", "configuration", "provider", "unavailable", "internal"]
"""Cause of a failure: the texts or the dimensions, the operator's configuration, the provider, a lack of time or
connection, or the retrieval function itself."""


class _Contract(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EmbeddingRequest(_Contract):
    """Event that requests a vector for each of `texts`; `model` is a configured `llm:model`."""

    version: Literal[1] = 1
    operation: Literal["embed"] = "embed"
    model: str
    texts: Annotated[tuple[str, ...], Field(min_length=1, max_length=MAX_TEXTS)]
    dimensions: Annotated[int, Field(ge=1, le=MAX_DIMENSIONS)] | None = None
    request_id: str
    timeout_ms: Annotated[int, Field(ge=1)]


class EmbeddingError(_Contract):
    """Reason of a failure, in words for the caller: no host, address, secret or stack."""

    code: EmbeddingErrorCode
    message: str


class EmbeddingResponse(_Contract):
    """Vectors of length 1 in the order of the texts, or `error`.

    A vector is base64 of its numbers as 32-bit floats, little-endian.
    """

    version: Literal[1] = 1
    vectors: tuple[str, ...] = ()
    error: EmbeddingError | None = None
