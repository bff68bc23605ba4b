"""Transport of a server at an address, over streamable HTTP."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, ClassVar

import httpx2

from flexchat import __version__
from flexchat.config.models.http_auth import ApiKeyAuth
from flexchat.config.models.mcp_connections import HttpConnection
from flexchat.egress.client import AsyncGuardedTransport, no_cookies
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import LOOPBACK, EgressPolicy
from flexchat.egress.urls import Address, parse_address
from flexchat.errors import ToolError
from flexchat.observability import logger
from functions.tools.mcp.transports.base import TransportKind
from functions.tools.mcp.transports.exchange import MAX_SECONDS, AccessTokens
from functions.tools.mcp.transports.server_requests import ServerRequests

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

MAX_EVENT_BYTES = 8_000_000
"""Largest event of a stream."""

WRITE_SECONDS = 30.0

LIMITS = httpx2.Limits(max_connections=20, max_keepalive_connections=5, keepalive_expiry=30)

_PROTOCOL_HEADERS = frozenset(
    {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "transfer-encoding"}
)
"""Headers of the protocol, which a configuration does not replace; the same holds for `mcp-*`."""


class HttpTransport:
    """Connection to an address that the deployment allows; `tokens` are those of the environment."""

    kind: ClassVar[TransportKind] = "http"

    def __init__(
        self,
        connection: HttpConnection,
        *,
        server: str,
        egress: EgressPolicy,
        tokens: AccessTokens,
        network: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._connection = connection
        self._server = server
        self._egress = egress
        self._tokens = tokens
        self._network = network
        self._requests: ServerRequests | None = None
        self._is_closed = False

    @property
    def is_open(self) -> bool:
        return not self._is_closed and (self._requests is None or self._requests.is_open)

    def failure(self) -> str | None:
        """Return the reason why the connection ended."""
        return None if self._requests is None else self._requests.failure

    def diagnostics(self) -> str:
        """Return nothing: stderr is that of a process."""
        return ""

    def error_of(self, data: object) -> Exception | None:
        """Return the own error that the SDK received as a JSON-RPC error with `data`."""
        return None if self._requests is None else self._requests.error_of(data)

    @asynccontextmanager
    async def open(self) -> "AsyncGenerator[TransportStreams]":
        """Open a client. Raises ToolError for an address that is not allowed."""
        from mcp.client.streamable_http import streamable_http_client

        address, url = self._checked_address()
        self._requests = ServerRequests(
            self._connection,
            server=self._server,
            address=address,
            headers=self._checked_headers(),
            network=self._network or AsyncGuardedTransport(self._egress, limits=LIMITS),
            policy=self._egress,
            tokens=self._tokens,
        )
        timeout = httpx2.Timeout(
            MAX_SECONDS,
            connect=self._connection.connect_timeout_ms / 1000,
            write=WRITE_SECONDS,
            pool=WRITE_SECONDS,
        )
        client = httpx2.AsyncClient(
            transport=self._requests,
            trust_env=False,
            follow_redirects=False,
            timeout=timeout,
            headers={"User-Agent": f"flexchat/{__version__}", "Accept-Encoding": "identity"},
            cookies=no_cookies(),
        )
        try:
            async with (
                client,
                streamable_http_client(url, http_client=client, max_sse_event_size=MAX_EVENT_BYTES) as streams,
            ):
                yield streams
        finally:
            self._is_closed = True

    def _checked_address(self) -> tuple[Address, str]:
        """Return the address and its URL, with the key of an API that has it in the query. Raises ToolError."""
        try:
            address = parse_address(self._connection.url)
            self._egress.check_address(address)
            url = httpx2.URL(self._connection.url)
        except EgressError as exc:
            logger.error("mcp request refused", server=self._server, reason=exc.reason, detail=exc.message)
            reason = LOOPBACK if exc.reason == "loopback" else "is not allowed"
            raise self._misconfigured(f"the address {reason}") from exc
        except httpx2.InvalidURL as exc:
            raise self._misconfigured("the address is not valid") from exc
        auth = self._connection.auth
        if isinstance(auth, ApiKeyAuth) and auth.in_ == "query":
            url = url.copy_set_param(auth.name, auth.value)
        return address, str(url)

    def _checked_headers(self) -> dict[str, str]:
        headers = {
            name: value
            for name, value in self._connection.headers.items()
            if name.lower() not in _PROTOCOL_HEADERS and not name.lower().startswith("mcp-")
        }
        for value in headers.values():
            if any(ord(character) < 32 or ord(character) > 126 for character in value):
                raise self._misconfigured("a header contains characters that it cannot carry")
        return headers

    def _misconfigured(self, problem: str) -> ToolError:
        return ToolError(f"The MCP server '{self._server}' cannot be reached: {problem}", type="configuration")
