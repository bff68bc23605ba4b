"""The tool loop through the real handler: every ending is one well-formed answer with one result per call."""

import json
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Usage
from flexchat.tools import ToolReply
from functions.chat.generation.tool_calls import MAX_RECORDED_CALLS
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.tool_calls import WireCall, parse_tool_calls
from tests.functional.chat.harness import (
    CALCULATE,
    Chat,
    assert_every_call_answered_once,
    configuration,
    deploy,
    mock_tool,
)
from tests.functional.chat.scripted_provider import call_turn, text_turn

LIMIT_TEXT = "I reached the maximum number of tool calls. Please try rephrasing your request."
ISSUE_TEXT = "I encountered an issue processing your request."


def ask(chat: Chat, **request: Any) -> dict[str, Any]:
    answer = chat.post({"message": "Hello", **request})
    assert answer.status == 200, answer.body
    assert chat.model.script == [], "the model was expected to be called again"
    for messages in chat.model.seen:
        assert_every_call_answered_once(messages)
    return answer.body


def results(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Each tool call's result without its measured time."""
    return [
        {key: value for key, value in call["result"].items() if key != "execution_time_ms"}
        for call in body["tool_calls"]
    ]


def last_output(chat: Chat) -> str:
    """The content of the last tool message the model was shown."""
    part = chat.model.seen[-1][-1].parts[0]
    return getattr(part, "content")  # noqa: B009 (any other part fails here, as it should)


def test_tool_call_is_executed_and_its_result_returned() -> None:
    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"})), text_turn("It is 22 degrees.")],
        configuration(tools=[mock_tool()]),
    )
    body = ask(chat)
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
        "reasoning_tokens": 0,
    }
    assert [(step["step"], step["name"], step["iteration"], step["ok"]) for step in body["timings"]["steps"]] == [
        ("model", "openai:gpt-4o", 1, True),
        ("tool", "get_weather", 1, True),
        ("model", "openai:gpt-4o", 2, True),
    ]


def test_schema_defaults_are_sent_to_the_tool_but_not_recorded() -> None:
    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"})), text_turn("ok")],
        configuration(tools=[mock_tool()]),
    )
    body = ask(chat)
    assert chat.lambdas.executed[0]["arguments"] == {"location": "Paris", "units": "celsius"}
    assert body["tool_calls"][0]["params"] == {"location": "Paris"}


def test_answer_without_calls_has_an_empty_record() -> None:
    chat = deploy([text_turn("4")], configuration(tools=[CALCULATE]))
    body = ask(chat)
    assert (body["content"], body["tool_calls"]) == ("4", [])


def test_parallel_calls_run_concurrently_and_return_in_call_order() -> None:
    together = threading.Barrier(4, timeout=10)

    def waits_for_the_others(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        together.wait()
        return ToolReply(ok=True, result=event["arguments"]["location"]).model_dump()

    places = ["Paris", "Rome", "Oslo", "Bern"]
    chat = deploy(
        [call_turn(*[("get_weather", {"location": place}) for place in places]), text_turn("done")],
        configuration(tools=[mock_tool()]),
        handlers={"mock": waits_for_the_others},
    )
    body = ask(chat)
    assert [call["result"]["result"] for call in body["tool_calls"]] == places


def test_concurrent_calls_are_limited_and_all_are_answered() -> None:
    running = threading.Semaphore(2)

    def refuses_a_third(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        assert running.acquire(blocking=False), "more than two calls at once"
        try:
            return ToolReply(ok=True, result=event["arguments"]["location"]).model_dump()
        finally:
            running.release()

    places = [f"place {number}" for number in range(12)]
    chat = deploy(
        [call_turn(*[("get_weather", {"location": place}) for place in places]), text_turn("done")],
        configuration(tools=[mock_tool()], max_parallel=2),
        handlers={"mock": refuses_a_third},
    )
    assert [call["result"]["result"] for call in ask(chat)["tool_calls"]] == places


def test_sequential_turns_send_the_whole_conversation() -> None:
    chat = deploy(
        [
            call_turn(("calculate", {"expression": "15% of 45"}), turn=1),
            call_turn(("calculate", {"expression": "6.75 + 45"}), turn=2),
            text_turn("51.75"),
        ],
        configuration(tools=[CALCULATE]),
    )
    body = ask(chat)
    assert [(call["iteration"], call["result"]["result"]) for call in body["tool_calls"]] == [
        (1, {"result": 6.75}),
        (2, {"result": 51.75}),
    ]
    roles = ["system", "user", "assistant", "tool", "assistant", "tool"]
    assert [message.role for message in chat.model.seen[-1]] == roles


@pytest.mark.parametrize("name", ["get_wether", "GET_WEATHER", "get_weather ", "g\u0435t_weather"])
def test_unknown_tool_returns_an_error_result_and_the_chat_continues(name: str) -> None:
    chat = deploy([call_turn((name, {"location": "Paris"})), text_turn("sorry")], configuration(tools=[mock_tool()]))
    body = ask(chat)
    assert results(body) == [
        {"success": False, "tool_name": name, "error": f"Tool '{name}' not found", "error_type": "tool_not_found"}
    ]
    assert body["content"] == "sorry"
    assert chat.lambdas.executed == []


def test_tool_outside_the_rule_is_not_executed() -> None:
    rule = {"tools": {"enabled": True, "allowed_tools": ["calculate"]}}
    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"})), text_turn("no")],
        configuration(tools=[mock_tool(), CALCULATE], rule=rule),
    )
    body = ask(chat)
    assert results(body)[0]["error_type"] == "tool_not_allowed"
    assert "calculate" not in str(results(body))
    assert chat.lambdas.executed == []
    offered = chat.model.options[0].tools
    assert [tool["function"]["name"] for tool in offered] == ["calculate"]  # type: ignore[index,call-overload]


def test_disabled_tools_are_neither_offered_nor_run_and_return_the_reason() -> None:
    off = {**mock_tool("off"), "enabled": False}
    far = {**mock_tool("far"), "implementation": {"type": "http", "url": "https://example.com"}}
    rule = {"tools": {"enabled": True, "allowed_tools": ["off", "far", "calculate", "get_weather"]}}
    chat = deploy(
        [
            call_turn(("off", {"location": "x"}), ("calculate", {"expression": "1"}), ("far", {"location": "x"})),
            text_turn("no"),
        ],
        configuration(tools=[off, CALCULATE, mock_tool(), far], disabled_types=["builtin"], rule=rule),
    )
    body = ask(chat)
    assert [(result["error_type"], result["error"]) for result in results(body)] == [
        ("tool_disabled", "Tool 'off' is switched off in this deployment"),
        ("tool_disabled", "Tool 'calculate' cannot run: tools of type 'builtin' are switched off in this deployment"),
        ("configuration", "Unknown implementation type: http"),
    ]
    assert chat.lambdas.executed == []
    offered = chat.model.options[0].tools
    assert [tool["function"]["name"] for tool in offered] == ["get_weather"]  # type: ignore[index,call-overload]


def test_invalid_arguments_are_reported_together_and_the_tool_is_not_run() -> None:
    chat = deploy(
        [
            call_turn(("get_weather", {"units": "kelvin"})),
            call_turn(("get_weather", {"location": "Paris"}), turn=2),
            text_turn("22"),
        ],
        configuration(tools=[mock_tool()]),
    )
    body = ask(chat)
    errors = ["Missing required parameter: location", "units must be one of: celsius, fahrenheit"]
    assert results(body)[0] == {
        "success": False,
        "tool_name": "get_weather",
        "error": f"Invalid parameters: {', '.join(errors)}",
        "error_type": "invalid_arguments",
        "validation_errors": errors,
    }
    assert results(body)[1]["success"] is True
    assert len(chat.lambdas.executed) == 1


def test_arguments_without_valid_json_return_an_error_result() -> None:
    chat = deploy(
        [call_turn(("get_weather", '{"location": "Par')), text_turn("again?")],
        configuration(tools=[mock_tool()]),
    )
    body = ask(chat)
    assert body["tool_calls"][0]["params"] == '{"location": "Par'
    assert results(body) == [
        {
            "success": False,
            "tool_name": "get_weather",
            "error": "Invalid JSON in tool arguments: not valid JSON. Send one JSON object.",
            "error_type": "malformed_arguments",
        }
    ]
    assert chat.lambdas.executed == []


def test_call_without_a_name_is_one_error_result_and_the_other_calls_run() -> None:
    calls = parse_tool_calls([WireCall(None, {}), WireCall("get_weather", {"location": "Paris"})], ())
    odd = Completion(Message("assistant", calls), "tool_calls", Usage(10, 5), "scripted")
    chat = deploy([odd, text_turn("22 degrees")], configuration(tools=[mock_tool()]))
    body = ask(chat)
    assert body["content"] == "22 degrees"
    assert results(body)[0] == {
        "success": False,
        "tool_name": "unnamed_tool",
        "error": "Invalid tool call: the call has no tool name",
        "error_type": "tool_not_found",
    }
    assert results(body)[1]["success"] is True
    assert len(chat.lambdas.executed) == 1


def test_tool_error_is_a_result_for_the_model() -> None:
    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"})), text_turn("no weather today")],
        configuration(tools=[mock_tool(error="no data for Paris")]),
    )
    body = ask(chat)
    assert results(body)[0]["error"] == "no data for Paris"
    assert '"success":false' in last_output(chat)


def test_crashed_tool_is_an_error_result_without_details() -> None:
    def dies(_event: Any, _context: Any) -> Any:
        raise ZeroDivisionError("at 10.0.0.7 with password=hunter2")

    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"})), text_turn("sorry")],
        configuration(tools=[mock_tool()]),
        handlers={"mock": dies},
    )
    body = ask(chat)
    assert results(body)[0]["error"] == "The tool failed unexpectedly"
    assert "hunter2" not in last_output(chat)


def test_invalid_tool_response_is_an_error_result() -> None:
    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"})), text_turn("sorry")],
        configuration(tools=[mock_tool()]),
        handlers={"mock": lambda _event, _context: {"hello": "world"}},
    )
    assert results(ask(chat))[0]["error_type"] == "execution_failed"


def test_hanging_tool_times_out_once_and_its_late_response_is_dropped() -> None:
    released = threading.Event()

    def hangs(_event: Any, _context: Any) -> dict[str, Any]:
        released.wait(30)
        return ToolReply(ok=True, result="late").model_dump()

    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"})), text_turn("too slow")],
        configuration(tools=[{**mock_tool(timeout_ms=20), "idempotent": True}]),
        handlers={"mock": hangs},
    )
    try:
        body = ask(chat, deadline_ms=3_000)
    finally:
        released.set()
    assert results(body) == [
        {
            "success": False,
            "tool_name": "get_weather",
            "error": "Tool execution timed out after 20ms",
            "error_type": "timeout",
            "user_message": "The tool took too long to answer.",
        }
    ]
    assert len(chat.lambdas.executed) == 1


def test_third_identical_call_is_rejected_and_the_fourth_ends_the_chat() -> None:
    same = ("get_weather", {"location": "Paris", "units": "celsius"})
    swapped = ("get_weather", {"units": "celsius", "location": "Paris"})
    script = [call_turn(call, turn=turn) for turn, call in enumerate([same, swapped, same, swapped], 1)]
    chat = deploy(script, configuration(tools=[mock_tool()], max_iterations=10))
    body = ask(chat)
    assert [result["success"] for result in results(body)] == [True, True, False, False]
    assert results(body)[2]["error_type"] == "repeated_call"
    assert (body["content"], body["circular_calls_detected"]) == (LIMIT_TEXT, True)
    assert len(chat.lambdas.executed) == 2


def test_equal_calls_of_one_turn_all_run_and_the_chat_continues() -> None:
    same = ("get_weather", {"location": "Paris"})
    chat = deploy([call_turn(*[same] * 4), text_turn("done")], configuration(tools=[mock_tool()]))
    body = ask(chat)
    assert [result["success"] for result in results(body)] == [True] * 4
    assert (body["content"], body["status"], len(chat.lambdas.executed)) == ("done", "complete", 4)
    assert "circular_calls_detected" not in body


def test_equal_calls_of_one_turn_count_once_as_repeated() -> None:
    same = ("get_weather", {"location": "Paris"})
    script = [
        call_turn(*[same] * 2, turn=1),
        call_turn(same, turn=2),
        call_turn(*[same] * 2, turn=3),
        text_turn("as before"),
    ]
    chat = deploy(script, configuration(tools=[mock_tool()]))
    body = ask(chat)
    assert [(result["success"], result.get("error_type")) for result in results(body)] == [
        *[(True, None)] * 3,
        *[(False, "repeated_call")] * 2,
    ]
    assert results(body)[3]["error"] == (
        "Not run: 'get_weather' was already called with the same arguments in 2 turns. "
        "Use the earlier result, change the arguments, or answer."
    )
    assert body["content"] == "as before"
    assert "circular_calls_detected" not in body


def test_call_repeated_after_its_rejection_ends_the_chat() -> None:
    paris, rome = ("get_weather", {"location": "Paris"}), ("get_weather", {"location": "Rome"})
    script = [call_turn(paris, turn=turn) for turn in (1, 2, 3)]
    chat = deploy(
        [*script, call_turn(rome, turn=4), call_turn(rome, paris, turn=5)],
        configuration(tools=[mock_tool()]),
    )
    body = ask(chat)
    assert [result.get("error_type") for result in results(body)] == [
        None,
        None,
        "repeated_call",
        None,
        None,
        "repeated_call",
    ]
    assert (body["content"], body["circular_calls_detected"]) == (LIMIT_TEXT, True)


def test_repeatable_tool_accepts_identical_calls_in_every_turn() -> None:
    clock = {**mock_tool("clock"), "repeatable": True}
    script = [call_turn(*[("clock", {"location": "Paris"})] * 2, turn=turn) for turn in range(1, 7)]
    chat = deploy([*script, text_turn("tick")], configuration(tools=[clock], max_iterations=10))
    body = ask(chat)
    assert [result["success"] for result in results(body)] == [True] * 12
    assert body["content"] == "tick"


def test_sequential_tools_of_one_turn_run_in_call_order() -> None:
    looked_up = threading.Event()
    order: list[str] = []

    def in_order(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        if event["tool"] == "look_up":
            looked_up.set()
        else:
            assert looked_up.wait(10), "look_up did not run beside the sequential calls"
            order.append(event["arguments"]["location"])
        return ToolReply(ok=True).model_dump()

    steps = [{**mock_tool(name), "sequential": True} for name in ("create", "close")]
    calls = [("create", {"location": "1"}), ("close", {"location": "2"}), ("create", {"location": "3"})]
    chat = deploy(
        [call_turn(*calls, ("look_up", {"location": "4"})), text_turn("done")],
        configuration(tools=[*steps, mock_tool("look_up")]),
        handlers={"mock": in_order},
    )
    body = ask(chat)
    assert [call["tool"] for call in body["tool_calls"]] == ["create", "close", "create", "look_up"]
    assert all(result["success"] for result in results(body))
    assert order == ["1", "2", "3"]


def places(count: int) -> list[tuple[str, dict[str, str]]]:
    return [("get_weather", {"location": f"place {number}"}) for number in range(count)]


def test_calls_over_the_turn_limit_return_errors_and_are_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    chat = deploy(
        [call_turn(*places(600)), call_turn(*places(600)[32:40], turn=2), text_turn("done")],
        configuration(tools=[mock_tool()]),
    )
    body = ask(chat)
    assert [result["success"] for result in results(body)] == [True] * 32 + [False] * 568 + [True] * 8
    assert {result["error_type"] for result in results(body) if not result["success"]} == {"too_many_calls"}
    assert results(body)[32]["error"] == (
        "Not run: at most 32 calls are run in one turn. Call again in the next turn what is still needed."
    )
    assert len(chat.lambdas.executed) == 40
    assert body["content"] == "done"
    assert "max_tool_calls_reached" not in body
    [line] = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "tool calls not run" in line]
    assert (line["level"], line["calls"], line["max_calls_per_turn"], line["iteration"]) == ("WARNING", 568, 32, 1)


@pytest.mark.slow
def test_record_of_calls_is_limited_for_any_number_of_requested_calls(capsys: pytest.CaptureFixture[str]) -> None:
    chat = deploy(
        [call_turn(*places(20_000)), call_turn(*places(20_000)[100:], turn=2)],
        configuration(tools=[mock_tool()]),
    )
    body = ask(chat)
    recorded = [result.get("error_type") for result in results(body)]
    assert recorded == [None] * 32 + ["too_many_calls"] * (MAX_RECORDED_CALLS - 32 + 1)
    assert "far too many calls" in results(body)[-2]["error"]
    assert (body["content"], body["max_tool_calls_reached"], len(chat.lambdas.executed)) == (LIMIT_TEXT, True, 32)
    assert [options.tool_choice for options in chat.model.options] == ["auto", "none"]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "tool calls dropped" in line]
    assert [(line["level"], line["calls"]) for line in lines] == [("WARNING", 18_500), ("WARNING", 19_899)]


def test_calls_over_a_limit_are_not_counted_as_repeated() -> None:
    script = [
        call_turn(*places(3), turn=1),
        call_turn(*places(3)[1:], turn=2),
        call_turn(*places(3)[2:], turn=3),
        text_turn("done"),
    ]
    chat = deploy(script, configuration(tools=[mock_tool()], max_calls_per_turn=1))
    body = ask(chat)
    assert [result["success"] for result in results(body)] == [True, False, False, True, False, True]
    assert len(chat.lambdas.executed) == 3


def test_model_gets_a_request_without_tools_at_the_call_limit_of_a_chat() -> None:
    chat = deploy(
        [call_turn(*places(2), turn=1), call_turn(*places(5)[2:], turn=2), text_turn("so far: 3")],
        configuration(tools=[mock_tool()], max_tool_calls=3),
    )
    body = ask(chat)
    assert [result.get("error_type") for result in results(body)] == [None, None, None, *["too_many_calls"] * 2]
    assert results(body)[3]["error"] == "Not run: at most 3 calls are run in one chat. Answer from the results so far."
    assert (body["content"], body["status"], body["finish_reason"]) == ("so far: 3", "complete", "stop")
    assert (body["max_tool_calls_reached"], len(chat.lambdas.executed)) == (True, 3)
    assert [options.tool_choice for options in chat.model.options] == ["auto", "auto", "none"]
    assert chat.model.options[2].tools == chat.model.options[0].tools
    told = chat.model.seen[-1][-1]
    assert (told.role, told.text) == (
        "user",
        "(No more tools can be called in this chat. Answer now from the results so far, and say what is missing.)",
    )


def test_calls_after_the_chat_limit_return_errors_and_end_the_chat() -> None:
    chat = deploy(
        [call_turn(*places(2), turn=1), call_turn(*places(2), turn=2)],
        configuration(tools=[mock_tool()], max_tool_calls=2),
    )
    body = ask(chat)
    assert [result.get("error_type") for result in results(body)] == [None, None, *["too_many_calls"] * 2]
    assert (body["content"], body["status"], body["finish_reason"]) == (LIMIT_TEXT, "complete", "tool_calls")
    assert (body["max_tool_calls_reached"], len(chat.lambdas.executed)) == (True, 2)


def test_rejected_repeats_do_not_count_against_the_chat_limit() -> None:
    same = places(1)
    script = [call_turn(*same, turn=turn) for turn in (1, 2, 3)]
    chat = deploy(
        [*script, call_turn(*places(2)[1:], turn=4), text_turn("done")],
        configuration(tools=[mock_tool()], max_tool_calls=3),
    )
    body = ask(chat)
    assert [result.get("error_type") for result in results(body)] == [None, None, "repeated_call", None]
    assert (body["content"], body["max_tool_calls_reached"]) == ("done", True)


def test_limits_of_a_rule_replace_the_global_ones() -> None:
    rule = {"tools": {"enabled": True, "max_calls_per_turn": 3, "max_tool_calls": 4}}
    chat = deploy(
        [call_turn(*places(5), turn=1), call_turn(*places(5)[3:], turn=2), text_turn("done")],
        configuration(tools=[mock_tool()], rule=rule, max_calls_per_turn=1, max_tool_calls=1),
    )
    body = ask(chat)
    assert [result["success"] for result in results(body)] == [True] * 3 + [False] * 2 + [True, False]
    assert (body["content"], body["max_tool_calls_reached"]) == ("done", True)


def test_each_iteration_is_logged_before_its_model_call(
    capsys: pytest.CaptureFixture[str],
) -> None:
    failure = ModelError("no", type="server_error", provider="openai", status=500)
    chat = deploy(
        [call_turn(("calculate", {"expression": "1"})), failure],
        configuration(tools=[CALCULATE], max_iterations=4),
    )
    ask(chat)
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
    chat = deploy([text_turn("plain")], configuration(tools=[CALCULATE], rule=rule))
    assert ask(chat)["content"] == "plain"
    logged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [line] = [line for line in logged if line.get("message") == "no tool available for the rule"]
    assert (line["level"], line["allowed_tools"]) == ("WARNING", ["missing"])


def test_iteration_limit_ends_with_the_documented_message() -> None:
    script = [call_turn(("calculate", {"expression": f"{turn} + 1"}), turn=turn) for turn in (1, 2, 3)]
    rule = {"tools": {"enabled": True, "max_iterations": 3}}
    chat = deploy(script, configuration(tools=[CALCULATE], rule=rule))
    body = ask(chat)
    assert (body["content"], body["max_iterations_reached"]) == (LIMIT_TEXT, True)
    assert [call["iteration"] for call in body["tool_calls"]] == [1, 2, 3]


def test_global_iteration_limit_applies_to_rules_without_their_own() -> None:
    script = [call_turn(("calculate", {"expression": f"{turn} + 1"}), turn=turn) for turn in (1, 2)]
    chat = deploy(script, configuration(tools=[CALCULATE], max_iterations=2))
    assert ask(chat)["max_iterations_reached"] is True


@pytest.mark.parametrize(
    ("completion", "content", "reason"),
    [
        (text_turn("The answer is", "length"), "The answer is", "length"),
        (text_turn("", "length"), ISSUE_TEXT, "length"),
        (text_turn("", "content_filter"), ISSUE_TEXT, "content_filter"),
        (text_turn("I will not.", "refusal"), "I will not.", "refusal"),
        (text_turn("partial", "unknown"), "partial", "unknown"),
        (text_turn("  \n"), ISSUE_TEXT, "stop"),
        (Completion(Message("assistant", ()), "stop", Usage(), "m"), ISSUE_TEXT, "stop"),
    ],
)
def test_unexpected_finish_reasons_preserve_the_text_of_the_model(
    completion: Completion, content: str, reason: str
) -> None:
    chat = deploy([call_turn(("calculate", {"expression": "1"})), completion], configuration(tools=[CALCULATE]))
    body = ask(chat)
    assert (body["content"], body["finish_reason"], len(body["tool_calls"])) == (content, reason, 1)


def test_model_failure_after_tool_calls_returns_a_partial_answer() -> None:
    failure = ModelError("overloaded, come back later", type="overloaded", provider="openai", status=503)
    chat = deploy([call_turn(("calculate", {"expression": "6*7"})), failure], configuration(tools=[CALCULATE]))
    body = ask(chat)
    assert (body["status"], body["error"]) == (
        "partial",
        {"type": "overloaded", "message": "overloaded, come back later", "provider": "openai"},
    )
    assert results(body) == [{"success": True, "tool_name": "calculate", "result": {"result": 42}}]
    assert [step["ok"] for step in body["timings"]["steps"]] == [True, True, False]


def test_chat_at_its_deadline_answers_with_its_results() -> None:
    def takes_all_the_time(_messages: Sequence[Message], options: ChatOptions) -> Completion:
        raise ModelError("deadline", type="timeout", provider="openai")

    chat = deploy(
        [call_turn(("calculate", {"expression": "6*7"})), takes_all_the_time], configuration(tools=[CALCULATE])
    )
    body = ask(chat)
    assert (body["status"], len(body["tool_calls"])) == ("partial", 1)


def test_chat_after_its_deadline_does_not_call_the_model() -> None:
    chat = deploy([], configuration(tools=[CALCULATE]))
    body = chat.direct({"message": "Hello"}, remaining_ms=500)
    assert (body["status"], body["tool_calls"], body["finish_reason"]) == ("partial", [], "error")


def test_long_result_is_truncated_for_the_model_and_complete_for_the_caller() -> None:
    text = "a" * 3_000 + "b" * 3_000
    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"})), text_turn("long")],
        configuration(tools=[mock_tool(mock_response=text)], max_result_size=1_000),
    )
    body = ask(chat)
    assert body["tool_calls"][0]["result"]["result"] == text
    shown = last_output(chat)
    assert "5000 characters left out" in shown
    assert '"truncated":true' in shown
    assert len(shown) < 1_300


def test_results_can_be_sent_as_plain_text() -> None:
    chat = deploy(
        [call_turn(("get_weather", {"location": "Paris"}), ("nothing", {})), text_turn("ok")],
        configuration(tools=[mock_tool()], result_format="text"),
    )
    ask(chat)
    outputs = [getattr(message.parts[0], "content") for message in chat.model.seen[-1][-2:]]  # noqa: B009
    assert outputs == ['{"temperature":22}', 'Error: Unknown tool "nothing"']


@pytest.mark.parametrize(
    "rule",
    [{"tools": None}, {"tools": {"enabled": False}}, {"tools": {"enabled": True, "allowed_tools": []}}],
)
def test_rule_without_tools_uses_the_standard_path(rule: dict[str, Any]) -> None:
    chat = deploy([text_turn("plain")], configuration(tools=[CALCULATE], rule=rule))
    body = ask(chat)
    assert (body["content"], body["tool_calls"]) == ("plain", [])
    assert chat.model.options[0].tools == ()


def test_disabled_tools_use_the_standard_path() -> None:
    chat = deploy([text_turn("plain")], configuration(tools=[CALCULATE], enabled=False))
    assert ask(chat)["content"] == "plain"
    assert chat.model.options[0].tools == ()


def test_tools_are_logged_once_per_configuration(
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = {**mock_tool("broken"), "parameters": {"type": "array"}}
    chat = deploy([text_turn("one"), text_turn("two")], configuration(tools=[CALCULATE, broken, mock_tool()]))
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
        call_turn(("calculate", {"expression": "1/0"}), ("calculate", {"expression": "1"})),
        text_turn("done"),
    ]
    chat = deploy(script, configuration(tools=[CALCULATE]))
    ask(chat)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [counted] = [line for line in lines if "Iterations" in line]
    assert counted["model"] == "openai:gpt-4o"
    names = ("Chats", "Iterations", "ToolCallsOfChat", "ToolFailuresOfChat", "Tokens", "IterationLimitReached")
    assert [counted[name] for name in names] == [[1.0], [2.0], [2.0], [1.0], [30.0], [0.0]]
