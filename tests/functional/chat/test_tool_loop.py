"""Tool loop: executed calls, their results, and rules without tools."""

import json
import threading
from typing import Any

import pytest

from flexchat.errors import ModelError
from flexchat.tools import ToolReply
from tests.functional.chat.harness import (
    CALCULATE,
    configuration,
    deploy,
    mock_tool,
)
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.tool_chat import last_output, send_chat


def test_tool_call_is_executed_and_its_result_returned() -> None:
    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("It is 22 degrees.")],
        configuration(tools=[mock_tool()]),
    )
    body = send_chat(chat)
    assert body["content"] == "It is 22 degrees."
    assert (body["service"], body["model"], body["status"], body["finish_reason"]) == (
        "openai",
        "gpt-4o",
        "complete",
        "stop",
    )
    [call] = body["tool_calls"]
    assert call["result"].pop("execution_time_ms") >= 0
    assert call == {
        "tool": "get_weather",
        "params": {"location": "Paris"},
        "result": {"success": True, "tool_name": "get_weather", "result": {"temperature": 22}},
        "iteration": 1,
        "call_id": "call_1_0",
    }
    assert body["usage"] == {
        "input_tokens": 20,
        "output_tokens": 10,
        "total_tokens": 30,
        "cached_tokens": 0,
        "cost_usd": 0.00015,
        "reasoning_tokens": 0,
        "cache_write_tokens": 0,
    }
    assert [(step["step"], step["name"], step["iteration"], step["ok"]) for step in body["timings"]["steps"]] == [
        ("model", "openai:gpt-4o", 1, True),
        ("tool", "get_weather", 1, True),
        ("model", "openai:gpt-4o", 2, True),
    ]


def test_schema_defaults_are_sent_to_the_tool_but_not_recorded() -> None:
    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("ok")],
        configuration(tools=[mock_tool()]),
    )
    body = send_chat(chat)
    assert chat.lambdas.executed[0]["arguments"] == {"location": "Paris", "units": "celsius"}
    assert body["tool_calls"][0]["params"] == {"location": "Paris"}


def test_answer_without_calls_has_an_empty_record() -> None:
    chat = deploy([text_completion("4")], configuration(tools=[CALCULATE]))
    body = send_chat(chat)
    assert (body["content"], body["tool_calls"]) == ("4", [])


def test_parallel_calls_run_concurrently_and_return_in_call_order() -> None:
    together = threading.Barrier(4, timeout=10)

    def wait_for_other_calls(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        together.wait()
        return ToolReply(ok=True, result=event["arguments"]["location"]).model_dump()

    places = ["Paris", "Rome", "Oslo", "Bern"]
    chat = deploy(
        [call_completion(*[("get_weather", {"location": place}) for place in places]), text_completion("done")],
        configuration(tools=[mock_tool()]),
        handlers={"mock": wait_for_other_calls},
    )
    body = send_chat(chat)
    assert [call["result"]["result"] for call in body["tool_calls"]] == places


def test_concurrent_calls_are_limited_and_all_are_answered() -> None:
    running = threading.Semaphore(2)

    def fails_a_third(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        assert running.acquire(blocking=False), "more than two calls at once"
        try:
            return ToolReply(ok=True, result=event["arguments"]["location"]).model_dump()
        finally:
            running.release()

    places = [f"place {number}" for number in range(12)]
    chat = deploy(
        [call_completion(*[("get_weather", {"location": place}) for place in places]), text_completion("done")],
        configuration(tools=[mock_tool()], max_parallel=2),
        handlers={"mock": fails_a_third},
    )
    assert [call["result"]["result"] for call in send_chat(chat)["tool_calls"]] == places


def test_sequential_turns_send_the_whole_conversation() -> None:
    chat = deploy(
        [
            call_completion(("calculate", {"expression": "15% of 45"}), turn=1),
            call_completion(("calculate", {"expression": "6.75 + 45"}), turn=2),
            text_completion("51.75"),
        ],
        configuration(tools=[CALCULATE]),
    )
    body = send_chat(chat)
    assert [(call["iteration"], call["result"]["result"]) for call in body["tool_calls"]] == [
        (1, {"result": 6.75}),
        (2, {"result": 51.75}),
    ]
    roles = ["system", "user", "assistant", "tool", "assistant", "tool"]
    assert [message.role for message in chat.model.seen[-1]] == roles


def test_each_iteration_is_logged_before_its_model_call(
    capsys: pytest.CaptureFixture[str],
) -> None:
    failure = ModelError("no", type="server_error", provider="openai", status=500)
    chat = deploy(
        [call_completion(("calculate", {"expression": "1"})), failure],
        configuration(tools=[CALCULATE], max_iterations=4),
    )
    send_chat(chat)
    logged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    started = [line for line in logged if line.get("message") == "iteration started"]
    assert [(line["level"], line["iteration"], line["max_iterations"]) for line in started] == [
        ("INFO", 1, 4),
        ("INFO", 2, 4),
    ]


def test_rule_without_existing_tools_is_answered_without_tools_and_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rule = {"tools": {"enabled": True, "allowed_tools": ["missing"]}}
    chat = deploy([text_completion("plain")], configuration(tools=[CALCULATE], rule=rule))
    assert send_chat(chat)["content"] == "plain"
    logged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [line] = [line for line in logged if line.get("message") == "no tools offered"]
    assert (line["level"], line["allowed_tools"]) == ("WARNING", ["missing"])


def test_long_result_is_truncated_for_the_model_and_complete_for_the_caller() -> None:
    text = "a" * 3_000 + "b" * 3_000
    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"})), text_completion("long")],
        configuration(tools=[mock_tool(mock_response=text)], max_result_size=1_000),
    )
    body = send_chat(chat)
    assert body["tool_calls"][0]["result"]["result"] == text
    shown = last_output(chat)
    assert "5000 characters left out" in shown
    assert '"truncated":true' in shown
    assert len(shown) < 1_300


def test_results_can_be_sent_as_plain_text() -> None:
    chat = deploy(
        [call_completion(("get_weather", {"location": "Paris"}), ("nothing", {})), text_completion("ok")],
        configuration(tools=[mock_tool()], result_format="text"),
    )
    send_chat(chat)
    outputs = [getattr(message.parts[0], "content") for message in chat.model.seen[-1][-2:]]  # noqa: B009
    assert outputs == ['{"temperature":22}', 'Error: Unknown tool "nothing"']


@pytest.mark.parametrize(
    "rule",
    [{"tools": None}, {"tools": {"enabled": False}}, {"tools": {"enabled": True, "allowed_tools": []}}],
)
def test_rule_without_tools_uses_the_standard_path(rule: dict[str, Any]) -> None:
    chat = deploy([text_completion("plain")], configuration(tools=[CALCULATE], rule=rule))
    body = send_chat(chat)
    assert (body["content"], body["tool_calls"]) == ("plain", [])
    assert chat.model.options[0].tools == ()


def test_disabled_tools_use_the_standard_path() -> None:
    chat = deploy([text_completion("plain")], configuration(tools=[CALCULATE], enabled=False))
    assert send_chat(chat)["content"] == "plain"
    assert chat.model.options[0].tools == ()


def test_tools_are_logged_once_per_configuration(
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = {**mock_tool("broken"), "parameters": {"type": "array"}}
    chat = deploy(
        [text_completion("one"), text_completion("two")], configuration(tools=[CALCULATE, broken, mock_tool()])
    )
    for _ in range(2):
        assert chat.post({"message": "Hello"}).status == 200
    logged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    registered = [line for line in logged if line.get("message") == "tool registered"]
    assert [(line["level"], line["tool"], line["type"]) for line in registered] == [
        ("INFO", "calculate", "builtin"),
        ("INFO", "get_weather", "mock"),
    ]
    [refused] = [line for line in logged if line.get("message") == "tool not registered"]
    assert (refused["level"], refused["tool"]) == ("ERROR", "broken")


def test_chats_are_counted_by_model(capsys: pytest.CaptureFixture[str]) -> None:
    script = [
        call_completion(("calculate", {"expression": "1/0"}), ("calculate", {"expression": "1"})),
        text_completion("done"),
    ]
    chat = deploy(script, configuration(tools=[CALCULATE]))
    send_chat(chat)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [counted] = [line for line in lines if "Iterations" in line]
    assert counted["model"] == "openai:gpt-4o"
    names = ("Chats", "Iterations", "ToolCallsOfChat", "ToolFailuresOfChat", "Tokens", "IterationLimitReached")
    assert [counted[name] for name in names] == [[1.0], [2.0], [2.0], [1.0], [30.0], [0.0]]
