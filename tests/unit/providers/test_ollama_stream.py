"""Streamed completions of Ollama."""

import json
from collections.abc import Sequence
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, Message, ProviderState, Reasoning, Text, ToolCall, Usage, user
from functions.chat.providers.base import CallDelta, ChatOptions, Delta, TextDelta
from functions.chat.providers.ollama.adapter import OllamaProvider
from functions.chat.providers.retry import RetryPolicy
from tests.unit.providers.http_server import Chunks, Server

LAST: dict[str, Any] = {"done": True, "done_reason": "stop", "prompt_eval_count": 12, "eval_count": 7}


def line(content: str = "", **message: Any) -> bytes:
    return json.dumps({"model": "llama3.1:8b", "message": {"content": content, **message}, "done": False}).encode()


def last(**fields: Any) -> bytes:
    return json.dumps({"model": "llama3.1:8b", "message": {"content": ""}, **LAST, **fields}).encode()


def stream(*lines: bytes) -> httpx2.Response:
    return httpx2.Response(
        200, headers={"content-type": "application/x-ndjson"}, stream=Chunks([item + b"\n" for item in lines])
    )


def send_chat(server: Server, *, retries: int = 0) -> tuple[Completion, list[Delta]]:
    received: list[Delta] = []
    provider = OllamaProvider(
        "main",
        LlmConfig(type="ollama"),
        retry=RetryPolicy(max_retries=retries, sleep=lambda _: None),
        transport=server.transport,
    )
    completion = provider.generate_chat([user("Hi")], "llama3.1:8b", ChatOptions(Deadline.after(30)), received.append)
    return completion, received


def failure(*lines: bytes) -> tuple[str, str, bool]:
    with pytest.raises(ModelError) as caught:
        send_chat(Server(stream(*lines)))
    return caught.value.type, caught.value.message, caught.value.after_output


def test_a_streamed_request_asks_for_a_stream_that_is_not_compressed() -> None:
    server = Server(stream(line("Hello."), last()))

    send_chat(server)

    assert [(body["stream"], body["model"]) for body in server.bodies] == [(True, "llama3.1:8b")]
    assert server.requests[0].headers["accept-encoding"] == "identity"


def test_text_reasoning_and_calls_of_all_lines_make_one_completion() -> None:
    call = {"function": {"name": "lookup", "arguments": {"key": "a"}}}

    answer, received = send_chat(
        Server(
            stream(
                line(thinking="Let "), line(thinking="me."), line("Hel"), line("lo."), line(tool_calls=[call]), last()
            )
        )
    )

    assert received == [TextDelta("Hel"), TextDelta("lo."), CallDelta(0, "lookup")]
    assert answer == Completion(
        Message(
            "assistant",
            (
                Reasoning(ProviderState("ollama", None, "main:llama3.1:8b"), "Let me."),
                Text("Hello."),
                ToolCall("call_1_0", "lookup", {"key": "a"}, '{"key": "a"}'),
            ),
        ),
        "tool_calls",
        Usage(12, 7),
        "llama3.1:8b",
        "stop",
    )


def test_a_plain_answer_of_a_server_that_does_not_stream_is_reported_whole() -> None:
    body = {"message": {"content": "Hello."}, **LAST}

    answer, received = send_chat(Server(httpx2.Response(200, json=body)))

    assert (answer.message.text, received) == ("Hello.", [TextDelta("Hello.")])


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((line("Hel"),), ("network", "the connection broke before the answer was complete", True)),
        ((line(),), ("network", "the connection broke before the answer was complete", False)),
        ((line("Hel"), b'{"error": "the runner has stopped"}'), ("server_error", "the runner has stopped", True)),
        ((b'{"error": "the runner has stopped"}',), ("server_error", "the runner has stopped", False)),
        ((line("Hel"), b"\xff\xfe"), ("invalid_response", "", True)),
        ((line("Hel"), b'{"message": {"content": "\xff"}}'), ("invalid_response", "", True)),
        ((line("Hel"), b"[]"), ("invalid_response", "the answer cannot be read: event: must be an object", True)),
        (
            (b'{"message": {"content": 5}}',),
            ("invalid_response", "the answer cannot be read: message.content: must be a string", False),
        ),
        (
            (b'{"message": {"tool_calls": {}}}',),
            ("invalid_response", "the answer cannot be read: message.tool_calls: must be a list", False),
        ),
    ],
)
def test_a_stream_that_fails_has_the_error_of_its_cause(
    lines: Sequence[bytes], expected: tuple[str, str, bool]
) -> None:
    error_type, message, after_output = failure(*lines)

    assert (error_type, after_output) == (expected[0], expected[2])
    assert message == expected[1] or (not expected[1] and message.startswith("the answer cannot be read: "))


def test_an_error_status_is_retried_before_the_first_delta() -> None:
    busy = httpx2.Response(503, json={"error": "server busy"})

    answer, received = send_chat(Server(busy, stream(line("Hello."), last())), retries=1)

    assert (answer.message.text, received) == ("Hello.", [TextDelta("Hello.")])


def test_an_endless_stream_ends_at_its_limit_of_bytes() -> None:
    endless = Chunks([line("x" * 1024 * 1024) + b"\n"] * 100)

    with pytest.raises(ModelError) as caught:
        send_chat(Server(httpx2.Response(200, stream=endless)))

    assert (caught.value.type, caught.value.after_output) == ("invalid_response", True)
    assert endless.sent == 64
    assert endless.closed


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(ModelError) as caught:
        send_chat(Server(httpx2.Response(200, stream=Chunks([b"x" * 1024 * 1024] * 20))))

    assert (caught.value.type, caught.value.message) == ("invalid_response", "the answer is larger than 16777216 bytes")


def test_a_slow_stream_ends_at_the_deadline() -> None:
    now = iter(range(1000))
    received: list[Delta] = []
    provider = OllamaProvider(
        "main", LlmConfig(type="ollama", max_retries=0), transport=Server(stream(*[line("x")] * 900)).transport
    )

    with pytest.raises(ModelError) as caught:
        provider.generate_chat(
            [user("Hi")],
            "llama3.1:8b",
            ChatOptions(Deadline.after(50, clock=lambda: float(next(now)))),
            received.append,
        )

    assert (caught.value.type, caught.value.after_output) == ("timeout", True)
    assert 0 < len(received) < 50


def test_a_receiver_that_has_gone_closes_the_connection() -> None:
    body = Chunks([line("x") + b"\n"] * 100)
    provider = OllamaProvider(
        "main", LlmConfig(type="ollama"), transport=Server(httpx2.Response(200, stream=body)).transport
    )

    def gone(_: Delta) -> None:
        raise BrokenPipeError("the client has gone")

    with pytest.raises(BrokenPipeError, match="the client has gone"):
        provider.generate_chat([user("Hi")], "llama3.1:8b", ChatOptions(Deadline.after(30)), gone)

    assert (body.sent, body.closed) == (1, True)
