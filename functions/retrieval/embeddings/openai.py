"""OpenAI's `POST /embeddings`, which most compatible servers have too.

https://platform.openai.com/docs/api-reference/embeddings/create
"""

from collections.abc import Sequence

from pydantic import ConfigDict

from flexchat.deadline import Deadline
from flexchat.deferred_model import DeferredModel
from flexchat.messages import Json
from functions.retrieval.embeddings.endpoint import Endpoint, RequestedModel
from functions.retrieval.embeddings.model import Wire

BATCH = 256


class _Embedding(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    index: int
    embedding: tuple[float, ...]


class _Answer(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    data: tuple[_Embedding, ...]


def create_wire(endpoint: Endpoint, model: RequestedModel) -> Wire:
    """Return the request function of `model`."""
    service = endpoint.service(endpoint.bearer_token)

    def ask(texts: Sequence[str], deadline: Deadline) -> Sequence[Sequence[float]]:
        body: dict[str, Json] = {"model": model.name, "input": list(texts), "encoding_format": "float"}
        if model.dimensions is not None:
            body["dimensions"] = model.dimensions
        answer = service.post("/embeddings", body, deadline=deadline, read=_Answer.model_validate_json)
        return [entry.embedding for entry in sorted(answer.data, key=lambda entry: entry.index)]

    return Wire(ask, batch=BATCH)
