"""Requests to a configured search service, and its errors."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from flexchat.egress.httpx_transport import GuardedTransport
from flexchat.egress.policy import PUBLIC
from flexchat.errors import RetrievalError, TransientRetrievalError
from flexchat.json import safe_loads
from functions.retrieval.http_client import JsonService
from tests.unit.egress.servers import listening
from tests.unit.retrieval_remote.clock import Time

type Answer = httpx.Response | Exception

KEY = "key-of-the-tests"


class Script:
    """Returns scripted responses and records the requests."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def service(script: Script, time: Time, *, headers: dict[str, str] | None = None, url: str = "https://x.example/q?v=1"):
    return JsonService(
        "the service 'docs'",
        url=url,
        headers={"Authorization": f"Bearer {KEY}"} if headers is None else headers,
        retry=time.retry(),
        max_answer_bytes=1_000,
        transport=httpx.MockTransport(script),
    )


def send(*answers: Answer, seconds: float = 10.0, **how: Any) -> tuple[object, Script, Time]:
    script, time = Script(*answers), Time()
    return (
        service(script, time, **how).post("", {"a": 1}, deadline=time.deadline(seconds), read=safe_loads),
        script,
        time,
    )


def refused(*answers: Answer, seconds: float = 10.0, **how: Any) -> tuple[RetrievalError, Script, Time]:
    script, time = Script(*answers), Time()
    requests = service(script, time, **how)
    with pytest.raises(RetrievalError) as error:
        requests.post("", {"a": 1}, deadline=time.deadline(seconds), read=safe_loads, codes={404: "not_found"})
    return error.value, script, time


def ok(body: object = "fine") -> httpx.Response:
    return httpx.Response(200, json=body)


def test_a_json_body_is_sent_unchanged_and_the_response_returned() -> None:
    answer, script, _ = send(ok({"b": [2]}))

    (request,) = script.requests
    assert answer == {"b": [2]}
    assert (request.method, str(request.url), json.loads(request.content)) == (
        "POST",
        "https://x.example/q?v=1",
        {"a": 1},
    )
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["accept-encoding"] == "identity"


def test_a_configured_header_overrides_a_default_one() -> None:
    _, script, _ = send(ok(), headers={"Accept": "application/vnd.x+json"})

    assert script.requests[0].headers.get_list("accept") == ["application/vnd.x+json"]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_transient_errors_are_retried_with_growing_delays(status: int) -> None:
    answer, script, time = send(httpx.Response(status), httpx.Response(status), ok())

    assert (answer, len(script.requests), time.waits) == ("fine", 3, [0.5, 1.0])


def test_a_delay_of_the_service_is_used() -> None:
    _, _, time = send(httpx.Response(429, headers={"retry-after": "3"}), ok())

    assert time.waits == [3.0]


@pytest.mark.parametrize(
    "fault", [httpx.ConnectError("10.0.0.7 refused"), httpx.ConnectTimeout("x"), httpx.RemoteProtocolError("cut off")]
)
def test_a_failed_connection_is_retried_and_its_address_never_reported(fault: Exception) -> None:
    answer, script, _ = send(fault, ok())
    error, _, _ = refused(fault, fault, fault)

    assert (answer, len(script.requests)) == ("fine", 2)
    assert error.code == "unavailable"
    assert "10.0.0.7" not in error.message


def test_a_delay_beyond_the_deadline_raises_the_error_at_once() -> None:
    error, script, time = refused(httpx.Response(429, headers={"retry-after": "30"}), seconds=5)

    assert (error.message, len(script.requests), time.waits) == ("the service 'docs' answered with status 429", 1, [])
    assert isinstance(error, TransientRetrievalError)


def test_nothing_is_sent_without_remaining_time() -> None:
    error, script, _ = refused(seconds=0)

    assert (error.message, error.code, script.requests) == (
        "no time was left to call the service 'docs'",
        "unavailable",
        [],
    )


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
    error, script, _ = refused(httpx.Response(status, json=body, headers={"location": "http://169.254.169.254/"}))

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

    error, _, _ = refused(httpx.Response(401, json={"error": f"got {quoted}"}), headers=headers)

    assert error.message.startswith("the service 'docs' answered with status 401: got ")
    assert quoted[4:12] not in error.message


def test_an_error_body_has_a_larger_limit_than_a_response() -> None:
    pieces = (piece.encode() for piece in ('{"trace": "', *["x" * 100] * 50, '", "error": "no"}'))

    error, _, _ = refused(httpx.Response(400, content=pieces))

    assert error.message == "the service 'docs' answered with status 400: no"


def test_the_message_of_an_error_body_above_64_kib_is_reported() -> None:
    error, _, _ = refused(httpx.Response(400, json={"error": "no such field", "input": "x" * 200_000}))

    assert error.message == "the service 'docs' answered with status 400: no such field"


def test_an_error_body_that_is_not_json_is_reported_by_its_status() -> None:
    error, _, _ = refused(httpx.Response(400, content=b"<html>" + b"x" * 200_000))

    assert error.message == "the service 'docs' answered with status 400"


@pytest.mark.parametrize("content", [b"", b"<html>", b"{", b"NaN", b"[" * 100, b'{"a":1,"a":2}'])
def test_a_response_that_is_not_json_is_an_error(content: bytes) -> None:
    error, _, _ = refused(httpx.Response(200, content=content))

    assert error.message == "the service 'docs' returned a response that cannot be parsed"


def test_a_response_beyond_the_limit_is_abandoned() -> None:
    sent: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            sent.append(100)
            yield b"x" * 100

    error, _, _ = refused(httpx.Response(200, content=endless()))

    assert error.message == "the service 'docs' answered with more than 1000 bytes"
    assert sum(sent) <= 1_200


def test_a_slow_response_is_abandoned_at_the_deadline() -> None:
    time = Time()

    def trickle() -> Iterator[bytes]:
        while True:
            time.now += 1
            yield b" "

    requests = service(Script(httpx.Response(200, content=trickle())), time)
    with pytest.raises(RetrievalError, match="did not answer in time"):
        requests.post("", {}, deadline=time.deadline(5), read=safe_loads)

    assert time.now < 1_010


def test_a_request_without_a_response_is_not_retried() -> None:
    error, script, _ = refused(httpx.ReadTimeout("x"))

    assert (error.message, len(script.requests)) == ("the service 'docs' did not answer in time", 1)


def test_a_secret_quoted_as_the_encoding_is_not_reported() -> None:
    error, _, _ = refused(httpx.Response(200, headers={"content-encoding": KEY}, stream=httpx.ByteStream(b"x")))

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
    script, time = Script(httpx.UnsupportedProtocol("ftp://x.example")), Time()

    with pytest.raises(RetrievalError) as error:
        service(script, time, url=url).post("", {}, deadline=time.deadline(), read=safe_loads)

    assert (error.value.code, error.value.message) == (
        "invalid",
        "the service 'docs' has an address that cannot be used",
    )


def test_a_lone_surrogate_in_a_text_is_sent_as_a_question_mark() -> None:
    script, time = Script(ok()), Time()

    service(script, time).post("", {"q": "a\ud800b"}, deadline=time.deadline(), read=safe_loads)

    assert json.loads(script.requests[0].content) == {"q": "a?b"}


def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "ftp://no-proxy-at-all")

    JsonService(
        "the service 'docs'",
        url="https://x.example",
        headers={},
        retry=Time().retry(),
        max_answer_bytes=1_000,
    )


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://search.example/q", "must begin with 'https://'"),
        ("https://10.0.3.7/q", "must have a public IP address"),
        ("https://localhost/q", "must have a public IP address"),
    ],
)
def test_an_address_that_is_not_public_is_rejected_before_any_request(url: str, problem: str) -> None:
    with pytest.raises(RetrievalError) as error:
        JsonService("the service 'docs'", url=url, headers={}, retry=Time().retry(), max_answer_bytes=1_000)

    assert (error.value.code, error.value.message) == (
        "invalid",
        f"the service 'docs' has an address that is not allowed: it {problem}",
    )


def test_a_host_with_an_address_of_this_machine_is_refused_and_logged(capsys: pytest.CaptureFixture[str]) -> None:
    with listening() as listener:
        transport = GuardedTransport(PUBLIC, limits=httpx.Limits(), resolve=lambda _host, _port: ["127.0.0.1"])
        requests = JsonService(
            "the service 'docs'",
            url=f"https://search.example:{listener.port}",
            headers={},
            retry=Time().retry(),
            max_answer_bytes=1_000,
            transport=transport,
        )
        with pytest.raises(RetrievalError) as error:
            requests.post("", {}, deadline=Time().deadline(), read=safe_loads)

        assert listener.connections == 0
    message = "the service 'docs' has an address that is not allowed: its host must have public IP addresses only"
    assert (error.value.code, error.value.message) == ("invalid", message)
    assert "127.0.0.1" in capsys.readouterr().out


def read_nothing(_: bytes) -> object:
    raise ValueError


def test_a_response_rejected_by_its_parser_is_an_unknown_format() -> None:
    script, time = Script(ok()), Time()
    reader: Callable[[bytes], object] = read_nothing

    with pytest.raises(RetrievalError, match="that cannot be parsed"):
        service(script, time).post("", {}, deadline=time.deadline(), read=reader)
