"""Gemini's `models/…:batchEmbedContents`. https://ai.google.dev/api/embeddings"""

from collections.abc import Sequence
from urllib.parse import quote

from pydantic import ConfigDict

from flexchat.deadline import Deadline
from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json
from functions.retrieval.embeddings.endpoint import EmbeddingEndpoint, RequestedModel
from functions.retrieval.embeddings.model import Purpose, Wire

BATCH = 100

_TASKS: dict[Purpose, str] = {"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"}


class _Embedding(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    values: tuple[float, ...]


class _Answer(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    embeddings: tuple[_Embedding, ...]


def create_wire(endpoint: EmbeddingEndpoint, model: RequestedModel) -> Wire:
    """Return the request function of `model`."""
    key = endpoint.llm.api_key
    service = endpoint.service({"x-goog-api-key": key} if key else {})
    resource = model.name if "/" in model.name else f"models/{model.name}"

    def request(text: str) -> Json:
        body: dict[str, Json] = {
            "model": resource,
            "content": {"parts": [{"text": text}]},
            "taskType": _TASKS[model.purpose],
        }
        if model.dimensions is not None:
            body["outputDimensionality"] = model.dimensions
        return body

    def ask(texts: Sequence[str], deadline: Deadline) -> Sequence[Sequence[float]]:
        path = f"/v1beta/{quote(resource)}:batchEmbedContents"
        body: Json = {"requests": [request(text) for text in texts]}
        answer = service.post(path, body, deadline=deadline, read=_Answer.model_validate_json)
        return [entry.values for entry in answer.embeddings]

    return Wire(ask, batch=BATCH)
