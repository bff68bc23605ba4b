"""Messages that the OpenAI adapter sends and parses."""

from typing import Any

import httpx2
import pytest

from flexchat.messages import Message, Text, ToolCall, ToolOutput, Usage, assistant, user
from tests.unit.providers.openai_server import Server, completion, provider_of, send_chat


def test_the_history_is_sent_in_the_format_of_the_server() -> None:
    server = Server()
    long_id = "x" * 41
    history = [
        user("Hello"),
        Message(
            "assistant",
            (
                Text("Let me see."),
                ToolCall(id=long_id, name="functions.get weather", arguments={"a": 1}, raw='{"a": 1}'),
                ToolCall(id="b", name="n" * 70, arguments=None, raw="{oops", problem="not JSON"),
                ToolCall(id="c", name="t", arguments={}, raw=" "),
                ToolCall(id="d", name="t", arguments={"k": "v"}, raw=""),
            ),
        ),
        Message("tool", tuple(ToolOutput(call_id, "t", call_id[:1]) for call_id in (long_id, "b", "c", "d"))),
        assistant("half \ud83d pair"),
    ]

    send_chat(provider_of(server), history)

    short_id = server.bodies[0]["messages"][1]["tool_calls"][0]["id"]
    assert len(short_id) <= 40
    assert server.bodies[0]["messages"] == [
        {"role": "user", "content": "Hello"},
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [
                _call(short_id, "functions_get_weather", '{"a": 1}'),
                _call("b", "n" * 64, '{"unreadable_arguments":"{oops"}'),
                _call("c", "t", "{}"),
                _call("d", "t", '{"k":"v"}'),
            ],
        },
        {"role": "tool", "tool_call_id": short_id, "content": "x"},
        {"role": "tool", "tool_call_id": "b", "content": "b"},
        {"role": "tool", "tool_call_id": "c", "content": "c"},
        {"role": "tool", "tool_call_id": "d", "content": "d"},
        {"role": "assistant", "content": "half ? pair"},
    ]


def _call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_repeated_and_missing_call_ids_become_unique_in_the_conversation() -> None:
    call = {"type": "function", "function": {"name": "t", "arguments": "{}"}}
    server = Server(completion({"tool_calls": [{"id": "a", **call}, {"id": "a", **call}, call]}, finish_reason="stop"))
    history = [user("Hi"), Message("assistant", (ToolCall(id="a", name="t", arguments={}, raw="{}"),))]

    answer = send_chat(provider_of(server), [*history, Message("tool", (ToolOutput("a", "t", "1"),))])

    assert answer.finish_reason == "tool_calls"
    assert [call.id for call in answer.message.tool_calls] == ["call_2_0", "call_2_1", "call_2_2"]


@pytest.mark.parametrize(
    ("message", "choice", "text", "finish_reason"),
    [
        ({"content": "Hi"}, {}, "Hi", "stop"),
        ({"content": "Hi"}, {"finish_reason": None}, "Hi", "stop"),
        ({"content": "Hi"}, {"finish_reason": "end_turn"}, "Hi", "stop"),
        ({"content": "Hi", "tool_calls": []}, {"finish_reason": "tool_calls"}, "Hi", "unknown"),
        ({"content": "Hi", "tool_calls": None}, {"finish_reason": "weird"}, "Hi", "unknown"),
        (
            {"content": None, "function_call": {"name": "t", "arguments": "{}"}},
            {"finish_reason": "function_call"},
            "",
            "unknown",
        ),
        (
            {"content": [{"type": "text", "text": "H"}, {"type": "text", "text": "i"}]},
            {"finish_reason": "stop"},
            "Hi",
            "stop",
        ),
        ({"content": [{"type": "refusal", "refusal": "No."}]}, {"finish_reason": "stop"}, "No.", "refusal"),
        ({"content": "Half", "refusal": "No."}, {"finish_reason": "stop"}, "Half", "refusal"),
        ({}, {"finish_reason": "stop"}, "", "stop"),
    ],
)
def test_an_answer_with_missing_fields_of_a_compatible_server_is_parsed(
    message: dict[str, Any], choice: dict[str, Any], text: str, finish_reason: str
) -> None:
    answer = send_chat(provider_of(Server(completion(message, **choice))))

    assert (answer.message.text, answer.finish_reason) == (text, finish_reason)
    assert (answer.usage, answer.model, answer.raw_finish_reason) == (Usage(), "gpt-4o", choice.get("finish_reason"))


def test_usage_without_details_is_counted() -> None:
    body = {"choices": [{"message": {"content": "Hi"}}], "usage": {"prompt_tokens": 3, "completion_tokens": None}}

    assert send_chat(provider_of(Server(httpx2.Response(200, json=body)))).usage == Usage(input_tokens=3)
