"""Errors, retries and limits of the OpenAI adapter."""

import gzip
import json
from collections.abc import Iterator

import httpx2
import pytest

from flexchat.deadline import Deadline
from flexchat.messages import Json, assistant
from functions.chat.providers.base import MAX_ANSWER_BYTES
from tests.unit.providers.http_server import CountedChunks
from tests.unit.providers.openai_server import Server, completion, failure, provider_of, refused, send_chat


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"error": {"message": "busy", "code": 503}}, ("overloaded", "busy")),
        ({"error": {"message": "bad", "code": "400"}}, ("invalid_request", "bad")),
        ({"error": "model is loading"}, ("server_error", "model is loading")),
        ({"message": "gone", "code": 404}, ("not_found", "gone")),
        ({"detail": "nope"}, ("server_error", "nope")),
    ],
)
def test_an_error_with_a_success_status_is_an_error(body: Json, expected: tuple[str, str]) -> None:
    assert failure(provider_of(Server(httpx2.Response(200, json=body)))) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (httpx2.Response(400, json={"error": "plain text"}), ("invalid_request", "plain text")),
        (httpx2.Response(500, json={"error": {"message": {"odd": 1}}}), ("server_error", '{"odd":1}')),
        (httpx2.Response(500, json={"error": {}}), ("server_error", "the provider answered with status 500")),
        (
            refused("This model's maximum context length is 4096 tokens"),
            ("context_length", "This model's maximum context length is 4096 tokens"),
        ),
        (httpx2.Response(413, text=""), ("invalid_request", "the provider answered with status 413")),
        (httpx2.ConnectTimeout("t"), ("network", "no connection could be made to the provider")),
        (httpx2.LocalProtocolError("x"), ("network", "the request could not be sent to this address")),
        (httpx2.ReadError("reset by 10.0.0.7"), ("network", "the connection broke before the answer was complete")),
        (
            httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=httpx2.ByteStream(b"no gzip")),
            ("invalid_response", "the answer could not be decompressed"),
        ),
    ],
)
def test_each_failure_has_an_error_type_and_no_host_name(
    answer: httpx2.Response | Exception, expected: tuple[str, str]
) -> None:
    assert failure(provider_of(Server(answer))) == expected


@pytest.mark.parametrize(
    ("answer", "attempts"),
    [
        (refused("slow down", status=429), 3),
        (refused("pay", status=429, code="insufficient_quota"), 1),
        (refused("oops", status=500), 3),
        (refused("not implemented", status=501), 1),
        (refused("busy", status=529), 3),
        (httpx2.ConnectError("refused"), 3),
        (httpx2.RemoteProtocolError("cut"), 3),
        (httpx2.ReadTimeout("slow"), 1),
        (refused("bad key", status=401), 1),
        (httpx2.Response(200, text="{"), 1),
        (httpx2.Response(200, json={"error": {"message": "busy", "code": 503}}), 3),
    ],
)
def test_only_transient_errors_are_retried(answer: httpx2.Response | Exception, attempts: int) -> None:
    server = Server(answer)

    failure(provider_of(server, max_retries=2))

    assert len(server.requests) == attempts
    assert len({request.content for request in server.requests}) == 1


@pytest.mark.parametrize(
    ("headers", "wait"),
    [({"retry-after": "2"}, 2.0), ({"retry-after-ms": "250", "retry-after": "2"}, 0.25), ({}, 0.5)],
)
def test_the_retry_delay_is_from_the_server_or_the_default(headers: dict[str, str], wait: float) -> None:
    sleeps: list[float] = []
    server = Server(httpx2.Response(503, headers=headers), completion({"content": "Hello."}))

    send_chat(provider_of(server, max_retries=1, sleeps=sleeps))

    assert sleeps == [wait]


def test_an_endless_response_is_abandoned() -> None:
    body = _Chunks([b" " * (MAX_ANSWER_BYTES // 4)] * 5)

    error = failure(provider_of(Server(httpx2.Response(200, stream=body))))

    assert error == ("invalid_response", f"the answer is larger than {MAX_ANSWER_BYTES} bytes")
    assert body.closed


def test_an_error_body_is_read_up_to_64_kib_and_its_message_is_reported() -> None:
    body = _Chunks([b'{"error": {"code": "model_not_found", "message": "no such ', *[b"x" * 1024] * 1_000])

    error = failure(provider_of(Server(httpx2.Response(404, stream=body))))

    assert error == ("not_found", f"no such {'x' * 492}… [65486 characters]")
    assert (body.sent, body.closed) == (65, True)


def test_an_error_in_a_large_response_of_status_200_is_read_up_to_64_kib() -> None:
    answer = httpx2.Response(200, json={"error": {"code": 503, "message": "busy"}, "input": "x" * 1_000_000})

    assert failure(provider_of(Server(answer))) == ("overloaded", "busy")


def test_a_slow_response_is_abandoned_at_the_deadline() -> None:
    now = iter([0.0, 0.0, 0.0, 1.0, 1.0])
    deadline = Deadline(at=2.0, clock=lambda: next(now, 2.0))
    body = _Chunks([b"{"] * 100)

    error = failure(provider_of(Server(httpx2.Response(200, stream=body))), deadline=deadline)

    assert error == ("timeout", "the model did not answer within 2000 ms")
    assert body.closed


def test_an_error_whose_body_does_not_end_in_time_is_a_timeout() -> None:
    body = _PausedChunks([b"{"])
    deadline = Deadline.after(2, clock=lambda: 0.0)

    error = failure(provider_of(Server(httpx2.Response(400, stream=body))), deadline=deadline)

    assert error == ("timeout", "the model did not answer within 2000 ms")
    assert body.closed


class _Chunks(CountedChunks, httpx2.SyncByteStream):
    """Counted chunks of httpx2."""


class _PausedChunks(_Chunks):
    """Chunks with a timeout of the network after them."""

    def __iter__(self) -> Iterator[bytes]:
        yield from super().__iter__()
        raise httpx2.ReadTimeout("the time of the call has ended")


def test_a_compressed_response_is_decompressed() -> None:
    content = gzip.compress(json.dumps({"choices": [{"message": {"content": "Hi"}}]}).encode())
    server = Server(httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=httpx2.ByteStream(content)))

    assert send_chat(provider_of(server)).message == assistant("Hi")
