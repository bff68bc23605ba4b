import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletion
from pydantic import TypeAdapter

from tests.unit.dev.demo_model.openai_client import CALCULATE, Demo, user

CALL = {"id": "a", "type": "function", "function": {"name": "calculate", "arguments": "{}"}}
CALL_TURN: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT: dict[str, Any] = {"role": "tool", "tool_call_id": "a", "content": "1"}


@pytest.mark.parametrize("message", ["What is 2+2?", "Hello", "[demo:refuse]", "[demo:empty]", "[demo:length] hi"])
def test_an_answer_is_parsed_by_the_openai_package(message: str) -> None:
    answer = Demo().post([user(message)], tools=[CALCULATE])

    TypeAdapter(ChatCompletion).validate_json(answer.body, strict=True)


def test_usage_is_computed_from_the_number_of_characters() -> None:
    body = json.dumps({"model": "any", "messages": [user("What is 2+2?")]}).encode()

    answer = json.loads(Demo().send("/v1/chat/completions", body).body)

    assert answer["usage"] == {"prompt_tokens": 19, "completion_tokens": 6, "total_tokens": 25}
    assert answer["model"] == "any"


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_an_answer_above_the_token_limit_is_truncated(name: str) -> None:
    request: dict[str, Any] = {name: 5}

    choice = Demo().choice([user("Hello")], **request)

    assert (choice["finish_reason"], choice["message"]["content"]) == ("length", "(demo model) Hello. ")


def test_content_can_be_in_parts() -> None:
    parts = [{"type": "text", "text": "What is "}, {"type": "text", "text": "2+2?"}]

    assert Demo().turn([{"role": "user", "content": parts}])["content"] == "(demo model) 2+2 is 4."


def test_a_conversation_without_a_user_is_answered() -> None:
    assert Demo().turn([{"role": "system", "content": "Be kind"}])["content"].startswith("(demo model) You said")


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"messages": []}, "messages: Tuple should have at least 1 item after validation, not 0"),
    ({"messages": [user("x")], "stream_options": {}}, "The 'stream_options' parameter is only allowed"),
    (
        {"messages": [user("x")], "tools": [{"type": "function", "function": {"name": "a.b"}}]},
        "tools.0.function.name: ",
    ),
    ({"messages": [{**CALL_TURN, "tool_calls": []}]}, "messages.0.tool_calls: Tuple should have at least 1 item"),
    ({"messages": [{"role": "assistant", "content": None}]}, "messages.0.content: must be a text"),
    ({"messages": [user("x"), CALL_TURN]}, "An assistant message with 'tool_calls' must be followed by"),
    ({"messages": [user("x"), CALL_TURN, user("y")]}, "An assistant message with 'tool_calls' must be followed by"),
    ({"messages": [user("x"), RESULT]}, "messages.1: a 'tool' message must respond to"),
    ({"messages": [user("x"), CALL_TURN, RESULT, RESULT]}, "messages.3: a 'tool' message must respond to"),
    (
        {"messages": [user("x"), {**CALL_TURN, "tool_calls": [CALL, CALL]}, RESULT]},
        "messages.1.tool_calls: the same id",
    ),
    ({"messages": [user("x")], "max_tokens": 0}, "max_tokens: "),
]


@pytest.mark.parametrize(("request_", "message"), REFUSED)
def test_requests_rejected_by_openai_are_rejected(request_: dict[str, Any], message: str) -> None:
    answer = Demo().send("/v1/chat/completions", json.dumps({"model": "m", **request_}).encode())

    assert answer.status == 400
    assert json.loads(answer.body)["error"]["message"].startswith(message)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff"])
def test_a_malformed_request_is_rejected(body: bytes) -> None:
    assert Demo().send("/v1/chat/completions", body).status == 400


@pytest.mark.parametrize("arguments", ["{oops", "[1]"])
def test_arguments_that_are_no_object_cause_no_error(arguments: str) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "calculate", "arguments": arguments}}
    history = [user("hi"), {**CALL_TURN, "tool_calls": [call]}, RESULT]

    assert Demo().turn(history, [CALCULATE])["content"] == "(demo model) calculate says: 1."


@pytest.mark.parametrize("parameters", [{}, {"properties": []}, {"properties": {"expression": True}, "required": "x"}])
def test_a_tool_with_an_unusual_schema_causes_no_error(parameters: dict[str, Any]) -> None:
    offer = {"type": "function", "function": {"name": "calculate", "parameters": parameters}}

    assert Demo().choice([user("What is 2+2?")], [offer])["finish_reason"] in ("stop", "tool_calls")


def test_the_model_list_has_the_demo_model_and_two_with_a_success_rate() -> None:
    answer = Demo().get("/v1/models")

    assert (answer.status, json.loads(answer.body)) == (
        200,
        {
            "object": "list",
            "data": [
                {"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "flexchat"}
                for name in ("demo", "skill-95", "skill-60")
            ],
        },
    )


def test_other_paths_are_not_found() -> None:
    demo = Demo()

    assert (demo.get("/v1/files").status, demo.send("/v1/models", b"{}").status) == (404, 404)
