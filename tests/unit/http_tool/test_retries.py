"""Retries of http tools, and the statuses that cause them."""

import json
from contextlib import suppress

import httpx2
import pytest

from flexchat.errors import ToolError
from flexchat.tool_progress import Requests, counting
from tests.unit.http_tool.scripted_api import Answer, Api, answer


@pytest.mark.parametrize(
    ("status", "type", "requests"),
    [
        (400, "execution_failed", 1),
        (401, "configuration", 1),
        (403, "configuration", 1),
        (404, "execution_failed", 1),
        (429, "rate_limited", 3),
        (500, "unavailable", 3),
        (501, "execution_failed", 1),
        (503, "unavailable", 3),
    ],
)
def test_only_transient_statuses_of_an_idempotent_method_are_retried(status: int, type: str, requests: int) -> None:
    api = Api(answer({"message": "no"}, status))

    error = api.error(retry={"max_attempts": 3, "backoff_ms": 100})

    assert (error.type, len(api.requests), len(api.waits)) == (type, requests, requests - 1)
    assert str(status) in error.message


def test_a_retry_that_succeeds_returns_the_result() -> None:
    api = Api(httpx2.ConnectError("x"), answer({}, 503), answer({"ok": True}))

    assert api.call(retry={"max_attempts": 3, "backoff_ms": 0}) == {"ok": True}


def test_a_call_is_not_retried_unless_the_tool_says_so() -> None:
    api = Api(answer({}, 503))

    api.error()

    assert len(api.requests) == 1


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_request_that_is_not_idempotent_is_sent_once(method: str) -> None:
    api = Api(httpx2.ReadTimeout("x"))

    error = api.error(method=method, retry={"max_attempts": 5})

    assert (error.type, len(api.requests), "idempotency-key" in api.requests[0].headers) == ("timeout", 1, False)


def test_a_post_of_an_idempotent_tool_is_retried_with_the_same_key() -> None:
    api = Api(httpx2.ReadTimeout("x"), answer({"id": 1}))

    assert api.call(method="POST", idempotent=True, retry={"max_attempts": 2, "backoff_ms": 0}) == {"id": 1}
    assert [sent.headers["idempotency-key"] for sent in api.requests] == ["request-1:call-1"] * 2


def test_retry_after_replaces_the_pause() -> None:
    api = Api(answer({}, 429, **{"Retry-After": "3"}), answer({"ok": True}))

    assert api.call(retry={"max_attempts": 2, "backoff_ms": 0}) == {"ok": True}
    assert api.waits == [3.0]


def test_a_retry_after_beyond_the_timeout_ends_the_call_with_the_time_to_try_again() -> None:
    api = Api(answer({}, 429, **{"Retry-After": "120"}))

    error = api.error(retry={"max_attempts": 5})

    assert (len(api.requests), error.type) == (1, "rate_limited")
    assert error.message == "The API answered with HTTP 429 Too Many Requests: {} (try again in 120 s)"


def test_statuses_of_expect_are_successes() -> None:
    api = Api(answer({"error": "not found"}, 404))

    assert api.call(expect={"status": [200, 404]}) == {"error": "not found"}


def test_the_log_line_of_a_retry_does_not_quote_the_response(capsys: pytest.CaptureFixture[str]) -> None:
    api = Api(answer({"message": "canary-body"}, 503), answer({}))

    api.call(retry={"max_attempts": 2, "backoff_ms": 0})

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "canary-body" not in json.dumps(lines)
    assert [
        (line["target"], line["reason"], line["error_type"], line["status"])
        for line in lines
        if line["message"] == "request retried"
    ] == [("http tool", "unavailable", "unavailable", 503)]


@pytest.mark.parametrize(
    ("answers", "status", "retries"),
    [
        ((answer({}),), 200, 0),
        ((answer({}, 404),), 404, 0),
        ((answer({}, 503), answer({})), 200, 1),
        ((httpx2.ConnectError("x"), answer({}, 503)), 503, 2),
        ((answer({}, 503), httpx2.ConnectError("x")), None, 2),
        ((httpx2.ReadTimeout("x"),), None, 2),
    ],
)
def test_the_trace_of_a_call_has_the_status_of_the_last_request_and_the_retries(
    answers: tuple[Answer, ...], status: int | None, retries: int
) -> None:
    requests = Requests()

    with counting(requests), suppress(ToolError):
        Api(*answers).call(retry={"max_attempts": 3, "backoff_ms": 1})

    assert (requests.status, requests.retries) == (status, retries)
