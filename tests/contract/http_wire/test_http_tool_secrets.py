"""Secrets of http tools: sent to their host, and found nowhere else."""

import base64
import json
import logging
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

import pytest

from flexchat.messages import Json
from flexchat.observability import logger
from tests.contract.http_wire.conftest import HttpLambda
from tests.contract.http_wire.hostile_server import Exchange, Received

pytestmark = pytest.mark.slow

CANARY = "c4n4ry/key+of=the&service"
TOKEN = "c4n4ry-t0ken-of-the-authorization-server"
BASIC = base64.b64encode(f"ann:{CANARY}".encode()).decode()
FORMS = frozenset(
    {CANARY, quote(CANARY, safe=""), quote(CANARY), base64.b64encode(CANARY.encode()).decode()[:-2], BASIC[8:-4], TOKEN}
)

BRACES = "c4n4ry-{id}-${KEY}#1%"
"""Secret in the form of a path parameter, of a reference and of a fragment."""

SIGNED = "?sv=2024&sig=c4n4ry%2Bsignature%3D"
"""Secret that is a part of an address already."""

OAUTH: dict[str, Any] = {"type": "oauth2_client_credentials", "client_id": "c", "client_secret": "${KEY}"}

PLACES: Mapping[str, dict[str, Any]] = {
    "header": {"headers": {"X-Key": "Bearer ${KEY}"}},
    "query": {"query": {"key": "${KEY}"}},
    "bearer": {"auth": {"type": "bearer", "token": "${KEY}"}},
    "basic": {"auth": {"type": "basic", "username": "ann", "password": "${KEY}"}},
    "key in a header": {"auth": {"type": "api_key", "name": "X-Key", "value": "${KEY}"}},
    "key in the query": {"auth": {"type": "api_key", "in": "query", "name": "key", "value": "${KEY}"}},
    "client secret": {"auth": OAUTH},
    "client secret in the body": {"auth": {**OAUTH, "client_authentication": "body"}},
}


@pytest.fixture
def secrets() -> dict[str, str]:
    return {"KEY": CANARY, "SEGMENT": "c4n4ry-in-the-path", "BRACES": BRACES, "SIGNED": SIGNED}


@pytest.fixture(autouse=True)
def verbose(caplog: pytest.LogCaptureFixture) -> Any:
    """Log every line of DEBUG, those of libraries too."""
    level = logger.log_level
    logger.setLevel("DEBUG")
    caplog.set_level(logging.DEBUG)
    yield
    logger.setLevel(level)


def issue(exchange: Exchange) -> None:
    exchange.answer(json.dumps({"access_token": TOKEN, "expires_in": 60}).encode())


def refuse(exchange: Exchange) -> None:
    exchange.answer(f"unknown client {exchange.request.headers} {exchange.request.body!r}".encode(), status="400 Bad")


def assert_hidden(reply: Json, capsys: pytest.CaptureFixture[str], *more: str) -> None:
    output = capsys.readouterr()
    written = json.dumps(reply) + output.out + output.err
    assert [form for form in (*FORMS, *more) if form in written or json.dumps(form)[1:-1] in written] == []


def decoded(request: Received) -> str:
    """Return the parts of a request without percent-encoding and base64."""
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    if scheme == "Basic":
        credentials = base64.b64decode(credentials).decode()
    return unquote(f"{request.target} {request.headers.get('x-key')} {credentials} {request.body.decode()}")


def with_token_url(http: HttpLambda, values: dict[str, Any]) -> dict[str, Any]:
    auth = values.get("auth", {})
    return {**values, "auth": {**auth, "token_url": http.server.url("/token")}} if auth.get("client_id") else values


@pytest.mark.parametrize("inspect", [False, True])
@pytest.mark.parametrize("path", ["/echo", "/echo_error", "/echo_redirect", "/garbage", "/nothing", "/image"])
@pytest.mark.parametrize("place", PLACES)
def test_a_secret_that_the_server_repeats_is_found_nowhere(
    http: HttpLambda, capsys: pytest.CaptureFixture[str], place: str, path: str, inspect: bool
) -> None:
    http.server.paths["/token"] = issue
    values = with_token_url(http, PLACES[place])

    reply = http.call(path, {"q": "x"}, inspect=inspect, follow_redirects=2, **values)

    sent = [f"{one.target} {one.headers} {one.body!r}" for one in http.server.requests]
    assert any(form in text for text in sent for form in FORMS)
    assert_hidden(reply, capsys)


@pytest.mark.parametrize("answer", [refuse, issue])
@pytest.mark.parametrize("place", ["client secret", "client secret in the body"])
def test_a_client_secret_is_found_nowhere_when_the_token_is_refused(
    http: HttpLambda, capsys: pytest.CaptureFixture[str], place: str, answer: Any
) -> None:
    http.server.paths["/token"] = answer

    reply = http.call("/silent", timeout_ms=300, **with_token_url(http, PLACES[place]))

    assert reply["ok"] is False
    assert_hidden(reply, capsys)


def test_a_secret_in_the_path_is_found_nowhere(http: HttpLambda, capsys: pytest.CaptureFixture[str]) -> None:
    http.server.paths["/c4n4ry-in-the-path"] = http.server.paths["/echo"]

    reply = http.call("/${SEGMENT}", inspect=True)

    assert reply["ok"]
    assert_hidden(reply, capsys, "c4n4ry-in-the-path")


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("/items/{id}/${BRACES}", f"/items/7/{quote(BRACES)}"),
        ("/items/{id}?key=${BRACES}", f"/items/7?key={quote(BRACES)}"),
        ("/items/{id}${SIGNED}", f"/items/7{SIGNED}"),
    ],
)
def test_a_secret_in_an_address_is_neither_a_parameter_nor_a_reference(
    http: HttpLambda, capsys: pytest.CaptureFixture[str], url: str, target: str
) -> None:
    http.server.paths[target.partition("?")[0]] = http.server.paths["/echo"]

    reply = http.call(url, {"id": 7}, inspect=True)

    assert [request.target for request in http.server.requests] == [target]
    assert_hidden(reply, capsys, BRACES, quote(BRACES), SIGNED)


@pytest.mark.parametrize("place", PLACES)
def test_a_reference_in_the_text_of_a_secret_stays_literal(
    http: HttpLambda, secrets: dict[str, str], place: str
) -> None:
    http.server.paths["/token"] = issue
    secrets["KEY"] = "c4n4ry-${SEGMENT}-{id}-{{id}}"

    http.call("/echo", {"id": "7"}, **with_token_url(http, PLACES[place]))

    assert secrets["KEY"] in " ".join(map(decoded, http.server.requests))


@pytest.mark.parametrize(
    "implementation",
    [
        {"url": "http://127.0.0.1:1/${KEY} {x}"},
        {"headers": {"X-Key": "${KEY}\n"}},
        {"auth": {**OAUTH, "token_url": "https://${SEGMENT}!/"}},
        {"auth": {"type": "bearer", "token": "${KEY}", "unknown": "${KEY}"}},
    ],
)
def test_the_error_of_a_misconfigured_tool_has_no_secret(
    http: HttpLambda, capsys: pytest.CaptureFixture[str], implementation: dict[str, Any]
) -> None:
    reply = http.call("/good", **implementation)

    assert reply["error"]["type"] == "configuration"
    assert_hidden(reply, capsys, "c4n4ry-in-the-path")


@pytest.mark.parametrize(
    "text", ["${KEY}", "${AWS_SECRET_ACCESS_KEY}", "${key}", "${${KEY}}", "{{secret}}", "${PATH}", "$KEY", "%24{KEY}"]
)
def test_references_in_arguments_stay_literal(
    http: HttpLambda, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "c4n4ry-of-the-lambda")
    headers = {"X-Key": "${KEY}"}
    template = {"a": "{{text}}", "b": "say {{text}}"}

    reply = http.call(
        "/echo", {"text": text, "secret": "value"}, method="POST", headers=headers, body={"template": template}
    )

    assert json.loads(http.server.requests[0].body) == {"a": text, "b": f"say {text}"}
    assert_hidden(reply, capsys, "c4n4ry-of-the-lambda")


def test_a_secret_is_not_sent_after_a_redirect_to_another_host(http: HttpLambda) -> None:
    http.server.paths["/away"] = lambda exchange: exchange.answer(
        b"", f"Location: http://localhost:{http.server.port}/echo", status="302 Found"
    )

    allowed = [f"localhost:{http.server.port}"]

    reply = http.call("/away", follow_redirects=1, allowed_hosts=allowed, **PLACES["header"])

    assert reply["ok"]
    assert ["x-key" in request.headers for request in http.server.requests] == [True, False]
