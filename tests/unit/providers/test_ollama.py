"""Behaviour of the Ollama adapter beyond the contract suite of all adapters."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import (
    Completion,
    Json,
    Message,
    ProviderState,
    Reasoning,
    Text,
    ToolCall,
    ToolOutput,
    Usage,
    assistant,
    user,
)
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.ollama.adapter import OllamaProvider
from functions.chat.providers.retry import RetryPolicy
from tests.unit.providers.http_server import Server

TOOL: Mapping[str, Json] = {"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}


def answered(message: dict[str, Any], **fields: Any) -> httpx2.Response:
    return httpx2.Response(200, json={"message": {"role": "assistant", **message}, **fields})


HELLO = answered({"content": "Hello."}, done=True, done_reason="stop")


def provider_of(server: Server, **config: Any) -> OllamaProvider:
    return OllamaProvider(
        "local",
        LlmConfig.model_validate({"type": "ollama", **config}),
        retry=RetryPolicy(max_retries=0),
        transport=server.transport,
    )


def send_chat(
    provider: OllamaProvider,
    messages: Sequence[Message] = (user("Hello"),),
    *,
    model: str = "llama3.1",
    **options: Any,
) -> Completion:
    return provider.generate_chat(messages, model, ChatOptions(Deadline.after(30), **options))


def test_the_local_server_is_the_default_without_a_url_and_key() -> None:
    server = Server(HELLO)

    send_chat(provider_of(server))

    (request,) = server.requests
    assert str(request.url) == "http://localhost:11434/api/chat"
    assert "authorization" not in request.headers


def test_the_key_is_sent_only_in_the_header() -> None:
    server = Server(HELLO)

    send_chat(provider_of(server, base_url="https://ollama.com/", api_key="k-1234567"))

    (request,) = server.requests
    assert request.headers["authorization"] == "Bearer k-1234567"
    assert str(request.url) == "https://ollama.com/api/chat"
    assert b"k-1234567" not in request.content


@pytest.mark.parametrize(
    ("request_options", "config", "sent"),
    [
        ({}, {}, {}),
        ({"temperature": 0}, {"temperature": 1.5}, {"temperature": 0}),
        ({}, {"temperature": 0}, {"temperature": 0}),
        ({"max_tokens": 5}, {"max_tokens": 9}, {"num_predict": 5}),
        ({}, {"max_tokens": 9}, {"num_predict": 9}),
        ({}, {"profiles": {"llama*": {"context_window": 16_384}}}, {"num_ctx": 16_384}),
        ({}, {"profiles": {"*": {"temperature": False}}}, {}),
    ],
)
def test_options_override_the_configuration_and_the_defaults(
    request_options: dict[str, Any], config: dict[str, Any], sent: dict[str, Any]
) -> None:
    server = Server(HELLO)

    send_chat(provider_of(server, **config), **request_options)

    assert server.bodies == [
        {
            "model": "llama3.1",
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": False,
            "options": sent,
        }
    ]


def test_tools_are_not_offered_if_calls_are_forbidden() -> None:
    server = Server(HELLO)

    send_chat(provider_of(server), tools=[TOOL])
    send_chat(provider_of(server), tools=[TOOL], tool_choice="none")

    assert [body.get("tools") for body in server.bodies] == [[TOOL], None]
    assert all("tool_choice" not in body for body in server.bodies)


def test_the_history_is_sent_in_the_format_of_the_server() -> None:
    server = Server(HELLO)
    history = [
        user("Hello"),
        Message(
            "assistant",
            (
                Reasoning(ProviderState("ollama", None, "local:llama3.1"), "Weather, then."),
                Text("Let me see."),
                ToolCall(id="a", name="weather.now", arguments={"a": 1}, raw='{"a": 1}'),
                ToolCall(id="b", name="t", arguments=None, raw="{oops", problem="not JSON"),
                ToolCall(id="c", name="t", arguments=None, raw=" ", problem="nothing"),
            ),
        ),
        Message("tool", tuple(ToolOutput(call_id, "t", call_id, is_error=True) for call_id in ("a", "b", "c"))),
        Message(
            "assistant",
            (
                Reasoning(ProviderState("anthropic", {"type": "thinking"}, "local:llama3.1"), "Mine."),
                Text("half \ud83d"),
            ),
        ),
    ]

    send_chat(provider_of(server), history)

    assert server.bodies[0]["messages"] == [
        {"role": "user", "content": "Hello"},
        {
            "role": "assistant",
            "content": "Let me see.",
            "thinking": "Weather, then.",
            "tool_calls": [
                {"id": "a", "function": {"name": "weather.now", "arguments": {"a": 1}}},
                {"id": "b", "function": {"name": "t", "arguments": {"unreadable_arguments": "{oops"}}},
                {"id": "c", "function": {"name": "t", "arguments": {}}},
            ],
        },
        {"role": "tool", "content": "a", "tool_name": "t", "tool_call_id": "a"},
        {"role": "tool", "content": "b", "tool_name": "t", "tool_call_id": "b"},
        {"role": "tool", "content": "c", "tool_name": "t", "tool_call_id": "c"},
        {"role": "assistant", "content": "half ?"},
    ]


@pytest.mark.parametrize(
    ("fields", "finish_reason"),
    [
        ({"done": True}, "stop"),
        ({"done": False}, "length"),
        ({}, "stop"),
        ({"done": None}, "stop"),
        ({"done": True, "done_reason": "length"}, "length"),
        ({"done": False, "done_reason": "stop"}, "stop"),
        ({"done": True, "done_reason": "load"}, "unknown"),
    ],
)
def test_the_done_reason_takes_precedence_over_the_done_flag(fields: dict[str, Any], finish_reason: str) -> None:
    answer = send_chat(provider_of(Server(answered({"content": "Hello."}, **fields))))

    assert (answer.finish_reason, answer.raw_finish_reason) == (finish_reason, fields.get("done_reason"))


def test_calls_set_the_finish_reason_and_thinking_is_separate() -> None:
    server = Server(
        answered(
            {
                "content": "",
                "thinking": "Two calls.",
                "tool_calls": [
                    {"function": {"name": "t", "arguments": {"a": 1}}},
                    {"id": "x", "function": {"name": "t", "arguments": '{"a": 2}'}},
                    {"id": "x", "function": {"name": "t"}},
                    {"function": {"name": "t", "arguments": [1]}},
                ],
            },
            model="qwen3:8b",
            done=True,
            done_reason="stop",
            prompt_eval_count=11,
            eval_count=5,
        )
    )

    assert send_chat(provider_of(server), model="qwen3", tools=[TOOL]) == Completion(
        message=Message(
            "assistant",
            (
                Reasoning(ProviderState("ollama", None, "local:qwen3"), "Two calls."),
                ToolCall(id="call_1_0", name="t", arguments={"a": 1}, raw='{"a": 1}'),
                ToolCall(id="x", name="t", arguments={"a": 2}, raw='{"a": 2}'),
                ToolCall(id="call_1_2", name="t", arguments={}, raw=""),
                ToolCall(
                    id="call_1_3",
                    name="t",
                    arguments=None,
                    raw="[1]",
                    problem="the arguments must be a JSON object, not an array",
                ),
            ),
        ),
        finish_reason="tool_calls",
        usage=Usage(input_tokens=11, output_tokens=5),
        model="qwen3:8b",
        raw_finish_reason="stop",
    )


WRITTEN = 'Let me see. <tool_call>{"name": "t", "arguments": {"a": 1}}</tool_call>'


def test_a_call_in_the_text_stays_text() -> None:
    answer = send_chat(provider_of(Server(answered({"content": WRITTEN}))), tools=[TOOL])

    assert (answer.message, answer.finish_reason) == (assistant(WRITTEN), "stop")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            httpx2.Response(400, json={"error": "g does not support tools"}),
            (
                "invalid_request",
                "g does not support tools; this model has no tool support: choose another, or disable the rule's tools",
            ),
        ),
        (
            httpx2.Response(500, json={"error": "the prompt is too long for the context window"}),
            ("context_length", "the prompt is too long for the context window"),
        ),
        (httpx2.Response(404, json={"error": None}), ("not_found", "the provider answered with status 404")),
        (
            httpx2.Response(200, json={"message": {"content": "a"}, "error": "x", "done": "perhaps"}),
            ("server_error", "x"),
        ),
    ],
)
def test_the_server_message_is_in_the_error(answer: httpx2.Response, expected: tuple[str, str]) -> None:
    with pytest.raises(ModelError) as caught:
        send_chat(provider_of(Server(answer)))

    assert (caught.value.type, caught.value.message) == expected
