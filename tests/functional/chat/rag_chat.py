"""Chat function with a search service in memory."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flexchat.config.catalog import Catalog
from flexchat.messages import Json
from flexchat.retrieval import CollectionMetadata, Hit
from functions.retrieval.search import Search, search_handler
from functions.retrieval.services import SearchServices
from tests.functional.chat.harness import Answer, Chat, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import text_completion
from tests.functional.retrieval.memory_services import MemoryCollection, MemoryRetriever, MemoryServices
from tests.functional.retrieval.memory_services import hit as stored_hit

type Reply = Mapping[str, Any] | MemoryCollection
type Outcome = Reply | Callable[[], Reply]
REFUNDS = {"title": "Refunds", "source": "refunds.md", "text": "Refunds take 14 days."}


def hit(distance: float, **passage: str) -> Hit:
    document = {**REFUNDS, **passage}
    return stored_hit(document["text"], distance, title=document["title"], source=document["source"])


def found(*hits: Hit, **metadata: Any) -> MemoryCollection:
    """Return a collection with these hits and metadata."""
    return MemoryCollection(hits, CollectionMetadata.model_validate(metadata))


@dataclass
class Collections:
    """Retrieval function in memory: `service/collection` to its hits, to a response, or to a function of either."""

    replies: Mapping[str, Outcome]
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def __call__(self, event: dict[str, Any], _context: Any) -> Mapping[str, Any]:
        self.events.append(event)
        reply = self.replies[f"{event['scope']['service']['name']}/{event['collection']}"]
        reply = reply() if callable(reply) else reply
        if not isinstance(reply, MemoryCollection):
            return reply
        memory = MemoryServices(
            {}, {"kb": (retriever := MemoryRetriever({event["collection"]: reply})), "wiki": retriever}
        )
        services = SearchServices(catalog=_no_catalog, create=memory.create)
        return search_handler(Search(services=services))(event, None)

    @property
    def queries(self) -> list[str]:
        return [event["query"] for event in self.events]


def _no_catalog() -> Catalog:
    raise AssertionError("a search of a whole service reads no configuration")


@dataclass
class Service:
    chat: Chat
    collections: Collections

    def send_chat(self, message: str = "How long does a refund take?", **request: Any) -> Answer:
        return self.chat.post({"message": message, "selected_collections": ["kb/faq", "kb/news"], **request})

    @property
    def prompt(self) -> str:
        """Return the last system prompt."""
        return self.chat.model.seen[-1][0].text


def service(
    replies: Mapping[str, Outcome],
    *,
    services: Mapping[str, Any] | None = None,
    rules: Sequence[Mapping[str, Any]] = (),
    prompt: str = "{{rag_results}}|{{service}}|{{collection}}|{{rag_context}}",
    answers: int = 1,
    caller_fields: Sequence[str] = (),
    **tools: Any,
) -> Service:
    """Return a chat function with one rag service `kb` and the results in its prompt."""
    config = configuration(tools=[mock_tool()], rule={"prompt": prompt}, **tools)
    config["rag_services"] = {"kb": {}} if services is None else services
    config["responses"] = [*rules, *config["responses"]]
    config["profile"] = {"caller_fields": [*caller_fields]}
    collections = Collections(replies)
    return Service(
        deploy([text_completion("Done.")] * answers, config, handlers={"internal": collections}), collections
    )


def steps(answer: Answer) -> list[tuple[str, str, int, bool]]:
    return [
        (step["step"], step["name"], step["iteration"], step["ok"])
        for step in answer.body["timings"]["steps"]
        if step["step"] == "search"
    ]


def shown(distance: float, collection: str, name: str = "kb", **document: str) -> dict[str, Json]:
    """Return a document in the format of the answer."""
    passage = {**REFUNDS, **document}
    return {
        "title": passage["title"],
        "source": passage["source"],
        "distance": distance,
        "service": name,
        "collection": collection,
    }
