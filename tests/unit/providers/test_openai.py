"""Behaviour of the OpenAI adapter beyond the contract suite of all adapters."""

from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Json, user
from functions.chat.providers.base import ChatOptions
from tests.unit.providers.openai_server import Server, completion, failure, provider_of, refused, send_chat

TOOL: Mapping[str, Json] = {"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}


@pytest.mark.parametrize(
    ("request_options", "configured", "sent"),
    [
        ({}, {}, {}),
        ({"temperature": 0}, {"temperature": 1.5}, {"temperature": 0}),
        ({}, {"temperature": 0}, {"temperature": 0}),
        ({"max_tokens": 5}, {"max_tokens": 9}, {"max_tokens": 5}),
        ({}, {"max_tokens": 9, "temperature": 1.5}, {"max_tokens": 9, "temperature": 1.5}),
    ],
)
def test_options_override_the_configuration_and_the_defaults(
    request_options: dict[str, Any], configured: dict[str, Any], sent: dict[str, Any]
) -> None:
    server = Server()

    send_chat(provider_of(server, **configured), **request_options)

    assert server.bodies == [{"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello"}], **sent}]


def test_a_reasoning_model_gets_its_own_limit_and_no_temperature() -> None:
    server = Server()

    send_chat(provider_of(server), model="o3-mini", max_tokens=5, temperature=0.2)

    assert server.bodies == [
        {"model": "o3-mini", "messages": [{"role": "user", "content": "Hello"}], "max_completion_tokens": 5}
    ]


def test_tools_can_be_offered_with_calls_forbidden() -> None:
    server = Server()

    provider_of(server).generate_chat(
        [user("Hi")], "m", ChatOptions(Deadline.after(30), tools=[TOOL], tool_choice="none")
    )
    provider_of(server).generate_chat([user("Hi")], "m", ChatOptions(Deadline.after(30), tool_choice="none"))

    with_tools, without = server.bodies
    assert (with_tools["tools"], with_tools["tool_choice"]) == ([TOOL], "none")
    assert without.keys() == {"model", "messages"}


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        (
            refused("Unsupported parameter", code="unsupported_parameter", param="max_tokens"),
            {"max_completion_tokens": 5, "temperature": 0.2},
        ),
        (
            refused("Only the default (1) value", code="unsupported_value", param="temperature"),
            {"max_tokens": 5},
        ),
        (
            refused("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
            {"max_completion_tokens": 5, "temperature": 0.2},
        ),
        (
            httpx2.Response(422, json={"detail": [{"loc": ["temperature"], "msg": "Extra inputs are not permitted"}]}),
            {"max_tokens": 5},
        ),
    ],
)
def test_a_rejected_parameter_is_omitted_and_remembered_for_the_model(
    answer: httpx2.Response, sent: dict[str, Any]
) -> None:
    server = Server(answer, completion({"content": "Hello."}))
    provider = provider_of(server)
    plain: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}]}
    everything: dict[str, Any] = {"max_tokens": 5, "temperature": 0.2}

    send_chat(provider, model="new", **everything)
    send_chat(provider, model="new", **everything)
    send_chat(provider, model="other", **everything)

    assert server.bodies == [
        {"model": "new", **plain, **everything},
        {"model": "new", **plain, **sent},
        {"model": "new", **plain, **sent},
        {"model": "other", **plain, **everything},
    ]


def test_each_parameter_is_omitted_once_and_a_repeated_rejection_is_an_error() -> None:
    server = Server(
        refused("no", code="unsupported_parameter", param="max_tokens"),
        refused("no", code="unsupported_parameter", param="max_completion_tokens"),
        refused("no", code="unsupported_value", param="temperature"),
        refused("no", code="unsupported_parameter", param="tool_choice"),
        refused("really no", code="unsupported_value", param="temperature"),
    )

    assert failure(provider_of(server), max_tokens=5, temperature=0.2, tools=[TOOL]) == ("invalid_request", "really no")
    assert [sorted(body.keys() - {"model", "messages", "tools"}) for body in server.bodies] == [
        ["max_tokens", "temperature", "tool_choice"],
        ["max_completion_tokens", "temperature", "tool_choice"],
        ["temperature", "tool_choice"],
        ["tool_choice"],
        [],
    ]


@pytest.mark.parametrize(
    "answer",
    [
        refused("tools is not supported", code="unsupported_parameter", param="tools"),
        refused("this model does not support tools"),
        refused("temperature is not supported", status=403),
    ],
)
def test_other_rejections_are_errors(answer: httpx2.Response) -> None:
    server = Server(answer)

    failure(provider_of(server))

    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("config", "authorization"),
    [
        ({}, "Bearer k-1234567"),
        ({"api_key": None}, None),
        ({"api_key": ""}, None),
        ({"api_key": None, "headers": {"authorization": "Basic eA=="}}, "Basic eA=="),
    ],
)
def test_the_key_is_sent_only_in_the_header(
    monkeypatch: pytest.MonkeyPatch, config: dict[str, Any], authorization: str | None
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-someone-else")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.test")
    server = Server()

    send_chat(provider_of(server, **config))

    (request,) = server.requests
    assert request.headers.get("authorization") == authorization
    assert str(request.url) == "https://api.openai.com/v1/chat/completions"
    assert b"k-1234567" not in request.content


def test_configured_headers_are_sent_and_never_reported() -> None:
    server = Server(refused("bad api-key azure-secret-value", status=401))

    error = failure(provider_of(server, api_key=None, headers={"api-key": "azure-secret-value"}))

    assert server.requests[0].headers["api-key"] == "azure-secret-value"
    assert error == ("authentication", "bad api-key [redacted]")


def test_a_model_of_single_calls_is_limited_to_one_a_turn_until_the_server_rejects_the_parameter() -> None:
    server = Server(
        completion({"content": "Hello."}),
        refused("Unsupported parameter: 'parallel_tool_calls'", param="parallel_tool_calls"),
        completion({"content": "Hello."}),
    )
    provider = provider_of(server, profiles={"gpt-*": {"parallel_tool_calls": False}})

    send_chat(provider, tools=[TOOL])
    send_chat(provider, tools=[TOOL])

    sent = [body.get("parallel_tool_calls") for body in server.bodies]
    assert sent == [False, False, None]
