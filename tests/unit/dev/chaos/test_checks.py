"""Checks of single answers and conversations of a chaos run."""

from typing import Any

import pytest

from dev.chaos.checks import check_answer, check_calm
from dev.chaos.conversations import conversation_faults
from dev.chaos.functions import Functions
from flexchat.messages import Message, ToolCall, ToolOutput, assistant, user
from functions.chat.generation.result import ISSUE_TEXT
from tests.unit.dev.chaos.plans import outcome, plan

RESULTS: Any = {"chat-1-1:c1": {"result": 42}}


def answer(content: str = "(demo model) 6 * 7 is 42.", **changes: Any) -> dict[str, Any]:
    call = {"tool": "calculate", "params": {}, "call_id": "c1", "result": {"success": True, "result": {"result": 42}}}
    return {
        "content": content,
        "status": "complete",
        "finish_reason": "stop",
        "request_id": "chat-1-1",
        "tool_calls": [call],
        **changes,
    }


def violations(body: dict[str, Any], **changes: Any) -> list[str]:
    seen = outcome()
    check_answer(body, plan(**changes), Functions(results=RESULTS), seen)
    return seen.violations


def call_message(*ids: str) -> Message:
    return Message("assistant", tuple(ToolCall(id=call_id, name="t", arguments={}, raw="{}") for call_id in ids))


def answering(*ids: str) -> tuple[Message, ...]:
    return tuple(Message("tool", (ToolOutput(call_id, "t", "done"),)) for call_id in ids)


@pytest.mark.parametrize(
    ("conversation", "faults"),
    [
        (
            (
                user("hi"),
                call_message("a", "b"),
                *answering("a", "b"),
                assistant("so"),
                call_message("c"),
                *answering("c"),
            ),
            [],
        ),
        ((call_message("a", "b"), *answering("a")), ["calls ['a', 'b'] were answered as ['a']"]),
        ((call_message("a", "b"), *answering("b", "a")), ["calls ['a', 'b'] were answered as ['b', 'a']"]),
        ((call_message("a"), user("hi"), *answering("a")), ["calls ['a'] were answered as []"]),
        ((call_message("a"), *answering("a"), call_message("a"), *answering("a")), ["ids ['a'] were not new"]),
        ((call_message("a", "a"), *answering("a", "a")), ["ids ['a', 'a'] were not new"]),
    ],
)
def test_a_call_without_exactly_one_result_in_order_is_a_violation(
    conversation: tuple[Message, ...], faults: list[str]
) -> None:
    assert conversation_faults(conversation) == faults


def test_an_answer_that_contains_the_tool_results_passes() -> None:
    assert violations(answer()) == []


def test_an_empty_answer_is_a_violation_under_every_fault() -> None:
    assert violations(answer(" "), fault_group="everything") == ["an answer is empty"]


def test_a_result_missing_in_the_answer_is_a_violation() -> None:
    assert violations(answer("(demo model) 6 * 7 is nothing."), fault_group="tools", expected=()) == [
        "the answer does not contain the tool result '42': '(demo model) 6 * 7 is nothing.'"
    ]


def test_a_listed_result_of_no_tool_is_a_violation() -> None:
    listed = answer()["tool_calls"][0] | {"result": {"success": True, "result": {"result": 41}}}

    found = violations(answer("6 * 7 is 41.", tool_calls=[listed]), expected=())

    assert found == ["calculate returned [{'result': 42}], the answer lists {'result': 41}"]


def test_a_result_of_an_earlier_request_of_the_chat_is_accepted() -> None:
    assert violations(answer(request_id="chat-1-2")) == []
    assert violations(answer(request_id="chat-11-1"))[0].startswith("calculate returned []")


@pytest.mark.parametrize(
    "changes",
    [
        {"content": ISSUE_TEXT},
        {"content": "cut", "finish_reason": "length"},
        {"content": "out of time", "deadline_reached": True},
        {"content": "unfinished", "status": "partial", "finish_reason": "error"},
    ],
)
def test_an_answer_truncated_by_a_fault_can_be_incomplete(changes: dict[str, Any]) -> None:
    assert violations(answer(**changes), fault_group="models") == []


def test_an_answer_is_compared_with_its_plan_if_no_result_failed() -> None:
    assert violations(answer("(demo model) 42"), fault_group="models") == [
        "the answer does not contain '6 * 7 is 42.': '(demo model) 42'"
    ]
    assert violations(answer("(demo model) 42"), fault_group="models", calls=2) == []


def test_a_chat_without_faults_has_its_expected_text_and_calls() -> None:
    seen = outcome()

    check_calm(answer("no", tool_calls=[]), plan(), seen)

    assert seen.violations == [
        "the answer does not contain '6 * 7 is 42.': 'no'",
        "0 calls are listed, 1 were asked for",
    ]
