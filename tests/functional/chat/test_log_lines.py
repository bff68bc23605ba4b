"""Log lines of a chat with their level and fields."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message
from flexchat.observability import logger
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import CALCULATE, configuration, deploy, mock_tool
from tests.functional.chat.scripted_provider import call_completion, text_completion

type Line = Mapping[str, Any]
type Lines = Callable[[str], list[Line]]

SUM = ("calculate", {"expression": "2+3"})


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    """Return the logged lines with a message."""
    logged: list[Line] = []

    def named(message: str) -> list[Line]:
        logged.extend(json.loads(line) for line in capsys.readouterr().out.splitlines())
        return [line for line in logged if line.get("message") == message]

    return named


@pytest.fixture
def debug() -> Iterator[None]:
    """Log level DEBUG for one test."""
    logger.setLevel("DEBUG")
    yield
    logger.setLevel("INFO")


def facts(line: Line, *names: str) -> dict[str, Any]:
    return {name: line.get(name) for name in ("level", *names)}


def chat(script: Sequence[Any], *, rule: Mapping[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    """Answer one message with the calculator and a mock tool."""
    tools = [CALCULATE, mock_tool(), {**mock_tool("off"), "enabled": False}]
    answer = deploy(script, configuration(tools=tools, rule=rule, **settings)).post({"message": "Hello"})
    assert answer.status == 200, answer.body
    return answer.body


def test_each_answer_of_the_model_is_logged_with_its_iteration_and_number_of_calls(lines: Lines) -> None:
    chat([call_completion(SUM, ("get_weather", {"location": "Paris"})), text_completion("done")])

    assert [facts(line, "model", "iteration", "finish_reason", "tool_calls") for line in lines("model answered")] == [
        {
            "level": "INFO",
            "model": "openai:gpt-4o",
            "iteration": 1,
            "finish_reason": "tool_calls",
            "tool_calls": 2,
        },
        {"level": "INFO", "model": "openai:gpt-4o", "iteration": 2, "finish_reason": "stop", "tool_calls": 0},
    ]


def test_each_tool_call_is_logged_with_its_tool_outcome_duration_and_time(lines: Lines) -> None:
    body = chat([call_completion(SUM, ("calculate", {"expression": "1/0"})), text_completion("done")])

    executed = sorted(lines("tool executed"), key=lambda line: line["call_id"])
    durations = [call["result"]["execution_time_ms"] for call in body["tool_calls"]]
    names = ("tool", "call_id", "success", "error_type", "execution_time_ms", "request_id")
    assert [facts(line, *names) for line in executed] == [
        {
            "level": "INFO",
            "tool": "calculate",
            "call_id": f"call_1_{index}",
            "success": error_type is None,
            "error_type": error_type,
            "execution_time_ms": durations[index],
            "request_id": body["request_id"],
        }
        for index, error_type in enumerate((None, "execution_failed"))
    ]
    assert all(datetime.fromisoformat(line["timestamp"]).tzinfo is not None for line in executed)


@pytest.mark.usefixtures("debug")
def test_arguments_and_result_of_a_call_are_logged_at_debug_without_secrets(lines: Lines) -> None:
    arguments = {"location": "Paris", "auth": "hunter2", "key": "hunter2", "token_id": "hunter2"}
    chat([call_completion(("get_weather", arguments)), text_completion("done")])

    redacted = {"location": "Paris", "auth": "[redacted]", "key": "[redacted]", "token_id": "[redacted]"}
    [sent] = lines("tool arguments parsed")
    [returned] = lines("tool result received")
    assert facts(sent, "tool", "call_id", "params") == {
        "level": "DEBUG",
        "tool": "get_weather",
        "call_id": "call_1_0",
        "params": redacted,
    }
    assert facts(returned, "tool", "call_id", "characters", "preview") == {
        "level": "DEBUG",
        "tool": "get_weather",
        "call_id": "call_1_0",
        "characters": 18,
        "preview": '{"temperature":22}',
    }


@pytest.mark.parametrize(
    ("name", "error_type"), [("nothing", "tool_not_found"), ("calculate", "tool_not_allowed"), ("off", "tool_disabled")]
)
def test_call_of_a_forbidden_tool_is_a_warning(name: str, error_type: str, lines: Lines) -> None:
    rule = {"tools": {"enabled": True, "allowed_tools": ["get_weather"]}}
    body = chat([call_completion((name, {"expression": "1"})), text_completion("sorry")], rule=rule)

    assert body["content"] == "sorry"
    [line] = lines("tool call refused")
    assert facts(line, "tool", "error_type") == {"level": "WARNING", "tool": name, "error_type": error_type}


def test_repeated_call_is_a_warning_with_its_tool_and_number_of_turns(lines: Lines) -> None:
    chat([*[call_completion(SUM, turn=turn) for turn in (1, 2, 3)], text_completion("5")])

    [line] = lines("repeated tool call refused")
    assert facts(line, "tool", "turns") == {"level": "WARNING", "tool": "calculate", "turns": 3}


@pytest.mark.parametrize(("turns", "max_iterations", "limit"), [(2, 2, "iterations"), (4, 10, "repeated_calls")])
def test_limit_ending_the_loop_is_a_warning(turns: int, max_iterations: int, limit: str, lines: Lines) -> None:
    chat([call_completion(SUM, turn=turn) for turn in range(1, turns + 1)], max_iterations=max_iterations)

    [line] = lines("tool loop ended")
    assert facts(line, "limit", "iteration") == {"level": "WARNING", "limit": limit, "iteration": turns}


def test_limit_forbidding_more_tools_is_a_warning(lines: Lines) -> None:
    chat([call_completion(SUM), text_completion("5")], max_tool_calls=1)

    [line] = lines("tools forbidden")
    assert facts(line, "limit", "iteration") == {"level": "WARNING", "limit": "tool_calls", "iteration": 2}


def test_chat_deadline_is_a_warning(lines: Lines) -> None:
    def takes_all_the_time(_messages: Sequence[Message], _options: ChatOptions) -> Completion:
        raise ModelError("deadline", type="timeout", provider="openai")

    deployed = deploy([takes_all_the_time], configuration(tools=[CALCULATE]))
    deployed.direct({"message": "Hello"}, remaining_ms=500)

    [line] = lines("deadline reached")
    assert facts(line, "iteration") == {"level": "WARNING", "iteration": 1}


@pytest.mark.parametrize("reason", ["length", "content_filter", "refusal", "unknown"])
def test_unexpected_finish_reason_is_a_warning(reason: Any, lines: Lines) -> None:
    chat([text_completion("The answer is", reason)])

    [line] = lines("unexpected finish reason received")
    assert facts(line, "finish_reason") == {"level": "WARNING", "finish_reason": reason}


def test_model_failure_after_tools_is_a_warning_with_its_provider_and_kind(lines: Lines) -> None:
    chat([call_completion(SUM), ModelError("no", type="overloaded", provider="openai", status=503)])

    [line] = lines("chat ended after model failure")
    assert facts(line, "provider", "error_type") == {
        "level": "WARNING",
        "provider": "openai",
        "error_type": "overloaded",
    }


@pytest.mark.parametrize("tools", [[CALCULATE, mock_tool()], []])
def test_number_of_tools_is_logged_when_a_configuration_is_loaded(tools: list[Any], lines: Lines) -> None:
    deployed = deploy([text_completion("one"), text_completion("two")], configuration(tools=tools))
    for _ in range(2):
        deployed.post({"message": "Hello"})

    [line] = lines("tools loaded")
    assert facts(line, "tools") == {"level": "INFO", "tools": len(tools)}


def test_rule_without_a_tool_list_is_logged_with_the_number_of_offered_tools(lines: Lines) -> None:
    chat([text_completion("Hello")])

    [line] = lines("all tools offered")
    assert facts(line, "tools") == {"level": "INFO", "tools": 2}


def test_unknown_prompt_variable_is_a_warning_with_its_name(lines: Lines) -> None:
    chat([text_completion("Hello")], rule={"prompt": "You help {{customer}} with {{user_message}}."})

    [line] = lines("prompt placeholder unresolved")
    assert facts(line, "names") == {"level": "WARNING", "names": ["customer"]}


def test_tool_function_logs_each_call_with_the_id_of_the_request(lines: Lines) -> None:
    body = chat([call_completion(("get_weather", {"location": "Paris"})), text_completion("22 degrees")])

    [line] = lines("tool called")
    assert facts(line, "tool", "call_id", "request_id", "success", "result_bytes") == {
        "level": "INFO",
        "tool": "get_weather",
        "call_id": "call_1_0",
        "request_id": body["request_id"],
        "success": True,
        "result_bytes": 18,
    }


def test_failed_manual_model_test_is_logged_with_its_error_kind(lines: Lines) -> None:
    failure = ModelError("no", type="server_error", provider="openai", status=500)
    answer = deploy([failure], configuration(tools=[CALCULATE])).post(
        {"query": "2+3?", "model": "openai:gpt-4o"}, path="/api/tools/test", roles="operator"
    )

    assert (answer.status, answer.body["error"]) == (502, "model_server_error")
    [line] = lines("model failed")
    assert facts(line, "provider", "error_type", "status", "request_id") == {
        "level": "WARNING",
        "provider": "openai",
        "error_type": "server_error",
        "status": 500,
        "request_id": answer.body["request_id"],
    }
