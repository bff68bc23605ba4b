"""Amazon S3 Vectors: the nearest vectors of an index."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from boto3.session import Session
from botocore.exceptions import BotoCoreError, ClientError

from flexchat.errors import RetrievalError
from flexchat.messages import Json
from flexchat.redacted_struct import RedactedStruct
from flexchat.retrieval import MetadataValue
from functions.retrieval.aws.connections import connect, retrieval_error

MAX_TOP_K = 100


class NearVector(RedactedStruct, frozen=True):
    """A found vector; `distance` is the cosine distance."""

    redacted: ClassVar = ("metadata",)

    key: str
    distance: float
    metadata: Mapping[str, Json]


class VectorBucket:
    """One vector bucket."""

    def __init__(self, client: Any, *, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    @classmethod
    def create(
        cls, bucket: str, *, region: str | None, timeout_seconds: float, session: Session | None = None
    ) -> "VectorBucket":
        """Return an instance with its own client. Raises RetrievalError."""
        client = connect("s3vectors", region=region, timeout_seconds=timeout_seconds, session=session)
        return cls(client, bucket=bucket)

    def query(
        self, index: str, vector: Sequence[float], *, top_k: int, filters: Mapping[str, MetadataValue]
    ) -> tuple[NearVector, ...]:
        """Return the vectors of `index` nearest to `vector`, nearest first; metadata must equal all `filters`.

        Needs s3vectors:QueryVectors and s3vectors:GetVectors on the index. Raises RetrievalError, `invalid` for an
        index with another metric than the cosine distance.
        """
        request: dict[str, object] = {
            "vectorBucketName": self._bucket,
            "indexName": index,
            "topK": min(top_k, MAX_TOP_K),
            "queryVector": {"float32": list(vector)},
            "returnMetadata": True,
            "returnDistance": True,
        }
        if filters:
            request["filter"] = _filter(filters)
        try:
            answer = self._client.query_vectors(**request)
        except (ClientError, BotoCoreError) as exc:
            raise retrieval_error(exc, f"the index {index!r}") from exc
        if answer["distanceMetric"] != "cosine":
            raise RetrievalError(
                f"the index {index!r} has the metric {answer['distanceMetric']}; create it again with cosine",
                code="invalid",
            )
        return tuple(
            NearVector(entry["key"], entry["distance"], entry.get("metadata") or {}) for entry in answer["vectors"]
        )


def _filter(filters: Mapping[str, MetadataValue]) -> dict[str, object]:
    conditions = [{name: {"$eq": value}} for name, value in filters.items()]
    return {"$and": conditions} if len(conditions) > 1 else {**conditions[0]}
