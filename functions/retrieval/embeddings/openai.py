"""OpenAI's `POST /embeddings`, which Azure and most compatible servers have too, with the openai package.

https://platform.openai.com/docs/api-reference/embeddings/create

The package gets the body as bytes and returns the response unread: its types make an object of every number.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import httpx2
from openai import APIConnectionError, APIStatusError, AzureOpenAI, Omit, RequestOptions
from pydantic import ConfigDict
from pydantic_core import from_json

from flexchat.deadline import Deadline, time_limit
from flexchat.deferred_model import DeferredModel
from flexchat.egress.client import GuardedTransport, guarded_client
from flexchat.egress.errors import EgressError
from flexchat.errors import RetrievalError
from flexchat.http_client import BoundedErrors, HttpResponse, HttpStream, request_error
from flexchat.messages import Json
from flexchat.openai_client import openai_endpoint, sdk_client
from functions.retrieval.embeddings.endpoint import MAX_ANSWER_BYTES, EmbeddingEndpoint, RequestedModel
from functions.retrieval.embeddings.model import Wire

BATCH = 256


class _Embedding(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    index: int
    embedding: tuple[float, ...]


class _Answer(DeferredModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    data: tuple[_Embedding, ...]


def create_wire(endpoint: EmbeddingEndpoint, model: RequestedModel) -> Wire:
    """Return the request function of `model`."""
    service = endpoint.service(endpoint.bearer_token, send=_Sender(endpoint))

    def ask(texts: Sequence[str], deadline: Deadline) -> Sequence[Sequence[float]]:
        body: dict[str, Json] = {"model": model.name, "input": list(texts), "encoding_format": "float"}
        if model.dimensions is not None:
            body["dimensions"] = model.dimensions
        answer = service.post("/embeddings", body, deadline=deadline, read=_Answer.model_validate_json)
        return [entry.embedding for entry in sorted(answer.data, key=lambda entry: entry.index)]

    return Wire(ask, batch=BATCH)


class _Sender:
    """`flexchat`'s limits around a client of the package without retries."""

    def __init__(self, endpoint: EmbeddingEndpoint) -> None:
        found = openai_endpoint(endpoint.llm)
        network = BoundedErrors(endpoint.transport or GuardedTransport(endpoint.egress))
        try:
            self._client = sdk_client(found, guarded_client(endpoint.egress, transport=network))
        except httpx2.InvalidURL as exc:
            message = f"the llm {endpoint.name!r} has an address that cannot be used"
            raise RetrievalError(message, code="invalid") from exc
        headers = {**found.headers, "accept-encoding": "identity"}
        self._headers: Mapping[str, str | Omit] = {
            name: Omit() if value is None else value for name, value in headers.items()
        }

    def __call__(self, path: str, content: bytes, seconds: float, due: Deadline) -> HttpResponse:
        """Return the response to a request; the package itself writes one to Azure, whose path has the model."""
        body: Any = {"body": from_json(content)} if isinstance(self._client, AzureOpenAI) else {"content": content}
        options: RequestOptions = {"headers": self._headers, "timeout": seconds}
        try:
            with time_limit(due.remaining()):
                sent = self._client.post(path, cast_to=httpx2.Response, options=options, stream=True, **body)
                with closing(sent) as response:
                    answer = HttpStream(response, due).read(MAX_ANSWER_BYTES)
                return HttpResponse(response.status_code, response.headers, answer)
        except APIStatusError as exc:
            return HttpResponse(exc.status_code, exc.response.headers, exc.response.content)
        except APIConnectionError as exc:
            raise request_error(exc.__cause__) from exc
        except (TimeoutError, EgressError, httpx2.HTTPError) as exc:
            raise request_error(exc) from exc
