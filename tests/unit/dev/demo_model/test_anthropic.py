import json
from typing import Any

import pytest

from tests.unit.dev.demo_model.clients import Anthropic, DemoConversation
from tests.unit.dev.demo_model.openai_client import CALCULATE, WEATHER, Demo

USER: dict[str, Any] = {"role": "user", "content": "x"}
USE: dict[str, Any] = {"type": "tool_use", "id": "a", "name": "calculate", "input": {}}
CALL_TURN: dict[str, Any] = {"role": "assistant", "content": [USE]}
RESULT: dict[str, Any] = {"type": "tool_result", "tool_use_id": "a", "content": "2"}
TEXT: dict[str, Any] = {"type": "text", "text": "y"}
TOOL: dict[str, Any] = {"name": "calculate", "input_schema": {"type": "object"}}


def body(*messages: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 9, "messages": list(messages or (USER,)), "tools": [TOOL], **changes}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


WITHOUT = "`tool_use` ids were found without `tool_result` blocks immediately after: a"

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"model": "m", "messages": [USER]}, "max_tokens: Field required"),
    (body(max_tokens=0), "max_tokens: "),
    (body(temperature=1.5), "temperature: "),
    (body(foo=1), "foo: Extra inputs are not permitted"),
    (body(stream=1), "stream: "),
    (body({**USER, "name": "x"}), "messages.0.name: Extra inputs are not permitted"),
    (body({"role": "system", "content": "x"}), "messages.0.role: "),
    (body({"role": "user", "content": ""}), "messages must have non-empty content"),
    (body(user({"type": "text", "text": " "})), "messages.0.content.0.text.text: "),
    (body({"role": "assistant", "content": "x"}), 'first message must use the "user" role'),
    (body(user(USE)), "can only be in `assistant` messages"),
    (body(USER, {"role": "assistant", "content": [RESULT]}), "can only be in `user` messages"),
    (body(USER, CALL_TURN), WITHOUT),
    (body(USER, CALL_TURN, USER), WITHOUT),
    (body(USER, CALL_TURN, user(TEXT, RESULT)), WITHOUT),
    (body(user(RESULT)), "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a."),
    (body(USER, CALL_TURN, user(RESULT, RESULT)), "messages.2.content.1: unexpected `tool_use_id`"),
    (body(USER, CALL_TURN, user(RESULT), CALL_TURN, user(RESULT)), "`tool_use` ids must be unique"),
    (body(USER, {**CALL_TURN, "content": [{**USE, "id": "a.b"}]}), "messages.1.content.0.tool_use.id: "),
    (body(USER, {**CALL_TURN, "content": [{**USE, "input": "{}"}]}), "messages.1.content.0.tool_use.input: "),
    (body(tools=[{**TOOL, "name": "a.b"}]), "tools.0.name: "),
    (body(tools=[TOOL, TOOL]), "Tool names must be unique"),
    (body(tools=[{**TOOL, "input_schema": {}}]), "tools.0: Value error, input_schema.type: Input should be 'object'"),
    (body(tools=[{**TOOL, "input_schema": {"type": "object", "anyOf": []}}]), "at the top level"),
    (body(tools=[{**TOOL, "input_schema": {"type": "object", "required": 1}}]), "JSON schema is invalid"),
    (body(tools=[], tool_choice={"type": "auto"}), "tool_choice may only be specified while providing tools"),
    (
        body(USER, {"role": "assistant", "content": [{"type": "thinking", "thinking": "x", "signature": "y"}, TEXT]}),
        "messages.1.content.0: Invalid `signature` in `thinking` block",
    ),
]


@pytest.mark.parametrize(("request_", "error_text"), REFUSED)
def test_requests_rejected_by_anthropic_are_rejected(request_: dict[str, Any], error_text: str) -> None:
    assert error_text in DemoConversation(Anthropic()).refused(request_)


@pytest.mark.parametrize(
    ("missing", "status", "kind"),
    [("x-api-key", 401, "authentication_error"), ("anthropic-version", 400, "invalid_request_error")],
)
def test_a_key_and_a_version_are_required(missing: str, status: int, kind: str) -> None:
    headers = {name: value for name, value in Anthropic.headers.items() if name != missing}

    answer = Demo().send(Anthropic.path, json.dumps(body()).encode(), headers)

    assert (answer.status, Anthropic().error(answer)[0]) == (status, kind)


def test_consecutive_messages_of_one_role_are_one_turn() -> None:
    request = body(USER, CALL_TURN, user(RESULT), user(TEXT), max_tokens=100)

    answer = json.loads(DemoConversation(Anthropic()).send(request).body)

    assert '"y"' in Anthropic().text(answer)


def test_a_result_can_be_in_blocks_and_be_an_error() -> None:
    result = {**RESULT, "content": [{"type": "text", "text": "no power"}], "is_error": True}
    request = body(USER, CALL_TURN, user(result), max_tokens=100)

    answer = json.loads(DemoConversation(Anthropic()).send(request).body)

    assert Anthropic().text(answer) == "(demo model) I could not get calculate: no power."


def test_signed_thinking_precedes_calls_and_is_required_in_the_next_request() -> None:
    talk = DemoConversation(Anthropic(), [WEATHER]).with_user("[demo:think] Weather in Oslo?")
    first_turn = talk.answer()
    talk.continue_with(first_turn, "cold")

    assert [block["type"] for block in first_turn["content"]] == ["thinking", "tool_use"]
    assert Anthropic().text(talk.answer()) == "(demo model) The weather in Oslo: cold."

    thinking = talk.messages[1]["content"].pop(0)
    assert talk.refused().startswith("messages.1.content.0.type: Expected `thinking`")

    talk.messages[1]["content"].insert(0, {**thinking, "thinking": "changed"})
    assert talk.refused() == "messages.1.content.0: Invalid `signature` in `thinking` block"


def test_thinking_is_not_required_before_calls_of_another_provider() -> None:
    question = {"role": "user", "content": "[demo:think] What is 1+1?"}

    assert DemoConversation(Anthropic()).send(body(question, CALL_TURN, user(RESULT))).status == 200


def test_tools_are_not_called_if_calls_are_forbidden() -> None:
    talk = DemoConversation(Anthropic(), [CALCULATE]).with_user("What is 1+1?")
    request = Anthropic().body(talk.messages, talk.tools) | {"tool_choice": {"type": "none"}}

    assert Anthropic().text(json.loads(talk.send(request).body)) == "(demo model) 1+1 is 2."


def test_models_are_listed_for_requests_with_a_version() -> None:
    demo = Demo()

    listed = json.loads(demo.get("/v1/models", Anthropic.headers).body)
    described = json.loads(demo.get("/v1/models/any", Anthropic.headers).body)
    refused = demo.get("/v1/models", {"anthropic-version": "2023-06-01"})

    assert [model["id"] for model in listed["data"]] == ["demo"]
    assert (described["type"], described["id"]) == ("model", "any")
    assert refused.status == 401
