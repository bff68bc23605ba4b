"""Answers to the prompts of the chat phases."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from dev.demo_model.phases import of_phase
from flexchat.messages import Message, Text, ToolOutput
from functions.chat.generation.model_calls import LAST_WORDS, TIME_IS_UP, substitute_variables
from functions.chat.phases import intent, topic
from functions.chat.providers.tool_calls import plain_parts
from tests.unit.dev.demo_model.clients import (
    Anthropic,
    Bedrock,
    DemoConversation,
    Gemini,
    Ollama,
    OpenAI,
    ProtocolClient,
)
from tests.unit.dev.demo_model.openai_client import CALCULATE, EVERY_TOOL, Demo, answered, success, user

INTENTS = {
    "order_status": "Where an order or a parcel is, or when it arrives",
    "refund_request": "The customer wants money back or wants to return an order",
    "complaint": "The customer is angry, or asks for a person",
    "policies/shop-policies": "documents: Returns > Refunds; Delivery costs",
    "other": "none of the above",
}


def topic_question(message: str, *, current: str = "(none)", earlier: str = "(none)") -> str:
    fields = {"currentTopic": current, "conversationContext": earlier, "userMessage": message}
    return substitute_variables(topic.PROMPT, {**fields})


def intent_question(message: str, intents: Mapping[str, str] = INTENTS) -> str:
    listed = "\n".join(f"- {name}: {text}" if text else f"- {name}" for name, text in intents.items())
    return substitute_variables(intent.PROMPT, {"intents": listed, "topic": "(none)", "userMessage": message})


@pytest.mark.parametrize(
    ("message", "current", "status", "summary"),
    [
        ("How long does a refund take?", "(none)", "new_topic", "long refund take"),
        ("and abroad?", "delivery costs", "continuation", "delivery costs abroad"),
        ("And how long does a delivery abroad take?", "refund", "continuation", "refund long delivery abroad take"),
        ("How much does it cost?", "express delivery", "continuation", "express delivery cost"),
        ("Thanks a lot!", "delivery costs", "continuation", "delivery costs Thanks lot"),
        ("Which kettle boils water the fastest?", "delivery costs", "new_topic", "kettle boils water fastest"),
        ("and abroad?", "(none)", "new_topic", "abroad"),
        ("[demo:slow=5] How long does a refund take?", "(none)", "new_topic", "long refund take"),
        ("What is it?", "(none)", "new_topic", "What is it?"),
        ("?!", "(none)", "new_topic", "?!"),
    ],
)
def test_a_short_message_or_a_reference_continues_the_topic(
    message: str, current: str, status: str, summary: str
) -> None:
    answer = of_phase(topic_question(message, current=current))

    assert answer is not None
    assert json.loads(answer) == {"topic_status": status, "topic_summary": summary}
    assert topic.read_topic(answer) == (status, summary)


@pytest.mark.parametrize(
    ("message", "chosen"),
    [
        ("Where is my order KC-10382?", "order_status"),
        ("I want my money back", "refund_request"),
        ("Refunds, please", "refund_request"),
        ("Let me speak to a person!", "complaint"),
        ("What does the delivery cost?", "policies/shop-policies"),
        ("Do you sell umbrellas?", "other"),
        ("", "other"),
        ("what is none of the above", "other"),
    ],
)
def test_the_intent_that_shares_most_tokens_with_the_message_is_selected(message: str, chosen: str) -> None:
    assert of_phase(intent_question(message)) == chosen


def test_an_intent_without_a_description_is_compared_by_name() -> None:
    assert of_phase(intent_question("Tell me a joke", {"small_talk": "", "joke": "", "other": ""})) == "joke"


def test_a_custom_prompt_without_markers_has_the_message_last() -> None:
    own = "Answer with exactly one name from this list:\n- order_status: orders\n- other\n\nWhere is my order?"

    assert of_phase(own) == "order_status"


def test_any_other_message_is_no_phase_prompt() -> None:
    assert of_phase("What is 15% of 45?") is None


@pytest.mark.parametrize(
    "client", [OpenAI(), Ollama(), Gemini(), Anthropic(), Bedrock()], ids=lambda client: type(client).__name__
)
def test_a_phase_is_answered_in_every_protocol(client: ProtocolClient) -> None:
    first_turn = topic_question('How long does a refund take? [demo:call=calculate {"expression": "1"}]')

    answer = DemoConversation(client).with_user(first_turn).answer()

    assert client.calls(answer) == []
    assert json.loads(client.text(answer)) == {"topic_status": "new_topic", "topic_summary": "long refund take"}


BOTH = "What is 15% of 45, and the weather in Paris?"
DIALLED = '[demo:call=calculate {"expression": "1"} times=9] go on'


@pytest.mark.parametrize("request_more", [{}, {"tools": list(EVERY_TOOL), "tool_choice": "none"}])
@pytest.mark.parametrize(
    ("message", "results", "answer"),
    [
        (
            BOTH,
            (6.75, {"temperature": 22, "sky": "clear"}),
            "15% of 45 is 6.75. The weather in Paris: 22 degrees, sky clear.",
        ),
        (DIALLED, (1,), "calculate says: 1."),
    ],
)
def test_a_model_without_offered_tools_answers_from_the_results(
    request_more: dict[str, Any], message: str, results: tuple[object, ...], answer: str
) -> None:
    demo = Demo()
    first_turn = demo.turn([user(message)], EVERY_TOOL)
    done = [user(message), first_turn, *answered(first_turn, *map(success, results))]

    final = demo.turn(done, **request_more)

    assert final == {"role": "assistant", "content": f"(demo model) {answer}", "refusal": None}


def test_missing_results_are_omitted_from_the_answer() -> None:
    demo = Demo()
    first_turn = demo.turn([user(BOTH)], [CALCULATE])

    final = demo.turn([user(BOTH), first_turn, *answered(first_turn, success(6.75))])

    assert final["content"] == (
        "(demo model) 15% of 45 is 6.75. I cannot look out of a window in Paris: no weather tool is offered to me."
    )


@pytest.mark.parametrize("last_words", LAST_WORDS.values(), ids=LAST_WORDS)
@pytest.mark.parametrize("offered", [(), EVERY_TOOL], ids=["no tools", "tools that may not be called"])
def test_the_note_that_requests_the_answer_is_no_user_message(offered: tuple[Any, ...], last_words: Message) -> None:
    demo = Demo()
    first_turn = demo.turn([user(BOTH)], EVERY_TOOL)
    results = answered(first_turn, success(6.75), success({"temperature": 22, "sky": "clear"}))
    note = {"role": "user", "content": last_words.text}

    final = demo.turn([user(BOTH), first_turn, *results, note], offered, **({"tool_choice": "none"} if offered else {}))

    assert final["content"] == "(demo model) 15% of 45 is 6.75. The weather in Paris: 22 degrees, sky clear."


@pytest.mark.parametrize("client", [Anthropic(), Bedrock()], ids=lambda client: type(client).__name__)
def test_results_described_as_text_count_as_results(client: ProtocolClient) -> None:
    done = Message(
        "tool",
        (
            ToolOutput("c1", "calculate", '{"success": true, "result": {"result": 6.75}}'),
            ToolOutput("c2", "get_weather", "It is (mostly", is_error=True),
        ),
    )
    error_text = " ".join(part.text for part in plain_parts(done) if isinstance(part, Text))

    answer = DemoConversation(client).with_user("Look at both.").with_user(f"{error_text} {TIME_IS_UP.text}")

    with_assistant = [answer.messages[0], model_text(client, "(called calculate with {})"), answer.messages[1]]
    final_turn = DemoConversation(client, messages=with_assistant).answer()
    assert client.text(final_turn) == "(demo model) calculate says: 6.75. I could not get get_weather: It is (mostly."


def model_text(client: ProtocolClient, text: str) -> dict[str, Any]:
    return {**client.user(text), "role": "assistant"}
