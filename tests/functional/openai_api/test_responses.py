"""Responses by OpenAI's own client: text, tools of the service and of the client, and their continuation."""

import json
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient
from openai import BadRequestError, NotFoundError, PermissionDeniedError

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Text, ToolCall, ToolOutput, Usage, assistant, user
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.openai_api.response_service import WEATHER, Service, client_turn


def test_text_is_one_message_with_the_usage_and_the_fields_of_the_service() -> None:
    service = Service([text_completion("Hi there.")])

    response = service.create("Hello", store=False)

    assert response.output_text == "Hi there."
    assert (response.status, response.model, response.object, response.to_dict()["store"]) == (
        "completed",
        "flexchat",
        "response",
        False,
    )
    assert response.usage is not None
    assert response.usage.model_dump() == {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0, "cache_write_tokens_details": None},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    }
    assert response.to_dict()["flexchat"] == {
        "request_id": "request-1",
        "rule": None,
        "model": "openai:gpt-4o",
        "tool_calls": [],
        "status": "complete",
        "outcome": "answered",
        "cost_usd": 0.000075,
    }
    assert service.transport.responses[-1].headers["x-request-id"] == "request-1"
    assert [message.text for message in service.model.seen[0]] == ["You help.", "Hello"]


def test_tools_of_the_service_run_and_the_text_before_them_is_a_message_of_its_own() -> None:
    first = Completion(
        Message("assistant", (Text("Let me see."), ToolCall("c1", "calculate", {"expression": "1+1"}, "{}"))),
        "tool_calls",
        Usage(10, 5),
        "scripted",
    )
    service = Service([first, text_completion("It is 2.")])

    response = service.create("1+1?", store=False)

    assert [item.type for item in response.output] == ["message", "message"]
    assert response.output_text == "Let me see.\n\nIt is 2."
    extension: Any = response.to_dict()["flexchat"]
    assert [(call["name"], call["ok"]) for call in extension["tool_calls"]] == [("calculate", True)]


def test_conversation_with_instructions_reaches_the_model_in_its_order() -> None:
    service = Service([text_completion("Four.")])

    service.create(
        [
            {"role": "developer", "content": "Use words."},
            {"role": "user", "content": [{"type": "input_text", "text": "1+1?"}]},
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "Two.", "annotations": []}],
            },
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"role": "user", "content": "2+2?"},
        ],
        instructions="Be brief.",
        store=False,
    )

    system, *messages = service.model.seen[0]
    assert system.text == "You help.\n\nBe brief.\n\nUse words."
    assert messages == [user("1+1?"), assistant("Two."), user("2+2?")]


def test_call_of_a_client_tool_is_an_output_item_and_its_result_continues_the_answer(dynamodb: DynamoDBClient) -> None:
    service = Service(
        [client_turn(("get_weather", {"city": "Paris"}), text="Looking."), text_completion("Sunny.")], dynamodb
    )

    first = service.create("Weather in Paris?", tools=[WEATHER], tool_choice="required")

    message, call = first.output
    assert first.status == "completed"
    assert (message.type, first.output_text) == ("message", "Looking.")
    assert call.type == "function_call"
    assert (call.name, json.loads(call.arguments), call.status) == ("get_weather", {"city": "Paris"}, "completed")
    assert service.model.options[0].tool_choice == "required"

    second = service.create(
        [{"type": "function_call_output", "call_id": call.call_id, "output": "22 degrees"}],
        previous_response_id=first.id,
        tools=[WEATHER],
    )

    assert second.output_text == "Sunny."
    assert second.previous_response_id == first.id
    *_, question, turn, result = service.model.seen[1]
    assert question == user("Weather in Paris?")
    assert turn.text == "Looking."
    [output] = result.parts
    assert isinstance(output, ToolOutput)
    assert output.content == "22 degrees"


def test_results_are_accepted_with_the_whole_conversation_in_the_input() -> None:
    service = Service([text_completion("Sunny.")])

    service.create(
        [
            {"role": "user", "content": "Weather?"},
            {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "get_weather", "arguments": '{"city":"A"}'},
            {"type": "function_call", "call_id": "b", "name": "get_weather", "arguments": "{broken"},
            {"type": "function_call_output", "call_id": "b", "output": [{"type": "input_text", "text": "cold"}]},
            {"type": "function_call_output", "call_id": "a", "output": "warm"},
        ],
        tools=[WEATHER],
        store=False,
    )

    _, question, calls, *results = service.model.seen[0]
    assert question == user("Weather?")
    assert [(call.id, call.arguments) for call in calls.tool_calls] == [("a", {"city": "A"}), ("b", None)]
    outputs = [part for message in results for part in message.parts if isinstance(part, ToolOutput)]
    assert {(output.call_id, output.content) for output in outputs} == {("a", "warm"), ("b", "cold")}


def test_previous_response_has_the_earlier_conversation_and_can_be_continued_twice(dynamodb: DynamoDBClient) -> None:
    service = Service([text_completion("I am Ada."), text_completion("Ada."), text_completion("Still Ada.")], dynamodb)
    first = service.create([{"role": "system", "content": "Be Ada."}, {"role": "user", "content": "Who are you?"}])

    second = service.create("Your name?", previous_response_id=first.id, instructions="In one word.")
    service.create("And now?", previous_response_id=first.id)

    assert (first.to_dict()["store"], second.to_dict()["store"]) == (True, True)
    assert service.model.seen[1][0].text == "You help.\n\nIn one word.\n\nBe Ada."
    assert service.model.seen[1][1:] == (user("Who are you?"), assistant("I am Ada."), user("Your name?"))
    assert service.model.seen[2][0].text == "You help.\n\nBe Ada."
    assert service.model.seen[2][1:] == (user("Who are you?"), assistant("I am Ada."), user("And now?"))


def test_chain_of_responses_has_all_turns(dynamodb: DynamoDBClient) -> None:
    service = Service([text_completion("1"), text_completion("2"), text_completion("3")], dynamodb)
    previous = None
    for message in ("a", "b", "c"):
        previous = service.create(message, previous_response_id=previous).id

    assert [message.text for message in service.model.seen[2]] == ["You help.", "a", "1", "b", "2", "c"]


@pytest.mark.parametrize("id", ["resp_" + "0" * 32, "resp_x", "../other", ""])
def test_unknown_previous_response_is_rejected(dynamodb: DynamoDBClient, id: str) -> None:
    assert Service([], dynamodb).refused(previous_response_id=id) == {
        "param": "previous_response_id",
        "message": f"previous_response_id is {id!r}, which is unknown or expired; send the conversation in input",
        "code": "previous_response_not_found",
    }


def test_response_of_another_caller_is_unknown(dynamodb: DynamoDBClient) -> None:
    service = Service([text_completion("Secret."), text_completion("No.")], dynamodb)
    first = service.create("Hello")
    service.transport.principal = "someone-else"

    with pytest.raises(BadRequestError) as caught:
        service.create("Repeat it", previous_response_id=first.id)

    assert caught.value.code == "previous_response_not_found"
    assert len(service.model.seen) == 1


def test_response_that_is_not_stored_is_unknown_later(dynamodb: DynamoDBClient) -> None:
    service = Service([text_completion("Hi.")], dynamodb)
    first = service.create("Hello", store=False)

    with pytest.raises(BadRequestError) as caught:
        service.create("Again", previous_response_id=first.id)

    assert (first.to_dict()["store"], caught.value.code) == (False, "previous_response_not_found")


def test_answer_is_returned_when_its_conversation_cannot_be_stored() -> None:
    response = Service([text_completion("Hi.")]).create("Hello")

    assert (response.output_text, response.to_dict()["store"]) == ("Hi.", False)


def test_session_has_the_conversation_instead(dynamodb: DynamoDBClient) -> None:
    service = Service([text_completion("Hi."), text_completion("Yes.")], dynamodb)

    first = service.create("Hello", metadata={"session_id": "s1"})
    service.client.responses.create(model="flexchat", input="Again?", extra_headers={"X-Flexchat-Session": "s1"})

    extension: Any = first.to_dict()["flexchat"]
    assert (extension["session_id"], first.to_dict()["store"], first.metadata) == ("s1", False, {"session_id": "s1"})
    assert [message.text for message in service.model.seen[1]] == ["You help.", "Hello", "Hi.", "Again?"]


@pytest.mark.parametrize(
    ("finish_reason", "status", "reason"),
    [
        ("length", "incomplete", "max_output_tokens"),
        ("content_filter", "incomplete", "content_filter"),
        ("refusal", "completed", None),
    ],
)
def test_end_of_the_answer_is_in_the_status(finish_reason: Any, status: str, reason: str | None) -> None:
    response = Service([text_completion("Hi", finish_reason)]).create("Hello", store=False)

    assert response.status == status
    assert (response.incomplete_details and response.incomplete_details.reason) == reason
    assert response.output_text == "Hi"


def test_unknown_model_is_not_found() -> None:
    service = Service([])

    with pytest.raises(NotFoundError) as caught:
        service.client.responses.create(model="gpt-5", input="Hello")

    assert (caught.value.code, caught.value.param) == ("model_not_found", "model")


def test_model_and_rule_of_the_id_answer() -> None:
    rules = [
        {"name": "one", "llm": "openai", "model": "m1", "prompt": "One."},
        {"name": "two", "llm": "openai", "model": "m2", "prompt": "Two."},
    ]
    service = Service(
        [text_completion("2"), text_completion("1")],
        responses=rules,
        openai_api={"rules": ["two"], "models": ["openai:m9"]},
    )

    for model in ("flexchat/two", "openai:m9"):
        response = service.client.responses.create(model=model, input="Hello", store=False)
        assert response.model == model

    assert [messages[0].text for messages in service.model.seen] == ["Two.", "One."]


def test_a_tool_hides_that_of_the_service_with_its_name() -> None:
    service = Service([call_completion(("calculate", {}))])

    response = service.create("Hello", tools=[{**WEATHER, "name": "calculate"}])

    assert [item.type for item in response.output] == ["function_call"]


def test_response_without_a_role_is_refused() -> None:
    service = Service([])
    service.transport.roles = ""

    with pytest.raises(PermissionDeniedError):
        service.client.responses.create(model="flexchat", input="Hello")


def test_partial_answer_is_incomplete_and_has_its_calls() -> None:
    service = Service(
        [
            call_completion(("calculate", {"expression": "1+1"})),
            ModelError("down", type="invalid_request", provider="openai"),
        ]
    )

    response = service.create("1+1?", store=False)

    extension: Any = response.to_dict()["flexchat"]
    assert (response.status, response.incomplete_details) == ("incomplete", None)
    assert (extension["status"], extension["outcome"], len(extension["tool_calls"])) == ("partial", "model_failed", 1)


def test_effort_of_the_request_reaches_the_model_and_is_in_the_response() -> None:
    service = Service([text_completion("Hi.")])

    response: Any = service.create(reasoning={"effort": "high", "summary": "auto"}, store=False)

    assert service.model.options[0].reasoning_effort == "high"
    assert response.reasoning.effort == "high"
