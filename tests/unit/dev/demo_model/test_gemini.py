import json
from typing import Any

import pytest

from tests.unit.dev.demo_model.clients import DemoConversation, Gemini
from tests.unit.dev.demo_model.openai_client import CALCULATE, WEATHER, Demo

CALL_TURN: dict[str, Any] = {
    "role": "model",
    "parts": [
        {"functionCall": {"name": "a", "args": {}}, "thoughtSignature": "skip_thought_signature_validator"},
        {"functionCall": {"name": "b", "args": {}}},
    ],
}
USER: dict[str, Any] = {"role": "user", "parts": [{"text": "x"}]}


def results(*names: str, **response: Any) -> dict[str, Any]:
    return {"role": "user", "parts": [{"functionResponse": {"name": name, "response": response}} for name in names]}


def declared(**declaration: Any) -> dict[str, Any]:
    return {"contents": [USER], "tools": [{"functionDeclarations": [{"name": "a", "description": "d", **declaration}]}]}


COUNT = "Please ensure that the number of function response parts is equal"

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"contents": []}, "Invalid value at 'contents'"),
    ({"contents": [USER], "messages": []}, "Unknown name 'messages' at ''"),
    ({"contents": [{"role": "user", "parts": []}]}, "Invalid value at 'contents[0].parts'"),
    ({"contents": [{"role": "user", "parts": [{}]}]}, "required oneof field 'data' must have one"),
    ({"contents": [{"role": "assistant", "parts": [{"text": "x"}]}]}, "Invalid value at 'contents[0].role'"),
    ({"contents": [{**USER, "id": 1}]}, "Unknown name 'id' at 'contents[0]'"),
    ({"contents": [USER, CALL_TURN]}, COUNT),
    ({"contents": [USER, CALL_TURN, results("a")]}, COUNT),
    ({"contents": [USER, CALL_TURN, results("a", "c")]}, COUNT),
    ({"contents": [USER, CALL_TURN, USER]}, COUNT),
    ({"contents": [USER, results("a")]}, "function response turn comes immediately after a function call turn"),
    ({"contents": [{**CALL_TURN, "role": "user"}]}, "function calls are the role 'model'"),
    ({"contents": [USER, {"role": "model", "parts": [{"text": "y"}]}]}, "ends with a user role"),
    ({"contents": [USER, CALL_TURN, results("a", "b", schema={"$ref": "#"})]}, "'$ref' and '$defs'"),
    ({"contents": [USER, CALL_TURN, results("a", "b", list=[{"$defs": {}}])]}, "'$ref' and '$defs'"),
    (declared(parameters={"type": "object", "additionalProperties": False}), "Unknown name 'additionalProperties'"),
    (declared(parameters={"type": ["string", "null"]}), "tools[0].functionDeclarations[0].parameters.type"),
    (declared(parameters={"type": "object"}, parametersJsonSchema={}), "cannot both be set"),
    (declared(name="9"), "functionDeclarations[0].name"),
    ({**declared(), "tools": declared()["tools"] * 2}, "Duplicate function declaration found: a"),
    ({"contents": [USER], "generationConfig": {"maxTokens": 1}}, "Unknown name 'maxTokens' at 'generationConfig'"),
]


@pytest.mark.parametrize(("body", "error_text"), REFUSED)
def test_requests_rejected_by_gemini_are_rejected(body: dict[str, Any], error_text: str) -> None:
    assert error_text in DemoConversation(Gemini()).refused(body)


def test_a_request_without_a_key_in_the_header_is_rejected() -> None:
    demo, body = Demo(), json.dumps({"contents": [USER]}).encode()

    answers = (demo.send(Gemini.path, body), demo.get("/v1beta/models"), demo.get("/v1beta/models/demo"))

    assert [answer.status for answer in answers] == [403, 403, 403]
    assert json.loads(answers[0].body)["error"]["status"] == "PERMISSION_DENIED"


def test_results_with_ids_can_be_in_any_order() -> None:
    calls: list[dict[str, Any]] = [{"functionCall": {"name": "a", "args": {}, "id": key}} for key in "xy"]
    responses = [{"functionResponse": {"name": "a", "response": {"result": key}, "id": key}} for key in "yx"]
    model: dict[str, Any] = {
        "role": "model",
        "parts": [{**calls[0], "thoughtSignature": "skip_thought_signature_validator"}, calls[1]],
    }
    talk = DemoConversation(Gemini(), messages=[USER, model, {"role": "user", "parts": responses}])

    assert Gemini().text(talk.answer()) == "(demo model) a says: y. a says: x."


def test_only_the_first_of_parallel_calls_is_signed_and_each_step_has_its_own_signature() -> None:
    talk = DemoConversation(Gemini(), [WEATHER]).with_user("Weather in Oslo and Rome?")

    first, second = talk.answer()["candidates"][0]["content"]["parts"]
    other = (
        DemoConversation(Gemini(), [WEATHER])
        .with_user("Weather in Rome?")
        .answer()["candidates"][0]["content"]["parts"][0]
    )

    assert (bool(first["thoughtSignature"]), "thoughtSignature" in second) == (True, False)
    assert first["thoughtSignature"] != other["thoughtSignature"]


@pytest.mark.parametrize(
    ("returned", "error_text"),
    [
        (None, "Function call is missing a thought_signature in functionCall parts."),
        ("AAAA", "Corrupted thought signature."),
    ],
)
def test_a_step_without_its_signature_is_rejected(returned: str | None, error_text: str) -> None:
    talk = DemoConversation(Gemini(), [CALCULATE]).with_user("What is 1+1?")
    talk.continue_with(talk.answer(), "2")
    part = talk.messages[1]["parts"][0]
    del part["thoughtSignature"]
    if returned is not None:
        part["thoughtSignature"] = returned

    assert talk.refused().startswith(error_text)


def test_a_signature_at_the_wrong_call_is_rejected() -> None:
    talk = DemoConversation(Gemini(), [WEATHER]).with_user("Weather in Oslo and Rome?")
    talk.continue_with(talk.answer(), "cold", "hot")
    first, second = talk.messages[1]["parts"]
    second["thoughtSignature"] = first.pop("thoughtSignature")

    assert talk.refused().startswith("Function call is missing a thought_signature")


def test_steps_of_earlier_messages_need_no_signature() -> None:
    talk = DemoConversation(Gemini(), [CALCULATE]).with_user("What is 1+1?")
    talk.continue_with(talk.answer(), "2")
    talk.continue_with(talk.answer()).with_user("Thank you")
    del talk.messages[1]["parts"][0]["thoughtSignature"]

    assert "Thank you" in Gemini().text(talk.answer())


def test_thoughts_are_parts_with_a_marker() -> None:
    thought, error_text = (
        DemoConversation(Gemini()).with_user("[demo:think] hi").answer()["candidates"][0]["content"]["parts"]
    )

    assert (thought["thought"], "thought" in error_text) == (True, False)


def test_the_older_schema_and_snake_case_names_are_accepted() -> None:
    schema = {"type": "OBJECT", "properties": {"expression": {"type": "STRING"}}, "required": ["expression"]}
    declaration = {"name": "calculate", "description": "d", "parameters": schema}
    body = {
        "contents": [{"parts": [{"text": "What is 1+1?"}]}],
        "system_instruction": {"parts": [{"text": "Be kind"}]},
        "tools": [{"function_declarations": [declaration]}],
    }

    answer = json.loads(DemoConversation(Gemini()).send(body).body)

    assert Gemini().calls(answer) == [("calculate", {"expression": "1+1"})]


def test_tools_are_not_called_if_calls_are_forbidden() -> None:
    talk = DemoConversation(Gemini(), [CALCULATE]).with_user("What is 1+1?")
    body = Gemini().body(talk.messages, talk.tools) | {"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}}

    assert Gemini().text(json.loads(talk.send(body).body)) == "(demo model) 1+1 is 2."


def test_the_models_are_listed_with_their_capabilities() -> None:
    demo = Demo()

    listed = json.loads(demo.get("/v1beta/models", Gemini.headers).body)["models"]
    described = json.loads(demo.get("/v1beta/models/any", Gemini.headers).body)

    assert [(model["name"], model["supportedGenerationMethods"]) for model in listed] == [
        ("models/demo", ["generateContent"]),
        ("models/demo-embedding", ["embedContent"]),
    ]
    assert (listed[0]["inputTokenLimit"], listed[0]["outputTokenLimit"]) == (32_768, 8_192)
    assert described["name"] == "models/any"


def test_a_status_without_a_google_name_is_unknown() -> None:
    answer = DemoConversation(Gemini()).with_user("[demo:status=418] hi").send()

    assert json.loads(answer.body)["error"] == {
        "code": 418,
        "message": "(demo model) status 418 was asked for",
        "status": "UNKNOWN",
    }
