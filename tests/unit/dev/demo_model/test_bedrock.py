import json
from typing import Any

import pytest

from tests.unit.dev.demo_model.clients import Bedrock, DemoConversation
from tests.unit.dev.demo_model.openai_client import WEATHER, Demo

USER: dict[str, Any] = {"role": "user", "content": [{"text": "x"}]}
USE: dict[str, Any] = {"toolUse": {"toolUseId": "a", "name": "calculate", "input": {}}}
CALL_TURN: dict[str, Any] = {"role": "assistant", "content": [USE]}
CONFIG: dict[str, Any] = {"tools": [{"toolSpec": {"name": "calculate", "inputSchema": {"json": {"type": "object"}}}}]}


def result(call_id: str = "a", *content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": call_id, "content": list(content) or [{"text": "2"}], **more}}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def body(*messages: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"messages": list(messages or (USER,)), "toolConfig": CONFIG, **changes}


def offering(**spec: Any) -> dict[str, Any]:
    return body(toolConfig={"tools": [{"toolSpec": {**CONFIG["tools"][0]["toolSpec"], **spec}}]})


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"messages": []}, "The value at messages is invalid"),
    (body(user()), "The value at messages.0.content is invalid"),
    (body(user({"text": " "})), "The value at messages.0.content.0.text is invalid"),
    (body({"role": "assistant", "content": [{"text": "x"}]}), "must start with a user message"),
    (body(USER, USER), "must alternate between user and assistant roles"),
    (body(USER, {"role": "assistant", "content": [{"text": "x"}]}), "must end with a user message"),
    (body(user(result())), "messages.0.content exceeds the number of toolUse blocks"),
    (body(USER, CALL_TURN, USER), "Expected toolResult blocks at messages.2.content for the following Ids: a, but"),
    (body(USER, CALL_TURN, user(result("b"))), "for the following Ids: a, but found: b"),
    (body(USER, {**CALL_TURN, "content": [USE, USE]}, user(result(), result())), "contain duplicate Ids"),
    (body(USER, CALL_TURN, user(result()), toolConfig=None), "The toolConfig field must be defined"),
    (body(toolConfig={"tools": []}), "The value at toolConfig.tools is invalid"),
    (offering(name="a.b"), "toolSpec.name is invalid"),
    (offering(description=""), "toolSpec.description is invalid"),
    (offering(inputSchema={"json": {}}), "inputSchema.json.type must be one of the following: object."),
    (offering(inputSchema={"json": {"type": "object", "required": 1}}), "The JSON schema is invalid."),
    (body(inferenceConfig={"maxTokens": 0}), "inferenceConfig.maxTokens is invalid"),
    (body(USER, CALL_TURN, user(result("a", {"json": []}))), "toolResult.content.0.json is invalid"),
    (body(system=[{"text": ""}]), "system.0.text is invalid"),
]


@pytest.mark.parametrize(("request_", "error_text"), REFUSED)
def test_requests_rejected_by_bedrock_are_rejected(request_: dict[str, Any], error_text: str) -> None:
    assert error_text in DemoConversation(Bedrock()).refused(request_)


def test_unsigned_requests_are_rejected() -> None:
    demo = Demo()

    answers = [
        demo.send(Bedrock.path, json.dumps(body()).encode()),
        *(demo.get(path) for path in ("/foundation-models", "/foundation-models/demo", "/inference-profiles")),
    ]

    assert [(answer.status, Bedrock().error(answer)[0]) for answer in answers] == [
        (403, "MissingAuthenticationTokenException")
    ] * 4


@pytest.mark.parametrize(
    ("block", "error_text"),
    [
        (result("a", {"json": {"success": True, "result": 2}}), "calculate says: 2."),
        (result("a", {"json": {"result": "two"}}), "calculate says: two."),
        (result("a", {"text": "no power"}, status="error"), "I could not get calculate: no power."),
        (result("a", {"json": {"error": "no power"}}), "I could not get calculate: no power."),
        (result("a", {"json": {"error": "a", "code": 1}}), "calculate says: error a, code 1."),
    ],
)
def test_a_result_can_be_an_object_or_text_and_an_error(block: dict[str, Any], error_text: str) -> None:
    answer = json.loads(DemoConversation(Bedrock()).send(body(USER, CALL_TURN, user(block))).body)

    assert Bedrock().text(answer) == f"(demo model) {error_text}"


def test_marks_for_the_prompt_cache_are_accepted_in_tools_system_and_messages() -> None:
    mark = {"cachePoint": {"type": "default"}}
    marked = body(
        user({"text": "x"}, mark),
        CALL_TURN,
        user(result(), mark),
        system=[{"text": "Be short."}, mark],
        toolConfig={"tools": [*CONFIG["tools"], mark]},
    )

    answer = json.loads(DemoConversation(Bedrock()).send(marked).body)

    assert Bedrock().text(answer) == "(demo model) calculate says: 2."
    assert "toolConfig.tools.0 is invalid" in DemoConversation(Bedrock()).refused(body(toolConfig={"tools": [{}]}))
    assert "system.0 is invalid" in DemoConversation(Bedrock()).refused(body(system=[{}]))


def test_signed_reasoning_precedes_calls_and_is_required_in_the_next_request() -> None:
    talk = DemoConversation(Bedrock(), [WEATHER]).with_user("[demo:think] Weather in Oslo?")
    talk.continue_with(talk.answer(), "cold")

    assert Bedrock().text(talk.answer()) == "(demo model) The weather in Oslo: cold."

    reasoning = talk.messages[1]["content"].pop(0)
    assert talk.refused().startswith("messages.1.content.0.type: Expected `thinking`")

    reasoning["reasoningContent"]["reasoningText"]["text"] = "changed"
    talk.messages[1]["content"].insert(0, reasoning)
    assert talk.refused() == "messages.1.content.0: Invalid `signature` in `thinking` block"


def test_the_models_are_listed_with_their_output_modalities() -> None:
    demo = Demo()

    listed = json.loads(demo.get("/foundation-models", Bedrock.headers).body)["modelSummaries"]
    described = json.loads(demo.get("/foundation-models/any", Bedrock.headers).body)["modelDetails"]
    profiles = json.loads(demo.get("/inference-profiles", Bedrock.headers).body)

    assert [(model["modelId"], model["outputModalities"]) for model in listed] == [
        ("demo", ["TEXT"]),
        ("demo-embedding", ["EMBEDDING"]),
    ]
    assert described["modelId"] == "any"
    assert profiles == {"inferenceProfileSummaries": []}
