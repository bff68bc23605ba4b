"""Errors and faults in the format of each provider."""

import json
from typing import Any

import pytest

from tests.unit.dev.demo_model.clients import DemoConversation, Gemini, ProtocolClient
from tests.unit.dev.demo_model.openai_client import CALCULATE
from tests.unit.dev.demo_model.protocol_clients import one


@pytest.mark.parametrize(
    ("client", "word"),
    one(
        OpenAI="rate_limit_exceeded",
        Ollama=None,
        Gemini="RESOURCE_EXHAUSTED",
        Anthropic="rate_limit_error",
        Bedrock="ThrottlingException",
    ),
)
def test_a_rate_limit_has_the_message_of_the_provider(client: ProtocolClient, word: str | None) -> None:
    answer = DemoConversation(client).with_user("[demo:status=429 retry_after=2] hi").send()

    assert answer.status == 429
    assert client.error(answer) == (word, "(demo model) status 429 was asked for")


@pytest.mark.parametrize(("client", "header"), one(OpenAI="2", Ollama="2", Gemini=None, Anthropic="2", Bedrock=None))
def test_a_retry_delay_is_sent_if_the_provider_has_one(client: ProtocolClient, header: str | None) -> None:
    answer = DemoConversation(client).with_user("[demo:status=429 retry_after=2] hi").send()

    assert answer.headers.get("Retry-After") == header
    if isinstance(client, Gemini):
        assert json.loads(answer.body)["error"]["details"] == [
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2s"}
        ]


@pytest.mark.parametrize(
    ("client", "expected"),
    one(
        OpenAI=(529, None),
        Ollama=(529, None),
        Gemini=(529, "UNKNOWN"),
        Anthropic=(529, "overloaded_error"),
        Bedrock=(503, "ServiceUnavailableException"),
    ),
)
def test_an_overload_has_the_message_of_the_provider(client: ProtocolClient, expected: tuple[int, str | None]) -> None:
    answer = DemoConversation(client).with_user("[demo:status=529] hi").send()

    assert (answer.status, client.error(answer)[0]) == expected


@pytest.mark.parametrize(
    ("client", "word"),
    one(OpenAI=None, Ollama=None, Gemini="INTERNAL", Anthropic="api_error", Bedrock="InternalServerException"),
)
def test_a_server_error_has_the_message_of_the_provider(client: ProtocolClient, word: str | None) -> None:
    talk = DemoConversation(client).with_user("[demo:status=500 times=1] hi")

    assert (talk.send().status, talk.send().status) == (500, 200)
    assert client.error(talk.send())[0] == word


def test_the_header_sets_directives_too(client: ProtocolClient) -> None:
    assert DemoConversation(client).with_user("hi").send(directives="status=503").status == 503


def test_a_cut_and_a_malformed_body_are_the_same_in_all_protocols(client: ProtocolClient) -> None:
    assert DemoConversation(client).with_user("[demo:cut] hi").send().cut
    assert DemoConversation(client).with_user("[demo:malformed]").send().body.startswith(b"<html>")


@pytest.mark.parametrize(
    ("client", "expected"),
    one(
        OpenAI=("stop", "(demo model) I cannot help with that."),
        Ollama=("stop", "(demo model) I cannot help with that."),
        Gemini=("SAFETY", ""),
        Anthropic=("refusal", "(demo model) I cannot help with that."),
        Bedrock=("content_filtered", "(demo model) I cannot help with that."),
    ),
)
def test_a_refusal_has_the_format_of_the_provider(client: ProtocolClient, expected: tuple[str, str]) -> None:
    answer = DemoConversation(client).with_user("[demo:refuse] hi").answer()

    assert (client.finish(answer), client.text(answer)) == expected


@pytest.mark.parametrize(
    ("client", "word"),
    one(OpenAI="length", Ollama="length", Gemini="MAX_TOKENS", Anthropic="max_tokens", Bedrock="max_tokens"),
)
def test_a_truncated_answer_has_its_finish_reason(client: ProtocolClient, word: str) -> None:
    answer = DemoConversation(client).with_user("[demo:length] hi").answer()

    assert (client.finish(answer), bool(client.text(answer))) == (word, True)


@pytest.mark.parametrize(
    ("client", "expected"),
    one(
        OpenAI=("tool_calls", None),
        Ollama=("stop", [("calculate", {})]),
        Gemini=("MALFORMED_FUNCTION_CALL", []),
        Anthropic=("tool_use", [("calculate", {})]),
        Bedrock=("malformed_tool_use", []),
    ),
)
def test_broken_arguments_are_sent_or_reported_as_the_protocol_allows(
    client: ProtocolClient, expected: tuple[str, Any]
) -> None:
    answer = DemoConversation(client, [CALCULATE]).with_user("[demo:bad_json] hi").answer()

    finish, calls = expected
    assert client.finish(answer) == finish
    if calls is None:
        assert answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == '{"broken": '
    else:
        assert client.calls(answer) == calls


def test_a_malformed_request_is_rejected_in_the_format_of_the_provider(client: ProtocolClient) -> None:
    for body in (b"", b"{", b"[]", b"\xff", b"{}"):
        answer = DemoConversation(client).demo.send(client.path, body, client.headers)

        assert answer.status == 400
        assert client.error(answer)[1]
