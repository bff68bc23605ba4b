"""Calls of one tool by an operator over HTTP."""

import json
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from flexchat.json import byte_size
from flexchat.tool_implementation import ToolImplementation
from flexchat.tool_inspection import current_recorder
from flexchat.tool_runtime import tool_handler
from flexchat.tools import CallTool
from tests.functional.chat.harness import CALCULATE, Answer, Chat, configuration, deploy, mock_tool
from tests.functional.chat.limited_chat import MORNING, PRINCIPAL
from tests.metrics import emitted

TOOLS = (
    CALCULATE,
    mock_tool("github/search:code"),
    mock_tool("breaks", error="no such place"),
    {**mock_tool("off"), "enabled": False},
    {**mock_tool("broken"), "parameters": {"type": "array"}},
)


def service(*tools: dict[str, Any], handlers: Any = None, **settings: Any) -> Chat:
    return deploy([], configuration(tools=tools or TOOLS, **settings), handlers=handlers)


def call(chat: Chat, tool: str, arguments: Any = None, *, roles: str = "operator") -> Answer:
    return chat.post({"tool": tool, "arguments": arguments or {}}, path="/api/tools/call", roles=roles)


def untimed(body: dict[str, Any]) -> dict[str, Any]:
    result = {key: value for key, value in body["result"].items() if key != "execution_time_ms"}
    return {key: value for key, value in body.items() if key not in ("request_id", "total_ms", "content")} | {
        "result": result
    }


def test_a_call_returns_its_result_its_arguments_with_defaults_and_the_content_for_a_model() -> None:
    chat = service()

    answer = call(chat, "github/search:code", {"location": "Paris"})

    assert answer.status == 200
    assert untimed(answer.body) == {
        "tool": "github/search:code",
        "type": "mock",
        "arguments": {"location": "Paris", "units": "celsius"},
        "result": {"success": True, "tool_name": "github/search:code", "result": {"temperature": 22}},
    }
    assert answer.body["content"].startswith('{"success":true,"result":{"temperature":22}')
    assert answer.body["total_ms"] >= answer.body["result"]["execution_time_ms"] >= 0
    [event] = chat.lambdas.executed
    assert (event["trial"], event["inspect"]) == (True, True)
    assert chat.model.seen == []


def test_a_failed_call_is_a_result_with_its_error() -> None:
    answer = call(service(), "breaks", {"location": "Paris"})

    assert answer.status == 200
    assert (answer.body["result"]["success"], answer.body["result"]["error"]) == (False, "no such place")


def test_invalid_arguments_are_a_result_and_the_tool_is_not_called() -> None:
    chat = service()

    answer = call(chat, "github/search:code", {"units": "kelvin"})

    assert (answer.status, answer.body["result"]["error_type"]) == (200, "invalid_arguments")
    assert len(answer.body["result"]["validation_errors"]) == 2
    assert answer.body["arguments"] == {"units": "kelvin"}
    assert chat.lambdas.executed == []


@pytest.mark.parametrize(
    ("tool", "status", "error", "text"),
    [
        ("calculat", 404, "tool_not_found", "no tool named 'calculat' is configured; the tools are 'calculate',"),
        ("off", 409, "tool_disabled", "the tool 'off' cannot be called: disabled in the configuration"),
        ("broken", 409, "tool_disabled", "the tool 'broken' cannot be called: type: must be 'object'"),
    ],
)
def test_a_tool_that_no_model_is_offered_is_refused(tool: str, status: int, error: str, text: str) -> None:
    chat = service()

    answer = call(chat, tool)

    assert (answer.status, answer.body["error"]) == (status, error)
    assert answer.body["message"].startswith(text)
    assert chat.lambdas.executed == []


def test_a_type_that_is_disabled_is_refused() -> None:
    answer = call(service(disabled_types=["mock"]), "breaks")

    assert (answer.status, answer.body["error"]) == (409, "tool_disabled")


def test_tools_that_are_disabled_are_refused() -> None:
    answer = call(service(enabled=False), "calculate", {"expression": "1"})

    assert (answer.status, answer.body["error"]) == (409, "tools_disabled")


def test_only_an_operator_may_call_a_tool() -> None:
    chat = service()

    answer = call(chat, "calculate", {"expression": "1 + 1"}, roles="user")

    assert (answer.status, answer.body["error"]) == (403, "forbidden")
    assert chat.lambdas.executed == []


@pytest.mark.parametrize("body", [{}, {"tool": ""}, {"tool": "calculate", "arguments": [1]}, {"tool": "a", "args": {}}])
def test_a_request_of_the_wrong_shape_is_refused(body: dict[str, Any]) -> None:
    answer = service().post(body, path="/api/tools/call", roles="operator")

    assert (answer.status, answer.body["error"]) == (400, "invalid_request")


class Part(ToolImplementation):
    type: str


def _records(call: CallTool, _part: Part) -> str:
    recorder = current_recorder()
    assert recorder is not None
    recorder.add_exchange(
        method="GET",
        url="https://api.example.com/?api_key=0123456789",
        request_headers={"Authorization": "Bearer 0123456789"},
        request_body=None,
        duration_ms=0,
        status=200,
        response_body=b"sunny",
    )
    return "x" * 5_000_000


def test_the_inspection_of_a_tool_is_returned_and_a_large_result_truncated() -> None:
    tool = {**mock_tool("remote"), "implementation": {"type": "part"}}
    chat = service(tool, handlers={"part": tool_handler(Part, _records)}, max_result_size=5_000_000)

    body = call(chat, "remote", {"location": "Paris"}).body

    [exchange] = body["inspection"]["exchanges"]
    assert (exchange["url"], exchange["request_headers"]) == (
        "https://api.example.com/?api_key=[redacted]",
        {"Authorization": "[redacted]"},
    )
    assert (exchange["status"], exchange["response_body"]) == (200, "sunny")
    assert body["result"]["truncated"] is True
    assert byte_size(body) < 1_000_000


def test_a_call_is_logged_with_its_caller_and_counts_as_a_trial(capsys: pytest.CaptureFixture[str]) -> None:
    chat = service()

    call(chat, "breaks", {"location": "Secret Street 5"})

    printed = capsys.readouterr().out
    [line] = [line for line in map(json.loads, printed.splitlines()) if line.get("message") == "tool call tested"]
    assert {name: line[name] for name in ("tool", "principal", "success", "error_type")} == {
        "tool": "breaks",
        "principal": PRINCIPAL,
        "success": False,
        "error_type": "execution_failed",
    }
    assert "Secret Street" not in printed
    names = {metric.name for metric in emitted(printed)}
    assert names & {"TrialToolCalls", "ToolCalls", "Chats"} == {"TrialToolCalls"}


def test_a_call_counts_against_the_limits_of_its_caller(dynamodb: DynamoDBClient) -> None:
    tools = {**configuration(tools=TOOLS), "limits": {"caller": {"requests_per_minute": 2, "tool_calls_per_minute": 1}}}
    chat = deploy([], tools, dynamodb=dynamodb, now=lambda: MORNING)

    answers = [call(chat, "calculate", {"expression": "1 + 1"}) for _ in range(3)]

    assert [answer.status for answer in answers] == [200, 200, 429]
    assert [answer.body["result"]["success"] for answer in answers[:2]] == [True, False]
    assert answers[1].body["result"]["error_type"] == "rate_limited"
    assert len(chat.lambdas.executed) == 1
