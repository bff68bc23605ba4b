"""Example configuration of a shop: the rule that matches each message."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.aws.objects import ObjectStore
from flexchat.messages import Message
from functions.retrieval.ingest.documents import SourceFile
from tests.functional.chat.harness import Chat
from tests.functional.chat.scripted_provider import Step, call_completion, text_completion
from tests.functional.examples.example_chat import EXAMPLES, Service, outcome

pytestmark = pytest.mark.slow

POLICIES = ("policies/shop-policies",)
BOTH = (*POLICIES, "manuals/shop-manuals")


def of_the_shop(name: str) -> SourceFile:
    return SourceFile(name, (EXAMPLES / "support-desk" / name).read_bytes())


@pytest.fixture
def desk(objects: ObjectStore, tmp_path: Path) -> Service:
    service = Service("support-desk", objects, tmp_path)
    service.fill("shop-policies", (0.65, 0.92), *map(of_the_shop, ("returns.md", "delivery.md")))
    service.fill("shop-manuals", (0.6, 0.9), of_the_shop("kettle-manual.md"))
    return service


def topic(summary: str) -> Any:
    return text_completion(f'{{"topic_status": "new_topic", "topic_summary": "{summary}"}}')


def by_prompt(**answers: str) -> Step:
    """Return a step of a model that answers concurrent topic and intent requests by their content."""

    def answer(messages: Sequence[Message], _options: object) -> Any:
        question = messages[-1].text
        return text_completion(answers["topic"] if "topic_status" in question else answers["intent"])

    return answer


def phases(intent: str, summary: str = "an order") -> list[Step]:
    reply = by_prompt(topic=f'{{"topic_status": "new_topic", "topic_summary": "{summary}"}}', intent=intent)
    return [reply, reply]


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
    chat = desk.deploy(topic("refunds"), text_completion("As it says [1]."))

    body = chat.post({"message": message, "selected_collections": [*BOTH]}).body

    assert outcome(body) == (rule, collection, [])
    assert "[1] " in chat.model.seen[-1][0].text
    assert len(chat.model.seen) == 2
    assert not chat.model.options[-1].tools


def test_member_matches_the_technician_rule_with_the_ticket_tool(desk: Service) -> None:
    chat = desk.deploy(topic("kettle"), text_completion("Step by step."))
    request = {"message": "How do I descale the kettle?", "selected_collections": [*BOTH]}

    body = chat.post({**request, "profile": {"plan": "member"}}).body

    assert outcome(body) == ("manual_for_members", "manuals/shop-manuals", [])
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
    chat = desk.deploy(*phases(intent), text_completion("Done."))

    body = chat.post({"message": message}).body

    assert outcome(body) == (rule, intent, [])
    assert offered(chat) == tools


def test_legal_threat_is_escalated_with_any_intent(desk: Service) -> None:
    ticket = call_completion(("create_ticket", {"summary": "Threatens with a lawyer", "priority": "high"}))
    chat = desk.deploy(*phases("product_advice"), ticket, text_completion("A person will write."))

    body = chat.post({"message": "My lawyer will hear of this kettle"}).body

    assert outcome(body) == ("escalate", "product_advice", ["create_ticket"])
    assert chat.model.options[-1].temperature == 0


def test_refund_uses_order_lookup_search_and_calculation(desk: Service) -> None:
    chat = desk.deploy(
        *phases("refund_request"),
        call_completion(
            ("order_status", {"order_number": "KC-10382"}), ("search_policies", {"query": "refund takes"}), turn=1
        ),
        call_completion(("calculate", {"expression": "59.90 - 3.90"}), turn=2),
        text_completion("You get 56.00 euros back within five working days."),
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
        call_completion(("order_status", {"order_number": "10382"})),
        text_completion("Which one?"),
    )

    result = chat.post({"message": "Where is 10382?"}).body["tool_calls"][0]["result"]

    assert (result["success"], result["error_type"]) == (False, "invalid_arguments")


def test_partial_result_is_searched_again(desk: Service) -> None:
    chat = desk.deploy(
        *phases("other"),
        call_completion(("search_policies", {"query": "delivery abroad"})),
        text_completion("Up to ten days."),
    )

    body = chat.post({"message": "cost of a delivery abroad", "selected_collections": [*POLICIES]}).body

    assert (body["rule"], body["rag"]["result"]) == ("unsure", "partial")
    assert body["intent"] == "policies/shop-policies"


def test_follow_up_question_in_a_session_is_searched_by_topic(desk: Service, tables: DynamoDBClient) -> None:
    chat = desk.deploy(
        topic("refund of a kettle"),
        text_completion("Five working days [1]."),
        topic("what express delivery costs"),
        text_completion("9.90 euros [1]."),
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
