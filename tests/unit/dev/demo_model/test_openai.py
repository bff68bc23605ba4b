import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletion
from pydantic import TypeAdapter

from tests.unit.dev.demo_model.demo import CALCULATE, Demo, user

CALL = {"id": "a", "type": "function", "function": {"name": "calculate", "arguments": "{}"}}
ASKED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT: dict[str, Any] = {"role": "tool", "tool_call_id": "a", "content": "1"}


@pytest.mark.parametrize("message", ["What is 2+2?", "Hello", "[demo:refuse]", "[demo:empty]", "[demo:length] hi"])
def test_an_answer_is_what_the_openai_package_reads(message: str) -> None:
    answer = Demo().post([user(message)], tools=[CALCULATE])

    TypeAdapter(ChatCompletion).validate_json(answer.body, strict=True)


def test_usage_is_counted_from_the_characters() -> None:
    body = json.dumps({"model": "any", "messages": [user("What is 2+2?")]}).encode()

    answer = json.loads(Demo().send("/v1/chat/completions", body).body)

    assert answer["usage"] == {"prompt_tokens": 19, "completion_tokens": 6, "total_tokens": 25}
    assert answer["model"] == "any"


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_an_answer_longer_than_allowed_stops(name: str) -> None:
    request: dict[str, Any] = {name: 5}

    choice = Demo().choice([user("Hello")], **request)

    assert (choice["finish_reason"], choice["message"]["content"]) == ("length", "(demo model) Hello. ")


def test_content_may_come_in_parts() -> None:
    parts = [{"type": "text", "text": "What is "}, {"type": "text", "text": "2+2?"}]

    assert Demo().turn([{"role": "user", "content": parts}])["content"] == "(demo model) 2+2 is 4."


def test_a_conversation_without_a_user_is_answered() -> None:
    assert Demo().turn([{"role": "system", "content": "Be kind"}])["content"].startswith("(demo model) You said")


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"messages": []}, "messages: Tuple should have at least 1 item after validation, not 0"),
    ({"messages": [user("x")], "stream": True}, "stream: the demo model does not stream"),
    (
        {"messages": [user("x")], "tools": [{"type": "function", "function": {"name": "a.b"}}]},
        "tools.0.function.name: ",
    ),
    ({"messages": [{**ASKED, "tool_calls": []}]}, "messages.0.tool_calls: Tuple should have at least 1 item"),
    ({"messages": [{"role": "assistant", "content": None}]}, "messages.0.content: must be a text"),
    ({"messages": [user("x"), ASKED]}, "An assistant message with 'tool_calls' must be followed by"),
    ({"messages": [user("x"), ASKED, user("y")]}, "An assistant message with 'tool_calls' must be followed by"),
    ({"messages": [user("x"), RESULT]}, "messages.1: a 'tool' message must respond to"),
    ({"messages": [user("x"), ASKED, RESULT, RESULT]}, "messages.3: a 'tool' message must respond to"),
    (
        {"messages": [user("x"), {**ASKED, "tool_calls": [CALL, CALL]}, RESULT]},
        "messages.1.tool_calls: the same id",
    ),
    ({"messages": [user("x")], "max_tokens": 0}, "max_tokens: "),
]


@pytest.mark.parametrize(("request_", "message"), REFUSED)
def test_what_openai_would_refuse_is_refused(request_: dict[str, Any], message: str) -> None:
    answer = Demo().send("/v1/chat/completions", json.dumps({"model": "m", **request_}).encode())

    assert answer.status == 400
    assert json.loads(answer.body)["error"]["message"].startswith(message)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff"])
def test_a_body_that_is_no_request_is_refused(body: bytes) -> None:
    assert Demo().send("/v1/chat/completions", body).status == 400


@pytest.mark.parametrize("arguments", ["{oops", "[1]"])
def test_arguments_that_are_no_object_do_no_harm(arguments: str) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "calculate", "arguments": arguments}}
    history = [user("hi"), {**ASKED, "tool_calls": [call]}, RESULT]

    assert Demo().turn(history, [CALCULATE])["content"] == "(demo model) calculate says: 1."


@pytest.mark.parametrize("parameters", [{}, {"properties": []}, {"properties": {"expression": True}, "required": "x"}])
def test_a_tool_with_an_odd_schema_does_no_harm(parameters: dict[str, Any]) -> None:
    offer = {"type": "function", "function": {"name": "calculate", "parameters": parameters}}

    assert Demo().choice([user("What is 2+2?")], [offer])["finish_reason"] in ("stop", "tool_calls")


def test_the_list_of_models_names_the_demo_and_two_of_known_skill() -> None:
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


def test_other_paths_are_not_served() -> None:
    demo = Demo()

    assert (demo.get("/v1/files").status, demo.send("/v1/models", b"{}").status) == (404, 404)
