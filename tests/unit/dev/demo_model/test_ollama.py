import json
from typing import Any

import pytest
from ollama import ListResponse, ShowResponse

from tests.unit.dev.demo_model.clients import DemoConversation, Ollama
from tests.unit.dev.demo_model.openai_client import CALCULATE, Demo

CALL: dict[str, Any] = {"function": {"name": "calculate", "arguments": {"expression": "1+1"}}}


def body(**changes: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": "What is 1+1?"}], "stream": False, **changes}


@pytest.mark.parametrize(
    ("changes", "error_text"),
    [
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": "{}"}}]}]},
            "json: cannot unmarshal messages.0.tool_calls.0.function.arguments",
        ),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "json: cannot unmarshal messages.0.content"),
        ({"messages": [{"role": "model", "content": ""}]}, "json: cannot unmarshal messages.0.role"),
        ({"options": {"num_predict": "5"}}, "json: cannot unmarshal options.num_predict"),
        (
            {"tools": [{"type": "function", "function": {"name": "a", "parameters": {"type": ["object"]}}}]},
            "json: cannot unmarshal tools.0.function.parameters.type",
        ),
        ({"model": "demo-text:latest", "tools": [CALCULATE]}, "does not support tools"),
    ],
)
def test_requests_rejected_by_ollama_are_rejected(changes: dict[str, Any], error_text: str) -> None:
    assert error_text in DemoConversation(Ollama()).refused(body(**changes))


def test_streaming_is_the_default() -> None:
    answer = DemoConversation(Ollama()).send({"model": "m", "messages": []})

    assert (answer.status, answer.headers) == (200, {"Content-Type": "application/x-ndjson"})


def test_results_without_a_tool_name_are_assigned_to_the_calls_in_order() -> None:
    question = {"role": "user", "content": "What is 1+1?"}
    messages = [question, {"role": "assistant", "tool_calls": [CALL]}, {"role": "tool", "content": "2"}]

    answer = json.loads(DemoConversation(Ollama(), [CALCULATE]).send(body(messages=messages, tools=[CALCULATE])).body)

    assert answer["message"] == {"role": "assistant", "content": "(demo model) 1+1 is 2."}


def test_a_result_without_a_call_is_ignored() -> None:
    stray = {"role": "tool", "tool_name": "other", "content": "5"}

    answer = json.loads(DemoConversation(Ollama()).send(body(messages=[*body()["messages"], stray])).body)

    assert answer["message"]["content"] == "(demo model) 1+1 is 2."


def test_thinking_has_a_separate_field() -> None:
    assert "thinking" in DemoConversation(Ollama()).with_user("[demo:think] hi").answer()["message"]


def test_the_models_are_listed_and_described() -> None:
    demo = Demo()

    listed = ListResponse.model_validate_json(demo.get("/api/tags").body)
    shown = [
        ShowResponse.model_validate_json(demo.send("/api/show", json.dumps({"model": name}).encode()).body)
        for name in ("demo:latest", "demo-text:latest")
    ]

    assert [model.model for model in listed.models] == ["demo:latest", "demo-text:latest"]
    assert [model.capabilities for model in shown] == [["completion", "tools"], ["completion"]]
    assert shown[0].modelinfo == {"general.architecture": "demo", "demo.context_length": 32_768}
    assert json.loads(demo.get("/api/version").body) == {"version": "0.13.0"}


def test_a_description_requires_a_model_name() -> None:
    answer = Demo().send("/api/show", b"{}")

    assert (answer.status, "model" in json.loads(answer.body)["error"]) == (400, True)
