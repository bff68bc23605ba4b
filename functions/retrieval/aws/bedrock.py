"""Bedrock: passages of knowledge bases, and InvokeModel for embedding models."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from boto3.session import Session
from botocore.exceptions import BotoCoreError, ClientError

from flexchat.json import dumps
from flexchat.messages import Json
from flexchat.redacted_struct import RedactedStruct
from flexchat.retrieval import MetadataValue
from functions.retrieval.aws.connections import AwsSession, connect, retrieval_error

MAX_QUERY_CHARACTERS = 20_000
MAX_RESULTS = 100


class RetrievedPassage(RedactedStruct, frozen=True):
    """A passage of a knowledge base. `source` is the location of its document, empty when unknown."""

    redacted: ClassVar = ("text", "metadata")

    text: str
    score: float
    source: str
    document_id: str
    metadata: Mapping[str, Json]


class KnowledgeBases:
    """The knowledge bases of one region."""

    def __init__(self, client: Any) -> None:
        self._client = client

    @classmethod
    def create(cls, *, region: str | None, timeout_seconds: float, session: Session | None = None) -> "KnowledgeBases":
        """Return an instance with its own client. Raises RetrievalError."""
        return cls(connect("bedrock-agent-runtime", region=region, timeout_seconds=timeout_seconds, session=session))

    def retrieve(
        self, knowledge_base: str, text: str, *, top_k: int, filters: Mapping[str, MetadataValue]
    ) -> tuple[RetrievedPassage, ...]:
        """Return the passages of the knowledge base (an id or an ARN) for `text`, best first, in one request.

        A long text is truncated; metadata must equal all `filters`. Needs bedrock:Retrieve on the knowledge
        base. Raises RetrievalError.
        """
        search: dict[str, object] = {"numberOfResults": min(top_k, MAX_RESULTS)}
        if filters:
            search["filter"] = _filter(filters)
        try:
            answer = self._client.retrieve(
                knowledgeBaseId=knowledge_base,
                retrievalQuery={"text": text[:MAX_QUERY_CHARACTERS]},
                retrievalConfiguration={"vectorSearchConfiguration": search},
            )
        except (ClientError, BotoCoreError) as exc:
            raise retrieval_error(exc, f"the knowledge base {knowledge_base!r}") from exc
        results: list[dict[str, Any]] = answer["retrievalResults"]
        return tuple(
            RetrievedPassage(
                text=text,
                score=result.get("score", 0.0),
                source=_source(result.get("location", {})),
                document_id=result.get("documentId", ""),
                metadata=result.get("metadata") or {},
            )
            for result in results
            if (text := _text(result["content"]))
        )


def _text(content: Mapping[str, Any]) -> str:
    """Return the text of a result: text, a table's row, a transcription or the summary of a film."""
    if content.get("text"):
        return content["text"]
    if content.get("row"):
        return "\n".join(f"{cell.get('columnName', '')}: {cell.get('columnValue', '')}" for cell in content["row"])
    return content.get("audio", {}).get("transcription") or content.get("video", {}).get("summary") or ""


def _source(location: Mapping[str, Any]) -> str:
    """Return the address or id in a location of any type."""
    for name, place in location.items():
        if name != "type" and isinstance(place, dict):
            values = cast("dict[str, object]", place)
            return next((value for value in values.values() if isinstance(value, str)), "")
    return ""


def _filter(filters: Mapping[str, MetadataValue]) -> dict[str, object]:
    conditions = [{"equals": {"key": name, "value": value}} for name, value in filters.items()]
    return {"andAll": conditions} if len(conditions) > 1 else {**conditions[0]}


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
