"""Credentials and access tokens of http tools."""

import base64
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs

import httpx2
import pytest

from flexchat.config.models.http_auth import OAuth2Auth
from flexchat.deadline import Deadline
from flexchat.http_client import HttpResponse
from flexchat.http_credentials import MAX_CLIENTS
from flexchat.messages import Json
from functions.tools.http.requests import HttpRequest
from functions.tools.http.sender import OAuth2Tokens
from tests.unit.http_tool.scripted_api import URL, Answer, Api, answer


def test_refused_credentials_are_not_quoted() -> None:
    error = Api(answer({"message": "key canary-123456 is invalid"}, 401)).error()

    assert error.message == "The API refused the credentials of the tool (HTTP 401)"


@pytest.mark.parametrize(
    ("auth", "header", "value"),
    [
        ({"type": "bearer", "token": "t0ken"}, "authorization", "Bearer t0ken"),
        (
            {"type": "basic", "username": "ann", "password": "p:w"},
            "authorization",
            "Basic " + base64.b64encode(b"ann:p:w").decode(),
        ),
        ({"type": "api_key", "name": "X-Api-Key", "value": "k"}, "x-api-key", "k"),
    ],
)
def test_credentials_are_sent_in_a_header(auth: dict[str, str], header: str, value: str) -> None:
    api = Api(answer({}))

    api.call(auth=auth)

    assert api.requests[0].headers[header] == value


def test_a_key_in_the_query_replaces_an_argument_of_its_name() -> None:
    api = Api(answer({}))

    api.call({"key": "evil", "q": "x"}, auth={"type": "api_key", "in": "query", "name": "key", "value": "a&b"})

    assert str(api.requests[0].url) == f"{URL}?q=x&key=a%26b"


OAUTH = {
    "type": "oauth2_client_credentials",
    "token_url": "https://login.example.com/token",
    "client_id": "flex chat",
    "client_secret": "s3cret",
    "scope": "read",
}


def test_an_access_token_is_requested_once_and_again_before_it_expires() -> None:
    token = answer({"access_token": "token-one", "token_type": "Bearer", "expires_in": 3600})
    again = answer({"access_token": "token-two", "token_type": "Bearer", "expires_in": 3600})
    api = Api(token, answer({"n": 1}), answer({"n": 2}), again, answer({"n": 3}))

    results = [api.call(auth=OAUTH), api.call(auth=OAUTH)]
    api.now += 3_575
    results.append(api.call(auth=OAUTH))

    assert results == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert [sent.headers["authorization"] for sent in api.requests if sent.url.host == "api.example.com"] == [
        "Bearer token-one",
        "Bearer token-one",
        "Bearer token-two",
    ]
    request = api.requests[0]
    assert request.headers["authorization"] == "Basic " + base64.b64encode(b"flex%20chat:s3cret").decode()
    assert parse_qs(request.content.decode()) == {"grant_type": ["client_credentials"], "scope": ["read"]}


def test_a_refused_access_token_is_replaced_once() -> None:
    token = answer({"access_token": "token-one"})
    again = answer({"access_token": "token-two"})
    api = Api(token, answer({}, 401), again, answer({}, 401))

    error = api.error(auth=OAUTH)

    assert (error.type, [sent.url.host for sent in api.requests]) == (
        "configuration",
        ["login.example.com", "api.example.com", "login.example.com", "api.example.com"],
    )


@pytest.mark.parametrize(
    ("token", "type", "message"),
    [
        (
            answer({"error": "invalid_client"}, 401),
            "configuration",
            "refused the credentials in 'auth' of the tool (HTTP 401)",
        ),
        (answer({}, 500), "unavailable", "answered with HTTP 500"),
        (answer({"access_token": "x", "token_type": "mac"}), "configuration", "did not answer with a bearer token"),
        (httpx2.ConnectError("refused"), "unavailable", "could not be reached"),
        (httpx2.ReadTimeout("slow"), "timeout", "did not answer in time"),
        (
            answer({}, 302, location="https://elsewhere.example.com/"),
            "execution_failed",
            "redirected the request to another address, which this tool does not follow",
        ),
        (httpx2.Response(200, text="<html>"), "configuration", "did not answer with a bearer token"),
    ],
)
def test_an_access_token_that_is_not_issued_is_an_error(token: Answer, type: str, message: str) -> None:
    error = Api(token).error(auth=OAUTH)

    assert (error.type, error.message) == (type, f"The authorization server {message}")


def test_an_access_token_that_the_api_repeats_is_redacted() -> None:
    api = Api(answer({"access_token": "canary-token-1"}), answer({"you_sent": "Bearer canary-token-1"}))

    assert "canary-token-1" not in json.dumps(api.call(auth=OAUTH))


def test_parallel_calls_wait_for_one_request_of_a_token() -> None:
    started = threading.Barrier(8, timeout=30)

    def token(_: httpx2.Request) -> httpx2.Response:
        return answer({"access_token": "token-one", "expires_in": 3600})

    api = Api(lambda request: token(request) if request.url.host == "login.example.com" else answer({"ok": True}))

    def call(_: int) -> Json:
        started.wait()
        return api.call(auth=OAUTH)

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(call, range(8)))

    assert results == [{"ok": True}] * 8
    assert [sent.url.host for sent in api.requests].count("login.example.com") == 1


def test_tokens_of_many_configurations_are_dropped_after_a_while() -> None:
    def issued(request: HttpRequest, due: Deadline) -> HttpResponse:
        return HttpResponse(200, {}, b'{"access_token":"token-one","expires_in":1e300}')

    tokens = OAuth2Tokens(issued)

    for number in range(MAX_CLIENTS + 10):
        tokens.get(OAuth2Auth.model_validate({**OAUTH, "client_id": f"client-{number}"}), Deadline.after(10))

    assert len(tokens) == MAX_CLIENTS
