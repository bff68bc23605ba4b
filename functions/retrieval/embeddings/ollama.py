"""Ollama's `POST /api/embed`. https://docs.ollama.com/api/embed"""

from collections.abc import Sequence

from pydantic import ConfigDict

from flexchat.deadline import Deadline
from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json
from functions.retrieval.embeddings.endpoint import EmbeddingEndpoint, RequestedModel
from functions.retrieval.embeddings.model import Wire

BATCH = 64
"""Texts of one request: a local model is slow, so that several requests remain within their timeout."""


class _Answer(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    embeddings: tuple[tuple[float, ...], ...]


def create_wire(endpoint: EmbeddingEndpoint, model: RequestedModel) -> Wire:
    """Return the request function of `model`."""
    service = endpoint.service(endpoint.bearer_token)

    def ask(texts: Sequence[str], deadline: Deadline) -> Sequence[Sequence[float]]:
        body: dict[str, Json] = {"model": model.name, "input": list(texts), "truncate": True}
        if model.dimensions is not None:
            body["dimensions"] = model.dimensions
        return service.post("/api/embed", body, deadline=deadline, read=_Answer.model_validate_json).embeddings

    return Wire(ask, batch=BATCH)
