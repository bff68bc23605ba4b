"""Odd answers of the demo model, and servers with histories of their own."""

import json
from typing import Any

import pytest

from dev.demo_model.http import Answer
from tests.unit.dev.demo_model.openai_client import CALCULATE, Demo, user

CALL = "[demo:quirk={}] What is 2 + 3?"


def message_of(answer: Answer) -> dict[str, Any]:
    return json.loads(answer.body)["choices"][0]["message"]


def ask(quirk: str, text: str = "Hello", **request: Any) -> Answer:
    return Demo().post([user(f"[demo:quirk={quirk}] {text}")], **request)


@pytest.mark.parametrize(
    ("quirk", "status", "words"),
    [
        ("bad_call", 400, "Failed to call a function"),
        ("overflow", 500, "Context size has been exceeded"),
        ("refused", 400, "tool_choice is not supported"),
    ],
)
def test_a_refusal_has_the_words_of_a_real_server(quirk: str, status: int, words: str) -> None:
    answer = ask(quirk, "What is 2 + 3?", tools=[CALCULATE], tool_choice="auto")

    assert (answer.status, words in answer.body.decode()) == (status, True)


@pytest.mark.parametrize("quirk", ["bad_call", "refused"])
def test_a_refusal_of_calls_needs_a_call(quirk: str) -> None:
    assert ask(quirk).status == 200


def test_odd_answers_have_their_text_in_the_wrong_place() -> None:
    assert message_of(ask("tagged"))["content"].startswith("<think>\nLet me see.\n</think>\n\n(demo model)")
    hidden = message_of(ask("hidden"))
    assert (hidden["content"], hidden["reasoning_content"][:8]) == ("", "(demo mo")
    assert json.loads(ask("beside").body)["error"]["code"] == 503
    assert json.loads(ask("failed").body)["choices"][0]["finish_reason"] == "error"


def test_odd_streams() -> None:
    def body(quirk: str) -> str:
        pieces = ask(quirk, "What is 2 + 3?", tools=[CALCULATE], stream=True).pieces
        return b"".join(pieces or ()).decode()

    assert body("idle").startswith("data:\n\ndata: {")
    assert '\n\nerror: {"message"' in body("error_field")
    assert "[DONE]" not in body("unended")
    assert '"id": "call_' not in body("one_index").replace('":"', '": "')


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("deepseek", "`reasoning_content`"),
        ("mistral", "length of 9"),
        ("google", "missing a thought_signature"),
    ],
)
def test_a_kind_of_server_accepts_its_own_history_alone(kind: str, words: str) -> None:
    demo, header = Demo(), f"strict={kind}"
    question = user("What is 2 + 3?")
    made = message_of(demo.post([question], header=header, tools=[CALCULATE]))
    result = {"role": "tool", "tool_call_id": made["tool_calls"][0]["id"], "content": "5"}

    assert demo.post([question, made, result], header=header).status == 200

    call = {"id": "call_demo_1", "type": "function", "function": made["tool_calls"][0]["function"]}
    foreign = {"role": "assistant", "content": None, "tool_calls": [call]}
    refused = demo.post([question, foreign, {**result, "tool_call_id": "call_demo_1"}], header=header)
    assert (refused.status, words in json.loads(refused.body)["error"]["message"]) == (400, True)
