"""Sending of one request: checked addresses, redirects, and an audit line for each response.

Errors have texts for the model, without host, address or secret.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from http import HTTPStatus
from urllib.parse import urljoin

from msgspec import Struct

from flexchat.charsets import decode_text
from flexchat.config.models.http_auth import Auth, OAuth2Auth
from flexchat.deadline import Clock, Deadline
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import LOOPBACK, EgressPolicy
from flexchat.egress.urls import Address, parse_address
from flexchat.error_bodies import BodyTooLargeError
from flexchat.errors import ToolError
from flexchat.http_client import BoundedHttpClient, HttpRequestError, HttpResponse
from flexchat.http_credentials import (
    MAX_CLIENTS,
    AccessToken,
    TokenClient,
    TokenServerError,
    client_key,
    credential_of,
    read_token,
    token_request,
)
from flexchat.observability import logger
from flexchat.tool_inspection import Purpose, current_recorder
from functions.tools.http.requests import HttpRequest

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SECRET_HEADERS = frozenset({"authorization", "cookie", "idempotency-key"})


_UNSENT = frozenset({"refused", "invalid_address", "unreachable"})
"""Failures of requests that never left."""


class TransientHttpError(ToolError):
    """A failure that the same request may survive; `retry_after` is in seconds, when the server named a delay.

    Its text in a log line is its type: the message may quote the body of a response.
    """

    reached: bool = True
    """False if there was no connection to the host, whatever the request."""

    retry_after: float | None = None
    status: int | None = None

    def __str__(self) -> str:
        return self.type


class Origin(Struct, frozen=True):
    """Reason of a request, for an operator who tests a tool; `attempt` counts from 1."""

    purpose: Purpose = "request"
    attempt: int = 1


FIRST_ATTEMPT = Origin()


class Destination(Struct, frozen=True, kw_only=True):
    """Limits of one tool's requests.

    They go to the origin of `address`, and to `others`: hosts with a port unless it is that of the scheme, of the same
    scheme or https. Headers of `secret_headers`, in lower case, go only to the origin of the first request, as do its
    query and body. `server` is its name in errors, None
    for the API of the tool.
    """

    tool: str
    address: Address
    follow_redirects: int
    max_bytes: int
    secret_headers: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    server: str | None = None

    def named(self, message: str) -> str:
        """Return a message about the API, or about the address of the tool, as one about the `server`."""
        server = self.server
        return message if server is None else message.replace("API", server).replace("of the tool", f"of the {server}")

    def check(self, address: Address) -> None:
        """Raise EgressError for an address that the tool may not reach."""
        is_safe = address.scheme in ("https", self.address.scheme)
        if address.origin != self.address.origin and not (is_safe and address.netloc in self.others):
            target = f"{address.scheme}://{address.netloc}"
            raise EgressError("host_not_allowed", f"{target!r} is neither the origin of the tool nor an allowed host")


class HttpSender:
    """Sends requests to the hosts of a tool; `clock` is monotonic, in seconds."""

    def __init__(
        self,
        client: BoundedHttpClient,
        policy: EgressPolicy,
        *,
        clock: Clock = time.monotonic,
    ) -> None:
        self._client = client
        self._policy = policy
        self._clock = clock

    def send(
        self,
        request: HttpRequest,
        destination: Destination,
        *,
        due: Deadline,
        origin: Origin = FIRST_ATTEMPT,
    ) -> HttpResponse:
        """Return the last response of a request and its redirects.

        The recorder of the call, if it has one, receives every request. Raises ToolError,
        as TransientHttpError when no whole response arrived.
        """
        if due.expired:
            raise TransientHttpError(destination.named("The API did not answer in time"), type="timeout")
        first = self._checked(request.url, destination)
        redirects = 0
        while True:
            response = self._exchange(request, destination, due, origin)
            location = response.headers.get("location")
            if response.status not in _REDIRECTS or location is None:
                return response
            if redirects == destination.follow_redirects:
                raise ToolError(_refused_redirect(destination))
            redirects += 1
            origin = Origin("redirect", origin.attempt)
            request = self._redirected(request, response.status, location, destination, first)

    def _redirected(
        self, request: HttpRequest, status: int, location: str, destination: Destination, first: Address
    ) -> HttpRequest:
        """Return the request of a redirect (RFC 9110, section 15.4)."""
        url = urljoin(request.url, location)
        address = self._checked(url, destination)
        method, body = request.method, request.body
        if status == HTTPStatus.SEE_OTHER or (status in (301, 302) and method == "POST"):
            method, body = ("HEAD" if method == "HEAD" else "GET"), None
        headers = request.headers
        if address.origin != first.origin:
            if body is not None:
                raise ToolError(
                    destination.named("The API redirected a request with a body to another origin"), type="unavailable"
                )
            headers = _without(headers, _SECRET_HEADERS | destination.secret_headers)
        if body is None:
            headers = _without(headers, frozenset({"content-type"}))
        return HttpRequest(method, url, headers, body, request.path_template)

    def _checked(self, url: str, destination: Destination) -> Address:
        try:
            address = parse_address(url)
            self._policy.check_address(address)
            destination.check(address)
        except EgressError as exc:
            logger.error("http request refused", tool=destination.tool, reason=exc.reason, detail=exc.message)
            if recorder := current_recorder():
                recorder.add_note("refused address", exc.message)
            raise _refused_address(destination, exc) from exc
        return address

    def _exchange(
        self,
        request: HttpRequest,
        destination: Destination,
        due: Deadline,
        origin: Origin,
    ) -> HttpResponse:
        started = self._clock()
        response: HttpResponse | None = None
        failure = error = None
        try:
            response = received = self._client.send(
                request.method,
                request.url,
                request.body,
                headers=request.headers,
                seconds=due.remaining(),
                due=due,
                max_bytes=destination.max_bytes,
            )
        except HttpRequestError as exc:
            failure, error = exc.failure, _send_error(exc, destination)
            raise error from exc
        except BodyTooLargeError as exc:
            failure = "too_large"
            error = ToolError(
                destination.named(f"The response of the API has more than {destination.max_bytes} bytes"),
                type="result_too_large",
            )
            raise error from exc
        finally:
            duration_ms = round((self._clock() - started) * 1000)
            logger.info(
                "http request not sent" if failure in _UNSENT else "http request sent",
                tool=destination.tool,
                host=parse_address(request.url).host,
                method=request.method,
                path=request.path_template,
                status=response.status if response else None,
                failure=failure,
                response_bytes=len(response.body) if response else None,
                duration_ms=duration_ms,
            )
            if recorder := current_recorder():
                recorder.add_exchange(
                    method=request.method,
                    url=request.url,
                    request_headers=request.headers,
                    request_body=request.body,
                    duration_ms=duration_ms,
                    status=response.status if response else None,
                    response_headers=response.headers if response else None,
                    response_body=response.body if response else None,
                    response_text=_decoded(response) if response else None,
                    error=error.message if error else None,
                    purpose=origin.purpose,
                    attempt=origin.attempt,
                )
        return received


def _decoded(response: HttpResponse) -> str:
    return decode_text(response.body, content_type=response.headers.get("content-type", ""))


def _without(headers: Mapping[str, str], names: frozenset[str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in names}


def _refused_redirect(destination: Destination) -> str:
    if destination.follow_redirects:
        return destination.named(f"The API redirected the request more than {destination.follow_redirects} times")
    return destination.named("The API redirected the request to another address, which this tool does not follow")


def _refused_address(destination: Destination, refusal: EgressError | None = None) -> ToolError:
    """Return the error of an address that is not allowed, with the reason for one of this machine and without hosts."""
    reason = f": it {LOOPBACK}" if refusal is not None and refusal.reason == "loopback" else ""
    return ToolError(f"{destination.named('The address of the tool is not allowed')}{reason}", type="configuration")


def _send_error(exc: HttpRequestError, destination: Destination) -> ToolError:
    match exc.failure:
        case "unreachable":
            error = TransientHttpError(destination.named("The API could not be reached"), type="unavailable")
            error.reached = False
            return error
        case "timeout":
            return TransientHttpError(destination.named("The API did not answer in time"), type="timeout")
        case "broken":
            return TransientHttpError(destination.named("The connection to the API broke off"), type="unavailable")
        case "refused":
            logger.error("http request refused", tool=destination.tool, detail=exc.detail)
            return _refused_address(destination)
        case "invalid_address":
            return ToolError("The request of the tool is not valid", type="configuration")
        case "undecodable" | "compressed":
            return ToolError(
                destination.named("The response of the API could not be decompressed"), type="execution_failed"
            )


type SendTokenRequest = Callable[[HttpRequest, Deadline], HttpResponse]


def authenticated(request: HttpRequest, auth: Auth | None, token: str | None = None) -> HttpRequest:
    """Return `request` with its credentials; `token` is the access token of OAuth 2.0."""
    if auth is None:
        return request
    credential = credential_of(auth, token)
    add = request.with_parameter if credential.in_query else request.with_header
    return add(credential.name, credential.value)


class OAuth2Tokens:
    """Access tokens of the client credentials grant, one for each configuration, for the life of the environment.

    Parallel calls wait for one request of a token. The clock is the wall's, in seconds: a monotonic one stops in
    a SnapStart snapshot.
    """

    def __init__(self, send: SendTokenRequest, *, clock: Clock = time.time) -> None:
        self._send = send
        self._clock = clock
        self._clients: OrderedDict[bytes, TokenClient[threading.Lock]] = OrderedDict()
        self._guard = threading.Lock()

    def __len__(self) -> int:
        """Return the number of cached configurations."""
        return len(self._clients)

    def get(self, auth: OAuth2Auth, due: Deadline, *, refused: str | None = None) -> str:
        """Return a token that is not `refused`, which the API did not accept. Raises ToolError."""
        client = self._client(auth)
        if not client.lock.acquire(timeout=due.remaining()):
            raise TransientHttpError("The authorization server did not answer in time", type="timeout")
        try:
            text = client.usable(self._clock(), refused=refused)
            if text is None:
                client.token = self._requested(auth, due)
                text = client.token.text
            return text
        finally:
            client.lock.release()

    def _client(self, auth: OAuth2Auth) -> TokenClient[threading.Lock]:
        key = client_key(auth)
        with self._guard:
            client = self._clients.setdefault(key, TokenClient(threading.Lock()))
            self._clients.move_to_end(key)
            if len(self._clients) > MAX_CLIENTS:
                self._clients.popitem(last=False)
            return client

    def _requested(self, auth: OAuth2Auth, due: Deadline) -> AccessToken:
        request = token_request(auth)
        response = self._send(HttpRequest("POST", request.url, request.headers, request.body, "(token)"), due)
        try:
            return read_token(response.status, response.body, now=self._clock())
        except TokenServerError as exc:
            raise TransientHttpError(exc.message, type=exc.type) from exc
