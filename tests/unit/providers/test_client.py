"""HTTP client of the adapters."""

import gzip
import json
import socket
import threading
import time
from contextlib import suppress
from typing import Any

import httpx2
import pytest

from flexchat.config.models.llms import LlmConfig
from flexchat.deadline import Deadline
from flexchat.egress.policy import EgressPolicy
from flexchat.errors import ConfigError, ModelError
from flexchat.messages import Json
from functions.chat.providers.base import MAX_ANSWER_BYTES
from functions.chat.providers.client import JsonClient, LlmEndpoint
from functions.chat.providers.errors import SPENT, TransientError, WireError
from functions.chat.providers.profiles import UnsupportedParameterError
from functions.chat.providers.retry import RetryPolicy
from tests.unit.providers.http_server import Chunks, Server


def words(status: int, body: bytes) -> WireError | None:
    """An error reader for bodies such as `{"error": "text", "retry_after": 2}`."""
    try:
        error_fields: dict[str, Any] = json.loads(body)
    except ValueError:
        return None
    if "error" not in error_fields:
        return None
    return WireError(message=f"{error_fields.pop('error')} ({status})", **error_fields)


def client_of(
    server: Server,
    *,
    max_retries: int = 0,
    sleeps: list[float] | None = None,
    own_headers: dict[str, str] | None = None,
    **config: Any,
) -> JsonClient:
    waits: list[float] = [] if sleeps is None else sleeps
    return JsonClient(
        LlmEndpoint(
            "main",
            LlmConfig.model_validate({"type": "ollama", "base_url": "https://model.test/base", **config}),
            retry=RetryPolicy(max_retries=max_retries, sleep=waits.append, random=lambda: 1.0),
            transport=server.transport,
        ),
        headers=own_headers or {},
        read_error=words,
    )


def text(answer: bytes) -> str:
    return answer.decode()


def failure(client: JsonClient, sent: Json = None, *, deadline: Deadline | None = None) -> ModelError:
    with pytest.raises(ModelError) as caught:
        client.post("/chat", json.dumps(sent or {}).encode(), deadline=deadline or Deadline.after(30), read=text)
    return caught.value


def error_fields(error: ModelError) -> tuple[str, str, str, int | None, float | None]:
    return type(error).__name__, error.type, error.message, error.status, error.retry_after


def test_the_body_is_posted_and_the_response_parsed() -> None:
    server = Server(httpx2.Response(200, text="Hello."))

    answer = client_of(server).post("/chat", b'{"a":1}', deadline=Deadline.after(30), read=text)

    (request,) = server.requests
    assert (answer, request.method, str(request.url), request.content) == (
        "Hello.",
        "POST",
        "https://model.test/base/chat",
        b'{"a":1}',
    )
    assert (request.headers["content-type"], request.headers["accept"]) == ("application/json", "application/json")


def test_a_get_request_has_no_body() -> None:
    server = Server(httpx2.Response(200, text="Hello."))

    answer = client_of(server).get("/models", deadline=Deadline.after(30), read=text)

    (request,) = server.requests
    assert (answer, request.method, str(request.url), request.content) == (
        "Hello.",
        "GET",
        "https://model.test/base/models",
        b"",
    )
    assert "content-type" not in request.headers


def test_configured_headers_take_precedence_in_any_case() -> None:
    server = Server(httpx2.Response(200))
    own = {"x-api-key": "k", "x-version": "1"}

    for client in (
        client_of(server, own_headers=own),
        client_of(server, own_headers=own, headers={"X-Version": "2", "Accept": "*/*"}),
    ):
        client.post("/chat", b"{}", deadline=Deadline.after(30), read=text)

    sent_headers = [
        [request.headers[name] for name in ("x-api-key", "x-version", "accept")] for request in server.requests
    ]
    assert sent_headers == [["k", "1", "application/json"], ["k", "2", "*/*"]]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            httpx2.Response(429, headers={"retry-after": "7"}, json={"error": "slow down"}),
            ("TransientError", "rate_limit", "slow down (429)", 429, 7.0),
        ),
        (
            httpx2.Response(429, headers={"retry-after": "7"}, json={"error": "slow down", "retry_after": 2}),
            ("TransientError", "rate_limit", "slow down (429)", 429, 2),
        ),
        (
            httpx2.Response(429, json={"error": "no credit", "transient": False}),
            ("ModelError", "rate_limit", f"{SPENT}: no credit (429)", 429, None),
        ),
        (
            httpx2.Response(400, json={"error": "busy", "transient": True, "type": "overloaded"}),
            ("TransientError", "overloaded", "busy (400)", 400, None),
        ),
        (
            httpx2.Response(404, text="<html>"),
            ("ModelError", "not_found", "the provider answered with status 404", 404, None),
        ),
        (
            httpx2.Response(302, headers={"location": "https://elsewhere.test"}),
            ("ModelError", "invalid_response", "the provider answered with status 302", 302, None),
        ),
        (
            httpx2.ConnectTimeout("to host.internal:443"),
            ("TransientError", "network", "no connection could be made to the provider", None, None),
        ),
        (
            httpx2.PoolTimeout("no free connection"),
            ("TransientError", "network", "no connection could be made to the provider", None, None),
        ),
        (
            httpx2.WriteTimeout("slow"),
            ("ModelError", "timeout", "the model did not answer within 60000 ms", None, None),
        ),
        (
            httpx2.ReadError("reset by 10.0.0.1"),
            ("TransientError", "network", "the connection broke before the answer was complete", None, None),
        ),
        (
            httpx2.UnsupportedProtocol("ftp"),
            ("ModelError", "network", "the request could not be sent to this address", None, None),
        ),
        (
            httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=httpx2.ByteStream(b"no gzip")),
            ("ModelError", "invalid_response", "the answer could not be decompressed", None, None),
        ),
        (
            httpx2.Response(200, headers={"content-encoding": "br"}, stream=httpx2.ByteStream(b"{}")),
            ("ModelError", "invalid_response", "the answer could not be decompressed", None, None),
        ),
    ],
)
def test_each_failure_has_an_error_type_and_no_host_name(
    answer: httpx2.Response | Exception, expected: tuple[object, ...]
) -> None:
    assert error_fields(failure(client_of(Server(answer)), deadline=Deadline.after(90))) == expected


def test_a_parameter_rejected_by_the_provider_is_reported() -> None:
    error = failure(
        client_of(Server(httpx2.Response(400, json={"error": "no", "parameter": "temperature"}))), {"temperature": 1}
    )

    assert isinstance(error, UnsupportedParameterError)
    assert (error.parameter, error.type, error.message) == ("temperature", "invalid_request", "no (400)")


def test_an_unreadable_response_is_its_embedded_error_or_an_invalid_response() -> None:
    def unreadable(answer: bytes) -> None:
        raise ValueError("nothing in it")

    for body, expected in (
        ({"error": "broken"}, ("TransientError", "server_error", "broken (500)", 500, None)),
        ({}, ("ModelError", "invalid_response", "the answer cannot be read: nothing in it", None, None)),
    ):
        client = client_of(Server(httpx2.Response(200, json=body)))
        with pytest.raises(ModelError) as caught:
            client.post("/chat", b"{}", deadline=Deadline.after(30), read=unreadable)
        assert error_fields(caught.value) == expected


def test_the_key_and_configured_headers_are_removed_from_errors() -> None:
    server = Server(httpx2.Response(401, json={"error": "neither key-123456 nor header-123456"}))

    error = failure(client_of(server, api_key="key-123456", headers={"x-other": "header-123456"}))

    assert error.message == "neither [redacted] nor [redacted] (401)"


def test_a_request_is_retried_only_after_transient_errors() -> None:
    sleeps: list[float] = []
    server = Server(httpx2.ConnectError("no"), httpx2.Response(503), httpx2.Response(200, text="Hello."))

    answer = client_of(server, max_retries=2, sleeps=sleeps).post(
        "/chat", b"{}", deadline=Deadline.after(30), read=text
    )

    assert (answer, len(server.requests), sleeps) == ("Hello.", 3, [0.5, 1.0])
    for refused in (httpx2.Response(400), httpx2.ReadTimeout("slow")):
        once = Server(refused)
        assert not isinstance(failure(client_of(once, max_retries=2)), TransientError)
        assert len(once.requests) == 1


def test_each_pause_is_limited_by_the_remaining_time() -> None:
    server = Server(httpx2.Response(200))
    client = client_of(server, timeout_ms=20_000)

    client.post("/chat", b"{}", deadline=Deadline.after(8, clock=lambda: 0.0), read=text)
    client.post("/chat", b"{}", deadline=Deadline.after(2, clock=lambda: 0.0), read=text)
    client.post("/chat", b"{}", deadline=Deadline.after(90, clock=lambda: 0.0), read=text)

    assert [request.extensions["timeout"]["read"] for request in server.requests] == [8.0, 2.0, 20.0]


def test_an_endless_response_is_abandoned() -> None:
    body = Chunks([b" " * (MAX_ANSWER_BYTES // 4)] * 5)

    error = failure(client_of(Server(httpx2.Response(200, stream=body))))

    assert (error.type, error.message) == ("invalid_response", f"the answer is larger than {MAX_ANSWER_BYTES} bytes")
    assert body.closed


def test_an_error_body_is_read_up_to_64_kib_and_its_message_is_reported() -> None:
    body = Chunks([b'{"retry_after": 3, "error": "too ', *[b"x" * 1024] * 1_000])

    error = failure(client_of(Server(httpx2.Response(400, stream=body))))

    assert (error.message, error.retry_after) == (f"too {'x' * 496}… [65513 characters]", 3)
    assert (body.sent, body.closed) == (65, True)


@pytest.mark.parametrize("status", [200, 500])
def test_a_slow_response_is_abandoned_at_the_deadline(status: int) -> None:
    now = iter([0.0, 0.0, 0.0, 1.0, 1.0])
    deadline = Deadline(at=2.0, clock=lambda: next(now, 2.0))
    body = Chunks([b"{"] * 100)

    error = failure(client_of(Server(httpx2.Response(status, stream=body))), deadline=deadline)

    assert (error.type, error.message) == ("timeout", "the model did not answer within 2000 ms")
    assert body.closed


def send_slowly(listener: socket.socket, head: bytes, piece: bytes) -> None:
    """Send `head`, then `piece` to the first client every 10 ms until it disconnects, for 30 seconds at most."""
    connection, _ = listener.accept()
    with connection, suppress(OSError):
        connection.sendall(head)
        for _ in range(3_000):
            connection.sendall(piece)
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("head", "piece"),
    [(b"", b""), (b"", b"H"), (b"HTTP/1.1 200 OK\r\nx-long: ", b"h"), (b"HTTP/1.1 200 OK\r\n\r\n", b" ")],
    ids=["nothing", "a status line without end", "a header without end", "a body without end"],
)
def test_a_server_without_a_complete_answer_is_abandoned_at_the_timeout(head: bytes, piece: bytes) -> None:
    """A new byte every 10 ms does not extend the timeout of 200 ms."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=send_slowly, args=(listener, head, piece), daemon=True).start()
        client = JsonClient(
            LlmEndpoint(
                "main",
                LlmConfig(type="ollama", timeout_ms=200, base_url=f"http://127.0.0.1:{listener.getsockname()[1]}"),
                egress=EgressPolicy(local=True),
            ),
            headers={},
            read_error=words,
        )

        error = failure(client)

    assert (error.type, error.message) == ("timeout", "the model did not answer within 200 ms")


def test_a_compressed_response_is_decompressed() -> None:
    content = gzip.compress(b"Hello.")
    server = Server(httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=httpx2.ByteStream(content)))

    assert client_of(server).post("/chat", b"{}", deadline=Deadline.after(30), read=text) == "Hello."


@pytest.mark.parametrize("status", [200, 500])
def test_a_compressed_body_that_expands_to_nothing_is_read_up_to_the_limit(status: int) -> None:
    empty_blocks = b"\x00\x00\x00\xff\xff" * 13_000
    start = gzip.compress(b"")[:10]
    body = Chunks([start, *[empty_blocks] * (MAX_ANSWER_BYTES // len(empty_blocks) + 1)])
    server = Server(httpx2.Response(status, headers={"content-encoding": "gzip"}, stream=body))

    error = failure(client_of(server))

    assert error.type == "invalid_response"
    too_large = f"the answer is larger than {MAX_ANSWER_BYTES} bytes"
    assert error.message == {200: too_large, 500: "the answer could not be decompressed"}[status]


@pytest.mark.parametrize(
    ("config", "path"),
    [
        (LlmConfig(type="ollama", api_key="a\nb"), "llms.main.api_key"),
        (LlmConfig(type="ollama", base_url="http://[::1"), "llms.main.base_url"),
        (LlmConfig(type="ollama", base_url="http://-\u2013.test"), "llms.main.base_url"),
    ],
)
def test_invalid_headers_are_rejected_at_creation(config: LlmConfig, path: str) -> None:
    with pytest.raises(ConfigError) as caught:
        JsonClient(LlmEndpoint("main", config), headers={}, read_error=words)

    assert [problem.path for problem in caught.value.problems] == [path]
