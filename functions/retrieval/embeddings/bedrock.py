"""Bedrock's embedding models: Amazon's Titan, which accepts one text at a time, and Cohere's Embed.

https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html
"""

import contextvars
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, ValidationError

from flexchat.deadline import Deadline
from flexchat.deferred_model import DeferredModel
from flexchat.errors import RetrievalError
from flexchat.messages import Json
from flexchat.retry import Retry
from functions.retrieval.aws.bedrock import BedrockEmbeddings
from functions.retrieval.embeddings.endpoint import EmbeddingEndpoint, RequestedModel
from functions.retrieval.embeddings.model import MAX_TEXT_BYTES, Purpose, Wire
from functions.retrieval.json_service import call_service

TITAN_PARALLEL = 8
COHERE_BATCH = 96
COHERE_3_TEXT_BYTES = 2_048

_INPUT_TYPES: dict[Purpose, str] = {"query": "search_query", "document": "search_document"}


class _TitanAnswer(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    embedding: tuple[float, ...]


class _CohereByType(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    float: tuple[tuple[float, ...], ...]


class _CohereAnswer(DeferredModel):
    """Vectors, or vectors by type when types were requested."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    embeddings: tuple[tuple[float, ...], ...] | _CohereByType


class _Model(Struct, frozen=True):
    """One model, with retries."""

    runtime: BedrockEmbeddings
    name: str
    dimensions: int | None
    purpose: Purpose
    retry: Retry

    def ask_titan(self, texts: Sequence[str], deadline: Deadline) -> Sequence[Sequence[float]]:
        """Send one request for each text, several at a time."""
        if len(texts) == 1:
            return [self._titan(texts[0], deadline)]
        with ThreadPoolExecutor(max_workers=len(texts), thread_name_prefix="embed") as pool:
            futures = [pool.submit(contextvars.copy_context().run, self._titan, text, deadline) for text in texts]
            return [embedding.result() for embedding in futures]

    def ask_cohere(self, texts: Sequence[str], deadline: Deadline) -> Sequence[Sequence[float]]:
        body: dict[str, Json] = {
            "texts": list(texts),
            "input_type": _INPUT_TYPES[self.purpose],
            "embedding_types": ["float"],
            "truncate": "END",
        }
        if self.dimensions is not None:
            body["output_dimension"] = self.dimensions
        embeddings = self._ask(_CohereAnswer, body, deadline).embeddings
        return embeddings.float if isinstance(embeddings, _CohereByType) else embeddings

    def _titan(self, text: str, deadline: Deadline) -> Sequence[float]:
        body: dict[str, Json] = {"inputText": text}
        if self.dimensions is not None:
            body["dimensions"] = self.dimensions
        return self._ask(_TitanAnswer, body, deadline).embedding

    def _ask[T: BaseModel](self, answer: type[T], body: Mapping[str, Json], deadline: Deadline) -> T:
        def attempt(_seconds: float) -> T:
            try:
                return answer.model_validate_json(self.runtime.invoke(self.name, body))
            except ValidationError as exc:
                message = f"the model {self.name!r} returned a response that cannot be parsed"
                raise RetrievalError(message, code="unavailable") from exc

        return call_service(self.retry, attempt, deadline=deadline, service=f"the model {self.name!r}")


def create_wire(endpoint: EmbeddingEndpoint, model: RequestedModel) -> Wire:
    """Return the request function of `model`: an id, an inference profile or an ARN.

    The first Titan and Cohere's third Embed have vectors of one length only. Raises RetrievalError for other models.
    """
    if "titan-embed" in model.name:
        return Wire(_client(endpoint, model, has_dimensions="-v2" in model.name).ask_titan, batch=TITAN_PARALLEL)
    if "cohere.embed" in model.name:
        of_version_3 = "-v3" in model.name
        text_bytes = COHERE_3_TEXT_BYTES if of_version_3 else MAX_TEXT_BYTES
        requests = _client(endpoint, model, has_dimensions=not of_version_3)
        return Wire(requests.ask_cohere, batch=COHERE_BATCH, text_bytes=text_bytes)
    raise RetrievalError(f"{model.name!r} is not a Titan or Cohere embedding model of Bedrock", code="invalid")


def _client(endpoint: EmbeddingEndpoint, model: RequestedModel, *, has_dimensions: bool) -> _Model:
    """Connect to Bedrock in the llm's region, with the function's own credentials."""
    llm = endpoint.llm
    problem = llm.base_url and endpoint.egress.address_problem(llm.base_url)
    if problem:
        raise RetrievalError(
            f"the llm {endpoint.name!r} has an address that is not allowed: it {problem}", code="invalid"
        )
    runtime = BedrockEmbeddings.create(
        region=llm.region,
        endpoint_url=llm.base_url,
        timeout_seconds=llm.timeout_ms / 1000,
        headers=llm.headers,
        session=endpoint.session,
    )
    dimensions = model.dimensions if has_dimensions else None
    return _Model(runtime, model.name, dimensions, model.purpose, endpoint.retry)
