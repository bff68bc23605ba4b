"""Amazon S3 Vectors on botocore's service model, with a bag-of-words embedding."""

from collections.abc import Sequence

from botocore.exceptions import EndpointConnectionError

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.deadline import Deadline
from flexchat.retrieval import MetadataValue, Retriever
from functions.retrieval.aws.s3vectors import VectorBucket
from functions.retrieval.retrievers.s3vectors import S3VectorsRetriever
from tests.contract.aws_answers import Answers, AwsAnswer, AwsRequest, answering
from tests.contract.retrievers import COLLECTION, VOCABULARY, nearest, words
from tests.unit.retrieval_remote.clock import Time

SERVICE = RagServiceConfig(
    type="s3vectors", bucket="my-vectors", embedding_model="main:embedding", collections=(COLLECTION,)
)


class WordEmbedding:
    """Embedding with one dimension for each word of the passages, and one for all others."""

    name = "main:embedding"
    dimensions = len(VOCABULARY) + 1

    def embed(self, texts: Sequence[str], deadline: Deadline) -> list[list[float]]:
        return [[*(float(word in words(text)) for word in VOCABULARY), 0.5] for text in texts]


class S3VectorsHarness:
    def retriever(self) -> Retriever:
        return self._on(_answer)

    def unreachable(self) -> Retriever:
        return self._on(lambda _: AwsAnswer(fault=EndpointConnectionError(endpoint_url="https://s3vectors.example")))

    def _on(self, answers: Answers) -> Retriever:
        session = answering("s3vectors.QueryVectors", answers)
        time = Time()
        return S3VectorsRetriever(
            name="vectors",
            service=SERVICE,
            vectors=VectorBucket.create("my-vectors", region=None, timeout_seconds=10, session=session),
            embedder=WordEmbedding(),
            retry=time.retry(),
            deadline=time.deadline(),
        )


def _answer(request: AwsRequest) -> AwsAnswer:
    vector = request.body["queryVector"]["float32"]
    sent = {word for word, value in zip(VOCABULARY, vector, strict=False) if value}
    condition = request.body.get("filter", {})
    equal = condition.get("$and", [condition])
    filters: dict[str, MetadataValue] = {name: test["$eq"] for part in equal for name, test in part.items()}
    found = nearest(sent, filters, request.body["topK"])
    return AwsAnswer(
        {
            "vectors": [
                {
                    "key": stored.source,
                    "distance": distance,
                    "metadata": {
                        "text": stored.text,
                        "title": stored.title,
                        "source": stored.source,
                        **stored.metadata,
                    },
                }
                for stored, distance in found
            ],
            "distanceMetric": "cosine",
        }
    )
