"""Embeddings API: vectors of texts by the configured embedding model, from the retrieval function."""

import struct
import time
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Protocol, cast

from msgspec import Struct
from pydantic import ConfigDict, Field, field_validator

from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Clock, Deadline, call_with_timeout
from flexchat.embeddings import MAX_DIMENSIONS, MAX_TEXTS, EmbeddingError, EmbeddingRequest, EmbeddingResponse
from flexchat.errors import ConfigError, FlexchatError, ModelError, Problem, RequestError, ToolError, UnavailableError
from flexchat.http_api.caller import Caller
from flexchat.json import StrictNumberModel, dumps
from flexchat.limits.rate_limits import RateLimits
from flexchat.messages import Json
from flexchat.prices import prices_of
from flexchat.retry import Retry
from flexchat.sessions import text_tokens
from functions.chat.openai_api.errors import invalid_parameter
from functions.chat.runtime import RuntimeCache
from functions.chat.tools.executor import ANSWER_SECONDS, MIN_TOOL_MS, invoke_until

MAX_RESPONSE_BYTES: Final = 6_000_000
"""Limit of a response within the 6,291,556 bytes that Lambda returns; the rest is for its headers."""

FLOAT_DIGITS: Final = 9
"""Digits that distinguish all 32-bit floats."""

MODEL_PATH: Final = "openai_api.embedding_model"


class EmbeddingsRequest(StrictNumberModel):
    """Request for the vectors of texts. Other parameters of OpenAI's API are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: Annotated[str, Field(min_length=1, max_length=512)]
    input: (
        Annotated[str, Field(examples=["What is 15% of 45?"])]
        | Annotated[list[str], Field(min_length=1, max_length=MAX_TEXTS)]
    )
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: Annotated[int, Field(ge=1, le=MAX_DIMENSIONS)] | None = None
    user: Any = None

    @field_validator("input", mode="before")
    @classmethod
    def _has_texts(cls, value: Any) -> Any:
        if not isinstance(value, str | list):
            raise ValueError("must be a string or a list of strings")  # noqa: TRY004 (pydantic's)
        texts = [value] if isinstance(value, str) else cast("list[object]", value)
        if not 1 <= len(texts) <= MAX_TEXTS:
            raise ValueError(f"has {len(texts)} texts; send 1 to {MAX_TEXTS}")
        for index, text in enumerate(texts):
            if isinstance(text, int | list):
                raise ValueError(f"has tokens at {index}, which are not supported; send text")  # noqa: TRY004
            if not isinstance(text, str):
                raise ValueError(f"has no text at {index}")  # noqa: TRY004 (pydantic's)
            if not text.strip():
                raise ValueError(f"has a blank text at {index}; send text")
        return cast("object", value)

    @property
    def texts(self) -> Sequence[str]:
        return (self.input,) if isinstance(self.input, str) else self.input


class EmbeddingInvoker(Protocol):
    """Sends one request to the retrieval function, exactly once."""

    def embed(self, request: EmbeddingRequest) -> EmbeddingResponse:
        """Return the response; raises the errors of `ToolInvoker.invoke`."""
        ...


class _FailedEmbeddingError(FlexchatError):
    """The retrieval function failed unexpectedly."""


class Embeddings(Struct, frozen=True, kw_only=True):
    """Embeds the texts of callers, within their limits."""

    runtimes: RuntimeCache
    invoker: EmbeddingInvoker
    limits: RateLimits
    clock: Clock = time.monotonic

    def create(self, request: EmbeddingsRequest, *, caller: Caller, deadline: Deadline, request_id: str) -> str:
        """Return the response as JSON.

        Raises RequestError for another model than the configured one, for a reached limit of the caller, and for texts
        or dimensions that cannot be used; ConfigError, ModelError or UnavailableError when the model does not answer.
        """
        configuration = self.runtimes.usable(caller, deadline).catalog.configuration
        model = configuration.openai_api.embedding_model
        if request.model != model:
            raise _unknown_model(request.model, model)
        price = _input_price(request.model, configuration.llms)
        with self.limits.admitted_texts(caller, configuration.limits, request.texts, deadline=deadline, price=price):
            vectors = self._vectors(request, deadline, request_id)
        return _body(request, vectors, sum(map(text_tokens, request.texts)))

    def _vectors(self, request: EmbeddingsRequest, deadline: Deadline, request_id: str) -> Sequence[str]:
        end = deadline.minus(ANSWER_SECONDS)
        timeout_ms = end.remaining_ms()
        if timeout_ms < MIN_TOOL_MS:
            raise UnavailableError("no time was left to embed the texts")
        event = EmbeddingRequest(
            model=request.model,
            texts=tuple(request.texts),
            dimensions=request.dimensions,
            request_id=request_id,
            timeout_ms=timeout_ms,
        )
        try:
            response = call_with_timeout(
                deadline.remaining(),
                lambda: invoke_until(
                    lambda left_ms: self.invoker.embed(event.model_copy(update={"timeout_ms": left_ms})),
                    timeout_ms,
                    end=end,
                    retry=Retry.until_started(),
                ),
            )
        except TimeoutError as exc:
            raise UnavailableError(f"the embedding timed out after {timeout_ms} ms") from exc
        except ToolError as exc:
            raise _invocation_error(exc) from exc
        if response.error is not None:
            raise _error(response.error, request)
        return response.vectors


def _input_price(model: str, llms: Mapping[str, LlmConfig]) -> float:
    """Return the price of a model in US dollars per million tokens; 0 for an unknown one."""
    llm, _, name = model.partition(":")
    prices = prices_of(ModelName(llm, name), llms)
    return 0.0 if prices is None else prices.input


def _unknown_model(name: str, configured: str | None) -> RequestError:
    hint = f"the embedding model is {configured!r}" if configured else f"{MODEL_PATH} is not configured"
    return invalid_parameter(
        "model", f"is {name!r}, which has no embeddings here; {hint}", status=404, code="model_not_found"
    )


def _invocation_error(error: ToolError) -> FlexchatError:
    match error.type:
        case "configuration":
            return ConfigError((Problem(path=MODEL_PATH, message=error.message),))
        case "result_too_large":
            return RequestError(error.message, status=413, code="payload_too_large")
        case "execution_failed":
            return _FailedEmbeddingError(error.message)
        case _:
            return UnavailableError(error.message)


def _error(error: EmbeddingError, request: EmbeddingsRequest) -> FlexchatError:
    match error.code:
        case "input":
            return RequestError(error.message, details=(Problem(path="input", message=error.message),))
        case "configuration":
            return ConfigError((Problem(path=MODEL_PATH, message=error.message),))
        case "provider":
            return ModelError(error.message, type="permission", provider=request.model.partition(":")[0])
        case "unavailable":
            return UnavailableError(error.message)
        case "internal":
            return _FailedEmbeddingError(error.message)


def _body(request: EmbeddingsRequest, vectors: Sequence[str], tokens: int) -> str:
    as_text = request.encoding_format == "base64"
    data: list[Json] = [
        {"object": "embedding", "index": index, "embedding": vector if as_text else _numbers(vector)}
        for index, vector in enumerate(vectors)
    ]
    usage: dict[str, Json] = {"prompt_tokens": tokens, "total_tokens": tokens}
    body = dumps({"object": "list", "data": data, "model": request.model, "usage": usage})
    if len(body) + body.count('"') > MAX_RESPONSE_BYTES:
        raise invalid_parameter(
            "input",
            f"has {len(vectors)} texts, whose vectors are too large for one response; send fewer texts"
            + ("" if as_text else ", or encoding_format 'base64'"),
        )
    return body


def _numbers(vector: str) -> list[Json]:
    data = b64decode(vector)
    return [float(f"{number:.{FLOAT_DIGITS}g}") for number in struct.unpack(f"<{len(data) // 4}f", data)]
