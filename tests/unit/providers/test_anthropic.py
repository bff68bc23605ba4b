"""Behaviour of the Anthropic adapter beyond the contract suite of all adapters."""

from typing import Any

import httpx2
import pytest

from flexchat.errors import ModelError
from flexchat.messages import Json, Message, ToolCall, ToolOutput, Usage, assistant, user
from functions.chat.providers.retry import TransientError
from tests.contract.anthropic_wire import check_anthropic_body
from tests.unit.providers.anthropic_api import HELLO, TOOL, answered, provider_of, send_chat, texts
from tests.unit.providers.http_server import Server


def refused(message: str, *, status: int = 400, kind: str = "invalid_request_error") -> httpx2.Response:
    return httpx2.Response(status, json={"type": "error", "error": {"type": kind, "message": message}})


def test_the_key_and_the_version_are_sent_only_in_headers() -> None:
    server = Server(HELLO)

    send_chat(provider_of(server))

    (request,) = server.requests
    assert str(request.url) == "https://api.anthropic.com/v1/messages"
    assert (request.headers["x-api-key"], request.headers["anthropic-version"]) == ("k-1234567", "2023-06-01")
    assert "authorization" not in request.headers
    assert b"k-1234567" not in request.content


def test_a_gateway_can_require_another_key_and_version() -> None:
    server = Server(HELLO)
    headers = {"Authorization": "Bearer gateway", "Anthropic-Version": "2026-10-21"}

    send_chat(provider_of(server, api_key=None, base_url="https://gateway.test/claude", headers=headers))

    (request,) = server.requests
    assert str(request.url) == "https://gateway.test/claude/v1/messages"
    assert request.headers["authorization"] == "Bearer gateway"
    assert request.headers["anthropic-version"] == "2026-10-21"
    assert "x-api-key" not in request.headers


@pytest.mark.parametrize(
    ("model", "request_options", "config", "expected"),
    [
        ("claude-3-5-haiku-latest", {}, {}, {"max_tokens": 4096}),
        ("claude-sonnet-4-5", {}, {}, {"max_tokens": 16_384}),
        ("claude-opus-4-7", {"temperature": 0.2}, {"temperature": 0.3}, {"max_tokens": 16_384}),
        ("claude-sonnet-5", {"max_tokens": 5}, {"max_tokens": 9}, {"max_tokens": 5}),
        ("claude-3-haiku", {"temperature": 0}, {"temperature": 1}, {"max_tokens": 4096, "temperature": 0}),
        ("claude-3-haiku", {}, {"temperature": 0, "max_tokens": 9}, {"max_tokens": 9, "temperature": 0}),
        ("claude-3-haiku", {"temperature": 1.5}, {}, {"max_tokens": 4096, "temperature": 1}),
        ("claude-3-haiku", {}, {"profiles": {"*": {"temperature": False}}}, {"max_tokens": 4096}),
    ],
)
def test_options_override_the_configuration_and_the_defaults(
    model: str, request_options: dict[str, Any], config: dict[str, Any], expected: dict[str, Any]
) -> None:
    server = Server(HELLO)

    send_chat(provider_of(server, **config), model=model, **request_options)

    assert server.bodies == [{"model": model, "messages": [{"role": "user", "content": texts("Hello")}], **expected}]
    check_anthropic_body(server.bodies[0])


@pytest.mark.parametrize(
    ("config", "request_options", "tool_choice"),
    [
        ({}, {}, {"type": "auto"}),
        ({}, {"tool_choice": "none"}, {"type": "none"}),
        (
            {"profiles": {"*": {"parallel_tool_calls": False}}},
            {},
            {"type": "auto", "disable_parallel_tool_use": True},
        ),
    ],
)
def test_tool_choice_and_parallel_calls_are_sent(
    config: dict[str, Any], request_options: dict[str, Any], tool_choice: dict[str, Any]
) -> None:
    server = Server(HELLO)

    send_chat(provider_of(server, **config), tools=[TOOL], **request_options)

    (body,) = server.bodies
    assert (body["tools"], body["tool_choice"]) == ([TOOL], tool_choice)
    check_anthropic_body(body)


@pytest.mark.parametrize(
    ("stop_reason", "finish_reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        (None, "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("pause_turn", "unknown"),
        ("tool_use", "unknown"),
        ("something_new", "unknown"),
    ],
)
def test_each_stop_reason_has_a_finish_reason(stop_reason: str | None, finish_reason: str) -> None:
    answer = send_chat(provider_of(Server(answered(*texts("Hello."), stop_reason=stop_reason))))

    assert (answer.finish_reason, answer.raw_finish_reason) == (finish_reason, stop_reason)
    assert (answer.message, answer.model, answer.usage) == (assistant("Hello."), "claude-3-5-haiku-latest", Usage())


def test_the_text_of_a_refusal_precedes_its_explanation() -> None:
    details = {"type": "refusal", "explanation": "Not this."}

    spoke = send_chat(provider_of(Server(answered(*texts("No."), stop_reason="refusal", stop_details=details))))
    explained = send_chat(provider_of(Server(answered(stop_reason="refusal", stop_details=details))))
    silent = send_chat(provider_of(Server(answered(stop_reason="refusal", stop_details=None))))

    assert [answer.message.text for answer in (spoke, explained, silent)] == ["No.", "Not this.", ""]


@pytest.mark.parametrize("stop_reason", ["max_tokens", "model_context_window_exceeded"])
def test_a_truncated_call_is_not_run(stop_reason: str) -> None:
    calls: list[Json] = [{"type": "tool_use", "id": f"toolu_{i}", "name": "t", "input": {"a": i}} for i in (1, 2)]

    answer = send_chat(provider_of(Server(answered(*calls, stop_reason=stop_reason))), tools=[TOOL])

    assert answer.finish_reason == "tool_calls"
    assert answer.message.tool_calls == (
        ToolCall(id="toolu_1", name="t", arguments={"a": 1}, raw='{"a": 1}'),
        ToolCall(
            id="toolu_2",
            name="t",
            arguments=None,
            raw='{"a": 2}',
            problem="the answer was cut off before the arguments were complete",
        ),
    )


def test_calls_set_the_finish_reason_and_ids_are_unique_and_unknown_blocks_are_ignored() -> None:
    earlier = Message("assistant", (ToolCall(id="toolu_1", name="t", arguments={}, raw="{}"),))
    content: list[Json] = [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
        {"type": "text", "text": ""},
        {"type": "tool_use", "id": "toolu_1", "name": "t", "input": {"a": 1}},
        {"type": "tool_use", "name": "t"},
        {"type": "tool_use", "id": "toolu_9", "name": "t", "input": [1]},
    ]
    history = [user("Hello"), earlier, Message("tool", (ToolOutput("toolu_1", "t", "1"),))]

    answer = send_chat(provider_of(Server(answered(*content, stop_reason="end_turn"))), history, tools=[TOOL])

    assert answer.finish_reason == "tool_calls"
    assert answer.message.parts == (
        ToolCall(id="call_2_0", name="t", arguments={"a": 1}, raw='{"a": 1}'),
        ToolCall(id="call_2_1", name="t", arguments={}, raw=""),
        ToolCall(
            id="toolu_9",
            name="t",
            arguments=None,
            raw="[1]",
            problem="the arguments must be a JSON object, not an array",
        ),
    )


@pytest.mark.parametrize(
    ("message", "parameter"),
    [
        ("`temperature` is deprecated for this model.", "temperature"),
        ("temperature is not supported for claude-fable-5 when set to non-default values", "temperature"),
        ("temperature: Extra inputs are not permitted", "temperature"),
        ("`temperature` may only be set to 1 when thinking is enabled.", "temperature"),
        ("tool_choice: Extra inputs are not permitted", "tool_choice"),
    ],
)
def test_a_rejected_parameter_is_omitted_and_remembered_for_the_model(message: str, parameter: str) -> None:
    server = Server(refused(message), HELLO)
    provider = provider_of(server)

    for model in ("new", "new", "other"):
        send_chat(provider, model=model, temperature=0.2, tools=[TOOL])

    assert [parameter in body for body in server.bodies] == [True, False, False, True]
    assert all(body["tools"] == [TOOL] and body["max_tokens"] == 4096 for body in server.bodies)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (refused("temperature: range: 0..1"), ("invalid_request", False)),
        (refused("max_tokens: Extra inputs are not permitted"), ("invalid_request", False)),
        (refused("`temperature` is deprecated for this model.", status=403), ("permission", False)),
        (
            refused("input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000"),
            ("context_length", False),
        ),
        (refused("You have reached your specified API usage limits."), ("rate_limit", False)),
        (refused("Overloaded", status=529, kind="overloaded_error"), ("overloaded", True)),
        (refused("Internal server error", status=500, kind="api_error"), ("server_error", True)),
        (refused("odd", status=200), ("invalid_request", False)),
        (refused("Your credit balance is too low.", status=200), ("rate_limit", False)),
        (refused("bad key", status=200, kind="authentication_error"), ("authentication", False)),
        (refused("odd", status=500, kind="new_error"), ("server_error", True)),
        (httpx2.Response(529, text="<html>"), ("overloaded", True)),
    ],
)
def test_a_rejection_is_reported_once_and_only_recoverable_ones_are_transient(
    answer: httpx2.Response, expected: tuple[str, bool]
) -> None:
    server = Server(answer)

    with pytest.raises(ModelError) as caught:
        send_chat(provider_of(server))

    assert (caught.value.type, isinstance(caught.value, TransientError)) == expected
    assert len(server.requests) == 1
