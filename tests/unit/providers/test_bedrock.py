"""Behaviour of the Bedrock adapter beyond the contract suite of all adapters."""

from typing import Any

import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Json, Message, ToolCall, Usage, assistant, user
from functions.chat.providers.bedrock.adapter import BedrockProvider
from functions.chat.providers.bedrock.aws.converse import ConverseError
from functions.chat.providers.retry import RetryPolicy
from tests.contract.bedrock_wire import bedrock_client
from tests.contract.wire_script import Playback, WireAnswer
from tests.unit.providers.bedrock_service import HELLO, TOOL, Service, failure, provider_of, refused, send_chat, turn


@pytest.mark.parametrize(
    ("options", "configured", "sent"),
    [
        ({}, {}, {}),
        ({"temperature": 0}, {"temperature": 0.5}, {"temperature": 0}),
        ({}, {"temperature": 0}, {"temperature": 0}),
        ({"max_tokens": 5}, {"max_tokens": 9}, {"maxTokens": 5}),
        ({}, {"max_tokens": 9, "temperature": 0.5}, {"maxTokens": 9, "temperature": 0.5}),
        ({"temperature": 1.5}, {}, {"temperature": 1.0}),
    ],
)
def test_options_override_the_configuration_and_the_defaults(
    options: dict[str, Any], configured: dict[str, Any], sent: dict[str, Any]
) -> None:
    service = Service()

    send_chat(provider_of(service, **configured), **options)

    parameters = {"inferenceConfig": sent} if sent else {}
    assert service.requests == [("amazon.nova-pro-v1:0", {"messages": [HELLO], **parameters})]


@pytest.mark.parametrize(
    ("message", "left_out"),
    [
        ("The model returned the following errors: `temperature` is deprecated for this model.", "temperature"),
        ("Malformed input request: #: extraneous key [max_tokens] is not permitted.", "maxTokens"),
        ("This model doesn't support the inferenceConfig.maxTokens field.", "maxTokens"),
        ("This model doesn't support the toolConfig.toolChoice.auto field.", "toolChoice"),
    ],
)
def test_a_rejected_parameter_is_omitted_and_remembered_for_the_model(message: str, left_out: str) -> None:
    service = Service(refused(message), turn({"text": "Hello."}))
    provider = provider_of(service)
    everything: dict[str, Any] = {"max_tokens": 5, "temperature": 0.2, "tools": [TOOL]}

    send_chat(provider, model="new", **everything)
    send_chat(provider, model="new", **everything)
    send_chat(provider, model="other", **everything)

    sent = [body["inferenceConfig"] | body["toolConfig"] for body in service.bodies]
    assert [left_out in parameters for parameters in sent] == [True, False, False, True]
    assert all(body["toolConfig"]["tools"] == [TOOL] for body in service.bodies)


def test_no_inference_configuration_is_sent_if_the_model_supports_none() -> None:
    service = Service(refused("temperature is not supported"), turn({"text": "Hello."}))

    send_chat(provider_of(service), temperature=0.5)

    assert service.bodies[1] == {"messages": [HELLO]}


@pytest.mark.parametrize(
    "error",
    [
        refused("This model doesn't support tool use."),
        ConverseError("AccessDeniedException", "temperature is not supported", status=403),
    ],
)
def test_other_rejections_are_errors(error: ConverseError) -> None:
    service = Service(error)

    failure(provider_of(service))

    assert len(service.requests) == 1


@pytest.mark.parametrize(
    ("word", "finish_reason"),
    [
        (None, "stop"),
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("guardrail_intervened", "content_filter"),
        ("content_filtered", "content_filter"),
        ("tool_use", "unknown"),
    ],
)
def test_the_finish_reason_without_calls_is_that_of_the_service(word: str | None, finish_reason: str) -> None:
    answer = send_chat(provider_of(Service(turn({"text": "Half"}, stop=word))))

    assert (answer.message, answer.finish_reason, answer.raw_finish_reason) == (assistant("Half"), finish_reason, word)
    assert (answer.usage, answer.model) == (Usage(), "amazon.nova-pro-v1:0")


@pytest.mark.parametrize("word", ["malformed_tool_use", "malformed_model_output"])
def test_a_call_that_the_service_cannot_read_is_an_error(word: str) -> None:
    assert failure(provider_of(Service(turn(stop=word)))) == ("malformed_tool_call", word)


def test_a_failed_sequence_of_a_call_is_a_malformed_call_that_is_not_retried() -> None:
    text = "Model produced invalid sequence as part of ToolUse. Please refer to the troubleshooting guide."
    service = Service(ConverseError("ModelErrorException", text, status=424))

    assert failure(provider_of(service, max_retries=2)) == ("malformed_tool_call", text)
    assert len(service.requests) == 1


def test_calls_set_the_finish_reason_and_their_ids_become_unique() -> None:
    uses: list[dict[str, Json]] = [
        {"toolUseId": "a", "name": "t", "input": {}},
        {"name": "t"},
        {"toolUseId": "b", "name": "t", "input": "x"},
    ]
    service = Service(turn(*({"toolUse": use} for use in uses), stop="max_tokens"))
    history = [user("Hi"), Message("assistant", (ToolCall("a", "t", {}, "{}"),)), Message("tool", ())]

    answer = send_chat(provider_of(service), history)

    assert answer.finish_reason == "tool_calls"
    assert [(call.id, call.arguments) for call in answer.message.tool_calls] == [
        ("call_2_0", {}),
        ("call_2_1", {}),
        ("b", None),
    ]


def test_cache_tokens_count_as_input_tokens() -> None:
    usage: Json = {"inputTokens": 10, "outputTokens": 5, "cacheReadInputTokens": 3, "cacheWriteInputTokens": 2}

    answer = send_chat(provider_of(Service(turn({"text": "Hi"}, usage=usage))))

    assert answer.usage == Usage(input_tokens=15, output_tokens=5, cached_tokens=3, cache_write_tokens=2)


def test_configured_headers_are_sent_signed_and_never_reported() -> None:
    playback = Playback([WireAnswer(status=403, headers={}, body={"message": "bad header-of-the-team"})])
    config = LlmConfig(type="bedrock", headers={"x-team": "header-of-the-team"})
    client = bedrock_client(playback, key="k", headers=config.headers)

    error = failure(BedrockProvider("main", config, retry=RetryPolicy(max_retries=0), client=client))

    (request,) = playback.requests
    assert request.headers["x-team"] == "header-of-the-team"
    assert "x-team" in request.headers["Authorization"]
    assert error == ("permission", "bad [redacted]")
