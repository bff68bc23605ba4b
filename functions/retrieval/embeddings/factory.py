"""Embedding models of the configuration by name, each created once by the module of its provider."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Final

from flexchat.config.catalog import Catalog
from flexchat.config.model_names import model_name
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS, ProviderType
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.errors import RetrievalError
from flexchat.retry import Retry
from functions.retrieval.aws.connections import AwsSession
from functions.retrieval.embeddings.endpoint import CreateWire, EmbeddingEndpoint, RequestedModel
from functions.retrieval.embeddings.model import ModelEmbedder, Purpose, Wire

if TYPE_CHECKING:
    import httpx2

MAX_CACHED: Final = 32


@dataclass(slots=True, kw_only=True)
class Embedders:
    """Embedding models of the current catalog, the last ones cached until their llm changes.

    `egress` limits the addresses of llms; `transport` replaces the network, `session` the AWS session.
    """

    catalog: Callable[[], Catalog]
    egress: EgressPolicy = PUBLIC
    transport: "httpx2.BaseTransport | None" = None
    session: AwsSession | None = None
    retry: Callable[[int], Retry] = lambda max_retries: Retry(max_retries=max_retries)
    _made: dict[tuple[str, Purpose, int | None], tuple[LlmConfig, ModelEmbedder]] = field(
        default_factory=dict[tuple[str, Purpose, int | None], tuple[LlmConfig, ModelEmbedder]], init=False
    )

    def named(self, name: str, *, purpose: Purpose, dimensions: int | None = None) -> ModelEmbedder:
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
            wire = self._wire(chosen.llm, llm, RequestedModel(chosen.model, dimensions, purpose))
            if len(self._made) >= MAX_CACHED:  # callers of the API choose the dimensions
                self._made.pop(next(iter(tuple(self._made))), None)
            cached = self._made[key] = (llm, ModelEmbedder(name, wire, dimensions=dimensions))
        return cached[1]

    def _wire(self, name: str, llm: LlmConfig, model: RequestedModel) -> Wire:
        if not PROVIDERS[llm.type].embeddings:
            raise RetrievalError(f"the llm {name!r} is of a provider without embeddings", code="invalid")
        retry = self.retry(llm.max_retries)
        endpoint = EmbeddingEndpoint(
            name=name, llm=llm, retry=retry, egress=self.egress, transport=self.transport, session=self.session
        )
        return _create_wire(llm.type)(endpoint, model)


def _create_wire(provider: ProviderType) -> CreateWire:
    """Return `create_wire` of a provider, whose module is imported on first use: it may need the openai package."""
    return import_module(f"{__package__}.{provider}").create_wire


def import_wires() -> None:
    """Import the modules of all providers with embeddings, for a snapshot that serves any later configuration."""
    for provider, entry in PROVIDERS.items():
        if entry.embeddings:
            _create_wire(provider)
