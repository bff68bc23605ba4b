"""One call of an http tool, from its arguments to its result."""

import re
import time
from collections.abc import Callable
from copy import replace
from http import HTTPStatus
from typing import cast
from urllib.parse import urljoin

from flexchat.config.models.http_auth import ApiKeyAuth, OAuth2Auth
from flexchat.deadline import Clock, Deadline
from flexchat.egress.errors import EgressError
from flexchat.egress.urls import parse_address
from flexchat.errors import ToolError
from flexchat.http_client import HttpResponse
from flexchat.http_credentials import MAX_TOKEN_BYTES
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json
from flexchat.redaction import redact_secrets
from flexchat.retry import Retry as RetryLoop
from flexchat.retry import ignore_retry
from flexchat.tool_progress import current_requests
from flexchat.tools import CallTool
from functions.tools.http.circuit_breaker import CircuitPass
from functions.tools.http.implementation import (
    DEFAULT_TIMEOUT_MS,
    IDEMPOTENT_METHODS,
    CursorPagination,
    Implementation,
    LinkPagination,
    PagePagination,
    Pagination,
    select,
    template_address,
)
from functions.tools.http.requests import HttpRequest, build_request
from functions.tools.http.responses import check_status, is_server_error, read_result
from functions.tools.http.sender import (
    FIRST_ATTEMPT,
    Destination,
    HttpSender,
    OAuth2Tokens,
    Origin,
    TransientHttpError,
    authenticated,
)
from functions.tools.http.shared_state import SharedState
from functions.tools.http.styles import plain_text

_LINK = re.compile(r'<([^<>]{1,8192}+)>((?:\s*+;\s*+[\w*-]++\s*+=\s*+(?:"[^"]*+"|[^\s;,"]++))*+)')
_RELATION = re.compile(r';\s*+rel\s*+=\s*+(?:"([^"]*+)"|([^\s;,"]++))', re.IGNORECASE)
_MAX_LINK = 16_384


def first_page(request: HttpRequest, pagination: Pagination) -> HttpRequest:
    """Return the request of the first page."""
    match pagination:
        case PagePagination():
            return request.with_parameter(pagination.parameter, str(pagination.first))
        case _:
            return request


def next_page(
    request: HttpRequest, response: HttpResponse, pagination: Pagination, *, number: int, items: int
) -> HttpRequest | None:
    """Return the request after page `number`, counted from 1, which had `items`; None after the last one."""
    match pagination:
        case LinkPagination():
            url = _next_link(response.headers.get("link", ""))
            return _same_origin(request, urljoin(request.url, url)) if url else None
        case CursorPagination():
            cursor = _cursor(response, pagination.cursor_path)
            return request.with_parameter(pagination.parameter, cursor) if cursor else None
        case PagePagination():
            if items == 0:
                return None
            return request.with_parameter(pagination.parameter, str(pagination.first + number))


def _next_link(header: str) -> str | None:
    """Return the target with `rel="next"` of a `Link` header (RFC 8288)."""
    for link in _LINK.finditer(header[:_MAX_LINK]):
        relation = _RELATION.search(link[2])
        if relation and "next" in (relation[1] or relation[2] or "").lower().split():
            return link[1]
    return None


def _cursor(response: HttpResponse, path: str) -> str:
    try:
        found: Json = select(path, safe_loads(response.body, max_bytes=len(response.body)))
    except JsonError:
        return ""
    return plain_text(found) if isinstance(found, str | int | float) and not isinstance(found, bool) else ""


def _same_origin(request: HttpRequest, url: str) -> HttpRequest:
    """Return the request to `url`; another origin would receive the credentials of the tool."""
    try:
        if parse_address(url).origin == parse_address(request.url).origin:
            return request.with_url(url)
    except EgressError:
        pass
    raise ToolError("The API names a next page on another host")


MAX_BACKOFF_SECONDS = 20.0

REPLY_SECONDS = 0.1
"""Part of the timeout that remains to report a request without a response."""

MIN_REQUEST_SECONDS = 1.0
"""Time after which a request without a response counts against its host."""


class HttpTool:
    """Runs calls of http tools.

    Without a `state` there is no response cache, circuit breaker or rate limit.
    `sleep` waits between attempts, in seconds; `wall_clock` is in seconds since the epoch.
    """

    def __init__(
        self,
        sender: HttpSender,
        *,
        state: SharedState | None = None,
        sleep: Callable[[float], object] = time.sleep,
        wall_clock: Clock = time.time,
    ) -> None:
        self._sender = sender
        self._state = state
        self._sleep = sleep
        self._tokens = OAuth2Tokens(self._send_token_request, clock=wall_clock)

    def __call__(self, call: CallTool, implementation: Implementation) -> Json:
        """Return the result of a call. Raises ToolError and ToolInputError."""
        request = build_request(implementation, call.arguments).with_missing_headers(call.trace_headers)
        due = Deadline.after(call.timeout_ms / 1000).minus(min(REPLY_SECONDS, call.timeout_ms / 20_000))
        if self._state is None:
            return self._result(call, implementation, request, due, None)
        return self._state.result(
            call,
            implementation,
            lambda circuit: self._result(call, implementation, request, due, circuit),
            deadline=due,
        )

    def _result(
        self,
        call: CallTool,
        implementation: Implementation,
        request: HttpRequest,
        due: Deadline,
        circuit: CircuitPass | None,
    ) -> Json:
        run = _Run(self._sender, self._tokens, call, implementation, due, self._sleep, circuit)
        try:
            return cast("Json", redact_secrets(run.result(request), run.tokens))
        except ToolError as exc:
            exc.message = cast("str", redact_secrets(exc.message, run.tokens))
            raise

    def _send_token_request(self, request: HttpRequest, due: Deadline) -> HttpResponse:
        address = template_address(request.url)
        destination = Destination(
            tool="oauth2", address=address, follow_redirects=0, max_bytes=MAX_TOKEN_BYTES, server="authorization server"
        )
        return self._sender.send(request, destination, due=due, origin=Origin("token"))


def _cut(items: list[Json], limit: str) -> Json:
    """Return the items of a list that goes on, so that the model does not take them for all."""
    return {"items": items, "truncated": True, "note": f"The list of the API has more items: {limit}"}


class _Run:
    """One call in progress; `tokens` are the access tokens that it used."""

    def __init__(
        self,
        sender: HttpSender,
        tokens: OAuth2Tokens,
        call: CallTool,
        implementation: Implementation,
        due: Deadline,
        sleep: Callable[[float], object],
        circuit: CircuitPass | None,
    ) -> None:
        self._sender = sender
        self._oauth = tokens
        self._implementation = implementation
        self._due = due
        self._circuit = circuit
        self._circuit_open = False
        secret_headers = (
            {implementation.auth.name.lower()} if isinstance(implementation.auth, ApiKeyAuth) else set[str]()
        )
        self._destination = Destination(
            tool=call.tool,
            address=implementation.address,
            others=frozenset(implementation.allowed_hosts),
            follow_redirects=implementation.follow_redirects,
            max_bytes=implementation.max_response_bytes,
            secret_headers=frozenset({*map(str.lower, implementation.headers), *secret_headers}),
        )
        self._key = (
            call.idempotency_key if call.idempotent and implementation.method not in IDEMPOTENT_METHODS else None
        )
        repeatable = implementation.method in IDEMPOTENT_METHODS or call.idempotent
        self._retry = RetryLoop(
            max_retries=implementation.retry.max_attempts - 1 if repeatable else 0,
            base=implementation.retry.backoff_ms / 1000,
            cap=MAX_BACKOFF_SECONDS,
            sleep=sleep,
        )
        self._origin = FIRST_ATTEMPT
        self._requests = current_requests()
        self.tokens: list[str] = []

    def result(self, request: HttpRequest) -> Json:
        """Return the result of a request and of its next pages."""
        pagination = self._implementation.pagination
        if pagination is None:
            return self._read(self._response(request))
        request = first_page(request, pagination)
        items: list[Json] = []
        size = 0
        for number in range(1, pagination.max_pages + 1):
            response = self._response(request)
            size += len(response.body)
            page = self._read(response)
            if not isinstance(page, list):
                raise ToolError("A page of the API has no list at response_path", type="configuration")
            items += page
            following = next_page(request, response, pagination, number=number, items=len(page))
            if following is None:
                return items
            if size >= self._implementation.max_response_bytes:
                return _cut(items, f"the next page would exceed max_response_bytes, {size} bytes were read")
            request = following
            self._origin = Origin("page")
        return _cut(items, f"max_pages is {pagination.max_pages}")

    def _read(self, response: HttpResponse) -> Json:
        return read_result(response, self._implementation, seconds=self._due.remaining())

    def _response(self, request: HttpRequest) -> HttpResponse:
        return self._retry.run(
            lambda: self._guarded_attempt(request),
            transient=TransientHttpError,
            deadline=self._due,
            service="http tool",
            on_retry=ignore_retry if self._requests is None else self._requests.retried,
        )

    def _guarded_attempt(self, request: HttpRequest) -> HttpResponse:
        """Return a successful response; an open circuit ends the attempts."""
        try:
            return self._attempt(request)
        except TransientHttpError as exc:
            if self._circuit_open:
                raise ToolError(exc.message, type=exc.type) from exc
            self._origin = replace(self._origin, attempt=self._origin.attempt + 1)
            raise

    def _attempt(self, request: HttpRequest) -> HttpResponse:
        """Return a successful response. A refused access token is replaced once."""
        if self._key is not None:
            request = request.with_header("Idempotency-Key", self._key)
        auth = self._implementation.auth
        token = self._token()
        response = self._send(authenticated(request, auth, token))
        if token is not None and response.status == HTTPStatus.UNAUTHORIZED:
            token = self._token(refused=token)
            response = self._send(authenticated(request, auth, token))
        check_status(response, self._implementation.expect)
        return response

    def _send(self, request: HttpRequest) -> HttpResponse:
        """Return the response, and report the request to the circuit breaker."""
        seconds = self._due.remaining()
        if self._requests is not None:
            self._requests.sent()
        try:
            response = self._sender.send(request, self._destination, due=self._due, origin=self._origin)
        except TransientHttpError as exc:
            if (exc.type != "timeout" and exc.reached) or seconds >= self._least_seconds:
                self._report(healthy=False, reached=exc.reached)
            raise
        except ToolError as exc:
            if exc.type != "configuration":  # a response that cannot be used
                self._report(healthy=True)
            raise
        if self._requests is not None:
            self._requests.answered(response.status)
        self._report(healthy=not is_server_error(response, self._implementation.expect))
        return response

    def _report(self, *, healthy: bool, reached: bool = True) -> None:
        if self._circuit is not None and healthy:
            self._circuit.succeeded()
        elif self._circuit is not None:
            self._circuit_open = self._circuit.failed(reached=reached)

    @property
    def _least_seconds(self) -> float:
        """Minimum time of a request whose timeout or failed connection counts: a call at the end of a chat has less."""
        return min(MIN_REQUEST_SECONDS, (self._implementation.timeout_ms or DEFAULT_TIMEOUT_MS) / 2_000)

    def _token(self, *, refused: str | None = None) -> str | None:
        if not isinstance(self._implementation.auth, OAuth2Auth):
            return None
        token = self._oauth.get(self._implementation.auth, self._due, refused=refused)
        self.tokens.append(token)
        return token
