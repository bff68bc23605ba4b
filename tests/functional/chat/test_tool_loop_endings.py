"""Endings of the tool loop: limits, finish reasons, failures and deadlines."""

from collections.abc import Sequence

import pytest

from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, Usage
from functions.chat.providers.base import ChatOptions
from tests.functional.chat.harness import (
    CALCULATE,
    configuration,
    deploy,
)
from tests.functional.chat.scripted_provider import call_completion, text_completion
from tests.functional.chat.tool_chat import LIMIT_TEXT, results, send_chat

BUDGET_TEXT = (
    "I used all output tokens that I may use before I could answer. A higher `max_tokens` of the response rule or of "
    "the llm lets me finish."
)
ISSUE_TEXT = "I encountered an issue processing your request."


def test_iteration_limit_ends_with_the_documented_message() -> None:
    script = [call_completion(("calculate", {"expression": f"{turn} + 1"}), turn=turn) for turn in (1, 2, 3)]
    rule = {"tools": {"enabled": True, "max_iterations": 3}}
    chat = deploy(script, configuration(tools=[CALCULATE], rule=rule))
    body = send_chat(chat)
    assert (body["content"], body["max_iterations_reached"]) == (LIMIT_TEXT, True)
    assert [call["iteration"] for call in body["tool_calls"]] == [1, 2, 3]


def test_global_iteration_limit_applies_to_rules_without_their_own() -> None:
    script = [call_completion(("calculate", {"expression": f"{turn} + 1"}), turn=turn) for turn in (1, 2)]
    chat = deploy(script, configuration(tools=[CALCULATE], max_iterations=2))
    assert send_chat(chat)["max_iterations_reached"] is True


@pytest.mark.parametrize(
    ("completion", "content", "reason"),
    [
        (text_completion("The answer is", "length"), "The answer is", "length"),
        (text_completion("", "length"), BUDGET_TEXT, "length"),
        (text_completion("", "content_filter"), ISSUE_TEXT, "content_filter"),
        (text_completion("I will not.", "refusal"), "I will not.", "refusal"),
        (text_completion("partial", "unknown"), "partial", "unknown"),
        (text_completion("  \n"), ISSUE_TEXT, "stop"),
        (Completion(Message("assistant", ()), "stop", Usage(), "m"), ISSUE_TEXT, "stop"),
    ],
)
def test_unexpected_finish_reasons_preserve_the_text_of_the_model(
    completion: Completion, content: str, reason: str
) -> None:
    is_empty = completion.finish_reason == "stop"
    script = [call_completion(("calculate", {"expression": "1"})), *[completion] * (2 if is_empty else 1)]
    body = send_chat(deploy(script, configuration(tools=[CALCULATE])))
    assert (body["content"], body["finish_reason"], len(body["tool_calls"])) == (content, reason, 1)


def test_model_failure_after_tool_calls_returns_a_partial_answer() -> None:
    failure = ModelError("overloaded, come back later", type="overloaded", provider="openai", status=503)
    chat = deploy([call_completion(("calculate", {"expression": "6*7"})), failure], configuration(tools=[CALCULATE]))
    body = send_chat(chat)
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
        [call_completion(("calculate", {"expression": "6*7"})), takes_all_the_time], configuration(tools=[CALCULATE])
    )
    body = send_chat(chat)
    assert (body["status"], len(body["tool_calls"])) == ("partial", 1)


def test_chat_after_its_deadline_does_not_call_the_model() -> None:
    chat = deploy([], configuration(tools=[CALCULATE]))
    body = chat.direct({"message": "Hello"}, remaining_ms=500)
    assert (body["status"], body["tool_calls"], body["finish_reason"]) == ("partial", [], "error")
