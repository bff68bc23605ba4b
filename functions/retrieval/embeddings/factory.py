"""Embedding models of the configuration by name, each created once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, assert_never

import httpx

from flexchat.config.catalog import Catalog
from flexchat.config.model_names import model_name
from flexchat.config.models.llms import LlmConfig
from flexchat.errors import RetrievalError
from flexchat.retry import Retry
from functions.retrieval.aws.bedrock_embeddings import BedrockEmbeddings
from functions.retrieval.embeddings import gemini, ollama, openai
from functions.retrieval.embeddings.base import Embedder
from functions.retrieval.embeddings.bedrock import InvokesModels, bedrock_wire
from functions.retrieval.embeddings.model import ModelEmbedder, Purpose, Wire
from functions.retrieval.http_client import JsonService

MAX_ANSWER_BYTES = 33_554_432
"""Size of 256 vectors of 4,096 numbers as JSON."""


class CreateRuntime(Protocol):
    """Connects to Bedrock."""

    def __call__(self, llm: LlmConfig) -> InvokesModels: ...


def bedrock_runtime(llm: LlmConfig) -> InvokesModels:
    """Return Bedrock in the llm's region, with the function's own credentials."""
    return BedrockEmbeddings.create(
        region=llm.region, endpoint_url=llm.base_url, timeout_seconds=llm.timeout_ms / 1000, headers=llm.headers
    )


@dataclass(slots=True, kw_only=True)
class Embedders:
    """Embedding models of the current catalog, cached until their llm changes."""

    catalog: Callable[[], Catalog]
    transport: httpx.BaseTransport | None = None
    runtime: CreateRuntime = bedrock_runtime
    retry: Callable[[int], Retry] = lambda max_retries: Retry(max_retries=max_retries)
    _made: dict[tuple[str, Purpose, int | None], tuple[LlmConfig, Embedder]] = field(
        default_factory=dict[tuple[str, Purpose, int | None], tuple[LlmConfig, Embedder]], init=False
    )

    def named(self, name: str, *, purpose: Purpose, dimensions: int | None = None) -> Embedder:
        """Return the embedder `llm:model`, for questions or for documents.

        Raises RetrievalError `invalid` when no such llm is configured or it has no embeddings.
        """
        catalog = self.catalog()
        llms = catalog.configuration.llms
        try:
            chosen = model_name(name, llms)
        except ValueError as exc:
            disabled = "; ".join(catalog.why_disabled("llm", name.partition(":")[0]))
            message = f"the embedding model {name!r} cannot be used: {disabled or exc}"
            raise RetrievalError(message, code="invalid") from exc
        llm = llms[chosen.llm]
        key = (str(chosen), purpose, dimensions)
        cached = self._made.get(key)
        if cached is None or cached[0] != llm:
            wire = self._wire(chosen.llm, llm, chosen.model, purpose, dimensions)
            cached = self._made[key] = (llm, ModelEmbedder(name, wire, dimensions=dimensions))
        return cached[1]

    def _wire(self, name: str, llm: LlmConfig, model: str, purpose: Purpose, dimensions: int | None) -> Wire:
        match llm.type:
            case "openai":
                headers = {"authorization": f"Bearer {llm.api_key}"} if llm.api_key else {}
                return openai.openai_wire(self._service(name, llm, openai.DEFAULT_BASE_URL, headers), model, dimensions)
            case "ollama":
                headers = {"authorization": f"Bearer {llm.api_key}"} if llm.api_key else {}
                return ollama.ollama_wire(self._service(name, llm, ollama.DEFAULT_BASE_URL, headers), model, dimensions)
            case "gemini":
                headers = {"x-goog-api-key": llm.api_key} if llm.api_key else {}
                return gemini.gemini_wire(
                    self._service(name, llm, gemini.DEFAULT_BASE_URL, headers), model, dimensions, purpose
                )
            case "bedrock":
                retry = self.retry(llm.max_retries)
                return bedrock_wire(self.runtime(llm), model, dimensions, purpose, retry=retry)
            case "anthropic":
                raise RetrievalError(f"the llm {name!r} is of a provider without embeddings", code="invalid")
            case _:
                assert_never(llm.type)

    def _service(self, name: str, llm: LlmConfig, default_url: str, headers: dict[str, str]) -> JsonService:
        """Return the llm's own address; configured headers override the provider's."""
        return JsonService(
            f"the llm {name!r}",
            url=(llm.base_url or default_url).rstrip("/"),
            headers={**headers, **{header.lower(): value for header, value in llm.headers.items()}},
            retry=self.retry(llm.max_retries),
            max_answer_bytes=MAX_ANSWER_BYTES,
            transport=self.transport,
        )
