"""One request to a server at an address, with the streams that carry its response: bounded in time and bytes."""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import anyio
import httpx2

from flexchat.config.models.http_auth import OAuth2Auth
from flexchat.deadline import Clock
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address
from flexchat.errors import ToolError
from flexchat.http_credentials import (
    MAX_CLIENTS,
    MAX_TOKEN_BYTES,
    TokenClient,
    TokenRequest,
    TokenServerError,
    client_key,
    read_token,
    token_request,
)
from flexchat.observability import logger

MAX_RESPONSE_BYTES = 16_000_000
"""Most bytes of a response: of a JSON body, or of all streams that carry the response."""

MAX_ERROR_BYTES = 65_536

MAX_SECONDS = 900.0
"""Longest time of a request; a call ends earlier, at its own timeout."""

NO_EVENT = "flexchat-no-event"
"""Event id of a stream before the server's first one: the SDK resumes only a stream with an id."""

_PRIMER = f"id: {NO_EVENT}\ndata: \n\n".encode()


@dataclass(eq=False)
class RequestLimits:
    """Limits of one request; `error` ends it, also when the SDK resumes its stream."""

    due: float = field(default_factory=lambda: time.monotonic() + MAX_SECONDS)
    received: int = 0
    redirects: int = 0
    resumptions: int = 0
    error: Exception | None = None
    scope: anyio.CancelScope | None = None

    def limited(self) -> anyio.CancelScope:
        """Return the scope of the next operation, which ends with the request."""
        self.scope = anyio.CancelScope(deadline=anyio.current_time() + max(0.0, self.due - time.monotonic()))
        return self.scope

    def abort(self, error: Exception) -> None:
        """End the request: its response is not needed any more."""
        self.error = error
        if self.scope is not None:
            self.scope.cancel()

    def count(self, chunk: bytes, server: str) -> None:
        """Add received bytes. Raises ToolError `result_too_large`."""
        self.received += len(chunk)
        if self.received > MAX_RESPONSE_BYTES:
            self.error = ToolError(
                f"The response of the MCP server '{server}' has more than {MAX_RESPONSE_BYTES} bytes",
                type="result_too_large",
            )
            raise self.error


class EventStream(httpx2.AsyncByteStream):
    """Events of a response, up to the limits of its request."""

    def __init__(self, response: httpx2.Response, exchange: RequestLimits, server: str) -> None:
        self._response = response
        self._exchange = exchange
        self._server = server

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield _PRIMER
        chunks = aiter(self._response.aiter_raw())
        while True:
            chunk: bytes | None = None
            with self._exchange.limited():
                chunk = await anext(chunks, b"")
            if chunk is None:
                self._exchange.error = self._exchange.error or TimeoutError()
                raise httpx2.ReadTimeout("the request has ended")
            if not chunk:
                return
            self._exchange.count(chunk, self._server)
            yield chunk

    async def aclose(self) -> None:
        """Close the connection of the stream."""
        await self._response.aclose()


async def read_body(response: httpx2.Response, exchange: RequestLimits, server: str) -> bytes:
    """Return the body and close the response. Raises ToolError `result_too_large`."""
    pieces: list[bytes] = []
    try:
        async for chunk in response.aiter_raw():
            exchange.count(chunk, server)
            pieces.append(chunk)
    finally:
        await response.aclose()
    return b"".join(pieces)


async def read_error(response: httpx2.Response, limit: float = MAX_ERROR_BYTES) -> bytes:
    """Return the beginning of the body of an error and close the response; empty for one that breaks off."""
    body = b""
    try:
        async for chunk in response.aiter_raw():
            body += chunk[: math.ceil(limit) - len(body)]
            if len(body) >= limit:
                break
    except httpx2.HTTPError:
        return b""
    finally:
        await response.aclose()
    return body


TOKEN_SECONDS = 10.0


class TokenSender:
    """Sends requests of tokens, without redirects; `network` checks every address."""

    def __init__(self, network: httpx2.AsyncBaseTransport, policy: EgressPolicy, *, server: str) -> None:
        self._network = network
        self._policy = policy
        self._server = server

    async def send(self, token_request: TokenRequest) -> tuple[int, bytes]:
        """Return the status and the body of the response. Raises ToolError, as TokenServerError without a response."""
        try:
            self._policy.check_address(parse_address(token_request.url))
            request = httpx2.Request(
                "POST",
                token_request.url,
                headers={**token_request.headers, "Accept-Encoding": "identity"},
                content=token_request.body,
                extensions={"timeout": httpx2.Timeout(TOKEN_SECONDS).as_dict()},
            )
            with anyio.fail_after(TOKEN_SECONDS):
                response = await self._network.handle_async_request(request)
                body = await read_error(response, MAX_TOKEN_BYTES)
        except EgressError as exc:
            logger.error("mcp token request refused", server=self._server, reason=exc.reason, detail=exc.message)
            if exc.reason == "unresolved":
                raise TokenServerError("The authorization server could not be reached", type="unavailable") from exc
            raise ToolError("The address of the authorization server is not allowed", type="configuration") from exc
        except httpx2.InvalidURL as exc:
            raise ToolError("The address of the authorization server is not valid", type="configuration") from exc
        except (httpx2.HTTPError, TimeoutError) as exc:
            raise TokenServerError("The authorization server could not be reached", type="unavailable") from exc
        return response.status_code, body


type SendTokenRequest = Callable[[TokenRequest], Awaitable[tuple[int, bytes]]]
"""Sends a request and returns the status and the body of its response. Raises ToolError."""


class AccessTokens:
    """Tokens of the OAuth 2.0 client credentials grant, one for each configuration, for the life of the environment.

    Used only within the event loop; parallel calls wait for one request of a token. The clock is the wall's, in
    seconds: a monotonic one stops in a SnapStart snapshot.
    """

    def __init__(self, *, clock: Clock = time.time) -> None:
        self._clock = clock
        self._clients: OrderedDict[bytes, TokenClient[asyncio.Lock]] = OrderedDict()

    async def get(self, auth: OAuth2Auth, send: SendTokenRequest, *, refused: str | None = None) -> str:
        """Return a token that is not `refused`, which the server did not accept. Raises ToolError."""
        key = client_key(auth)
        client = self._clients.setdefault(key, TokenClient(asyncio.Lock()))
        self._clients.move_to_end(key)
        if len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)
        async with client.lock:
            text = client.usable(self._clock(), refused=refused)
            if text is None:
                client.token = read_token(*await send(token_request(auth)), now=self._clock())
                text = client.token.text
            return text
