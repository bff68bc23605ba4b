"""Pool of HTTP/1.1 connections to addresses that a policy allows. Proxies of the environment are ignored."""

import re
import ssl
import threading
import time
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from http.client import HTTPException
from typing import Final

from msgspec import Struct

from flexchat.egress.addresses import Resolve, resolve_host
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.responses import Response
from flexchat.egress.sockets import BUFFER_BYTES, TimedSocket, connect_to
from flexchat.egress.transport import HttpRequestError, OutgoingRequest
from flexchat.egress.urls import Address
from flexchat.timeouts import limited

CONNECT_SECONDS: Final = 5.0
IDLE_SECONDS: Final = 60.0

MAX_ORIGINS: Final = 64
"""Most allowed addresses that a pool stores."""

_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+: (?:[!-~](?:[\t -~]*[!-~])?)?")
"""Header of a request: printable ASCII on one line."""

_METHODS_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


class Connection(Struct):
    """Connection to one address; `idle_since` is monotonic, in seconds."""

    address: Address
    socket: TimedSocket
    idle_since: float = 0.0

    def exchange(self, method: str, data: bytes) -> Response:
        """Send a request and return its response before the body. Raises OSError and HTTPException."""
        self.socket.send(data)
        while True:
            response = Response(self.socket, method)
            try:
                response.begin()
            except BaseException:
                response.close()
                raise
            if response.status >= 200:
                return response
            response.close()  # an informational one, which precedes the response to the request
            if response.status == HTTPStatus.SWITCHING_PROTOCOLS:  # which no request asks for: what follows is not HTTP
                raise HTTPException("the server changed the protocol")


class ConnectionPool:
    """Connections of one client, each used by one request at a time.

    `certificates` are the trusted ones, those of certifi by default.
    """

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        max_connections: int = 100,
        max_idle: int = 20,
        certificates: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
    ) -> None:
        self._policy = policy
        self._max_idle = max_idle
        self._certificates = certificates
        self._resolve = resolve
        self._allowed: set[Address] = set()
        self._room = threading.Semaphore(max_connections)
        self._idle: list[Connection] = []
        self._lock = threading.Lock()

    def send(self, request: OutgoingRequest) -> "PooledResponse":
        """Send a request, with the errors of `HttpTransport`."""
        self._check(request.address)
        data = _encoded(request)
        if not self._room.acquire(timeout=limited(request.seconds)):
            raise HttpRequestError("unreachable")
        connection = None
        try:
            connection = self._idle_connection(request.address) or self._connected(request.address, request.seconds)
            connection.socket.seconds = request.seconds
            return PooledResponse(connection.exchange(request.method, data), connection, self)
        except BaseException as exc:
            self._room.release()
            if connection is not None:
                connection.socket.close()
            if isinstance(exc, TimeoutError):
                raise HttpRequestError("timeout") from exc
            if isinstance(exc, (OSError, HTTPException)):
                raise HttpRequestError("broken") from exc
            raise

    def _check(self, address: Address) -> None:
        """Check the address of a request; the answer of a policy for an address never changes. Raises EgressError."""
        if address not in self._allowed:
            self._policy.check_address(address)
            if len(self._allowed) < MAX_ORIGINS:
                self._allowed.add(address)

    def _idle_connection(self, address: Address) -> Connection | None:
        """Return the last used connection to an address, if one is open; close those that have been idle too long."""
        while True:
            with self._lock:
                oldest = time.monotonic() - IDLE_SECONDS
                expired = [each for each in self._idle if each.idle_since < oldest]
                usable = [each for each in self._idle if each.idle_since >= oldest]
                found = next((each for each in reversed(usable) if each.address == address), None)
                self._idle = [each for each in usable if each is not found]
            for each in expired:
                each.socket.close()
            if found is None or not found.socket.is_stale:
                return found
            found.socket.close()

    def _connected(self, address: Address, seconds: float) -> Connection:
        """Return a new connection. Raises HttpRequestError `unreachable`."""
        limit = min(CONNECT_SECONDS, seconds)
        try:
            connected = TimedSocket(connect_to(self._policy, address, limit, resolve=self._resolve))
        except ConnectionError as exc:
            raise HttpRequestError("unreachable") from exc
        connected.seconds = limit
        try:
            if address.scheme == "https":
                connected.start_tls(self._certificates or _trusted(), address.host)
        except OSError as exc:
            connected.close()
            raise HttpRequestError("unreachable") from exc
        return Connection(address, connected)

    def release(self, connection: Connection, *, is_reusable: bool) -> None:
        """Take back the connection of a response that has ended."""
        dropped: Connection | None = connection
        if is_reusable:
            connection.idle_since = time.monotonic()
            with self._lock:
                self._idle.append(connection)
                dropped = self._idle.pop(0) if len(self._idle) > self._max_idle else None
        if dropped is not None:
            dropped.socket.close()
        self._room.release()

    def close(self) -> None:
        """Close the connections that no request uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for each in idle:
            each.socket.close()


class PooledResponse:
    """Response of a pool, before its body; `close` returns its connection to the pool."""

    def __init__(self, response: Response, connection: Connection, pool: ConnectionPool) -> None:
        self.status: Final = response.status
        self.headers: Final = response.fields
        self._response = response
        self._connection = connection
        self._pool: ConnectionPool | None = pool
        self._is_complete = False

    def pieces(self) -> Iterator[bytes]:
        """Yield the body as it arrives. Raises HttpRequestError."""
        try:
            while piece := self._response.read1(BUFFER_BYTES):
                yield piece
        except TimeoutError as exc:
            raise HttpRequestError("timeout") from exc
        except (OSError, HTTPException) as exc:
            raise HttpRequestError("broken") from exc
        if self._response.length:  # the connection ended before the body
            raise HttpRequestError("broken")
        self._is_complete = True

    def close(self) -> None:
        """Return the connection to the pool, closed when the next response could not be read from it."""
        pool, self._pool = self._pool, None
        if pool is not None:
            self._response.close()
            pool.release(self._connection, is_reusable=self._is_complete and not self._response.will_close)


def _encoded(request: OutgoingRequest) -> bytes:
    """Return a request as it is sent. Raises HttpRequestError `invalid_address` for a header that cannot be sent."""
    headers = {"host": request.address.netloc, **request.headers}
    if request.body is not None or request.method in _METHODS_WITH_BODY:
        headers["content-length"] = str(len(request.body or b""))
    lines = [f"{name}: {value}" for name, value in headers.items()]
    if not (request.method.isascii() and request.method.isalpha() and all(map(_HEADER.fullmatch, lines))):
        raise HttpRequestError("invalid_address")
    head = "\r\n".join((f"{request.method} {request.target} HTTP/1.1", *lines, "", ""))
    return head.encode("ascii") + (request.body or b"")


@cache
def _trusted() -> ssl.SSLContext:
    """Return the certificates of certifi, read once: this takes tens of milliseconds."""
    import certifi  # which imports importlib.resources, and with it shutil and tempfile

    context = ssl.create_default_context(cafile=certifi.where())
    context.set_alpn_protocols(["http/1.1"])
    return context
