"""Streamed completions of Gemini."""

import json
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.messages import Completion, user
from functions.chat.providers.base import CallDelta, ChatOptions, Delta, TextDelta
from functions.chat.providers.gemini.adapter import GeminiProvider
from functions.chat.providers.gemini.messages import parse_completion
from functions.chat.providers.model_state import ModelStates
from functions.chat.providers.retry import RetryPolicy
from tests.contract.provider_streams import Event, gemini_chunks
from tests.unit.providers.http_server import Chunks, Server

MODEL = "gemini-3.8-flash"
USAGE = {"promptTokenCount": 12, "candidatesTokenCount": 5, "thoughtsTokenCount": 2, "cachedContentTokenCount": 4}


def text(text: str, **fields: Any) -> Event:
    return {"text": text, **fields}


def call(name: str, args: Any, **fields: Any) -> Event:
    return {"functionCall": {"name": name, "args": args}, **fields}


def response(*parts: Event, finish: str | None = "STOP", **fields: Any) -> Event:
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish, "index": 0}
    return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": f"{MODEL}-002", **fields}


def sse(*chunks: Event) -> list[bytes]:
    return [b"data: " + json.dumps(chunk).encode() + b"\r\n\r\n" for chunk in chunks]


def stream(*chunks: Event) -> httpx2.Response:
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Chunks(sse(*chunks)))


def send_chat(server: Server, *, retries: int = 0, model: str = MODEL) -> tuple[Completion, list[Delta]]:
    received: list[Delta] = []
    provider = GeminiProvider(
        "main",
        LlmConfig(type="gemini", api_key="k-1234567"),
        retry=RetryPolicy(max_retries=retries, sleep=lambda _: None),
        transport=server.transport,
    )
    return provider.generate_chat([user("Hello")], model, ChatOptions(Deadline.after(30)), received.append), received


def failure(*chunks: Event) -> tuple[str, str, bool]:
    with pytest.raises(ModelError) as caught:
        send_chat(Server(stream(*chunks)))
    return caught.value.type, caught.value.message, caught.value.after_output


def plain(body: Event) -> Completion:
    answer = json.dumps(body).encode()
    return ModelStates("main").call(
        MODEL, [user("Hello")], lambda messages: parse_completion(answer, model=MODEL, conversation=messages)
    )


@pytest.mark.parametrize(
    "body",
    [
        response(text("Hello 👋")),
        response(text("I see.", thought=True), text("Hello."), text("", thoughtSignature="c2ln")),
        response(text("I see.", thought=True, thoughtSignature="dGhv"), text("Hello.", thoughtSignature="c2ln")),
        response(text("Wait."), text("I see.", thought=True), text("Hello.")),
        response(
            text("I see.", thought=True),
            call("lookup", {"key": "a"}, thoughtSignature="c2ln"),
            call("lookup", {"key": "b"}),
            call("calculate", {}),
        ),
        response(text("One"), text("", thoughtSignature="c2ln"), text("two")),
        response(text("Once upon a"), finish="MAX_TOKENS"),
        response(finish="SAFETY"),
        response(text("Hell"), finish="RECITATION"),
        response(),
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 12}},
        {"candidates": [{"finishReason": "STOP"}]},
    ],
)
def test_a_streamed_completion_equals_the_plain_one_and_its_text_that_of_its_deltas(body: Event) -> None:
    answer, received = send_chat(Server(stream(*gemini_chunks(body))))

    assert answer == plain(body)
    assert "".join(delta.text for delta in received if isinstance(delta, TextDelta)) == answer.message.text
    calls = [delta for delta in received if isinstance(delta, CallDelta)]
    assert calls == [CallDelta(index, call.name) for index, call in enumerate(answer.message.tool_calls)]


def test_a_call_that_the_server_cannot_read_is_an_error_with_its_text() -> None:
    chunk = {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "Malformed: print("}]}

    assert failure(chunk) == ("malformed_tool_call", "Malformed: print(", False)


@pytest.mark.parametrize(
    ("model", "path"),
    [
        (MODEL, f"/v1beta/models/{MODEL}:streamGenerateContent?alt=sse"),
        ("tunedModels/mine", "/v1beta/tunedModels/mine:streamGenerateContent?alt=sse"),
    ],
)
def test_the_address_asks_for_server_sent_events(model: str, path: str) -> None:
    server = Server(stream(*gemini_chunks(response(text("Hello.")))))

    send_chat(server, model=model)

    assert [request.url.raw_path.decode() for request in server.requests] == [path]


def test_a_model_that_repeats_its_finish_reason_is_read_to_the_end() -> None:
    chunks = [response(text(piece)) for piece in ("Hel", "lo", ".")]

    answer, received = send_chat(Server(stream(*chunks)))

    assert answer == plain(response(text("Hello.")))
    assert received == [TextDelta("Hel"), TextDelta("lo"), TextDelta(".")]


def test_the_end_marker_of_a_gateway_is_accepted() -> None:
    chunks = [*sse(*gemini_chunks(response(text("Hello.")))), b"data: [DONE]\n\n"]

    marked = httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Chunks(chunks))
    answer, _ = send_chat(Server(marked))

    assert answer == plain(response(text("Hello.")))


def test_only_the_first_candidate_is_read() -> None:
    other = {"content": {"parts": [text("Bye.")]}, "finishReason": "STOP", "index": 1}
    chunks = [response(text("Hello.")), {"candidates": [other]}]

    answer, received = send_chat(Server(stream(*chunks)))

    assert (answer, received) == (plain(response(text("Hello."))), [TextDelta("Hello.")])


ERROR: Event = {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}


def test_an_error_in_the_stream_is_retried_only_before_the_first_delta() -> None:
    started = response(text("Hel"), finish=None)

    assert failure(ERROR) == ("overloaded", "The model is overloaded.", False)
    assert failure(started, ERROR) == ("overloaded", "The model is overloaded.", True)
    retried, _ = send_chat(Server(stream(ERROR), stream(response(text("Hello.")))), retries=1)
    assert retried.message.text == "Hello."


@pytest.mark.parametrize(
    ("chunks", "after_output"),
    [
        ([], False),
        ([{"usageMetadata": USAGE}], False),
        ([response(text("I see.", thought=True), finish=None)], False),
        ([response(text("Hello."), finish=None)], True),
        ([response(call("lookup", {}), finish=None)], True),
    ],
)
def test_a_stream_without_a_finish_reason_is_a_broken_connection(chunks: list[Event], after_output: bool) -> None:
    assert failure(*chunks) == ("network", "the connection broke before the answer was complete", after_output)


UNREADABLE: list[tuple[Event, str]] = [
    ({"candidates": {}}, "candidates: must be a list"),
    ({"candidates": [5]}, "candidates: must be an object"),
    ({"candidates": [{"content": []}]}, "content: must be an object"),
    ({"candidates": [{"content": {"parts": ["Hello"]}}]}, "content.parts: must be an object"),
    ({"candidates": [{"content": {"parts": [{"text": 5}]}}]}, "content.parts.text: must be a string"),
]


@pytest.mark.parametrize(("chunk", "problem"), UNREADABLE)
def test_an_unreadable_chunk_is_an_error_that_does_not_quote_it(chunk: Event, problem: str) -> None:
    assert failure(chunk) == ("invalid_response", f"the answer cannot be read: {problem}", False)


def test_a_malformed_call_affects_only_itself() -> None:
    body = response(text("Hm."), {"functionCall": "lookup"}, call("lookup", {"key": "a"}))

    answer, received = send_chat(Server(stream(body)))

    assert answer == plain(body)
    assert received == [TextDelta("Hm."), CallDelta(0, answer.message.tool_calls[0].name), CallDelta(1, "lookup")]


def test_a_plain_response_of_a_server_that_does_not_stream_is_one_delta() -> None:
    answer, received = send_chat(Server(httpx2.Response(200, json=response(text("Hello.")))))

    assert (answer, received) == (plain(response(text("Hello."))), [TextDelta("Hello.")])
