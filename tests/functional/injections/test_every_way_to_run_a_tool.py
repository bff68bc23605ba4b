"""Every way to run a tool passes the check of the injection policy; calls that a person makes are not decided by it.

`test_conversation_state.py` has resumed answers.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mypy_boto3_dynamodb import DynamoDBClient

from tests.functional.chat.background import deploy_with_background
from tests.functional.chat.harness import Chat, deploy
from tests.functional.injections.conversations import READS_THEN_SENDS, config, ran
from tests.functional.mcp_server.mcp_chat import McpClient

ROOT = Path(__file__).parents[3] / "functions" / "chat"


def _chat(chat: Chat) -> None:
    assert chat.post({"message": "Hello"}).status == 200


def _session(chat: Chat) -> None:
    assert chat.post({"message": "Hello", "session_id": "s1"}).status == 200


def _completion(chat: Chat) -> None:
    body = {"model": "openai:gpt-4o", "messages": [{"role": "user", "content": "Hello"}]}
    assert chat.post(body, path="/v1/chat/completions").status == 200


def _response(chat: Chat) -> None:
    answer = chat.post({"model": "openai:gpt-4o", "input": "Hello"}, path="/v1/responses")
    assert answer.status == 200, answer.body


def _mcp_chat(chat: Chat) -> None:
    assert not McpClient(chat).call("chat", {"message": "Hello"}).get("isError")


def _model_test(chat: Chat) -> None:
    answer = chat.post({"query": "Hello", "model": "openai:gpt-4o"}, path="/api/tools/test")
    assert answer.status == 200, answer.body


def _trial(chat: Chat) -> None:
    answer = chat.direct({"trial": {"message": "Hello", "model": "openai:gpt-4o", "prompt": "You help."}})
    assert "answer" in answer or "response" in answer, answer


FRONT_ENDS: dict[str, Callable[[Chat], None]] = {
    "chat": _chat,
    "session": _session,
    "chat completions": _completion,
    "responses": _response,
    "chat of the MCP server": _mcp_chat,
    "test of a model": _model_test,
    "trial of a validation": _trial,
}


def _configuration(policy: str) -> dict[str, Any]:
    settings = config(policy=policy)
    settings["openai_api"] = {"models": ["openai:gpt-4o"]}
    return settings


@pytest.mark.parametrize("name", FRONT_ENDS)
@pytest.mark.parametrize(
    ("policy", "expected"), [("block", ["search", "plain"]), ("off", ["delete", "plain", "search", "send"])]
)
def test_a_front_end_runs_no_way_out_after_both_readings(
    dynamodb: DynamoDBClient, name: str, policy: str, expected: list[str]
) -> None:
    chat = deploy(READS_THEN_SENDS, _configuration(policy), dynamodb=dynamodb)
    FRONT_ENDS[name](chat)

    assert chat.model.script == []
    assert sorted(ran(chat)) == sorted(expected)


def test_a_background_run_runs_no_way_out_after_both_readings(dynamodb: DynamoDBClient) -> None:
    chat = deploy_with_background(READS_THEN_SENDS, config(), dynamodb, runs_function="runs")
    assert chat.post({"message": "Hello"}, headers={"Prefer": "respond-async"}).status == 202
    chat.deliver()

    assert chat.model.script == []
    assert ran(chat) == ["search", "plain"]


@pytest.mark.parametrize("name", ["send", "delete"])
def test_a_person_calls_a_tool_themselves(dynamodb: DynamoDBClient, name: str) -> None:
    chat = deploy([], config(), dynamodb=dynamodb)
    mcp = McpClient(chat)
    for tool in ("search", name):
        assert not mcp.call(tool, {"text": "x"}).get("isError")
        answer = chat.post({"tool": tool, "arguments": {"text": "x"}}, path="/api/tools/call", roles="operator")
        assert answer.body["result"]["success"]

    assert ran(chat) == ["search", "search", name, name]


def _calls_of(method: str) -> Iterator[str]:
    """Yield `file: expression` for each call of a method with this name in the chat function."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method:
                yield f"{path.relative_to(ROOT)}: {ast.unparse(node.func)}"


def test_tools_are_invoked_by_the_executor_alone() -> None:
    """Only the executor, after its check, and invokers that wrap another one, call the function of a tool."""
    invocations = [line for line in _calls_of("invoke") if "background" not in line and "Background" not in line]

    assert invocations == [
        "tools/executor.py: self._invoker.invoke",
        "trials/tool_calls.py: self._invoker.invoke",
        "trials/trial.py: self.invoker.invoke",
    ]
    executor = (ROOT / "tools" / "executor.py").read_text()
    assert executor.count("self._checker.check(") == 2  # before a call runs, and before a person is asked
    assert executor.count("AcceptedCall(index, tool, request") == 1


def test_calls_are_executed_in_three_places() -> None:
    assert list(_calls_of("execute_all")) == [
        "generation/tool_calls.py: self._tools.executor.execute_all",
        "mcp_server/methods.py: offered.executor.execute_all",
        "tools/executor.py: self.execute_all",
        "trials/tool_calls.py: offered.executor.execute_all",
    ]
    assert [line for line in _calls_of("execute") if "executor" in line] == []
