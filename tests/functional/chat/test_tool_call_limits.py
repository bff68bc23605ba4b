"""Limits of repeated, sequential and total tool calls."""

import json
import threading
from typing import Any

import pytest

from flexchat.tools import ToolReply
from functions.chat.generation.tool_calls import MAX_RECORDED_CALLS
from tests.functional.chat.harness import (
    configuration,
    deploy,
    mock_tool,
)
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.tool_chat import LIMIT_TEXT, places, results, send_chat


def test_third_identical_call_is_rejected_and_the_fourth_ends_the_chat() -> None:
    same = ("get_weather", {"location": "Paris", "units": "celsius"})
    swapped = ("get_weather", {"units": "celsius", "location": "Paris"})
    script = [call_completion(call, turn=turn) for turn, call in enumerate([same, swapped, same, swapped], 1)]
    chat = deploy(script, configuration(tools=[mock_tool()], max_iterations=10))
    body = send_chat(chat)
    assert [result["success"] for result in results(body)] == [True, True, False, False]
    assert results(body)[2]["error_type"] == "repeated_call"
    assert (body["content"], body["circular_calls_detected"]) == (LIMIT_TEXT, True)
    assert len(chat.lambdas.executed) == 2


def test_equal_calls_of_one_turn_all_run_and_the_chat_continues() -> None:
    same = ("get_weather", {"location": "Paris"})
    chat = deploy([call_completion(*[same] * 4), text_completion("done")], configuration(tools=[mock_tool()]))
    body = send_chat(chat)
    assert [result["success"] for result in results(body)] == [True] * 4
    assert (body["content"], body["status"], len(chat.lambdas.executed)) == ("done", "complete", 4)
    assert "circular_calls_detected" not in body


def test_equal_calls_of_one_turn_count_once_as_repeated() -> None:
    same = ("get_weather", {"location": "Paris"})
    script = [
        call_completion(*[same] * 2, turn=1),
        call_completion(same, turn=2),
        call_completion(*[same] * 2, turn=3),
        text_completion("as before"),
    ]
    chat = deploy(script, configuration(tools=[mock_tool()]))
    body = send_chat(chat)
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
    script = [call_completion(paris, turn=turn) for turn in (1, 2, 3)]
    chat = deploy(
        [*script, call_completion(rome, turn=4), call_completion(rome, paris, turn=5)],
        configuration(tools=[mock_tool()]),
    )
    body = send_chat(chat)
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
    script = [call_completion(*[("clock", {"location": "Paris"})] * 2, turn=turn) for turn in range(1, 7)]
    chat = deploy([*script, text_completion("tick")], configuration(tools=[clock], max_iterations=10))
    body = send_chat(chat)
    assert [result["success"] for result in results(body)] == [True] * 12
    assert body["content"] == "tick"


def test_sequential_tools_of_one_turn_run_in_call_order() -> None:
    lookup_started = threading.Event()
    order: list[str] = []

    def in_order(event: dict[str, Any], _context: Any) -> dict[str, Any]:
        if event["tool"] == "look_up":
            lookup_started.set()
        else:
            assert lookup_started.wait(10), "look_up did not run beside the sequential calls"
            order.append(event["arguments"]["location"])
        return ToolReply(ok=True).model_dump()

    steps = [{**mock_tool(name), "sequential": True} for name in ("create", "close")]
    calls = [("create", {"location": "1"}), ("close", {"location": "2"}), ("create", {"location": "3"})]
    chat = deploy(
        [call_completion(*calls, ("look_up", {"location": "4"})), text_completion("done")],
        configuration(tools=[*steps, mock_tool("look_up")]),
        handlers={"mock": in_order},
    )
    body = send_chat(chat)
    assert [call["tool"] for call in body["tool_calls"]] == ["create", "close", "create", "look_up"]
    assert all(result["success"] for result in results(body))
    assert order == ["1", "2", "3"]


def test_calls_over_the_turn_limit_return_errors_and_are_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    chat = deploy(
        [call_completion(*places(600)), call_completion(*places(600)[32:40], turn=2), text_completion("done")],
        configuration(tools=[mock_tool()]),
    )
    body = send_chat(chat)
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
        [call_completion(*places(20_000)), call_completion(*places(20_000)[100:], turn=2)],
        configuration(tools=[mock_tool()]),
    )
    body = send_chat(chat)
    recorded = [result.get("error_type") for result in results(body)]
    assert recorded == [None] * 32 + ["too_many_calls"] * (MAX_RECORDED_CALLS - 32 + 1)
    assert "far too many calls" in results(body)[-2]["error"]
    assert (body["content"], body["max_tool_calls_reached"], len(chat.lambdas.executed)) == (LIMIT_TEXT, True, 32)
    assert [options.tool_choice for options in chat.model.options] == ["auto", "none"]
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "tool calls dropped" in line]
    assert [(line["level"], line["calls"]) for line in lines] == [("WARNING", 18_500), ("WARNING", 19_899)]


def test_calls_over_a_limit_are_not_counted_as_repeated() -> None:
    script = [
        call_completion(*places(3), turn=1),
        call_completion(*places(3)[1:], turn=2),
        call_completion(*places(3)[2:], turn=3),
        text_completion("done"),
    ]
    chat = deploy(script, configuration(tools=[mock_tool()], max_calls_per_turn=1))
    body = send_chat(chat)
    assert [result["success"] for result in results(body)] == [True, False, False, True, False, True]
    assert len(chat.lambdas.executed) == 3


def test_model_gets_a_request_without_tools_at_the_call_limit_of_a_chat() -> None:
    chat = deploy(
        [call_completion(*places(2), turn=1), call_completion(*places(5)[2:], turn=2), text_completion("so far: 3")],
        configuration(tools=[mock_tool()], max_tool_calls=3),
    )
    body = send_chat(chat)
    assert [result.get("error_type") for result in results(body)] == [None, None, None, *["too_many_calls"] * 2]
    assert results(body)[3]["error"] == "Not run: at most 3 calls are run in one chat. Answer from the results so far."
    assert (body["content"], body["status"], body["finish_reason"]) == ("so far: 3", "complete", "stop")
    assert (body["max_tool_calls_reached"], len(chat.lambdas.executed)) == (True, 3)
    assert [options.tool_choice for options in chat.model.options] == ["auto", "auto", "none"]
    assert chat.model.options[2].tools == chat.model.options[0].tools
    final_message = chat.model.seen[-1][-1]
    assert (final_message.role, final_message.text) == (
        "user",
        "(No more tools can be called in this chat. Answer now from the results so far, and say what is missing.)",
    )


def test_calls_after_the_chat_limit_return_errors_and_end_the_chat() -> None:
    chat = deploy(
        [call_completion(*places(2), turn=1), call_completion(*places(2), turn=2)],
        configuration(tools=[mock_tool()], max_tool_calls=2),
    )
    body = send_chat(chat)
    assert [result.get("error_type") for result in results(body)] == [None, None, *["too_many_calls"] * 2]
    assert (body["content"], body["status"], body["finish_reason"]) == (LIMIT_TEXT, "complete", "tool_calls")
    assert (body["max_tool_calls_reached"], len(chat.lambdas.executed)) == (True, 2)


def test_rejected_repeats_do_not_count_against_the_chat_limit() -> None:
    same = places(1)
    script = [call_completion(*same, turn=turn) for turn in (1, 2, 3)]
    chat = deploy(
        [*script, call_completion(*places(2)[1:], turn=4), text_completion("done")],
        configuration(tools=[mock_tool()], max_tool_calls=3),
    )
    body = send_chat(chat)
    assert [result.get("error_type") for result in results(body)] == [None, None, "repeated_call", None]
    assert (body["content"], body["max_tool_calls_reached"]) == ("done", True)


def test_limits_of_a_rule_replace_the_global_ones() -> None:
    rule = {"tools": {"enabled": True, "max_calls_per_turn": 3, "max_tool_calls": 4}}
    chat = deploy(
        [call_completion(*places(5), turn=1), call_completion(*places(5)[3:], turn=2), text_completion("done")],
        configuration(tools=[mock_tool()], rule=rule, max_calls_per_turn=1, max_tool_calls=1),
    )
    body = send_chat(chat)
    assert [result["success"] for result in results(body)] == [True] * 3 + [False] * 2 + [True, False]
    assert (body["content"], body["max_tool_calls_reached"]) == ("done", True)
