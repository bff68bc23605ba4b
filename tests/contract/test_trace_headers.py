"""Trace context in the requests of every provider, plain and streamed."""

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.messages import user
from functions.chat.providers.anthropic.adapter import AnthropicProvider
from functions.chat.providers.base import ChatOptions, Provider
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.gemini.adapter import GeminiProvider
from functions.chat.providers.ollama.adapter import OllamaProvider
from functions.chat.providers.openai.adapter import OpenAIProvider
from tests.contract.bedrock_wire import bedrock_client
from tests.contract.http_playback import mock_transport
from tests.contract.wire_script import Playback, Wire, exchanges, retry_policy
from tests.contract.wires import WIRES

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
HEADERS = {"traceparent": PARENT, "tracestate": "a=1"}

OWN = "00-11111111111111111111111111111111-2222222222222222-00"
CONFIGURED = {"Traceparent": OWN, "x-team": "blue"}


def test_a_request_has_the_headers_of_its_options(wire: Wire) -> None:
    playback = Playback([exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)

    provider.generate_chat([user("Hello")], wire.model, ChatOptions(Deadline.after(30), headers=HEADERS))

    (request,) = playback.requests
    wire.check_request(request)  # also of the signature, which contains every header
    sent = {name.lower(): value for name, value in request.headers.items()}
    assert {name: sent.get(name) for name in HEADERS} == HEADERS


def test_a_request_without_a_trace_context_has_no_such_header(wire: Wire) -> None:
    playback = Playback([exchanges(wire, "plain_hello")[0].answer])
    provider = wire.provider(playback, retry=retry_policy(0, []), timeout_ms=60_000)

    provider.generate_chat([user("Hello")], wire.model, ChatOptions(Deadline.after(30)))

    (request,) = playback.requests
    assert not {"traceparent", "tracestate"} & {name.lower() for name in request.headers}


@pytest.mark.parametrize("plain", WIRES, ids=lambda wire: wire.type)
def test_a_configured_header_takes_precedence(plain: Wire) -> None:
    playback = Playback([exchanges(plain, "plain_hello")[0].answer])

    configured(plain, playback).generate_chat(
        [user("Hello")], plain.model, ChatOptions(Deadline.after(30), headers=HEADERS)
    )

    (request,) = playback.requests
    sent = [(name.lower(), value) for name, value in request.headers.items()]
    assert [value for name, value in sent if name == "traceparent"] == [OWN]
    assert [value for name, value in sent if name == "tracestate"] == ["a=1"]


def configured(wire: Wire, playback: Playback) -> Provider:
    """Return the adapter of an llm with a trace context of its own."""
    config = LlmConfig.model_validate(
        {"type": wire.type, "base_url": "http://llm.test", "api_key": "k", "headers": CONFIGURED, "max_retries": 0}
    )
    match wire.type:
        case "bedrock":
            client = bedrock_client(playback, key="k", headers=CONFIGURED)
            return BedrockProvider("main", LlmConfig(type="bedrock", region="eu-central-1"), client=client)
        case "openai":
            return OpenAIProvider("main", config, transport=mock_transport(playback))
        case "anthropic":
            return AnthropicProvider("main", config, transport=mock_transport(playback))
        case "gemini":
            return GeminiProvider("main", config, transport=mock_transport(playback))
        case "ollama":
            return OllamaProvider("main", config, transport=mock_transport(playback))
