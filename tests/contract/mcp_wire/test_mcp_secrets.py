"""Secrets of MCP servers: sent to their host, and found nowhere else."""

import json
import logging
from collections.abc import Mapping
from typing import Any

import pytest

from flexchat.observability import logger
from tests.contract.http_wire.hostile_server import Exchange, HostileServer
from tests.contract.http_wire.test_http_tool_secrets import CANARY, FORMS, OAUTH, TOKEN, assert_hidden, decoded, issue
from tests.contract.mcp_wire.conftest import McpLambda
from tests.contract.mcp_wire.misbehaviours import mcp_endpoint

pytestmark = pytest.mark.slow

PLACES: Mapping[str, dict[str, Any]] = {
    "header": {"headers": {"X-Key": "Bearer ${KEY}"}},
    "bearer": {"auth": {"type": "bearer", "token": "${KEY}"}},
    "basic": {"auth": {"type": "basic", "username": "ann", "password": "${KEY}"}},
    "key in a header": {"auth": {"type": "api_key", "name": "X-Key", "value": "${KEY}"}},
    "key in the query": {"auth": {"type": "api_key", "in": "query", "name": "key", "value": "${KEY}"}},
    "client secret": {"auth": OAUTH},
    "client secret in the body": {"auth": {**OAUTH, "client_authentication": "body"}},
}
TOOLS = ("echo", "echo_failure", "echo_protocol_error", "unauthorized", "garbage", "nothing", "image", "metadata")


@pytest.fixture
def secrets() -> dict[str, str]:
    return {"KEY": CANARY, "SEGMENT": "c4n4ry-in-the-path"}


@pytest.fixture(autouse=True)
def verbose(caplog: pytest.LogCaptureFixture) -> Any:
    """Log every line of DEBUG, those of libraries too."""
    level = logger.log_level
    logger.setLevel("DEBUG")
    caplog.set_level(logging.DEBUG)
    yield
    logger.setLevel(level)


def connection(server: HostileServer, place: str) -> dict[str, Any]:
    server.paths["/token"] = issue
    auth = PLACES[place].get("auth", {})
    return {"auth": {**auth, "token_url": server.url("/token")}} if auth.get("client_id") else PLACES[place]


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("place", PLACES)
def test_a_secret_that_the_server_repeats_is_found_nowhere(
    mcp: McpLambda, server: HostileServer, capsys: pytest.CaptureFixture[str], place: str, tool: str
) -> None:
    reply = mcp.call(server.url("/mcp"), tool, {"q": "x"}, **connection(server, place))

    sent = [f"{one.target} {one.headers} {one.body!r}" for one in server.requests]
    assert any(form in text for text in sent for form in FORMS)
    assert_hidden(reply, capsys)


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_in_the_description_of_a_tool_is_redacted(
    mcp: McpLambda, server: HostileServer, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    reply = mcp.list(server.url("/mcp"), **connection(server, place))

    assert [tool["name"] for tool in reply["result"]["tools"]] == ["echo"]
    assert_hidden(reply, capsys)


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_sent_as_it_is_stored(mcp: McpLambda, server: HostileServer, place: str) -> None:
    mcp.call(server.url("/mcp"), "good", **connection(server, place))

    assert any(CANARY in decoded(request).replace("+of", "+of") for request in server.requests)


def test_a_secret_in_the_path_is_found_nowhere(
    mcp: McpLambda, server: HostileServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.paths["/c4n4ry-in-the-path"] = mcp_endpoint

    reply = mcp.call(server.url("/${SEGMENT}"), "echo")

    assert reply["ok"]
    assert_hidden(reply, capsys, "c4n4ry-in-the-path")


@pytest.mark.parametrize("text", ["${KEY}", "${AWS_SECRET_ACCESS_KEY}", "${${KEY}}", "$KEY", "%24{KEY}"])
def test_references_in_arguments_stay_literal(
    mcp: McpLambda, server: HostileServer, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "c4n4ry-of-the-lambda")

    mcp.call(server.url("/mcp"), "good", {"text": text}, headers={"X-Key": "${KEY}"})

    bodies = [json.loads(request.body) for request in server.requests if b"tools/call" in request.body]
    assert [body["params"]["arguments"] for body in bodies] == [{"text": text}]


def test_a_secret_is_not_sent_to_a_host_that_it_is_not_bound_to(mcp: McpLambda, server: HostileServer) -> None:
    url = f"http://localhost:{server.port}/mcp"

    assert mcp.error(url, "good", headers={"X-Key": "${KEY}"})[0] == "configuration"
    assert server.requests == []


def test_a_token_is_requested_once_and_replaced_when_it_is_refused(mcp: McpLambda, server: HostileServer) -> None:
    issued = 0

    def token(exchange: Exchange) -> None:
        nonlocal issued
        issued += 1
        exchange.answer(json.dumps({"access_token": f"{TOKEN}-{issued}", "expires_in": 3_600}).encode())

    def protected(exchange: Exchange) -> None:
        if exchange.request.headers.get("authorization") == f"Bearer {TOKEN}-2":
            mcp_endpoint(exchange)
        else:
            exchange.answer(b"", status="401 Unauthorized")

    values = connection(server, "client secret")
    server.paths |= {"/token": token, "/mcp": protected}

    results = [mcp.call(server.url("/mcp"), "good", **values) for _ in range(3)]

    assert [result["result"] for result in results] == ["fine"] * 3
    assert issued == 2


def test_refused_client_credentials_are_an_error_of_the_configuration(
    mcp: McpLambda, server: HostileServer, capsys: pytest.CaptureFixture[str]
) -> None:
    values = connection(server, "client secret")
    server.paths["/token"] = lambda exchange: exchange.answer(b"unknown client", status="401 Unauthorized")

    kind, message = mcp.error(server.url("/mcp"), "good", **values)

    assert kind == "configuration"
    assert "authorization server refused the credentials" in message
    assert {request.target for request in server.requests} == {"/token"}
