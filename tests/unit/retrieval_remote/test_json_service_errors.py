"""Errors of a configured search service."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from urllib.parse import quote

import httpx2
import pytest

from flexchat.errors import RetrievalError
from flexchat.json import safe_loads
from tests.unit.retrieval_remote.clock import Time
from tests.unit.retrieval_remote.scripted_service import KEY, Script, ok, refused, service


@pytest.mark.parametrize(
    ("status", "body", "code", "message"),
    [
        (400, {"error": "no such field"}, "unavailable", "answered with status 400: no such field"),
        (401, {"error": {"message": f"Bad key {KEY}"}}, "unavailable", "answered with status 401: Bad key [redacted]"),
        (403, [{"error": {"message": "denied"}}], "unavailable", "answered with status 403: denied"),
        (404, {"detail": "no such collection"}, "not_found", "answered with status 404: no such collection"),
        (422, {"message": "two\nlines"}, "unavailable", "answered with status 422: two lines"),
        (400, {"error": 7}, "unavailable", "answered with status 400"),
        (400, [], "unavailable", "answered with status 400"),
        (302, {}, "unavailable", "answered with status 302: a redirect, which is not followed"),
    ],
)
def test_a_rejection_is_reported_once_with_the_service_message_without_the_key(
    status: int, body: object, code: str, message: str
) -> None:
    error, script, _ = refused(httpx2.Response(status, json=body, headers={"location": "http://169.254.169.254/"}))

    assert (error.code, error.message, len(script.requests)) == (code, f"the service 'docs' {message}", 1)


@pytest.mark.parametrize(
    "quoted",
    [
        'x"y/z+key-of-tests',
        json.dumps('x"y/z+key-of-tests')[1:-1],
        quote('x"y/z+key-of-tests', safe=""),
        b64encode(b'Bearer x"y/z+key-of-tests').decode(),
        'x"y/z+key-of',
    ],
)
def test_a_key_is_replaced_in_each_quoted_form(quoted: str) -> None:
    headers = {"Authorization": 'Bearer x"y/z+key-of-tests'}

    error, _, _ = refused(httpx2.Response(401, json={"error": f"got {quoted}"}), headers=headers)

    assert error.message.startswith("the service 'docs' answered with status 401: got ")
    assert quoted[4:12] not in error.message


def test_an_error_body_has_a_larger_limit_than_a_response() -> None:
    pieces = (piece.encode() for piece in ('{"trace": "', *["x" * 100] * 50, '", "error": "no"}'))

    error, _, _ = refused(httpx2.Response(400, content=pieces))

    assert error.message == "the service 'docs' answered with status 400: no"


def test_the_message_of_an_error_body_above_64_kib_is_reported() -> None:
    error, _, _ = refused(httpx2.Response(400, json={"error": "no such field", "input": "x" * 200_000}))

    assert error.message == "the service 'docs' answered with status 400: no such field"


def test_an_error_body_that_is_not_json_is_reported_by_its_status() -> None:
    error, _, _ = refused(httpx2.Response(400, content=b"<html>" + b"x" * 200_000))

    assert error.message == "the service 'docs' answered with status 400"


@pytest.mark.parametrize("content", [b"", b"<html>", b"{", b"NaN", b"[" * 100, b'{"a":1,"a":2}'])
def test_a_response_that_is_not_json_is_an_error(content: bytes) -> None:
    error, _, _ = refused(httpx2.Response(200, content=content))

    assert error.message == "the service 'docs' returned a response that cannot be parsed"


def test_a_response_beyond_the_limit_is_abandoned() -> None:
    sent: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            sent.append(100)
            yield b"x" * 100

    error, _, _ = refused(httpx2.Response(200, content=endless()))

    assert error.message == "the service 'docs' answered with more than 1000 bytes"
    assert sum(sent) <= 1_200


def test_a_slow_response_is_abandoned_at_the_deadline() -> None:
    time = Time()

    def trickle() -> Iterator[bytes]:
        while True:
            time.now += 1
            yield b" "

    requests = service(Script(httpx2.Response(200, content=trickle())), time)
    with pytest.raises(RetrievalError, match="did not answer in time"):
        requests.post("", {}, deadline=time.deadline(5), read=safe_loads)

    assert time.now < 1_010


def test_a_request_without_a_response_is_not_retried() -> None:
    error, script, _ = refused(httpx2.ReadTimeout("x"))

    assert (error.message, len(script.requests)) == ("the service 'docs' did not answer in time", 1)


def test_a_secret_quoted_as_the_encoding_is_not_reported() -> None:
    error, _, _ = refused(httpx2.Response(200, headers={"content-encoding": KEY}, stream=httpx2.ByteStream(b"x")))

    assert error.message == "the service 'docs' compressed its response without a request for it ([redacted])"


@pytest.mark.parametrize("headers", [{"X-Key": "a\r\nX-Evil: 1"}, {"X-Ké": "a"}, {"X-Key": "\0"}])
def test_a_header_with_several_lines_or_non_ascii_characters_is_rejected_before_sending(
    headers: dict[str, str],
) -> None:
    with pytest.raises(RetrievalError) as error:
        service(Script(), Time(), headers=headers)

    assert error.value.code == "invalid"


@pytest.mark.parametrize("url", ["", "/relative", "https://x.example/\0", "ftp://x.example"])
def test_an_invalid_url_is_an_error_without_the_url(url: str) -> None:
    script, time = Script(httpx2.UnsupportedProtocol("ftp://x.example")), Time()

    with pytest.raises(RetrievalError) as error:
        service(script, time, url=url).post("", {}, deadline=time.deadline(), read=safe_loads)

    assert (error.value.code, error.value.message) == (
        "invalid",
        "the service 'docs' has an address that cannot be used",
    )


def read_nothing(_: bytes) -> object:
    raise ValueError


def test_a_response_rejected_by_its_parser_is_an_unknown_format() -> None:
    script, time = Script(ok()), Time()
    reader: Callable[[bytes], object] = read_nothing

    with pytest.raises(RetrievalError, match="that cannot be parsed"):
        service(script, time).post("", {}, deadline=time.deadline(), read=reader)
