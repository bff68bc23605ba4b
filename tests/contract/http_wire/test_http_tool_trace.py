"""Trace context in the requests of http tools."""

from typing import Any

import pytest

from tests.contract.http_wire.conftest import HttpLambda

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
OWN = "00-11111111111111111111111111111111-2222222222222222-00"


@pytest.mark.parametrize(
    ("trace", "configured", "sent"),
    [
        ({}, {}, (None, None)),
        ({"traceparent": PARENT}, {}, (PARENT, None)),
        ({"traceparent": PARENT, "tracestate": "a=1"}, {}, (PARENT, "a=1")),
        ({"traceparent": PARENT, "tracestate": "a=1"}, {"TraceParent": OWN}, (OWN, "a=1")),
    ],
)
def test_a_request_has_the_trace_context_of_its_call_unless_the_tool_sets_one(
    http: HttpLambda, trace: dict[str, str], configured: dict[str, str], sent: tuple[str | None, str | None]
) -> None:
    reply: dict[str, Any] = http.call("/good", trace=trace, headers=configured)

    assert reply["ok"]
    (request,) = http.server.requests
    assert (request.headers.get("traceparent"), request.headers.get("tracestate")) == sent


def test_every_request_of_a_call_is_in_its_span(http: HttpLambda) -> None:
    http.call("/loop", trace={"traceparent": PARENT}, follow_redirects=2)

    assert [request.headers["traceparent"] for request in http.server.requests] == [PARENT] * 3


def test_the_log_lines_of_a_call_have_its_trace_id(http: HttpLambda, capsys: pytest.CaptureFixture[str]) -> None:
    http.call("/good", trace={"traceparent": PARENT})
    traced = capsys.readouterr().out
    http.call("/good")
    untraced = capsys.readouterr().out

    lines = [line for line in traced.splitlines() if '"message":' in line]
    assert ['"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"' in line for line in lines] == [True, True]
    assert "4bf92f3577b34da6a3ce929d0e0e4736" not in untraced


def measures(reply: dict[str, Any]) -> dict[str, Any]:
    """Return the measures of a reply without their time."""
    duration_ms = reply["measures"].pop("duration_ms")
    assert isinstance(duration_ms, int)
    assert duration_ms >= 0
    return reply["measures"]


@pytest.mark.parametrize(
    ("path", "implementation", "measured"),
    [
        ("/good", {}, {"http_status": 200}),
        ("/loop", {"follow_redirects": 2}, {}),
    ],
)
def test_a_reply_has_the_status_of_the_last_response(
    http: HttpLambda, path: str, implementation: dict[str, Any], measured: dict[str, int]
) -> None:
    assert measures(http.call(path, trace={"traceparent": PARENT}, **implementation)) == measured


def test_a_request_without_a_response_has_no_status(http: HttpLambda) -> None:
    http.server.close()

    reply = http.call("/good", trace={"traceparent": PARENT}, retry={"max_attempts": 2, "backoff_ms": 1})

    assert not reply["ok"]
    assert measures(reply) == {"retries": 1}
