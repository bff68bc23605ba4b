"""Requests of http tools that are refused, logged or isolated."""

import json
import logging

import httpx2
import pytest

from flexchat.deadline import Deadline
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address
from flexchat.http_client import BoundedHttpClient
from functions.tools.http.requests import HttpRequest
from functions.tools.http.sender import Destination, HttpSender, TransientHttpError
from functions.tools.http.tool import HttpTool
from tests.unit.http_tool.scripted_api import URL, Api, answer


def test_an_address_outside_of_the_deployments_hosts_is_refused_without_a_request() -> None:
    api = Api(answer({}))
    client = BoundedHttpClient(transport=httpx2.MockTransport(lambda _: answer({})))
    api.tool = HttpTool(HttpSender(client, EgressPolicy(allowed_hosts=frozenset({"other.example.com"}))))

    error = api.error()

    assert (error.type, error.message) == ("configuration", "The address of the tool is not allowed")


def test_a_request_that_was_refused_is_not_logged_as_sent(capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(_: httpx2.Request) -> httpx2.Response:
        raise EgressError("address_not_allowed", "the host 'api.example.com' has the address '10.0.0.1'")

    assert Api(refuse).error().type == "configuration"

    events = [json.loads(line)["message"] for line in capsys.readouterr().out.splitlines()]
    assert events == ["http request refused", "http request not sent"]


@pytest.mark.parametrize(
    "error",
    [EgressError("unresolved", "the host has no address"), httpx2.ConnectError("x"), httpx2.ConnectTimeout("x")],
)
def test_a_request_without_a_connection_is_not_logged_as_sent(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: httpx2.Request) -> httpx2.Response:
        raise error

    assert Api(fail).error().type == "unavailable"

    (line,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (line["message"], line["failure"]) == ("http request not sent", "unreachable")


def test_no_request_is_sent_without_remaining_time() -> None:
    sent: list[httpx2.Request] = []
    client = BoundedHttpClient(transport=httpx2.MockTransport(lambda request: sent.append(request) or answer({})))
    sender = HttpSender(client, EgressPolicy())
    destination = Destination(tool="items", address=parse_address(URL), follow_redirects=0, max_bytes=1_024)

    with pytest.raises(TransientHttpError, match="timeout"):
        sender.send(HttpRequest("POST", URL, {}, b"{}", "/items"), destination, due=Deadline.after(0))

    assert sent == []


def test_the_libraries_log_no_addresses(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    Api(answer({})).call({"q": "canary"}, query={"key": "canary"})

    assert "canary" not in caplog.text


def test_an_address_of_this_machine_is_refused_at_aws_with_the_reason() -> None:
    api = Api(answer({}))
    client = BoundedHttpClient(transport=httpx2.MockTransport(lambda _: answer({})))
    api.tool = HttpTool(HttpSender(client, EgressPolicy()))

    error = api.error(url="http://localhost:8123/lamps")

    reason = "it is an address of this machine, which functions reach at the local stage only"
    assert (error.type, error.message) == ("configuration", f"The address of the tool is not allowed: {reason}")
