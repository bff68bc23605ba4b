"""Configured llm and requested model, from which a provider's module creates its request function.

Each provider with `embeddings` in `flexchat.config.providers.PROVIDERS` has a module of its name in this package:

    create_wire(endpoint, model) -> Wire
"""

from collections.abc import Callable

import httpx2
from msgspec import Struct

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS
from flexchat.egress.policy import PUBLIC, EgressPolicy
from flexchat.retry import Retry
from functions.retrieval.aws.connections import AwsSession
from functions.retrieval.embeddings.model import Purpose, Wire
from functions.retrieval.json_service import JsonService, Send

MAX_ANSWER_BYTES = 33_554_432
"""Size of 256 vectors of 4,096 numbers as JSON."""

type CreateWire = Callable[[EmbeddingEndpoint, RequestedModel], Wire]
"""Return the request function of a model. Raises RetrievalError `invalid` for a model that cannot be used."""


class RequestedModel(Struct, frozen=True):
    """Model of a provider, with the requested dimensions and the purpose of its texts."""

    name: str
    dimensions: int | None
    purpose: Purpose


class EmbeddingEndpoint(Struct, frozen=True, kw_only=True):
    """The llm `name` of the configuration. `transport` and `session` replace the network and the AWS session."""

    name: str
    llm: LlmConfig
    retry: Retry
    egress: EgressPolicy = PUBLIC
    transport: httpx2.BaseTransport | None = None
    session: AwsSession | None = None

    @property
    def bearer_token(self) -> dict[str, str]:
        """Authorization header with the llm's key, if it has one."""
        return {"authorization": f"Bearer {self.llm.api_key}"} if self.llm.api_key else {}

    def service(self, headers: dict[str, str], *, send: Send | None = None) -> JsonService:
        """Return the llm's own address, else the default one; configured headers override the provider's.

        `send` replaces the client of the requests.
        """
        return JsonService(
            f"the llm {self.name!r}",
            url=(self.llm.base_url or PROVIDERS[self.llm.type].default_url).rstrip("/"),
            headers={**headers, **{header.lower(): value for header, value in self.llm.headers.items()}},
            retry=self.retry,
            max_answer_bytes=MAX_ANSWER_BYTES,
            egress=self.egress,
            transport=self.transport,
            send=send,
        )
