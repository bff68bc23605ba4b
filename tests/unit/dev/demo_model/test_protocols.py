"""Behaviour common to all protocols, and the error format of each provider."""

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

from tests.unit.dev.demo_model.clients import (
    Anthropic,
    Bedrock,
    DemoConversation,
    Gemini,
    Ollama,
    OpenAI,
    ProtocolClient,
)
from tests.unit.dev.demo_model.openai_client import CALCULATE, EVERY_TOOL, WEATHER, Demo, fault, success

CLIENTS: tuple[ProtocolClient, ...] = (OpenAI(), Ollama(), Gemini(), Anthropic(), Bedrock())
BOTH = "What is 15% of 45, and the weather in Paris?"


@pytest.fixture(params=CLIENTS, ids=lambda client: type(client).__name__)
def client(request: pytest.FixtureRequest) -> ProtocolClient:
    return request.param


def one(**each: Any) -> list[Any]:
    """Return one pytest parameter for each protocol."""
    return [pytest.param(client, each[type(client).__name__], id=type(client).__name__) for client in CLIENTS]


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


@pytest.mark.parametrize(
    "message",
    ["Hello", BOTH, "[demo:refuse]", "[demo:empty]", "[demo:length] hi", "[demo:bad_json]", "[demo:think] 1+1"],
)
def test_an_answer_is_parsed_by_the_package_of_the_provider(client: ProtocolClient, message: str) -> None:
    answer = DemoConversation(client, EVERY_TOOL).with_user(message).send()

    assert answer.status == 200
    check_shape(client, answer.body)


@pytest.mark.parametrize(
    ("client", "word"),
    one(
        OpenAI="rate_limit_exceeded",
        Ollama=None,
        Gemini="RESOURCE_EXHAUSTED",
        Anthropic="rate_limit_error",
        Bedrock="ThrottlingException",
    ),
)
def test_a_rate_limit_has_the_message_of_the_provider(client: ProtocolClient, word: str | None) -> None:
    answer = DemoConversation(client).with_user("[demo:status=429 retry_after=2] hi").send()

    assert answer.status == 429
    assert client.error(answer) == (word, "(demo model) status 429 was asked for")


@pytest.mark.parametrize(("client", "header"), one(OpenAI="2", Ollama="2", Gemini=None, Anthropic="2", Bedrock=None))
def test_a_retry_delay_is_sent_if_the_provider_has_one(client: ProtocolClient, header: str | None) -> None:
    answer = DemoConversation(client).with_user("[demo:status=429 retry_after=2] hi").send()

    assert answer.headers.get("Retry-After") == header
    if isinstance(client, Gemini):
        assert json.loads(answer.body)["error"]["details"] == [
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2s"}
        ]


@pytest.mark.parametrize(
    ("client", "expected"),
    one(
        OpenAI=(529, None),
        Ollama=(529, None),
        Gemini=(529, "UNKNOWN"),
        Anthropic=(529, "overloaded_error"),
        Bedrock=(503, "ServiceUnavailableException"),
    ),
)
def test_an_overload_has_the_message_of_the_provider(client: ProtocolClient, expected: tuple[int, str | None]) -> None:
    answer = DemoConversation(client).with_user("[demo:status=529] hi").send()

    assert (answer.status, client.error(answer)[0]) == expected


@pytest.mark.parametrize(
    ("client", "word"),
    one(OpenAI=None, Ollama=None, Gemini="INTERNAL", Anthropic="api_error", Bedrock="InternalServerException"),
)
def test_a_server_error_has_the_message_of_the_provider(client: ProtocolClient, word: str | None) -> None:
    talk = DemoConversation(client).with_user("[demo:status=500 times=1] hi")

    assert (talk.send().status, talk.send().status) == (500, 200)
    assert client.error(talk.send())[0] == word


def test_the_header_sets_directives_too(client: ProtocolClient) -> None:
    assert DemoConversation(client).with_user("hi").send(directives="status=503").status == 503


def test_a_cut_and_a_malformed_body_are_the_same_in_all_protocols(client: ProtocolClient) -> None:
    assert DemoConversation(client).with_user("[demo:cut] hi").send().cut
    assert DemoConversation(client).with_user("[demo:malformed]").send().body.startswith(b"<html>")


@pytest.mark.parametrize(
    ("client", "expected"),
    one(
        OpenAI=("stop", "(demo model) I cannot help with that."),
        Ollama=("stop", "(demo model) I cannot help with that."),
        Gemini=("SAFETY", ""),
        Anthropic=("refusal", "(demo model) I cannot help with that."),
        Bedrock=("content_filtered", "(demo model) I cannot help with that."),
    ),
)
def test_a_refusal_has_the_format_of_the_provider(client: ProtocolClient, expected: tuple[str, str]) -> None:
    answer = DemoConversation(client).with_user("[demo:refuse] hi").answer()

    assert (client.finish(answer), client.text(answer)) == expected


@pytest.mark.parametrize(
    ("client", "word"),
    one(OpenAI="length", Ollama="length", Gemini="MAX_TOKENS", Anthropic="max_tokens", Bedrock="max_tokens"),
)
def test_a_truncated_answer_has_its_finish_reason(client: ProtocolClient, word: str) -> None:
    answer = DemoConversation(client).with_user("[demo:length] hi").answer()

    assert (client.finish(answer), bool(client.text(answer))) == (word, True)


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


@pytest.mark.parametrize(
    ("client", "expected"),
    one(
        OpenAI=("tool_calls", None),
        Ollama=("stop", [("calculate", {})]),
        Gemini=("MALFORMED_FUNCTION_CALL", []),
        Anthropic=("tool_use", [("calculate", {})]),
        Bedrock=("malformed_tool_use", []),
    ),
)
def test_broken_arguments_are_sent_or_reported_as_the_protocol_allows(
    client: ProtocolClient, expected: tuple[str, Any]
) -> None:
    answer = DemoConversation(client, [CALCULATE]).with_user("[demo:bad_json] hi").answer()

    finish, calls = expected
    assert client.finish(answer) == finish
    if calls is None:
        assert answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == '{"broken": '
    else:
        assert client.calls(answer) == calls


def test_a_malformed_request_is_rejected_in_the_format_of_the_provider(client: ProtocolClient) -> None:
    for body in (b"", b"{", b"[]", b"\xff", b"{}"):
        answer = DemoConversation(client).demo.send(client.path, body, client.headers)

        assert answer.status == 400
        assert client.error(answer)[1]
