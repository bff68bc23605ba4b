"""Calls of http tools against an API that answers from a script."""

import base64
import gzip
import json
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs

import httpx2
import pytest

from flexchat.config.models.http_auth import OAuth2Auth
from flexchat.deadline import Deadline
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address
from flexchat.errors import ToolError
from flexchat.http_client import BoundedHttpClient, HttpResponse
from flexchat.http_credentials import MAX_CLIENTS
from flexchat.messages import Json
from flexchat.redaction import redact_in_logs
from flexchat.tools import CallTool
from functions.tools.http.implementation import Implementation
from functions.tools.http.requests import HttpRequest
from functions.tools.http.sender import Destination, HttpSender, OAuth2Tokens, TransientHttpError
from functions.tools.http.tool import HttpTool
from tests.unit.foreign_text.hostile_documents import formatted

URL = "https://api.example.com/items"

type Answer = httpx2.Response | httpx2.HTTPError | Callable[[httpx2.Request], httpx2.Response]


class Api:
    """Server that answers each request with the next answer of a script, the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = answers
        self.requests: list[httpx2.Request] = []
        self.waits: list[float] = []
        self.now = 1_000_000.0
        client = BoundedHttpClient(transport=httpx2.MockTransport(self._answer), compressed=False)
        self.tool = HttpTool(HttpSender(client, EgressPolicy()), sleep=self.waits.append, wall_clock=lambda: self.now)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers[min(len(self.requests), len(self._answers)) - 1]
        if isinstance(answer, httpx2.HTTPError):
            raise answer
        return answer(request) if callable(answer) else answer

    def call(self, arguments: dict[str, Json] | None = None, *, idempotent: bool = False, **values: Any) -> Json:
        implementation = Implementation.model_validate({"type": "http", "url": URL, **values})
        call = CallTool(
            tool="items",
            arguments=arguments or {},
            implementation={},
            call_id="call-1",
            idempotency_key="request-1:call-1",
            request_id="request-1",
            timeout_ms=10_000,
            idempotent=idempotent,
        )
        return self.tool(call, implementation)

    def error(self, arguments: dict[str, Json] | None = None, **values: Any) -> ToolError:
        with pytest.raises(ToolError) as raised:
            self.call(arguments, **values)
        return raised.value


def answer(content: Json, status: int = 200, **headers: str) -> httpx2.Response:
    return httpx2.Response(status, json=content, headers=headers)


class Stream(httpx2.SyncByteStream):
    """Body that arrives as it is, without being decoded by httpx2 when it is created."""

    def __init__(self, *parts: bytes) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[bytes]:
        yield from self._parts


def test_response_path_selects_the_result() -> None:
    api = Api(answer({"data": {"items": [{"id": 1}, {"id": 2}]}}))

    assert api.call(response_path="$.data") == {"items": [{"id": 1}, {"id": 2}]}
    assert api.call(response_path="$.data.items[*].id") == [1, 2]
    assert api.call(response_path="$.absent") is None


def test_an_empty_response_is_null() -> None:
    assert Api(httpx2.Response(204)).call() is None


def test_a_text_is_returned_in_its_charset() -> None:
    api = Api(
        httpx2.Response(200, content="Größe".encode("latin-1"), headers={"content-type": "text/plain; charset=latin-1"})
    )

    assert api.call() == "Größe"


def test_a_page_becomes_its_visible_text() -> None:
    page = (
        "<html><head><title>t</title></head><body><h1>News</h1><script>x()</script><p>First&nbsp;line</p></body></html>"
    )
    api = Api(httpx2.Response(200, html=page))

    assert api.call() == "News\n\nFirst line"


def test_a_hostile_page_is_an_error_that_names_the_limit_and_the_next_page_is_read() -> None:
    api = Api(httpx2.Response(200, html=formatted(500, 10_000)), httpx2.Response(200, html="<p>news"))

    error = api.error()

    reason = "reading it takes more than 130 MB of memory, or crashes its parser; simplify or split it"
    assert error.type == "execution_failed"
    assert error.message == f"The API answered with a page that cannot be read: {reason}"
    assert api.call() == "news"


def test_a_binary_response_is_an_error_that_names_its_media_type() -> None:
    api = Api(httpx2.Response(200, content=b"\x89PNG", headers={"content-type": "image/png"}))

    assert api.error().message == "The API answered with image/png, which is no text"


def test_a_media_type_that_is_not_expected_is_an_error() -> None:
    api = Api(httpx2.Response(200, html="<p>Please sign in</p>"))

    error = api.error(expect={"content_types": ["application/json"]})

    assert error.message == "The API answered with text/html instead of application/json"


def test_invalid_json_is_an_error_without_the_text() -> None:
    api = Api(httpx2.Response(200, content=b'{"a": tru', headers={"content-type": "application/json"}))

    assert api.error().message == (
        "The API answered with invalid JSON: not valid JSON: a value is missing at line 1 column 7"
    )


def test_a_gzip_response_is_read_and_a_bomb_cut_off() -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    small = httpx2.Response(200, headers=headers, stream=Stream(gzip.compress(b'{"a":1}')))
    bomb = httpx2.Response(200, headers=headers, stream=Stream(gzip.compress(b"0" * 10_000_000)))

    assert Api(small).call() == {"a": 1}
    error = Api(bomb).error(max_response_bytes=100_000)
    assert (error.type, error.message) == ("result_too_large", "The response of the API has more than 100000 bytes")


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


def test_the_text_of_a_client_error_reaches_the_model_and_a_page_does_not() -> None:
    assert Api(answer({"message": "city not found"}, 404)).error().message == (
        'The API answered with HTTP 404 Not Found: {"message":"city not found"}'
    )
    assert Api(httpx2.Response(404, html="<p>x</p>")).error().message == "The API answered with HTTP 404 Not Found"


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


def redirect(location: str, status: int = 302) -> httpx2.Response:
    return httpx2.Response(status, headers={"location": location})


def test_a_redirect_is_refused_unless_the_tool_follows_it() -> None:
    api = Api(redirect("https://api.example.com/other"), answer({"ok": True}))

    assert "does not follow" in api.error().message
    assert len(api.requests) == 1
    assert Api(redirect("/other"), answer({"ok": True})).call(follow_redirects=1) == {"ok": True}


def test_a_redirect_to_another_host_loses_credentials_and_needs_an_allowed_host() -> None:
    values: dict[str, Any] = {
        "follow_redirects": 2,
        "headers": {"X-Key": "canary"},
        "auth": {"type": "bearer", "token": "canary"},
    }
    api = Api(redirect("https://cdn.example.net/items"), answer({"ok": True}))

    assert api.call(allowed_hosts=["cdn.example.net"], **values) == {"ok": True}
    assert "canary" not in str(api.requests[1].headers.multi_items())
    refused = Api(redirect("https://evil.example.net/items"))
    assert refused.error(**values).message == "The address of the tool is not allowed"
    assert len(refused.requests) == 1


@pytest.mark.parametrize(
    ("url", "location", "allowed"),
    [
        ("https://api.example.com/items", "https://api.example.com:8443/items", "api.example.com:8443"),
        ("https://api.example.com:8443/items", "https://api.example.com/items", "api.example.com"),
        ("https://api.example.com:8443/items", "https://api.example.com:9443/items", "api.example.com:9443"),
        ("https://api.example.com/items", "https://cdn.example.net:8443/items", "cdn.example.net:8443"),
    ],
)
def test_a_redirect_to_another_port_needs_an_allowed_host_with_this_port(url: str, location: str, allowed: str) -> None:
    values: dict[str, Any] = {"url": url, "follow_redirects": 1}
    others = {"api.example.com", "cdn.example.net", "api.example.com:7443"} - {allowed}

    for hosts in ([], sorted(others)):
        refused = Api(redirect(location), answer({}))
        error = refused.error(allowed_hosts=hosts, **values)
        assert (error.message, len(refused.requests)) == ("The address of the tool is not allowed", 1)
    api = Api(redirect(location), answer({"ok": True}))
    assert api.call(allowed_hosts=[allowed], auth={"type": "bearer", "token": "canary"}, **values) == {"ok": True}
    assert "canary" not in str(api.requests[1].headers.multi_items())


@pytest.mark.parametrize("location", ["http://api.example.com/", "file:///etc/passwd", "https://api.example.com@evil/"])
def test_a_redirect_to_an_address_that_is_not_allowed_is_refused(location: str) -> None:
    api = Api(redirect(location), answer({}))

    assert (api.error(follow_redirects=5).type, len(api.requests)) == ("configuration", 1)


def test_a_loop_of_redirects_ends() -> None:
    api = Api(redirect("/again"))

    assert api.error(follow_redirects=3).message == "The API redirected the request more than 3 times"
    assert len(api.requests) == 4


def test_a_post_becomes_a_get_after_see_other_and_keeps_its_body_after_temporary_redirect() -> None:
    seen = Api(redirect("/done", 303), answer({}))
    preserved = Api(redirect("/done", 307), answer({}))

    for api in (seen, preserved):
        api.call({"a": 1}, method="POST", follow_redirects=1)

    assert (seen.requests[1].method, seen.requests[1].content) == ("GET", b"")
    assert (preserved.requests[1].method, preserved.requests[1].content) == ("POST", b'{"a":1}')


def test_a_body_is_not_sent_to_another_host() -> None:
    api = Api(redirect("https://cdn.example.net/", 307))

    error = api.error({"a": 1}, method="POST", follow_redirects=1, allowed_hosts=["cdn.example.net"])

    assert (error.message, len(api.requests)) == ("The API redirected a request with a body to another origin", 1)


def test_pages_of_a_link_header_are_joined() -> None:
    api = Api(
        answer([1, 2], Link='<https://api.example.com/items?page=2>; rel="next", </items?page=9>; rel="last"'),
        answer([3], Link='</items?page=1>; rel="prev"'),
    )

    assert api.call(pagination={"type": "link"}) == [1, 2, 3]
    assert str(api.requests[1].url) == f"{URL}?page=2"


def test_a_next_page_on_another_host_is_refused() -> None:
    api = Api(answer([1], Link='<https://evil.example.net/?page=2>; rel="next"'))

    error = api.error(pagination={"type": "link"}, allowed_hosts=["evil.example.net"])

    assert (error.message, len(api.requests)) == ("The API names a next page on another host", 1)


def test_pages_of_a_cursor_are_joined_up_to_the_maximum() -> None:
    api = Api(lambda _: answer({"items": [len(api.requests)], "next": f"c{len(api.requests)}"}))

    result = api.call(
        {"q": "x"},
        response_path="$.items",
        pagination={"type": "cursor", "parameter": "after", "cursor_path": "$.next", "max_pages": 3},
    )

    assert result == {
        "items": [1, 2, 3],
        "truncated": True,
        "note": "The list of the API has more items: max_pages is 3",
    }
    assert [sent.url.query for sent in api.requests] == [b"q=x", b"q=x&after=c1", b"q=x&after=c2"]


def test_pages_that_end_at_the_maximum_are_the_whole_list() -> None:
    api = Api(answer({"items": [1], "next": "c1"}), answer({"items": [2]}))

    pagination = {"type": "cursor", "parameter": "after", "cursor_path": "$.next", "max_pages": 2}
    assert api.call(response_path="$.items", pagination=pagination) == [1, 2]


def test_pages_that_end_at_the_limit_of_bytes_are_marked() -> None:
    api = Api(answer(["x" * 700]))

    result = api.call(pagination={"type": "page"}, max_response_bytes=1_024)

    note = "The list of the API has more items: the next page would exceed max_response_bytes, 1408 bytes were read"
    assert result == {"items": ["x" * 700] * 2, "truncated": True, "note": note}


@pytest.mark.parametrize(
    ("body", "media_type"), [("<p>Sign in</p>", "text/html"), ("busy", "text/plain"), ("a: 1", "application/yaml")]
)
def test_a_selection_from_an_answer_that_is_no_json_is_a_failure(body: str, media_type: str) -> None:
    error = Api(httpx2.Response(200, text=body, headers={"content-type": media_type})).error(response_path="$.items")

    assert error.message == f"The API answered with {media_type}, which has no values that response_path could select"


def test_numbered_pages_end_at_an_empty_one() -> None:
    api = Api(answer(["a"]), answer(["b"]), answer([]))

    assert api.call(pagination={"type": "page"}) == ["a", "b"]
    assert [sent.url.query for sent in api.requests] == [b"page=1", b"page=2", b"page=3"]


def test_pages_that_are_no_lists_are_a_configuration_error() -> None:
    assert Api(answer({"items": []})).error(pagination={"type": "page"}).type == "configuration"


def test_an_address_outside_of_the_deployments_hosts_is_refused_without_a_request() -> None:
    api = Api(answer({}))
    client = BoundedHttpClient(transport=httpx2.MockTransport(lambda _: answer({})))
    api.tool = HttpTool(HttpSender(client, EgressPolicy(allowed_hosts=frozenset({"other.example.com"}))))

    error = api.error()

    assert (error.type, error.message) == ("configuration", "The address of the tool is not allowed")


def test_cookies_of_one_response_are_not_sent_with_the_next_request() -> None:
    api = Api(answer({}, 200, **{"Set-Cookie": "session=canary; Path=/; Domain=example.com"}))

    api.call()
    api.call()

    assert [sent.headers.get("cookie") for sent in api.requests] == [None, None]


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain; charset=punycode",
        "text/plain; charset=idna",
        "text/plain; charset=undefined",
        "text/plain; charset=unicode_escape",
        "text/plain; charset=rot13",
        "text/plain; charset=iso-8859-99",
        "text/plain; charset=",
        "text/plain;" + ";" * 50_000,
    ],
)
def test_a_charset_that_is_not_one_of_texts_is_read_as_utf_8(media_type: str) -> None:
    api = Api(httpx2.Response(200, content="é \\x41".encode(), headers={"content-type": media_type}))

    assert api.call() == "é \\x41"


def test_json_is_read_after_a_byte_order_mark_and_in_another_charset() -> None:
    marked = httpx2.Response(200, content=b"\xef\xbb\xbf" + b'{"a":1}', headers={"content-type": "application/json"})
    latin = httpx2.Response(
        200, content='{"a":"é"}'.encode("latin-1"), headers={"content-type": "application/json; charset=iso-8859-1"}
    )

    assert (Api(marked).call(), Api(latin).call()) == ({"a": 1}, {"a": "é"})


def test_the_result_of_a_head_request_is_its_status_and_headers_without_cookies() -> None:
    headers = {"content-type": "image/png", "content-length": "99", "set-cookie": "a=b", "content-encoding": "gzip"}
    api = Api(httpx2.Response(200, headers=headers, stream=Stream()))

    assert api.call(method="HEAD") == {
        "status": 200,
        "headers": {"content-type": "image/png", "content-length": "99"},
    }


def test_a_media_type_that_is_none_is_not_quoted() -> None:
    api = Api(httpx2.Response(200, content=b"x", headers={"content-type": "canary <script>"}))

    assert api.error().message == "The API answered with unknown/unknown, which is no text"


def test_a_compressed_body_that_expands_to_nothing_is_cut_off() -> None:
    empty_blocks = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + b"\x00\x00\x00\xff\xff" * 1_000
    received: list[int] = []

    def parts() -> Iterator[bytes]:
        yield empty_blocks
        while True:
            received.append(1)
            yield b"\x00\x00\x00\xff\xff" * 1_000

    class Endless(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            return parts()

    api = Api(httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=Endless()))

    assert api.error(max_response_bytes=100_000).type == "result_too_large"
    assert len(received) == 19


def test_bytes_after_the_end_of_a_compressed_body_are_not_read() -> None:
    body = Stream(gzip.compress(b'{"a":1}'), b"garbage", b"more")

    assert Api(httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=body)).call() == {"a": 1}


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


def test_an_error_text_is_redacted_before_it_is_cut_off() -> None:
    secret = "sk-" + "x" * 48
    redact_in_logs([secret])

    message = Api(httpx2.Response(404, text="a" * 480 + secret)).error().message

    assert "sk-x" not in message


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
