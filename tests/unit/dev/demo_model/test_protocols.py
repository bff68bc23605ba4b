"""Behaviour common to all protocols."""

import json
from functools import cache
from typing import Any, cast

import pytest
from botocore.model import ServiceModel
from botocore.parsers import create_parser
from botocore.session import Session
from ollama import ChatResponse
from openai.types.chat import ChatCompletion
from pydantic import TypeAdapter

from tests.unit.dev.demo_model.clients import Anthropic, DemoConversation, Gemini, Ollama, OpenAI, ProtocolClient
from tests.unit.dev.demo_model.openai_client import CALCULATE, EVERY_TOOL, WEATHER, Demo, fault, success
from tests.unit.dev.demo_model.protocol_clients import one

BOTH = "What is 15% of 45, and the weather in Paris?"


@cache
def anthropic_answer() -> TypeAdapter[Any]:
    """Import the library's response type on demand, because the import takes seconds."""
    from anthropic.types import Message

    return TypeAdapter(Message)


@cache
def bedrock_runtime() -> ServiceModel:
    """Return the service model of boto3."""
    return Session().get_service_model("bedrock-runtime")


def check_shape(client: ProtocolClient, body: bytes) -> None:
    """Parse the response with the provider's own package."""
    match client:
        case OpenAI():
            TypeAdapter(ChatCompletion).validate_json(body, strict=True)
        case Ollama():
            ChatResponse.model_validate_json(body)
        case Gemini():
            from google.ai.generativelanguage_v1beta import GenerateContentResponse

            answer: Any = json.loads(body)
            answer.pop("responseId")  # newer than the package
            cast("Any", GenerateContentResponse).from_json(json.dumps(answer))
        case Anthropic():
            anthropic_answer().validate_json(body, strict=True)
        case _:
            shape = bedrock_runtime().operation_model("Converse").output_shape
            response = {"status_code": 200, "headers": {}, "body": body, "context": {"operation_name": "Converse"}}
            parsed = cast("Any", create_parser("rest-json")).parse(response, shape)
            assert {"output", "stopReason", "usage", "metrics"} <= parsed.keys()


def test_a_question_for_two_tools_is_answered_with_both_results(client: ProtocolClient) -> None:
    talk = DemoConversation(client, EVERY_TOOL).with_user(BOTH)

    first_turn = talk.answer()
    talk.continue_with(first_turn, success({"result": 6.75}), success({"temperature": 22, "condition": "sunny"}))
    final_turn = talk.answer()

    assert client.calls(first_turn) == [
        ("calculate", {"expression": "15% of 45"}),
        ("get_weather", {"location": "Paris"}),
    ]
    assert client.calls(final_turn) == []
    assert client.text(final_turn) == "(demo model) 15% of 45 is 6.75. The weather in Paris: 22 degrees, sunny."


PASSAGES = (
    "Answer from these.\n\n[1] Refunds (faq.md)\nA refund\ntakes 14 days.\n\n[2]\nUntitled.\n\n[3] Never shown\nx"
)


@pytest.mark.parametrize(
    ("client", "prompt"),
    one(
        OpenAI={"messages": [{"role": "system", "content": PASSAGES}]},
        Ollama={"messages": [{"role": "system", "content": PASSAGES}]},
        Gemini={"systemInstruction": {"parts": [{"text": PASSAGES}]}},
        Anthropic={"system": PASSAGES},
        Bedrock={"system": [{"text": PASSAGES}]},
    ),
)
def test_passages_in_the_prompt_are_cited_by_number(client: ProtocolClient, prompt: dict[str, Any]) -> None:
    body = client.body([client.user("How long does a refund take?")], [])
    body |= prompt | ({"messages": [*prompt["messages"], *body["messages"]]} if "messages" in prompt else {})

    answer = Demo().send(client.path, json.dumps(body).encode(), client.headers)

    assert client.text(json.loads(answer.body)) == (
        '(demo model) The passages I was given say: "A refund takes 14 days." [1] Refunds (faq.md). "Untitled." [2].'
    )


def test_results_of_calls_to_one_tool_are_not_mixed_up(client: ProtocolClient) -> None:
    talk = DemoConversation(client, [WEATHER]).with_user("Weather in Oslo, Rome and Bonn?")

    first_turn = talk.answer()
    final_turn = talk.continue_with(first_turn, "cold", fault("no such place"), success("wet")).answer()

    assert [arguments["location"] for _, arguments in client.calls(first_turn)] == ["Oslo", "Rome", "Bonn"]
    assert client.text(final_turn) == (
        "(demo model) The weather in Oslo: cold. I could not get the weather in Rome: no such place."
        " The weather in Bonn: wet."
    )


def test_calls_are_requested_turn_by_turn(client: ProtocolClient) -> None:
    talk = DemoConversation(client, [CALCULATE]).with_user('[demo:call=calculate {"expression": "1+1"} times=3] go')

    for _ in range(3):
        first_turn = talk.answer()
        assert client.calls(first_turn) == [("calculate", {"expression": "1+1"})]
        talk.continue_with(first_turn, "2")

    assert client.text(talk.answer()).startswith("(demo model) calculate says: 2.")


def test_an_earlier_message_with_its_calls_is_history(client: ProtocolClient) -> None:
    talk = DemoConversation(client, [CALCULATE]).with_user("What is 1+1?")
    talk.continue_with(talk.answer(), "2")
    talk.continue_with(talk.answer()).with_user("What is 2+2?")

    assert client.calls(talk.answer()) == [("calculate", {"expression": "2+2"})]


@pytest.mark.slow
@pytest.mark.parametrize(
    "message",
    ["Hello", BOTH, "[demo:refuse]", "[demo:empty]", "[demo:length] hi", "[demo:bad_json]", "[demo:think] 1+1"],
)
def test_an_answer_is_parsed_by_the_package_of_the_provider(client: ProtocolClient, message: str) -> None:
    answer = DemoConversation(client, EVERY_TOOL).with_user(message).send()

    assert answer.status == 200
    check_shape(client, answer.body)


@pytest.mark.parametrize(
    ("client", "limit"),
    one(
        OpenAI={"max_tokens": 5},
        Ollama={"options": {"num_predict": 5}},
        Gemini={"generationConfig": {"maxOutputTokens": 5}},
        Anthropic={"max_tokens": 5},
        Bedrock={"inferenceConfig": {"maxTokens": 5}},
    ),
)
def test_the_token_limit_of_the_request_applies(client: ProtocolClient, limit: dict[str, Any]) -> None:
    talk = DemoConversation(client).with_user("Hello")

    answer = json.loads(talk.send({**client.body(talk.messages, ()), **limit}).body)

    assert client.text(answer) == "(demo model) Hello. "


@pytest.mark.parametrize(
    ("client", "word"),
    one(OpenAI="stop", Ollama="stop", Gemini="STOP", Anthropic="end_turn", Bedrock="end_turn"),
)
def test_an_empty_turn_has_no_content(client: ProtocolClient, word: str) -> None:
    answer = DemoConversation(client, EVERY_TOOL).with_user("[demo:empty] 1+1").answer()

    assert (client.finish(answer), client.text(answer), client.calls(answer)) == (word, "", [])
