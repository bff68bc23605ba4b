"""Knowledge bases of Bedrock by botocore's model of them."""

from botocore.exceptions import EndpointConnectionError

from flexchat.config.models.rag_services import RagServiceConfig
from flexchat.retrieval import MetadataValue, Retriever
from functions.retrieval.aws.bedrock import KnowledgeBases
from functions.retrieval.retrievers.bedrock_kb import KnowledgeBaseRetriever
from tests.contract.aws_answers import Answers, AwsAnswer, AwsRequest, answering
from tests.contract.retrievers import COLLECTION, nearest, words
from tests.unit.retrieval_remote.clock import Time

SERVICE = RagServiceConfig(type="bedrock_kb", collection_ids={COLLECTION: "ABCDEFGHIJ"})


class KnowledgeBaseHarness:
    def retriever(self) -> Retriever:
        return self._on(_answer)

    def unreachable(self) -> Retriever:
        return self._on(lambda _: AwsAnswer(fault=EndpointConnectionError(endpoint_url="https://bedrock.example")))

    def _on(self, answers: Answers) -> Retriever:
        session = answering("bedrock-agent-runtime.Retrieve", answers)
        time = Time()
        return KnowledgeBaseRetriever(
            name="bases",
            service=SERVICE,
            bases=KnowledgeBases.create(region=None, timeout_seconds=10, session=session),
            retry=time.retry(),
            deadline=time.deadline(),
        )


def _answer(request: AwsRequest) -> AwsAnswer:
    search = request.body["retrievalConfiguration"]["vectorSearchConfiguration"]
    condition = search.get("filter", {})
    equal = [part["equals"] for part in condition.get("andAll", [condition] if condition else [])]
    filters: dict[str, MetadataValue] = {part["key"]: part["value"] for part in equal}
    found = nearest(words(request.body["retrievalQuery"]["text"]), filters, search["numberOfResults"])
    return AwsAnswer(
        {
            "retrievalResults": [
                {
                    "content": {"text": stored.text},
                    "score": 1 - distance,
                    "metadata": {"title": stored.title, "source": stored.source, **stored.metadata},
                }
                for stored, distance in found
            ]
        }
    )
