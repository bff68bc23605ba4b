"""Behaviour of the Gemini adapter beyond the contract suite of all adapters."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import pytest

from flexchat.errors import ModelError
from flexchat.messages import Json
from functions.chat.providers.gemini import adapter
from tests.contract.gemini_wire import check_gemini_body
from tests.unit.providers.gemini_server import (
    DECLARATION,
    HELLO,
    SCHEMA,
    TOOL,
    Server,
    content,
    provider_of,
    refused,
    send_chat,
)


@pytest.mark.parametrize(
    ("request_options", "configured", "sent"),
    [
        ({}, {}, {}),
        ({"temperature": 0}, {"temperature": 1.5}, {"temperature": 0}),
        ({}, {"temperature": 0}, {"temperature": 0}),
        ({"max_tokens": 5}, {"max_tokens": 9}, {"maxOutputTokens": 5}),
        ({}, {"max_tokens": 9, "temperature": 1.5}, {"temperature": 1.5, "maxOutputTokens": 9}),
    ],
)
def test_options_override_the_configuration_and_the_defaults(
    request_options: dict[str, Any], configured: dict[str, Any], sent: dict[str, Any]
) -> None:
    server = Server()

    send_chat(provider_of(server, **configured), **request_options)

    parameters = {"generationConfig": sent} if sent else {}
    assert server.bodies == [{"contents": [HELLO], **parameters}]


@pytest.mark.parametrize(
    "tools",
    [
        [{"functionDeclarations": [DECLARATION, {**DECLARATION, "name": "u"}]}],
        [TOOL, {"functionDeclarations": [{"name": "u", "description": "A tool", "parameters": SCHEMA}]}],
        [
            {"name": name, "description": "A tool", "parameters": SCHEMA, "handler": "not for the model"}
            for name in ("t", "u")
        ],
        [
            {"type": "function", "function": {"name": name, "description": "A tool", "parameters": SCHEMA}}
            for name in ("t", "u")
        ],
    ],
    ids=["one wrapper", "a wrapper each", "flat", "OpenAI's"],
)
def test_tools_of_every_documented_form_become_one_list_of_functions(tools: list[dict[str, Json]]) -> None:
    server = Server()

    send_chat(provider_of(server), tools=tools)

    (body,) = server.bodies
    assert body["tools"] == [{"functionDeclarations": [DECLARATION, {**DECLARATION, "name": "u"}]}]
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "AUTO"}}
    check_gemini_body(body)


def test_each_request_has_the_tools_of_its_own_chat() -> None:
    server = Server(content({"text": "Hi"}))
    provider = provider_of(server)
    other = {"functionDeclarations": [{"name": "u", "description": "A tool", "parameters": SCHEMA}]}

    for tools in ([TOOL], [other], [TOOL], ()):
        send_chat(provider, tools=tools)

    first, second = (
        [{"functionDeclarations": [DECLARATION]}],
        [{"functionDeclarations": [{**DECLARATION, "name": "u"}]}],
    )
    assert [body.get("tools") for body in server.bodies] == [first, second, first, None]


def test_the_tools_of_a_chat_are_converted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    converted: list[object] = []
    convert = adapter.function_declarations

    def counted(tools: Sequence[Mapping[str, Json]]) -> list[Json]:
        converted.append(tools)
        return convert(tools)

    monkeypatch.setattr(adapter, "function_declarations", counted)
    provider, tools = provider_of(Server(content({"text": "Hi"}))), [TOOL]

    for _ in range(5):
        send_chat(provider, tools=tools)

    assert converted == [tools]


def test_tools_can_be_offered_with_calls_forbidden() -> None:
    server = Server()

    send_chat(provider_of(server), tools=[TOOL], tool_choice="none")
    send_chat(provider_of(server), tool_choice="none")

    with_tools, without = server.bodies
    assert with_tools["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert without.keys() == {"contents"}


@pytest.mark.parametrize(
    ("message", "left_out"),
    [
        ("Temperature is not supported by this model.", ("generationConfig", "temperature")),
        (
            "Invalid JSON payload. Unknown name \"maxOutputTokens\" at 'generation_config': Cannot find field.",
            ("generationConfig", "maxOutputTokens"),
        ),
        ("tool_config is unsupported.", ("toolConfig", "functionCallingConfig")),
    ],
)
def test_a_rejected_parameter_is_omitted_and_remembered_for_the_model(message: str, left_out: tuple[str, str]) -> None:
    server = Server(refused(message), content({"text": "Hello."}))
    provider = provider_of(server)
    everything: dict[str, Any] = {"max_tokens": 5, "temperature": 0.2, "tools": [TOOL]}

    send_chat(provider, model="new", **everything)
    send_chat(provider, model="new", **everything)
    send_chat(provider, model="other", **everything)

    where, name = left_out
    assert [name in body.get(where, {}) for body in server.bodies] == [True, False, False, True]


def test_no_generation_configuration_is_sent_if_the_model_supports_none() -> None:
    server = Server(refused("Temperature is not supported by this model."), content({"text": "Hello."}))

    send_chat(provider_of(server), temperature=0.2)

    assert server.bodies[1] == {"contents": [HELLO]}


@pytest.mark.parametrize(
    "answer",
    [
        refused("Function calling is not enabled for this model."),
        refused("temperature is not supported here", status="FAILED_PRECONDITION"),
        refused("temperature is not supported here", status="PERMISSION_DENIED", code=403),
    ],
)
def test_other_rejections_are_errors(answer: httpx2.Response) -> None:
    server = Server(answer)

    with pytest.raises(ModelError):
        send_chat(provider_of(server))

    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("gemini-3.8-flash", "/v1beta/models/gemini-3.8-flash:generateContent"),
        ("models/gemma-4", "/v1beta/models/gemma-4:generateContent"),
        ("tunedModels/mine", "/v1beta/tunedModels/mine:generateContent"),
        ("a?key=b#c", "/v1beta/models/a%3Fkey%3Db%23c:generateContent"),
    ],
)
def test_the_model_name_is_sent_only_in_the_path(model: str, path: str) -> None:
    server = Server()

    send_chat(provider_of(server), model=model)

    (request,) = server.requests
    assert str(request.url) == f"https://generativelanguage.googleapis.com{path}"


def test_the_key_is_sent_only_in_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "key-of-someone-else")
    monkeypatch.setenv("GOOGLE_API_KEY", "key-of-someone-else")
    with_key, without = Server(), Server()

    send_chat(provider_of(with_key, headers={"x-team": "blue"}))
    send_chat(provider_of(without, api_key=None))

    assert with_key.requests[0].headers["x-goog-api-key"] == "k-1234567"
    assert with_key.requests[0].headers["x-team"] == "blue"
    assert "k-1234567" not in str(with_key.requests[0].url)
    assert "x-goog-api-key" not in without.requests[0].headers
