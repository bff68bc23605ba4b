"""Requests with tool calls, and their results."""

from typing import Any

from tests.functional.chat.harness import (
    Chat,
    assert_every_call_answered_once,
)

LIMIT_TEXT = "I reached the maximum number of tool calls. Please try rephrasing your request."


def send_chat(chat: Chat, **request: Any) -> dict[str, Any]:
    answer = chat.post({"message": "Hello", **request})
    assert answer.status == 200, answer.body
    assert chat.model.script == [], "the model was expected to be called again"
    for messages in chat.model.seen:
        assert_every_call_answered_once(messages)
    return answer.body


def results(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the result of each tool call without its duration."""
    return [
        {key: value for key, value in call["result"].items() if key != "execution_time_ms"}
        for call in body["tool_calls"]
    ]


def last_output(chat: Chat) -> str:
    """Return the content of the last tool message."""
    part = chat.model.seen[-1][-1].parts[0]
    return getattr(part, "content")  # noqa: B009 (any other part fails here, as it should)


def places(count: int) -> list[tuple[str, dict[str, str]]]:
    return [("get_weather", {"location": f"place {number}"}) for number in range(count)]
