"""Answers and errors that the Gemini adapter parses."""

import httpx2
import pytest

from flexchat.errors import ModelError
from flexchat.messages import Json, Message, ToolCall, Usage, assistant, user
from tests.unit.providers.gemini_server import Server, content, provider_of, refused, send_chat


@pytest.mark.parametrize(
    ("word", "finish_reason"),
    [
        (None, "stop"),
        ("STOP", "stop"),
        ("MAX_TOKENS", "length"),
        *((word, "content_filter") for word in ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII")),
        *((word, "unknown") for word in ("OTHER", "LANGUAGE")),
    ],
)
def test_the_finish_reason_without_calls_is_that_of_the_server(word: str | None, finish_reason: str) -> None:
    answer = send_chat(provider_of(Server(content({"text": "Half"}, finishReason=word))))

    assert (answer.message, answer.finish_reason, answer.raw_finish_reason) == (assistant("Half"), finish_reason, word)


@pytest.mark.parametrize("word", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
@pytest.mark.parametrize(
    ("fields", "text"),
    [({"finishMessage": "Malformed: print("}, "Malformed: print("), ({}, "")],
)
def test_a_call_that_the_server_cannot_read_is_an_error(word: str, fields: dict[str, Json], text: str) -> None:
    answer = httpx2.Response(200, json={"candidates": [{"finishReason": word, **fields}]})

    with pytest.raises(ModelError) as caught:
        send_chat(provider_of(Server(answer)))

    assert (caught.value.type, caught.value.message) == ("malformed_tool_call", text or word)


@pytest.mark.parametrize("word", ["STOP", "MAX_TOKENS", "MALFORMED_FUNCTION_CALL"])
def test_calls_override_any_finish_reason_of_the_server(word: str) -> None:
    answer = send_chat(provider_of(Server(content({"functionCall": {"name": "t"}}, finishReason=word))))

    assert answer.finish_reason == "tool_calls"
    assert answer.message.tool_calls == (ToolCall("call_1_0", "t", {}, ""),)


def test_repeated_and_missing_call_ids_become_unique_in_the_conversation() -> None:
    calls: list[dict[str, Json]] = [{"id": "a", "name": "t"}, {"id": "b", "name": "t"}, {"name": "t"}]
    history = [user("Hi"), Message("assistant", (ToolCall("a", "t", {}, "{}"),)), Message("tool", ())]

    answer = send_chat(provider_of(Server(content(*({"functionCall": call} for call in calls)))), history)

    assert [call.id for call in answer.message.tool_calls] == ["call_2_0", "b", "call_2_2"]


@pytest.mark.parametrize(
    ("body", "finish_reason"),
    [
        ({"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]}, "stop"),
        ({"candidates": [{"content": {"parts": None}, "finishReason": "STOP"}]}, "stop"),
        ({"candidates": [{"finishReason": "STOP"}]}, "stop"),
        ({"candidates": [{"content": {"parts": [{"executableCode": {"code": "1"}}]}}]}, "stop"),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "content_filter"),
        ({"candidates": None, "promptFeedback": {"blockReason": "SAFETY"}}, "content_filter"),
    ],
)
def test_a_turn_without_text_is_an_empty_message(body: dict[str, Json], finish_reason: str) -> None:
    answer = send_chat(provider_of(Server(httpx2.Response(200, json=body))))

    assert (answer.message, answer.finish_reason, answer.usage) == (Message("assistant", ()), finish_reason, Usage())
    assert answer.model == "gemini-3.8-flash"


def test_thought_tokens_count_as_output_and_tool_prompt_tokens_as_input() -> None:
    body: dict[str, Json] = {
        "candidates": [{"content": {"parts": [{"text": "Hi"}]}}],
        "modelVersion": "gemini-3.8-flash-002",
        "usageMetadata": {
            "promptTokenCount": 10,
            "toolUsePromptTokenCount": 3,
            "candidatesTokenCount": 5,
            "thoughtsTokenCount": 7,
            "cachedContentTokenCount": 4,
            "totalTokenCount": 25,
        },
    }

    answer = send_chat(provider_of(Server(httpx2.Response(200, json=body))))

    assert answer.usage == Usage(input_tokens=13, output_tokens=12, cached_tokens=4, reasoning_tokens=7)
    assert answer.model == "gemini-3.8-flash-002"


QUOTA = "type.googleapis.com/google.rpc.QuotaFailure"
RETRY = "type.googleapis.com/google.rpc.RetryInfo"


@pytest.mark.parametrize(
    ("answer", "attempts"),
    [
        (refused("slow down", status="RESOURCE_EXHAUSTED", code=429), 3),
        (
            refused(
                "spent",
                status="RESOURCE_EXHAUSTED",
                code=429,
                details=[
                    {"@type": QUOTA, "violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]},
                    {"@type": RETRY, "retryDelay": "2s"},
                ],
            ),
            1,
        ),
        (refused("busy", status="UNAVAILABLE", code=503), 3),
        (refused("oops", status="INTERNAL", code=500), 3),
        (refused("too long", status="DEADLINE_EXCEEDED", code=504), 1),
        (refused("API key not valid."), 1),
        (httpx2.Response(200, json={"error": {"code": 400, "message": "bad", "status": "INVALID_ARGUMENT"}}), 1),
        (httpx2.Response(200, json={"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}), 3),
    ],
)
def test_only_transient_errors_are_retried(answer: httpx2.Response, attempts: int) -> None:
    server = Server(answer)

    with pytest.raises(ModelError):
        send_chat(provider_of(server, max_retries=2))

    assert len(server.requests) == attempts


@pytest.mark.parametrize(
    ("delay", "wait"), [("2s", 2.0), ("0.250s", 0.25), ("soon", 0.5), (None, 0.5), ("-1s", 0.5), ("9" * 400 + "s", 0.5)]
)
def test_the_retry_delay_is_from_the_server_or_the_default(delay: str | None, wait: float) -> None:
    sleeps: list[float] = []
    details: Json = [{"@type": "other", "reason": "RATE"}, {"@type": RETRY, "retryDelay": delay}]
    busy = refused("slow down", status="RESOURCE_EXHAUSTED", code=429, details=details)

    send_chat(provider_of(Server(busy, content({"text": "Hi"})), max_retries=1, sleeps=sleeps))

    assert sleeps == [wait]
