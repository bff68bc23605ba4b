"""Example configurations: the rule that matches each message, with real collections and a scripted model."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from cli.configuration import read_file
from flexchat.aws.clients import s3
from flexchat.aws.objects import ObjectStore
from flexchat.config.catalog import Catalog
from flexchat.config.document import parse
from flexchat.deadline import Deadline
from flexchat.messages import Message
from flexchat.retrieval import CollectionMetadata, Retriever
from flexchat.tool_runtime import tool_handler
from functions.retrieval.collections import Collections
from functions.retrieval.implementation import Implementation
from functions.retrieval.index.metadata import CollectionMetadataReader
from functions.retrieval.index.store import IndexStore
from functions.retrieval.ingest.chunker import Chunking
from functions.retrieval.ingest.documents import SourceFile
from functions.retrieval.ingest.load import load
from functions.retrieval.retrievers.factory import Retrievers
from functions.retrieval.retrievers.sqlite import SqliteRetriever
from functions.retrieval.search import Search
from functions.retrieval.search_handler import search_handler
from functions.retrieval.services import SearchServices
from functions.retrieval.tool import SearchTool
from tests.functional.chat.harness import Chat, deploy
from tests.functional.chat.scripted_provider import Step, call_turn, text_turn
from tests.unit.runs.table import empty_tables

EXAMPLES = Path(__file__).parents[2] / "config" / "examples"
BUCKET = "flexchat-test-collections"

POLICIES = ("policies/shop-policies",)
BOTH = (*POLICIES, "manuals/shop-manuals")


def no_embedder(*_name: str, **_purpose: str) -> Any:
    raise AssertionError("the collections are lexical; a model must not be called")


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[DynamoDBClient]:
    s3.cache_clear()
    with empty_tables(monkeypatch) as client:
        yield client
    s3.cache_clear()


@pytest.fixture
def objects(tables: DynamoDBClient) -> ObjectStore:
    s3().create_bucket(Bucket=BUCKET)
    return ObjectStore(s3(), BUCKET)


class Service:
    """The chat function with an example configuration and the collections that docs/examples.md creates for it."""

    def __init__(self, example: str, objects: ObjectStore, cache: Path) -> None:
        configuration = parse(read_file(EXAMPLES / f"{example}.json")).configuration
        self._configuration = configuration
        self._objects = objects
        self._cache = cache
        self._catalog = Catalog(configuration, (), "1")

    def fill(self, name: str, thresholds: tuple[float, float], *sources: SourceFile) -> None:
        """Create a lexical collection of short passages."""
        collections = Collections.of(self._objects, cache=self._cache, embedder=no_embedder)
        match, partial = thresholds
        collections.create(name, CollectionMetadata(match_threshold=match, partial_threshold=partial))
        documents = [document for source in sources for document in load(source)]
        collections.add(name, documents, deadline=Deadline.after(60), chunking=Chunking(size=300, overlap=0))

    def deploy(self, *script: Step, **more: Any) -> Chat:
        """Deploy the service with a model that follows `script`."""
        config = self._configuration.model_dump(mode="json", exclude_unset=True, by_alias=True)
        search = Search(
            services=SearchServices(
                catalog=lambda: self._catalog,
                create=Retrievers(own=self._own, embedders=no_embedder, secrets=lambda service: service),
            )
        )
        search_event, call_tool = search_handler(search), tool_handler(Implementation, SearchTool(search))

        def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
            return search_event(event, context) if "operation" in event else call_tool(event, context)

        return deploy(script, config, handlers={"internal": handler}, **more)

    def _own(self, deadline: Deadline) -> Retriever:
        return SqliteRetriever(
            infos=CollectionMetadataReader(self._objects),
            indexes=IndexStore(self._objects, self._cache),
            embedder=no_embedder,
            deadline=deadline,
        )


def of_the_shop(name: str) -> SourceFile:
    return SourceFile(name, (EXAMPLES / "support-desk" / name).read_bytes())


@pytest.fixture
def desk(objects: ObjectStore, tmp_path: Path) -> Service:
    service = Service("support-desk", objects, tmp_path)
    service.fill("shop-policies", (0.65, 0.92), *map(of_the_shop, ("returns.md", "delivery.md")))
    service.fill("shop-manuals", (0.6, 0.9), of_the_shop("kettle-manual.md"))
    return service


def topic(summary: str) -> Any:
    return text_turn(f'{{"topic_status": "new_topic", "topic_summary": "{summary}"}}')


def by_prompt(**answers: str) -> Step:
    """A model that answers concurrent topic and intent requests by their content."""

    def answer(messages: Sequence[Message], _options: object) -> Any:
        asked = messages[-1].text
        return text_turn(answers["topic"] if "topic_status" in asked else answers["intent"])

    return answer


def phases(intent: str, summary: str = "an order") -> list[Step]:
    reply = by_prompt(topic=f'{{"topic_status": "new_topic", "topic_summary": "{summary}"}}', intent=intent)
    return [reply, reply]


def told(body: dict[str, Any]) -> tuple[str, str | None, list[str]]:
    return body["rule"], body["intent"], [call["tool"] for call in body["tool_calls"]]


def test_weather_assistant_uses_its_tool_and_rejects_other_topics(objects: ObjectStore, tmp_path: Path) -> None:
    weather = call_turn(("get_weather", {"location": "Paris", "units": "celsius"}))
    service = Service("weather-assistant", objects, tmp_path).deploy(
        text_turn("weather_forecast"),
        weather,
        text_turn("22 degrees and sunny."),
        text_turn("other"),
        text_turn("Only the weather."),
    )

    forecast = service.post({"message": "Will it rain in Paris?"}).body
    sums = service.post({"message": "What is 12 * 12?"}).body

    assert told(forecast) == ("weather", "weather_forecast", ["get_weather"])
    assert forecast["tool_calls"][0]["result"]["result"] == {"temperature": 22, "condition": "sunny"}
    assert told(sums) == ("anything_else", "other", [])


MANUAL = """# Tokens

## Create a token

A token is created by an operator and shown once. Any holder of it may call the service.

## Revoke a token

An operator revokes a token within seconds: `flexchat tokens revoke ID`. It is not taken away from its holder by force.
"""


@pytest.fixture
def documentation(objects: ObjectStore, tmp_path: Path) -> Service:
    service = Service("documentation-assistant", objects, tmp_path)
    service.fill("flexchat-docs", (0.6, 0.95), SourceFile("tokens.md", MANUAL.encode()))
    return service


def test_documentation_assistant_answers_from_a_match(documentation: Service) -> None:
    chat = documentation.deploy(text_turn("With flexchat tokens revoke [1]."))

    body = chat.post({"message": "How do I revoke a token?", "selected_collections": ["flexchat-docs"]}).body

    assert (body["rule"], body["rag"]["result"]) == ("found", "match")
    assert "] Tokens > Revoke a token (tokens.md#revoke-a-token)" in chat.model.seen[0][0].text


def test_documentation_assistant_searches_again_after_a_partial_result(documentation: Service) -> None:
    search = call_turn(("search_docs", {"query": "revoke a token"}))
    chat = documentation.deploy(search, text_turn("flexchat tokens revoke"), search, text_turn("The same."))
    nearly = {"message": "Can tokens be taken away by the police?", "selected_collections": ["flexchat-docs"]}

    partial = chat.post(nearly).body
    unselected = chat.post({"message": "How do I revoke a token?"}).body

    assert (partial["rule"], partial["rag"]["result"]) == ("nearly_found", "partial")
    assert (unselected["rule"], "rag" in unselected) == ("not_found", False)
    for body in (partial, unselected):
        found = body["tool_calls"][0]["result"]["result"]["results"]
        assert any("revoke" in passage["text"] for passage in found)


@pytest.mark.parametrize(
    ("message", "rule", "collection"),
    [
        ("How long does a refund take?", "policy", "policies/shop-policies"),
        ("The red light of my kettle blinks", "manual", "manuals/shop-manuals"),
    ],
)
def test_shop_document_match_answers_without_the_intent_phase(
    desk: Service, message: str, rule: str, collection: str
) -> None:
    chat = desk.deploy(topic("refunds"), text_turn("As it says [1]."))

    body = chat.post({"message": message, "selected_collections": [*BOTH]}).body

    assert told(body) == (rule, collection, [])
    assert "[1] " in chat.model.seen[-1][0].text
    assert len(chat.model.seen) == 2
    assert not chat.model.options[-1].tools


def test_member_matches_the_technician_rule_with_the_ticket_tool(desk: Service) -> None:
    chat = desk.deploy(topic("kettle"), text_turn("Step by step."))
    request = {"message": "How do I descale the kettle?", "selected_collections": [*BOTH]}

    body = chat.post({**request, "profile": {"plan": "member"}}).body

    assert told(body) == ("manual_for_members", "manuals/shop-manuals", [])
    assert offered(chat) == {"create_ticket"}


def offered(chat: Chat) -> set[str]:
    tools: Any = chat.model.options[-1].tools
    return {tool["function"]["name"] for tool in tools}


@pytest.mark.parametrize(
    ("message", "intent", "rule", "tools"),
    [
        ("Where is my order KC-10382?", "order_status", "order", {"order_status"}),
        ("You are all thieves!", "complaint", "complaint", {"order_status", "create_ticket"}),
        (
            "I want my money back for KC-10382",
            "refund_request",
            "refund",
            {"order_status", "search_policies", "calculate", "create_ticket"},
        ),
        ("Which kettle suits green tea?", "product_advice", "fallback", {"create_ticket"}),
        ("Tell me a joke", "other", "fallback", {"create_ticket"}),
    ],
)
def test_intent_selects_prompt_and_tools(desk: Service, message: str, intent: str, rule: str, tools: set[str]) -> None:
    chat = desk.deploy(*phases(intent), text_turn("Done."))

    body = chat.post({"message": message}).body

    assert told(body) == (rule, intent, [])
    assert offered(chat) == tools


def test_legal_threat_is_escalated_with_any_intent(desk: Service) -> None:
    ticket = call_turn(("create_ticket", {"summary": "Threatens with a lawyer", "priority": "high"}))
    chat = desk.deploy(*phases("product_advice"), ticket, text_turn("A person will write."))

    body = chat.post({"message": "My lawyer will hear of this kettle"}).body

    assert told(body) == ("escalate", "product_advice", ["create_ticket"])
    assert chat.model.options[-1].temperature == 0


def test_refund_uses_order_lookup_search_and_calculation(desk: Service) -> None:
    chat = desk.deploy(
        *phases("refund_request"),
        call_turn(
            ("order_status", {"order_number": "KC-10382"}), ("search_policies", {"query": "refund takes"}), turn=1
        ),
        call_turn(("calculate", {"expression": "59.90 - 3.90"}), turn=2),
        text_turn("You get 56.00 euros back within five working days."),
    )

    body = chat.post({"message": "What do I get back for KC-10382?"}).body

    order, policies, amount = (call["result"] for call in body["tool_calls"])
    assert body["rule"] == "refund"
    assert order["result"]["total"] == 59.9
    assert "five working days" in policies["result"]["results"][0]["text"]
    assert amount["result"] == {"result": 56.0}


def test_invalid_order_number_is_reported_to_the_model(desk: Service) -> None:
    chat = desk.deploy(
        *phases("order_status"),
        call_turn(("order_status", {"order_number": "10382"})),
        text_turn("Which one?"),
    )

    result = chat.post({"message": "Where is 10382?"}).body["tool_calls"][0]["result"]

    assert (result["success"], result["error_type"]) == (False, "invalid_arguments")


def test_partial_result_is_searched_again(desk: Service) -> None:
    chat = desk.deploy(
        *phases("other"),
        call_turn(("search_policies", {"query": "delivery abroad"})),
        text_turn("Up to ten days."),
    )

    body = chat.post({"message": "cost of a delivery abroad", "selected_collections": [*POLICIES]}).body

    assert (body["rule"], body["rag"]["result"]) == ("unsure", "partial")
    assert body["intent"] == "policies/shop-policies"


def test_follow_up_question_in_a_session_is_searched_by_topic(desk: Service, tables: DynamoDBClient) -> None:
    chat = desk.deploy(
        topic("refund of a kettle"),
        text_turn("Five working days [1]."),
        topic("what express delivery costs"),
        text_turn("9.90 euros [1]."),
        dynamodb=tables,
    )
    request = {"session_id": "case-1", "selected_collections": [*POLICIES]}

    first = chat.post({**request, "message": "How long does a refund take?"}).body
    second = chat.post({**request, "message": "and the express one?"}).body

    assert [(body["rule"], body["topic"]) for body in (first, second)] == [
        ("policy", "refund of a kettle"),
        ("policy", "what express delivery costs"),
    ]
    assert [message.text for message in chat.model.seen[-1][1:]] == [
        "How long does a refund take?",
        "Five working days [1].",
        "and the express one?",
    ]
