"""Calls of servers at addresses that misbehave: each ends with an error, and the next call works."""

from collections.abc import Iterator

import pytest

from tests.contract.http_wire.hostile_server import HostileServer
from tests.contract.mcp_wire.conftest import McpLambda

UNAVAILABLE = "The MCP server 'server' ended during the call"


@pytest.fixture
def url(server: HostileServer, mcp: McpLambda) -> Iterator[str]:
    url = server.url("/mcp")
    assert mcp.call(url, "good")["result"] == "fine"
    yield url
    assert mcp.call(url, "good")["result"] == "fine"
    initialized = [request for request in server.requests if b'"initialize"' in request.body]
    assert len(initialized) == 1


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["slow_events", "slow_body", "slow_headers", "silent"])
def test_a_response_that_does_not_end_is_cut_off_at_the_timeout(
    mcp: McpLambda, server: HostileServer, url: str, tool: str
) -> None:
    assert mcp.error(url, tool, timeout_ms=500)[0] == "timeout"
    assert mcp.call(url, "good")["ok"]
    if tool != "silent":
        server.wait_for_responses()  # the connection is closed, also when the server only receives a notification


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["endless", "endless_events"])
def test_an_endless_response_is_cut_off_at_the_limit(
    mcp: McpLambda, server: HostileServer, url: str, tool: str
) -> None:
    message = "The response of the MCP server 'server' has more than 16000000 bytes"
    assert mcp.error(url, tool) == ("result_too_large", message)
    server.wait_for_responses()
    assert server.sent["/mcp"] < 40_000_000


def test_an_endless_event_is_cut_off_at_its_limit(mcp: McpLambda, server: HostileServer, url: str) -> None:
    assert mcp.error(url, "endless_event")[0] == "unavailable"
    server.wait_for_responses()
    assert server.sent["/mcp"] < 40_000_000


@pytest.mark.parametrize("tool", ["nothing", "reset", "short_body", "garbage", "many_headers", "long_header"])
def test_a_broken_response_is_an_error_of_its_call_alone(mcp: McpLambda, url: str, tool: str) -> None:
    assert mcp.error(url, tool)[0] == "unavailable"


@pytest.mark.slow
def test_a_stream_without_a_response_is_an_error(mcp: McpLambda, url: str) -> None:
    assert mcp.error(url, "ended_events")[0] == "unavailable"


@pytest.mark.parametrize("tool", ["events_with_a_long_delay", "events_with_a_longer_delay"])
def test_a_stream_with_an_impossible_delay_is_an_error(mcp: McpLambda, server: HostileServer, tool: str) -> None:
    url = server.url("/mcp")

    assert mcp.error(url, tool, timeout_ms=500)[0] in ("timeout", "unavailable")
    assert mcp.call(url, "good")["result"] == "fine"


@pytest.mark.slow
def test_a_stream_is_resumed_a_limited_number_of_times(mcp: McpLambda, server: HostileServer, url: str) -> None:
    assert mcp.error(url, "resumable_events")[0] == "unavailable"
    resumed = [request for request in server.requests if request.method == "GET"]
    assert len(resumed) == 100
    assert {request.headers["last-event-id"] for request in resumed} == {"1"}


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("gzip_bomb", ("execution_failed", "The response of the MCP server 'server' is compressed")),
        ("gzip_of_nothing", ("execution_failed", "The response of the MCP server 'server' is compressed")),
        ("image", ("execution_failed", "The MCP server 'server' answered with neither JSON nor events")),
        ("overloaded", ("unavailable", "The MCP server 'server' answered with HTTP 503")),
        ("endless_error", ("unavailable", "The MCP server 'server' answered with HTTP 500")),
        ("forged_failure", ("execution_failed", "the server's own words")),
        ("server_error", ("execution_failed", "the sensor is offline")),
        (
            "unauthorized",
            (
                "configuration",
                "The MCP server 'server' refused the request: check its credentials (HTTP 401)",
            ),
        ),
        (
            "forbidden",
            (
                "configuration",
                "The MCP server 'server' refused the request: check its credentials (HTTP 403)",
            ),
        ),
    ],
)
def test_an_unusable_response_has_an_error_without_its_body(
    mcp: McpLambda, url: str, tool: str, expected: tuple[str, str]
) -> None:
    assert mcp.error(url, tool) == expected


@pytest.mark.parametrize("tool", ["deep_json", "invalid_json"])
def test_a_body_that_is_no_message_is_an_error(mcp: McpLambda, url: str, tool: str) -> None:
    assert mcp.error(url, tool)[0] == "execution_failed"


@pytest.mark.parametrize("tool", ["metadata", "metadata_events", "to_get", "loop"])
def test_a_redirect_is_followed_only_within_the_origin(
    mcp: McpLambda, server: HostileServer, url: str, tool: str
) -> None:
    before = len(server.requests)
    message = "The MCP server 'server' redirected the request to another address, which is not followed"
    assert mcp.error(url, tool) == ("execution_failed", message)
    calls = [request for request in server.requests[before:] if b"tools/call" in request.body]
    assert len(calls) == (4 if tool == "loop" else 1)
