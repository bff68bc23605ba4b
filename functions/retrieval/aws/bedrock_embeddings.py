"""Bedrock's InvokeModel for embedding models."""

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from flexchat.json import dumps
from flexchat.messages import Json
from functions.retrieval.aws.connections import AwsSession, connect
from functions.retrieval.aws.errors import retrieval_error

MAX_ANSWER_BYTES = 16_777_216


class BedrockEmbeddings:
    """Calls Bedrock's models with one client."""

    def __init__(self, client: Any) -> None:
        self._client = client

    @classmethod
    def create(
        cls,
        *,
        region: str | None,
        endpoint_url: str | None,
        timeout_seconds: float,
        headers: Mapping[str, str],
        session: AwsSession | None = None,
    ) -> "BedrockEmbeddings":
        """Return an instance with its own client, which sends `headers`. Raises RetrievalError."""
        client = connect(
            "bedrock-runtime",
            region=region,
            endpoint_url=endpoint_url,
            timeout_seconds=timeout_seconds,
            session=session,
        )

        def add_headers(*, params: dict[str, Any], **_: object) -> None:
            params["headers"].update(headers)

        client.meta.events.register("before-call.bedrock-runtime.InvokeModel", add_headers)
        return cls(client)

    def invoke(self, model: str, body: Mapping[str, Json]) -> bytes:
        """Return the body of `model`'s response to the JSON `body`, sent once. Raises RetrievalError."""
        try:
            answer = self._client.invoke_model(
                modelId=model,
                body=dumps(dict(body)).encode(),
                contentType="application/json",
                accept="application/json",
            )
            content: bytes = answer["body"].read(MAX_ANSWER_BYTES)
        except (ClientError, BotoCoreError) as exc:
            raise retrieval_error(exc, f"the model {model!r}") from exc
        return content
