"""HTTP requests to one server: credentials, limits, and errors that end a request and not the connection.

The SDK closes a connection at the first request that raises. Once a server has answered, failures are therefore
returned to the SDK as JSON-RPC errors, each with a key that no server can guess (`error_of`).
"""

import asyncio
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urljoin
from weakref import WeakKeyDictionary, WeakValueDictionary

import anyio
import httpx2

from flexchat.config.models.http_auth import OAuth2Auth
from flexchat.config.models.mcp_connections import HttpConnection
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import Address, parse_address
from flexchat.errors import ToolError
from flexchat.http_credentials import Credential, credential_of
from flexchat.json import safe_loads
from flexchat.messages import Json
from flexchat.observability import logger
from flexchat.trace_context import TRACEPARENT, TRACESTATE
from functions.tools.mcp.errors import McpSessionLostError
from functions.tools.mcp.transports.base import OwnErrors, StatusError, is_expired, rpc_error
from functions.tools.mcp.transports.exchange import (
    NO_EVENT,
    AccessTokens,
    EventStream,
    RequestLimits,
    TokenSender,
    read_body,
    read_error,
)

MAX_REDIRECTS = 3
MAX_RESUMPTIONS = 100

CLOSING_SECONDS = 2.0
"""Time of a request that no call waits for: the end of a session, or a notification."""

_SESSION_ID = "mcp-session-id"
_PASSED_HEADERS = ("content-type", _SESSION_ID)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SAME_METHOD = frozenset({307, 308})


class ServerRequests(httpx2.AsyncBaseTransport):
    """Transport of httpx2 for the SDK; `network` sends, and checks every address.

    `is_open` becomes false when the session has expired or the server cannot be reached; `failure` is the reason.
    """

    def __init__(
        self,
        connection: HttpConnection,
        *,
        server: str,
        address: Address,
        headers: Mapping[str, str],
        network: httpx2.AsyncBaseTransport,
        policy: EgressPolicy,
        tokens: AccessTokens,
    ) -> None:
        self._auth = connection.auth
        self._server = server
        self._address = address
        self._headers = headers
        self._network = network
        self._tokens = tokens
        self._token_sender = TokenSender(network, policy, server=server)
        self._own_errors = OwnErrors()
        self._exchanges: WeakValueDictionary[Json, RequestLimits] = WeakValueDictionary()
        self._of_task: WeakKeyDictionary[asyncio.Task[Any], RequestLimits] = WeakKeyDictionary()
        self._has_answered = False
        self.is_open = True
        self.failure: str | None = None

    def error_of(self, data: object) -> Exception | None:
        """Return the own error that the SDK received as a JSON-RPC error with `data`; None for that of a server."""
        return self._own_errors.of(data)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._network.aclose()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request of the SDK."""
        match request.method:
            case "POST":
                return await self._post(request)
            case "GET":
                return await self._resume(request)
            case _:
                return await self._notify(request)

    async def _post(self, request: httpx2.Request) -> httpx2.Response:
        message = cast("dict[str, Any]", safe_loads(await request.aread()))
        method, request_id = message.get("method"), message.get("id")
        if method == "notifications/cancelled":
            self._abort(message.get("params", {}).get("requestId"))
        request.headers.update(_trace_headers(message))
        if method is None or request_id is None:
            return await self._notify(request)
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        exchange = self._of_task.get(task)
        if exchange is None:
            exchange = self._exchanges[request_id] = self._of_task[task] = RequestLimits()
        try:
            return await self._exchanged(request, exchange, str(method))
        except (McpSessionLostError, ToolError) as exc:
            if not self._has_answered and not isinstance(exc, StatusError):
                raise
            return httpx2.Response(
                HTTPStatus.BAD_REQUEST, headers={"content-type": "application/json"}, text=self._own_errors.message(exc)
            )

    async def _resume(self, request: httpx2.Request) -> httpx2.Response:
        """Resume the stream of a request. The stream of messages beside requests is not opened: none is needed."""
        exchange = self._of_task.get(cast("asyncio.Task[Any]", asyncio.current_task()))
        if exchange is None:
            return httpx2.Response(HTTPStatus.METHOD_NOT_ALLOWED)
        if exchange.error is None and (
            request.headers.get("last-event-id") == NO_EVENT or exchange.resumptions >= MAX_RESUMPTIONS
        ):
            exchange.error = McpSessionLostError("the stream ended without a response", sent=True, is_usable=True)
        if exchange.error is None:
            exchange.resumptions += 1
            try:
                return await self._exchanged(request, exchange, "(resumption)")
            except StatusError as exc:
                return httpx2.Response(exc.status)
            except ToolError as exc:
                exchange.error = exc
        event = f"data: {self._own_errors.message(exchange.error)}\n\n"
        return httpx2.Response(HTTPStatus.OK, headers={"content-type": "text/event-stream"}, text=event)

    async def _notify(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request without a response; its failure concerns no call."""
        if self.is_open:
            try:
                with anyio.move_on_after(CLOSING_SECONDS):
                    await (await self._authorized(request)).aclose()
            except (EgressError, httpx2.HTTPError, ToolError) as exc:
                logger.info("mcp notification not sent", server=self._server, reason=type(exc).__name__)
        return httpx2.Response(HTTPStatus.NO_CONTENT if request.method == "DELETE" else HTTPStatus.ACCEPTED)

    def _abort(self, request_id: Json) -> None:
        exchange = self._exchanges.get(request_id)
        if exchange is not None:
            exchange.abort(TimeoutError())

    async def _exchanged(self, request: httpx2.Request, exchange: RequestLimits, method: str) -> httpx2.Response:
        """Return the response of a request. Raises McpSessionLostError and ToolError."""
        started = time.monotonic()
        status: int | None = None
        failure: str | None = "timeout"
        try:
            with exchange.limited():
                received = await self._authorized(request)
                status = received.status_code
                response = await self._checked(request, received, exchange)
                failure = None
                return response
            raise McpSessionLostError("no answer in time", sent=True, is_usable=True)
        except (EgressError, httpx2.HTTPError) as exc:
            failure = type(exc).__name__
            raise self._lost(exc) from exc
        except ToolError as exc:
            failure = exc.type
            raise
        finally:
            logger.info(
                "mcp request sent",
                server=self._server,
                host=self._address.host,
                method=method,
                status=status,
                failure=failure,
                duration_ms=round((time.monotonic() - started) * 1000),
            )

    async def _authorized(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request with its credentials. A refused access token is replaced once."""
        if parse_address(str(request.url)).origin != self._address.origin:
            raise EgressError("host_not_allowed", "requests are sent to the configured address alone")
        for name, value in self._headers.items():
            request.headers[name] = value
        if not isinstance(self._auth, OAuth2Auth):
            self._add(request, None if self._auth is None else credential_of(self._auth))
            return await self._network.handle_async_request(request)
        token = await self._tokens.get(self._auth, self._token_sender.send)
        self._add(request, credential_of(self._auth, token))
        response = await self._network.handle_async_request(request)
        if response.status_code == HTTPStatus.UNAUTHORIZED:
            await response.aclose()
            token = await self._tokens.get(self._auth, self._token_sender.send, refused=token)
            self._add(request, credential_of(self._auth, token))
            response = await self._network.handle_async_request(request)
        return response

    @staticmethod
    def _add(request: httpx2.Request, credential: Credential | None) -> None:
        if credential is not None and not credential.in_query:  # one in the query is a part of the address
            request.headers[credential.name] = credential.value

    async def _checked(
        self, request: httpx2.Request, response: httpx2.Response, exchange: RequestLimits
    ) -> httpx2.Response:
        """Return the part of a response that the SDK reads. Raises McpSessionLostError and ToolError."""
        status = response.status_code
        passed = {name: response.headers[name] for name in _PASSED_HEADERS if name in response.headers}
        if status in _REDIRECTS and "location" in response.headers:
            await response.aclose()
            return self._redirected(request, response, exchange)
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            await response.aclose()
            raise ToolError(
                f"The MCP server '{self._server}' refused the request: check its credentials (HTTP {status})",
                type="configuration",
            )
        if not response.is_success:
            body = await read_error(response)
            return self._failed(request, status, body)
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise ToolError(f"The response of the MCP server '{self._server}' is compressed")
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type == "text/event-stream":
            self._has_answered = True
            return httpx2.Response(status, headers=passed, stream=EventStream(response, exchange, self._server))
        if media_type == "application/json":
            body = await read_body(response, exchange, self._server)
            self._has_answered = True
            return httpx2.Response(status, headers=passed, content=body)
        await response.aclose()
        raise ToolError(f"The MCP server '{self._server}' answered with neither JSON nor events")

    def _redirected(
        self, request: httpx2.Request, response: httpx2.Response, exchange: RequestLimits
    ) -> httpx2.Response:
        """Return a redirect that the SDK follows: within the origin, with the same method."""
        location = urljoin(str(request.url), response.headers["location"])
        exchange.redirects += 1
        is_same_method = response.status_code in _SAME_METHOD or request.method == "GET"
        try:
            is_same_origin = parse_address(location).origin == self._address.origin
        except EgressError:
            is_same_origin = False
        if not is_same_method or not is_same_origin or exchange.redirects > MAX_REDIRECTS:
            raise ToolError(
                f"The MCP server '{self._server}' redirected the request to another address, which is not followed"
            )
        return httpx2.Response(response.status_code, headers={"location": location})

    def _failed(self, request: httpx2.Request, status: int, body: bytes) -> httpx2.Response:
        error = rpc_error(body)
        if _SESSION_ID in request.headers and is_expired(status, error, body):
            raise self._closed("the session has expired")
        if error is None:
            raise StatusError(status, self._server)
        self._has_answered = True
        return httpx2.Response(status, headers={"content-type": "application/json"}, content=body)

    def _lost(self, exc: EgressError | httpx2.HTTPError) -> McpSessionLostError | ToolError:
        """Return the error of a request without a response."""
        match exc:
            case EgressError(reason="unresolved"):
                return self._closed(exc.message)
            case EgressError():
                logger.error("mcp request refused", server=self._server, reason=exc.reason, detail=exc.message)
                return ToolError(f"The address of the MCP server '{self._server}' is not allowed", type="configuration")
            case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout():
                return self._closed(f"no connection to the server: {exc}".rstrip(": "))
            case httpx2.LocalProtocolError() | httpx2.UnsupportedProtocol():
                return ToolError(
                    f"The configuration of the MCP server '{self._server}' makes no valid request",
                    type="configuration",
                )
            case _:
                self.failure = (
                    "no answer in time" if isinstance(exc, httpx2.TimeoutException) else "the connection broke off"
                )
                return McpSessionLostError(self.failure, sent=True, is_usable=True)

    def _closed(self, reason: str) -> McpSessionLostError:
        self.is_open, self.failure = False, reason
        return McpSessionLostError(reason, sent=False)


def _trace_headers(message: Mapping[str, Any]) -> dict[str, str]:
    """Return the trace context in the `_meta` of a request as headers, for servers that read these alone."""
    params: dict[str, Any] = message.get("params") or {}
    meta: dict[str, Any] = params.get("_meta") or {}
    return {name: meta[name] for name in (TRACEPARENT, TRACESTATE) if name in meta}
