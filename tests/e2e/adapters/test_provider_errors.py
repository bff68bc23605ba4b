"""Errors of every adapter against the demo model over HTTP."""

import pytest

from flexchat.errors import ModelErrorType
from flexchat.messages import FinishReason, user
from tests.e2e.adapters.adapter_chat import Chat

REPORT_MALFORMED_CALLS = ("gemini", "bedrock")
"""Providers that report a call which they cannot read; the others return it."""


@pytest.mark.parametrize(
    ("directive", "ends"),
    [
        ("length", {"length"}),
        ("refuse", {"refusal", "content_filter"}),
        ("empty", {"stop"}),
    ],
)
def test_incomplete_answer_has_the_matching_finish_reason(chat: Chat, directive: str, ends: set[FinishReason]) -> None:
    answer = chat.send_chat(user(f"[demo:{directive}] hi"))

    # Ollama has no refusal; the demo model's refusal is a plain text.
    assert answer.finish_reason in (ends if (chat.type, directive) != ("ollama", "refuse") else {"stop"})
    assert answer.message.tool_calls == ()


def test_invalid_json_arguments_create_no_executable_call(chat: Chat) -> None:
    if chat.type in REPORT_MALFORMED_CALLS:
        assert chat.fails("[demo:bad_json] hi").type == "malformed_tool_call"
        return
    answer = chat.send_chat(user("[demo:bad_json] hi"))

    assert all(not call.arguments for call in answer.message.tool_calls)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, "invalid_request"),
        (401, "authentication"),
        (403, "permission"),
        (404, "not_found"),
        (429, "rate_limit"),
        (500, "server_error"),
        (503, "overloaded"),
        (529, "overloaded"),
    ],
)
def test_provider_error_has_its_type_and_the_message_of_the_provider(
    chat: Chat, status: int, error: ModelErrorType
) -> None:
    failed = chat.fails(f"[demo:status={status}] hi")

    assert (failed.type, failed.message) == (error, f"(demo model) status {status} was asked for")


def test_rate_limited_request_is_retried_after_the_delay(slow_retries: Chat) -> None:
    answer = slow_retries.send_chat(user(f"[demo:status=429 retry_after=3 times=1] hi {slow_retries.type}"))

    assert answer.finish_reason == "stop"
    # AWS sends no delay, so the back-off applies.
    assert slow_retries.waits == [0.5 if slow_retries.type == "bedrock" else 3.0]


def test_connection_closed_in_the_body_is_retried(slow_retries: Chat) -> None:
    answer = slow_retries.send_chat(user(f"[demo:cut times=1] hi {slow_retries.type}"))

    assert answer.finish_reason == "stop"
    assert slow_retries.waits == [0.5]


def test_repeatedly_closed_connection_is_a_network_error(chat: Chat) -> None:
    assert chat.fails("[demo:cut] hi").type == "network"


def test_body_without_json_is_an_invalid_response(chat: Chat) -> None:
    assert chat.fails("[demo:malformed] hi").type == "invalid_response"


def test_answer_after_the_deadline_is_a_timeout(chat: Chat) -> None:
    assert chat.fails("[demo:slow=5000] hi", seconds=0.5).type == "timeout"
