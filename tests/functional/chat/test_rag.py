"""Phase 2: a chat that selects collections is answered from them, or without them, but always answered."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from botocore.exceptions import ClientError

from flexchat.config.catalog import Catalog
from flexchat.messages import Json
from flexchat.retrieval import CollectionMetadata, Hit
from functions.retrieval.search import Search
from functions.retrieval.search_handler import search_handler
from functions.retrieval.services import SearchServices
from tests.functional.chat.harness import Answer, Chat, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import text_turn
from tests.functional.retrieval.memory_services import MemoryCollection, MemoryRetriever, MemoryServices
from tests.functional.retrieval.memory_services import hit as stored_hit

type Reply = Mapping[str, Any] | MemoryCollection
type Outcome = Reply | Callable[[], Reply]

REFUNDS = {"title": "Refunds", "source": "refunds.md", "text": "Refunds take 14 days."}


def hit(distance: float, **passage: str) -> Hit:
    document = {**REFUNDS, **passage}
    return stored_hit(document["text"], distance, title=document["title"], source=document["source"])


def found(*hits: Hit, **metadata: Any) -> MemoryCollection:
    """A collection with these hits, with its own metadata."""
    return MemoryCollection(hits, CollectionMetadata.model_validate(metadata))


def failed(message: str) -> dict[str, Any]:
    return {"version": 1, "error": {"code": "unavailable", "message": message}}


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

    def ask(self, message: str = "How long does a refund take?", **request: Any) -> Answer:
        return self.chat.post({"message": message, "selected_collections": ["kb/faq", "kb/news"], **request})

    @property
    def prompt(self) -> str:
        """The system prompt that the model was sent last."""
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
    """A chat function with one rag service `kb`, whose prompt shows what was found."""
    config = configuration(tools=[mock_tool()], rule={"prompt": prompt}, **tools)
    config["rag_services"] = {"kb": {}} if services is None else services
    config["responses"] = [*rules, *config["responses"]]
    config["profile"] = {"caller_fields": [*caller_fields]}
    collections = Collections(replies)
    return Service(deploy([text_turn("Done.")] * answers, config, handlers={"internal": collections}), collections)


def steps(answer: Answer) -> list[tuple[str, str, int, bool]]:
    return [
        (step["step"], step["name"], step["iteration"], step["ok"])
        for step in answer.body["timings"]["steps"]
        if step["step"] == "search"
    ]


def shown(distance: float, collection: str, name: str = "kb", **document: str) -> dict[str, Json]:
    """A document as the answer names it."""
    passage = {**REFUNDS, **document}
    return {
        "title": passage["title"],
        "source": passage["source"],
        "distance": distance,
        "service": name,
        "collection": collection,
    }


def test_match_is_used_and_named_with_its_collection() -> None:
    kb = service({"kb/faq": found(hit(0.1), hit(0.4, title="Returns")), "kb/news": found(hit(0.01, title="News"))})

    answer = kb.ask()

    assert answer.status == 200
    assert answer.body["rag"] == {
        "result": "match",
        "service": "kb",
        "collection": "faq",
        "documents": [shown(0.1, "faq"), shown(0.4, "faq", title="Returns")],
        "skipped": [],
    }
    assert kb.prompt == (
        "match|kb|faq|[1] Refunds (refunds.md)\nRefunds take 14 days.\n\n"
        "[2] Returns (refunds.md)\nRefunds take 14 days."
    )
    assert steps(answer) == [("search", "kb/faq", 0, True)]


def test_match_after_a_partial_result_is_used_alone() -> None:
    kb = service({"kb/faq": found(hit(0.4)), "kb/news": found(hit(0.1, title="News"))})

    answer = kb.ask()

    assert answer.body["rag"] == {
        "result": "match",
        "service": "kb",
        "collection": "news",
        "documents": [shown(0.1, "news", title="News")],
        "skipped": [],
    }
    assert steps(answer) == [("search", "kb/faq", 0, True), ("search", "kb/news", 0, True)]


def test_partial_results_accumulate_in_selection_order() -> None:
    kb = service(
        {
            "kb/faq": found(hit(0.45, title="B")),
            "kb/far": found(hit(0.9, title="Never")),
            "kb/news": found(hit(0.3, title="A")),
        }
    )

    answer = kb.ask(selected_collections=["kb/faq", "kb/far", "kb/news"])

    assert answer.body["rag"] == {
        "result": "partial",
        "documents": [shown(0.45, "faq", title="B"), shown(0.3, "news", title="A")],
        "skipped": [],
    }
    assert kb.prompt.startswith("partial|||[1] B (refunds.md)\n")


def test_distant_passages_are_no_result() -> None:
    kb = service({"kb/faq": found(hit(0.5)), "kb/news": found()})

    assert kb.ask().body["rag"] == {"result": "none", "documents": [], "skipped": []}
    assert kb.prompt == "none|||"


@pytest.mark.parametrize(
    ("distance", "result"), [(0.2499, "match"), (0.25, "partial"), (0.4999, "partial"), (0.5, "none")]
)
def test_distance_equal_to_a_threshold_is_outside_it(distance: float, result: str) -> None:
    kb = service({"kb/faq": found(hit(distance))})

    assert kb.ask(selected_collections=["kb/faq"]).body["rag"]["result"] == result


def test_nearest_passage_sets_the_class_at_any_rank() -> None:
    kb = service({"kb/faq": found(hit(0.6, title="Ranked first"), hit(0.1))})

    rag = kb.ask(selected_collections=["kb/faq"]).body["rag"]

    assert (rag["result"], [document["title"] for document in rag["documents"]]) == (
        "match",
        ["Ranked first", "Refunds"],
    )


def test_collection_thresholds_override_service_thresholds() -> None:
    services = {"kb": {"match_threshold": 0.1, "partial_threshold": 0.2}}
    kb = service(
        {
            "kb/faq": found(hit(0.8), match_threshold=0.85, partial_threshold=0.9, display_name="FAQ"),
            "kb/news": found(hit(0.15), match_threshold=None, partial_threshold=0.12),
        },
        services=services,
        answers=2,
    )

    assert kb.ask(selected_collections=["kb/faq"]).body["rag"]["result"] == "match"
    assert kb.ask(selected_collections=["kb/news"]).body["rag"]["result"] == "none"


def test_threshold_of_zero_is_applied() -> None:
    kb = service({"kb/faq": found(hit(0.0), match_threshold=0, partial_threshold=0)})

    assert kb.ask(selected_collections=["kb/faq"]).body["rag"]["result"] == "none"


def test_max_distance_of_the_service_drops_passages() -> None:
    kb = service({"kb/faq": found(hit(0.1), hit(0.7))}, services={"kb": {"max_distance": 0.6}})

    rag = kb.ask(selected_collections=["kb/faq"]).body["rag"]

    assert [document["distance"] for document in rag["documents"]] == [0.1]


def test_retrieval_function_receives_the_search_contract() -> None:
    settings = {"top_k": 3, "timeout_ms": 1_500, "match_threshold": 0.2, "headers": {"X-Key": "k"}}
    kb = service({"kb/faq": found()}, services={"kb": settings})

    kb.ask("Where is it?", selected_collections=["kb/faq"])

    (event,) = kb.collections.events
    searched = event["scope"].pop("service")
    assert isinstance(event.pop("request_id"), str)
    assert event == {
        "version": 1,
        "operation": "search",
        "query": "Where is it?",
        "collection": "faq",
        "top_k": 3,
        "filters": {},
        "scope": {"services": None, "collections": None},
        "max_bytes": 24_000,
        "timeout_ms": 1_500,
    }
    assert searched.items() >= {"name": "kb", "type": "internal", **settings}.items()


def test_first_turn_is_searched_by_message_and_later_turns_by_topic() -> None:
    kb = service({"kb/faq": found()}, answers=3)
    history = [{"role": "user", "content": "Hello"}]

    kb.ask("And how long?", topic="refunds", selected_collections=["kb/faq"])
    kb.ask("And how long?", topic="refunds", history=history, selected_collections=["kb/faq"])
    kb.ask("And how long?", history=history, selected_collections=["kb/faq"])

    assert kb.collections.queries == ["And how long?", "refunds", "And how long?"]


@pytest.mark.parametrize("text", ['" OR', "col:x", "-b", "NEAR(a b)", "\x00", "🦜" * 25_000, "'; DROP TABLE x; --"])
def test_message_is_searched_unchanged(text: str) -> None:
    kb = service({"kb/faq": found(hit(0.1))})
    body = json.dumps({"message": text, "selected_collections": ["kb/faq"]}, ensure_ascii=False)

    assert kb.chat.post(body).body["rag"]["result"] == "match"
    assert kb.collections.queries == [text]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (failed("the index of 'faq' is damaged"), "the index of 'faq' is damaged"),
        ({"neither": "nor"}, "The search answered in a form that is not understood"),
        ({"version": 1, "hits": "many"}, "The search answered in a form that is not understood"),
    ],
)
def test_failed_collection_is_skipped_and_the_next_one_answers(reply: dict[str, Any], reason: str) -> None:
    kb = service({"kb/faq": reply, "kb/news": found(hit(0.1))})

    answer = kb.ask()

    assert (answer.status, answer.body["content"], answer.body["status"]) == (200, "Done.", "complete")
    assert answer.body["rag"] == {
        "result": "match",
        "service": "kb",
        "collection": "news",
        "documents": [shown(0.1, "news")],
        "skipped": [{"collection": "kb/faq", "reason": reason}],
    }
    assert steps(answer) == [("search", "kb/faq", 0, False), ("search", "kb/news", 0, True)]


def test_crashed_retrieval_function_does_not_fail_the_chat() -> None:
    def dies() -> Mapping[str, Any]:
        raise ZeroDivisionError

    kb = service({"kb/faq": dies, "kb/news": dies})

    answer = kb.ask()

    assert answer.status == 200
    assert [entry["reason"] for entry in answer.body["rag"]["skipped"]] == ["The search failed unexpectedly"] * 2


@pytest.fixture
def never() -> Iterator[threading.Event]:
    """An event that nothing sets before the test is over."""
    event = threading.Event()
    yield event
    event.set()


def test_unexpected_search_error_leaves_the_results_of_other_collections(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def breaks() -> Mapping[str, Any]:
        raise RuntimeError("password=hunter2")

    kb = service({"kb/faq": found(hit(0.4)), "kb/news": breaks})

    answer = kb.ask()

    assert answer.status == 200
    assert answer.body["rag"]["documents"] == [shown(0.4, "faq")]
    skipped = {"collection": "kb/news", "reason": "the search failed unexpectedly"}
    assert answer.body["rag"]["skipped"] == [skipped]
    output = capsys.readouterr().out
    [line] = [json.loads(line) for line in output.splitlines() if "search crashed" in line]
    assert (line["level"], line["collection"], line["error"]) == ("ERROR", "kb/news", "RuntimeError")
    assert "hunter2" not in output


def test_first_match_in_selection_order_ends_the_search(never: threading.Event) -> None:
    def hangs() -> MemoryCollection:
        never.wait()
        return found(hit(0.01))

    kb = service({"kb/faq": found(hit(0.2)), "kb/a": hangs, "kb/b": hangs, "kb/c": hangs}, max_parallel=1)

    answer = kb.ask(selected_collections=["kb/faq", "kb/a", "kb/b", "kb/c"])

    assert (answer.body["rag"]["result"], answer.body["rag"]["collection"]) == ("match", "faq")
    assert steps(answer) == [("search", "kb/faq", 0, True)]
    never.set()
    for thread in threading.enumerate():
        if thread.name.startswith("search"):
            thread.join()
    assert len(kb.collections.events) <= 2


def test_first_selected_match_is_used_before_a_nearer_one() -> None:
    kb = service({"kb/faq": found(hit(0.2)), "kb/news": found(hit(0.01))}, answers=2)

    assert kb.ask().body["rag"]["collection"] == "faq"
    assert kb.ask(selected_collections=["kb/news", "kb/faq"]).body["rag"]["collection"] == "news"


def test_hanging_search_ends_at_the_timeout_of_its_service(never: threading.Event) -> None:
    def hangs() -> MemoryCollection:
        never.wait()
        return found(hit(0.1))

    kb = service({"kb/faq": hangs, "kb/news": found(hit(0.4))}, services={"kb": {"timeout_ms": 60}})

    answer = kb.ask(deadline_ms=3_000)

    assert answer.status == 200
    assert answer.body["rag"]["skipped"] == [{"collection": "kb/faq", "reason": "no answer within 60 ms"}]
    assert answer.body["rag"]["result"] == "partial"


def test_search_gets_a_share_of_the_remaining_time() -> None:
    kb = service({"kb/faq": found()}, services={"kb": {"timeout_ms": 60_000}})

    kb.ask(deadline_ms=6_000, selected_collections=["kb/faq"])

    (event,) = kb.collections.events
    assert 1_000 < event["timeout_ms"] <= 6_000 / 3


def test_search_is_skipped_without_remaining_time() -> None:
    kb = service({})

    answer = kb.chat.direct(
        {"message": "Quick!", "selected_collections": ["kb/faq"], "deadline_ms": 60_000}, remaining_ms=1_900
    )

    assert (answer["content"], answer["status"]) == ("Done.", "complete")
    assert answer["rag"]["skipped"] == [{"collection": "kb/faq", "reason": "no time was left to search it"}]
    assert kb.collections.events == []


def test_parallel_searches_are_limited() -> None:
    together = threading.Barrier(2)
    lock = threading.Lock()
    running: list[int] = []
    most = 0

    def counted() -> MemoryCollection:
        nonlocal most
        with lock:
            running.append(1)
            most = max(most, len(running))
        together.wait()
        with lock:
            running.pop()
        return found()

    names = [f"kb/c{number}" for number in range(4)]
    kb = service(dict.fromkeys(names, counted), max_parallel=2)

    assert kb.ask(selected_collections=names).body["rag"]["result"] == "none"
    assert (most, len(kb.collections.events)) == (2, 4)


def test_rule_can_require_any_result() -> None:
    rule = {"match": {"rag_results": "any"}, "llm": "openai", "model": "gpt-4o", "prompt": "By the book: {{documents}}"}
    kb = service({"kb/faq": found(hit(0.4)), "kb/news": found()}, rules=[rule], answers=2)

    kb.ask()
    with_documents = kb.prompt
    kb.ask(selected_collections=["kb/news"])

    prefix, _, documents = with_documents.partition(": ")
    assert prefix == "By the book"
    assert json.loads(documents) == [{**shown(0.4, "faq"), "text": "Refunds take 14 days."}]
    assert kb.prompt == "none|||"


def test_rule_can_require_the_matched_service() -> None:
    rule = {"match": {"service": "kb", "collection": "faq"}, "llm": "openai", "model": "gpt-4o", "prompt": "FAQ"}
    kb = service({"kb/faq": found(hit(0.1))}, rules=[rule])

    kb.ask(profile={"service": "billing", "collection": "x", "rag_results": "none", "rag_context": "made up"})

    assert kb.prompt == "FAQ"


@pytest.mark.parametrize(("opened", "name"), [(["service"], "billing"), ([], "")])
def test_requested_service_is_used_without_a_match_if_callers_may_set_it(opened: list[str], name: str) -> None:
    kb = service({"kb/faq": found(hit(0.4)), "kb/news": found()}, caller_fields=opened)

    kb.ask(profile={"service": "billing", "rag_results": "match", "rag_context": "made up"})

    assert kb.prompt == f"partial|{name}||[1] Refunds (refunds.md)\nRefunds take 14 days."


def test_variables_in_a_passage_are_not_expanded() -> None:
    kb = service({"kb/faq": found(hit(0.1, text="{{user_message}}"))})

    kb.ask("secret", selected_collections=["kb/faq"])

    assert kb.prompt.endswith("\n{{user_message}}")


@pytest.mark.parametrize(
    ("services", "name", "reason"),
    [
        ({"kb": {}}, "kbs/faq", "no service named 'kbs'; the services are: 'kb'"),
        (
            {"kb": {"collections": ["news", "faq"]}},
            "kb/faqs",
            "the service 'kb' has no collection 'faqs'; it has: 'faq', 'news'",
        ),
        (
            {"kb": {"collections": ["faq", "news"]}},
            "new",
            "no service has a collection 'new'; the configured collections are: 'kb/news', 'kb/faq'",
        ),
        ({"kb": {}, "wiki": {}}, "faq", "several services may have it; write one of kb/faq, wiki/faq"),
        ({}, "kb/faq", "no service named 'kb'; the services are: none"),
        ({}, "faq", "no service has a collection 'faq'; the configured collections are: none"),
    ],
)
def test_unknown_collection_name_is_reported_and_skipped(services: Mapping[str, Any], name: str, reason: str) -> None:
    kb = service({}, services=services)

    answer = kb.ask(selected_collections=[name])

    assert answer.status == 200
    assert answer.body["rag"] == {
        "result": "none",
        "documents": [],
        "skipped": [{"collection": name, "reason": reason}],
    }
    assert kb.collections.events == []


def test_collection_name_without_a_service_is_accepted_if_unique() -> None:
    services = {"kb": {"collections": ["faq"]}, "wiki": {"collections": ["pages"]}}
    kb = service({"wiki/pages": found(hit(0.1))}, services=services)

    assert kb.ask(selected_collections=["pages", "wiki/pages", "pages"]).body["rag"]["service"] == "wiki"
    assert len(kb.collections.events) == 1


def test_chat_without_selected_collections_is_not_searched() -> None:
    kb = service({})

    answer = kb.ask(selected_collections=[])

    assert "rag" not in answer.body
    assert kb.collections.events == []
    assert kb.prompt == "none|||"


def test_deployment_without_the_retrieval_function_reports_it() -> None:
    config = configuration()
    config["rag_services"] = {"kb": {}}
    chat = deploy([text_turn("Done.")], config)

    answer = chat.post({"message": "Hello", "selected_collections": ["kb/faq"]})

    assert (answer.status, answer.body["rag"]["skipped"]) == (
        200,
        [{"collection": "kb/faq", "reason": "no function searches collections in this deployment"}],
    )


def test_openapi_document_describes_the_search_results() -> None:
    document = service({}).chat.get("/api/openapi.json").body

    assert set(document["components"]["schemas"]["RagView"]["properties"]) == {
        "result",
        "service",
        "collection",
        "documents",
        "skipped",
    }


def test_throttled_search_is_retried() -> None:
    throttled = [ClientError({"Error": {"Code": "TooManyRequestsException"}}, "Invoke")]

    def throttled_once() -> MemoryCollection:
        if throttled:
            raise throttled.pop()
        return found(hit(0.1))

    kb = service({"kb/faq": throttled_once, "kb/news": found()})

    assert kb.ask().body["rag"]["result"] == "match"
    assert [event["collection"] for event in kb.collections.events].count("faq") == 2
