"""Requests to a configured search service."""

import json
from typing import Any

import httpx2
import pytest

from flexchat.egress.client import GuardedTransport
from flexchat.egress.policy import PUBLIC
from flexchat.errors import RetrievalError, TransientRetrievalError
from flexchat.json import safe_loads
from functions.retrieval.json_service import JsonService
from tests.unit.egress.servers import listening
from tests.unit.retrieval_remote.clock import Time
from tests.unit.retrieval_remote.scripted_service import KEY, Answer, Script, ok, refused, service


def send(*answers: Answer, seconds: float = 10.0, **how: Any) -> tuple[object, Script, Time]:
    script, time = Script(*answers), Time()
    return (
        service(script, time, **how).post("", {"a": 1}, deadline=time.deadline(seconds), read=safe_loads),
        script,
        time,
    )


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


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b'\xef\xbb\xbf{"b":"\xc3\xa9"}', "application/json"),
        ('{"b":"é"}'.encode("utf-16"), "application/json"),
        ('{"b":"é"}'.encode("cp1252"), "application/json; charset=iso-8859-1"),
        ('{"b":"é"}'.encode(), "application/json; charset=unknown"),
    ],
)
def test_a_response_is_read_in_the_charset_that_it_declares(content: bytes, media_type: str) -> None:
    answer, _, _ = send(httpx2.Response(200, content=content, headers={"content-type": media_type}))

    assert answer == {"b": "é"}


def test_a_configured_header_overrides_a_default_one() -> None:
    _, script, _ = send(ok(), headers={"Accept": "application/vnd.x+json"})

    assert script.requests[0].headers.get_list("accept") == ["application/vnd.x+json"]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_transient_errors_are_retried_with_growing_delays(status: int) -> None:
    answer, script, time = send(httpx2.Response(status), httpx2.Response(status), ok())

    assert (answer, len(script.requests), time.waits) == ("fine", 3, [0.5, 1.0])


def test_a_delay_of_the_service_is_used() -> None:
    _, _, time = send(httpx2.Response(429, headers={"retry-after": "3"}), ok())

    assert time.waits == [3.0]


@pytest.mark.parametrize(
    "fault",
    [httpx2.ConnectError("10.0.0.7 refused"), httpx2.ConnectTimeout("x"), httpx2.RemoteProtocolError("cut off")],
)
def test_a_failed_connection_is_retried_and_its_address_never_reported(fault: Exception) -> None:
    answer, script, _ = send(fault, ok())
    error, _, _ = refused(fault, fault, fault)

    assert (answer, len(script.requests)) == ("fine", 2)
    assert error.code == "unavailable"
    assert "10.0.0.7" not in error.message


def test_a_delay_beyond_the_deadline_raises_the_error_at_once() -> None:
    error, script, time = refused(httpx2.Response(429, headers={"retry-after": "30"}), seconds=5)

    assert (error.message, len(script.requests), time.waits) == ("the service 'docs' answered with status 429", 1, [])
    assert isinstance(error, TransientRetrievalError)


def test_nothing_is_sent_without_remaining_time() -> None:
    error, script, _ = refused(seconds=0)

    assert (error.message, error.code, script.requests) == (
        "no time was left to call the service 'docs'",
        "unavailable",
        [],
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
        ("https://localhost/q", "is an address of this machine, which functions reach at the local stage only"),
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
        transport = GuardedTransport(PUBLIC, resolve=lambda _host, _port: ["127.0.0.1"])
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
