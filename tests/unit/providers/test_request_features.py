"""Features of requests that a profile turns off or on: `unsupported` and `supported`."""

from typing import Any, get_args

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig, RequestFeature
from flexchat.deadline import Deadline
from flexchat.messages import assistant, user
from functions.chat.providers.base import ChatOptions, Delta, NamedTool, TextDelta
from functions.chat.providers.profiles import (
    ADJUSTABLE_PARAMETERS,
    CACHE_MARKS,
    COMBINATIONS,
    OF_ONE_REQUEST,
    REFUSED_HISTORY,
    model_profile,
)
from tests.unit.providers import anthropic_api, bedrock_service, gemini_server, openai_server, test_ollama
from tests.unit.providers.http_server import Server
from tests.unit.providers.test_model_servers import TOOLS
from tests.unit.providers.test_reasoning_effort import body_of

OPTIONS: dict[str, Any] = {
    "tools": TOOLS,
    "tool_choice": NamedTool("add"),
    "temperature": 0.5,
    "top_p": 0.5,
    "stop": ("END",),
    "max_tokens": 9,
    "reasoning_effort": "high",
}


def test_every_feature_that_is_learned_by_a_refusal_can_be_configured() -> None:
    learned = ADJUSTABLE_PARAMETERS | COMBINATIONS | REFUSED_HISTORY | CACHE_MARKS

    assert set(get_args(RequestFeature)) == learned - {"prompt_cache"} - OF_ONE_REQUEST  # a flag of the profile


@pytest.mark.parametrize(
    ("unsupported", "fields"),
    [
        ("temperature", {"temperature": None}),
        ("top_p", {"top_p": None}),
        ("temperature_with_top_p", {"temperature": None, "top_p": 0.5}),
        ("stop", {"stop": None}),
        ("max_tokens", {"max_tokens": None, "max_completion_tokens": 9}),
        ("tool_choice", {"tool_choice": None}),
        ("forced_tool_choice", {"tool_choice": "auto"}),
        ("named_tool_choice", {"tool_choice": "required"}),
        ("reasoning_effort", {"reasoning_effort": None}),
        ("reasoning_with_tools", {"reasoning_effort": "none"}),
    ],
)
def test_an_unsupported_feature_is_not_sent_from_the_first_request(unsupported: str, fields: dict[str, Any]) -> None:
    body = body_of("openai", "m", OPTIONS, profiles={"*": {"unsupported": [unsupported]}})

    assert {name: body.get(name) for name in fields} == fields


def test_a_supported_feature_overrides_the_built_in_profile_and_shorter_patterns() -> None:
    profiles = {
        "*": {"unsupported": ["stop", "top_p"]},
        "gpt-5*": {"supported": ["stop"], "unsupported": ["temperature_with_top_p"]},
        "gpt-5.9*": {"supported": ["temperature"]},
    }
    config = LlmConfig.model_validate({"type": "openai", "profiles": profiles})

    assert model_profile("openai", "gpt-5.9", config).unsupported == {"max_tokens", "top_p", "temperature_with_top_p"}


STREAMED: dict[str, Any] = {
    "openai": (
        openai_server.completion({"content": "Hello."}),
        httpx2.Response(
            200,
            content=b'data: {"choices":[{"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
            headers={"content-type": "text/event-stream"},
        ),
    ),
    "ollama": (
        test_ollama.HELLO,
        httpx2.Response(200, content=b'{"message":{"content":"Hello."},"done":true,"done_reason":"stop"}\n'),
    ),
    "anthropic": (anthropic_api.HELLO, None),
    "gemini": (gemini_server.content({"text": "Hello."}), None),
}


def chat_of(provider: str, answer: httpx2.Response, **config: Any) -> tuple[Any, Any]:
    """Return the server of a provider and its adapter."""
    server: Any
    match provider:
        case "openai":
            server = openai_server.Server(answer)
            return server, openai_server.provider_of(server, **config)
        case "ollama":
            server = Server(answer)
            return server, test_ollama.provider_of(server, **config)
        case "anthropic":
            server = Server(answer)
            return server, anthropic_api.provider_of(server, **config)
        case _:
            server = gemini_server.Server(answer)
            return server, gemini_server.provider_of(server, **config)


@pytest.mark.parametrize("provider", STREAMED)
def test_a_model_without_streams_answers_a_stream_in_one_piece(provider: str) -> None:
    server, chat = chat_of(provider, STREAMED[provider][0], profiles={"*": {"unsupported": ["stream"]}})
    deltas: list[Delta] = []

    chat.generate_chat([user("Hi")], "m", ChatOptions(Deadline.after(30)), deltas.append)

    assert (deltas, [body.get("stream", False) for body in server.bodies]) == ([TextDelta("Hello.")], [False])
    assert "stream" not in str(server.requests[0].url)


def test_a_model_of_bedrock_without_streams_answers_a_stream_in_one_piece() -> None:
    service = bedrock_service.Service()
    chat = bedrock_service.provider_of(service, profiles={"*": {"unsupported": ["stream"]}})
    deltas: list[Delta] = []

    chat.generate_chat([user("Hi")], "m", ChatOptions(Deadline.after(30)), deltas.append)

    assert (deltas, len(service.requests)) == ([TextDelta("Hello.")], 1)


@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_a_model_of_streams_alone_is_streamed_from_the_first_request(provider: str) -> None:
    server, chat = chat_of(provider, STREAMED[provider][1], profiles={"*": {"unsupported": ["non_streaming"]}})

    answer = chat.generate_chat([user("Hi")], "m", ChatOptions(Deadline.after(30)))

    assert (answer.message.text, [body["stream"] for body in server.bodies]) == ("Hello.", [True])


def test_the_forms_of_a_history_are_configured_too() -> None:
    server = openai_server.Server()
    chat = openai_server.provider_of(server, profiles={"*": {"unsupported": ["messages_without_reasoning"]}})

    chat.generate_chat([user("Hi"), assistant("Hello"), user("Go on")], "m", ChatOptions(Deadline.after(30)))

    assert [message.get("reasoning_content") for message in server.bodies[0]["messages"]] == [None, "", None]


@pytest.mark.parametrize(("provider", "field"), [("ollama", "options"), ("bedrock", "inferenceConfig")])
def test_stop_texts_and_limits_are_configured_at_every_provider(provider: str, field: str) -> None:
    options = {"stop": ("END",), "max_tokens": 9, "temperature": 0.5}

    body = body_of(provider, "m", options, profiles={"*": {"unsupported": ["stop", "max_tokens"]}})

    assert body[field] == {"temperature": 0.5}
