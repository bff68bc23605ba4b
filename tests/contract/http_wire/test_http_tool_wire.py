"""Calls of http tools over real sockets, against a server that misbehaves."""

import json
import tracemalloc
from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.deadline import Deadline
from flexchat.tools import CallTool, ToolReply
from functions.chat.tools.executor import ExecutionContext, ToolExecutor
from functions.chat.tools.registry import ToolRegistry
from tests.contract.http_wire.conftest import HttpLambda
from tests.unit.chat.executor_fakes import unaudited

pytestmark = pytest.mark.slow

LIMIT = 100_000
BROKEN = ("unavailable", "The connection to the API broke off")
TOO_LARGE = ("result_too_large", f"The response of the API has more than {LIMIT} bytes")
TIMEOUT = ("timeout", "The API did not answer in time")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/endless", TOO_LARGE),
        ("/gzip_bomb", TOO_LARGE),
        ("/gzip_of_nothing", TOO_LARGE),
        ("/huge_length", TOO_LARGE),
        ("/broken_gzip", ("execution_failed", "The response of the API could not be decompressed")),
        ("/other_coding", ("execution_failed", "The response of the API could not be decompressed")),
        ("/many_headers", BROKEN),
        ("/long_header", BROKEN),
        ("/endless_status_line", BROKEN),
        ("/endless_trailers", BROKEN),
        ("/endless_chunk_extension", BROKEN),
        ("/negative_chunk", BROKEN),
        ("/short_body", BROKEN),
        ("/two_lengths", BROKEN),
        ("/long_length", BROKEN),
        ("/long_chunk_size", BROKEN),
        ("/long_status", BROKEN),
        ("/garbage", BROKEN),
        ("/nothing", BROKEN),
        ("/reset", BROKEN),
        ("/switches_protocols", BROKEN),
        (
            "/image",
            (
                "execution_failed",
                (
                    "The API answered with image/png, which is no picture that can be returned: a PNG, JPEG, WebP or"
                    " GIF of at most 3.8 MB"
                ),
            ),
        ),
        (
            "/invalid_json",
            (
                "execution_failed",
                "The API answered with invalid JSON: not valid JSON: a value is missing at line 1 column 7",
            ),
        ),
        (
            "/rate_limited",
            ("rate_limited", "The API answered with HTTP 429 Too Many Requests: {} (try again in 3600 s)"),
        ),
        (
            "/long_delay",
            ("rate_limited", "The API answered with HTTP 429 Too Many Requests: {} (try again in 31536000 s)"),
        ),
        ("/longer_delay", ("rate_limited", "The API answered with HTTP 429 Too Many Requests: {}")),
    ],
)
def test_a_misbehaving_response_is_a_structured_error_and_the_next_call_succeeds(
    http: HttpLambda, path: str, error: tuple[str, str]
) -> None:
    assert http.error(path, max_response_bytes=LIMIT, retry={"max_attempts": 1}) == error
    assert http.is_healthy


@pytest.mark.parametrize("path", ["/deep_json", "/long_number"])
def test_json_beyond_the_limits_is_an_error(http: HttpLambda, path: str) -> None:
    kind, message = http.error(path)

    assert (kind, message.startswith("The API answered with invalid JSON: ")) == ("execution_failed", True)
    assert http.is_healthy


@pytest.mark.parametrize("path", ["/slow_body", "/slow_headers", "/silent"])
def test_a_response_that_does_not_end_is_cut_off_at_the_timeout(http: HttpLambda, path: str) -> None:
    assert http.error(path, timeout_ms=400) == TIMEOUT
    assert http.is_healthy
    assert len(http.server.requests) == 2


def test_interim_responses_without_end_are_cut_off_at_the_timeout(http: HttpLambda) -> None:
    # Reading them takes so much work that the wrapper of the tool may answer first.
    assert http.error("/endless_interim_responses", timeout_ms=400)[0] == "timeout"
    assert http.is_healthy


def test_an_endless_error_is_cut_off_at_its_limit(http: HttpLambda) -> None:
    kind, message = http.error("/endless_error")

    assert (kind, len(message) < 600) == ("unavailable", True)
    assert http.is_healthy


@pytest.mark.parametrize("path", ["/endless", "/gzip_bomb", "/gzip_of_nothing", "/endless_error", "/many_headers"])
def test_a_hostile_response_takes_bounded_memory_and_bytes(http: HttpLambda, path: str) -> None:
    assert http.is_healthy
    tracemalloc.start()
    try:
        http.call(path, max_response_bytes=LIMIT)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    http.server.close()

    assert peak < 8_000_000
    # What the sockets of both sides hold was sent, but never read.
    assert http.server.sent[path] < 16_000_000


def test_data_after_the_end_of_a_response_is_not_part_of_the_next_one(http: HttpLambda) -> None:
    assert http.call("/long_body")["result"] == {}
    assert http.is_healthy


def test_an_interim_response_is_skipped(http: HttpLambda) -> None:
    assert http.call("/continues")["result"] == {"ok": True}


def test_texts_without_a_media_type_or_with_an_unknown_charset_are_read(http: HttpLambda) -> None:
    assert http.call("/no_media_type")["result"] == "plain"
    assert http.call("/wrong_charset")["result"] == "café ÿ"


def test_a_redirect_to_the_metadata_service_is_refused_even_when_the_tool_allows_it(http: HttpLambda) -> None:
    reached = http.error("/metadata", follow_redirects=3, allowed_hosts=["169.254.169.254"])

    assert reached == ("configuration", "The address of the tool is not allowed")
    assert [request.target for request in http.server.requests] == ["/metadata"]


def test_a_loop_of_redirects_ends(http: HttpLambda) -> None:
    assert http.error("/loop", follow_redirects=5) == (
        "execution_failed",
        "The API redirected the request more than 5 times",
    )
    assert len(http.server.requests) == 6


@pytest.mark.parametrize("idempotent", [False, True])
def test_a_post_whose_server_answers_after_the_timeout_is_sent_once(http: HttpLambda, idempotent: bool) -> None:
    values: dict[str, Any] = {"method": "POST", "retry": {"max_attempts": 5, "backoff_ms": 0}}

    assert http.error("/silent", arguments={"a": 1}, timeout_ms=300, idempotent=idempotent, **values)[0] == "timeout"
    http.server.close()

    assert [(request.method, request.body) for request in http.server.requests] == [("POST", b'{"a":1}')]


def test_a_post_that_breaks_off_is_sent_again_only_for_an_idempotent_tool(http: HttpLambda) -> None:
    values: dict[str, Any] = {"method": "POST", "retry": {"max_attempts": 3, "backoff_ms": 0}}

    http.call("/nothing", **values)
    http.call("/nothing", idempotent=True, **values)

    keys = [request.headers.get("idempotency-key") for request in http.server.requests]
    assert keys == [None, *["request-1:call_1"] * 3]


class InProcess:
    """Invoker that calls a handler in this process."""

    types = ("http",)

    def __init__(self, http: HttpLambda) -> None:
        self._http = http

    def invoke(self, tool_type: str, call: CallTool) -> ToolReply:
        assert tool_type == "http"
        return ToolReply.model_validate(self._http.handler(json.loads(call.as_json()), None))


def test_a_post_of_a_chat_whose_server_answers_after_the_timeout_is_sent_once(http: HttpLambda) -> None:
    registry = ToolRegistry()
    registry.register(
        ToolDefinition.model_validate(
            {
                "name": "create_ticket",
                "description": "Creates a ticket",
                "parameters": {"type": "object", "properties": {"title": {"type": "string"}}},
                "implementation": {
                    "type": "http",
                    "url": http.server.url("/silent"),
                    "method": "POST",
                    "timeout_ms": 300,
                    "retry": {"max_attempts": 3, "backoff_ms": 0},
                },
            }
        )
    )
    executor = ToolExecutor(registry=registry, invoker=InProcess(http), default_timeout_ms=5_000)

    context = ExecutionContext(deadline=Deadline.after(30), request_id="r", audit=unaudited)
    result = executor.execute("create_ticket", {"title": "Broken"}, context)
    http.server.close()

    assert (result.success, result.error_type) == (False, "timeout")
    assert [request.body for request in http.server.requests] == [b'{"title":"Broken"}']


def test_cookies_of_a_response_are_not_stored(http: HttpLambda) -> None:
    http.server.paths["/cookie"] = lambda exchange: exchange.answer(b"{}", "Set-Cookie: session=canary; Path=/")

    http.call("/cookie")
    http.call("/cookie")

    assert ["cookie" in request.headers for request in http.server.requests] == [False, False]
