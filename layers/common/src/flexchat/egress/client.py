"""The HTTP client of the functions: httpx2 over guarded connections.

Proxies, netrc and certificates of the environment are ignored, redirects are not followed and cookies are not stored:
the configuration alone decides where a key is sent.
"""

import logging
import socket
import ssl
import sys
import time
from collections.abc import Callable
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from operator import attrgetter
from typing import Any, Final, override

import httpcore2
import httpx2

from flexchat.deadline import limited
from flexchat.egress.addresses import Resolve, resolve_host
from flexchat.egress.network import AsyncGuardedBackend, GuardedBackend
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import Address, parse_address

CONNECT_SECONDS: Final = 5.0

MAX_HEADERS: Final = 100
MAX_HEADER_BYTES: Final = 65_536
"""Most headers of a response and their size; h11 reads at most 100 KiB of them."""

MAX_ORIGINS: Final = 64
"""Most allowed addresses that a transport stores."""

FROZEN_SECONDS: Final = 30.0
"""Time for which an environment may be frozen while its connections stay in use: their servers may have closed them."""

LIMITS: Final = httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=60.0)

_KEEP_ALIVE: Final[list[tuple[int, int, int]]] = [
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    # A NAT gateway forgets a connection that is silent for 350 seconds, such as that of a slow model.
    *([(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60)] if sys.platform == "linux" else []),
]


def guarded_client(
    policy: EgressPolicy,
    *,
    limits: httpx2.Limits = LIMITS,
    certificates: ssl.SSLContext | None = None,
    resolve: Resolve = resolve_host,
    transport: httpx2.BaseTransport | None = None,
    **options: Any,
) -> httpx2.Client:
    """Return a client of httpx2 whose connections the policy allows; `transport` replaces the network.

    `options` are others of `httpx2.Client`, such as `base_url`, `headers` and `timeout`.
    """
    _silence_libraries()
    return httpx2.Client(
        transport=transport or GuardedTransport(policy, limits=limits, certificates=certificates, resolve=resolve),
        trust_env=False,
        follow_redirects=False,
        cookies=no_cookies(),
        **options,
    )


def no_cookies() -> CookieJar:
    """Return a jar that stores no cookie: those of one user's request would be sent with another's."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Return the certificates of certifi, read once: this takes tens of milliseconds.

    Those of the system are not used, nor is truststore: they differ between Lambda's image, the local stack and a
    developer's machine, and certifi is updated with the other packages.
    """
    import certifi  # which imports importlib.resources, and with it shutil and tempfile

    return ssl.create_default_context(cafile=certifi.where())


@cache
def _silence_libraries() -> None:
    """Drop the lines of the libraries at INFO and DEBUG: they have whole addresses and headers, with keys."""
    for library in ("httpx2", "httpcore2"):
        logging.getLogger(library).setLevel(logging.WARNING)


class _AllowedOrigins:
    """Check of the addresses of requests; the answer of a policy for an address never changes."""

    def __init__(self, policy: EgressPolicy) -> None:
        self._policy = policy
        self._allowed: set[tuple[str, bytes]] = set()

    def check(self, url: httpx2.URL) -> None:
        """Check the address of a request before it is resolved. Raises EgressError."""
        origin = url.scheme, url.netloc
        if origin not in self._allowed:
            self._policy.check_address(_address(url))
            if len(self._allowed) < MAX_ORIGINS:
                self._allowed.add(origin)


def _address(url: httpx2.URL) -> Address:
    return parse_address(f"{url.scheme}://{url.netloc.decode('ascii')}/")


def _check_headers(response: httpx2.Response) -> None:
    """Raises RemoteProtocolError for too many headers."""
    headers = response.headers.raw
    if len(headers) > MAX_HEADERS or sum(len(name) + len(value) for name, value in headers) > MAX_HEADER_BYTES:
        raise httpx2.RemoteProtocolError("the response has too many headers")


_unread: Final = attrgetter("_connection._h11_state.trailing_data")
"""Bytes that h11 has read after a response, and whether the connection has ended."""

_stream: Final = attrgetter("_connection._network_stream")


class Clocks:
    """Time by which the wall clock has advanced more than the monotonic one, which a frozen environment stops."""

    def __init__(
        self, *, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._started = self._difference()

    def _difference(self) -> float:
        return self._wall() - self._monotonic()

    @property
    def frozen_seconds(self) -> float:
        """Seconds that the monotonic clock missed since the start; httpcore2 expires connections by that clock."""
        return abs(self._difference() - self._started)


class _Connection(httpcore2.HTTPConnection):
    """Connection that is not used again after its environment was frozen, or when bytes follow a response.

    The bytes would be read as the next response. httpcore2 sees those that are still in the socket, h11 has those that
    were received with the response.
    """

    def __init__(self, *arguments: Any, clocks: Clocks, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._clocks = clocks

    @override
    def has_expired(self) -> bool:
        if super().has_expired() or (self._connection is not None and bool(_unread(self)[0])):
            return True
        return self.is_idle() and self._clocks.frozen_seconds > FROZEN_SECONDS


class _AsyncConnection(httpcore2.AsyncHTTPConnection):
    """`_Connection` for an event loop, where TLS reads more from the socket than it decrypts."""

    def __init__(self, *arguments: Any, clocks: Clocks, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._clocks = clocks

    @override
    def has_expired(self) -> bool:
        if super().has_expired():
            return True
        if self.is_idle() and self._clocks.frozen_seconds > FROZEN_SECONDS:
            return True
        return self.is_idle() and (bool(_unread(self)[0]) or _has_more(_stream(self).get_extra_info("ssl_object")))


def _has_more(encrypted: ssl.SSLObject | None) -> bool:
    """Return whether TLS has bytes that were not read, of which one is dropped."""
    if encrypted is None:
        return False
    try:
        encrypted.read(1)
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:
        return True
    return True


class _Pool(httpcore2.ConnectionPool):
    def __init__(self, *, clocks: Callable[[], Clocks], **options: Any) -> None:
        super().__init__(**options)
        self._new_clocks = clocks

    @override
    def create_connection(self, origin: httpcore2.Origin) -> httpcore2.ConnectionInterface:
        return _Connection(
            origin,
            clocks=self._new_clocks(),
            ssl_context=self._ssl_context,
            keepalive_expiry=self._keepalive_expiry,
            network_backend=self._network_backend,
            socket_options=self._socket_options,
        )


class _AsyncPool(httpcore2.AsyncConnectionPool):
    def __init__(self, *, clocks: Callable[[], Clocks], **options: Any) -> None:
        super().__init__(**options)
        self._new_clocks = clocks

    @override
    def create_connection(self, origin: httpcore2.Origin) -> httpcore2.AsyncConnectionInterface:
        return _AsyncConnection(
            origin,
            clocks=self._new_clocks(),
            ssl_context=self._ssl_context,
            keepalive_expiry=self._keepalive_expiry,
            network_backend=self._network_backend,
            socket_options=self._socket_options,
        )


class GuardedTransport(httpx2.HTTPTransport):
    """Transport that connects only to addresses the policy allows, without a proxy of the environment.

    Its operations end with the time of the current call. httpx2 has no parameter for a network backend, so the pool of
    the base class is replaced. Raises EgressError beside the errors of httpx2.
    """

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        limits: httpx2.Limits = LIMITS,
        certificates: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
        clocks: Callable[[], Clocks] = Clocks,
    ) -> None:
        _silence_libraries()
        trusted = certificates or trusted_certificates()
        super().__init__(verify=trusted, trust_env=False, limits=limits)
        self._pool = _Pool(
            clocks=clocks,
            ssl_context=trusted,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=GuardedBackend(policy, resolve=resolve),
            socket_options=_KEEP_ALIVE,
        )
        self._origins = _AllowedOrigins(policy)

    @override
    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return its response before the body."""
        self._origins.check(request.url)
        timeouts = request.extensions.get("timeout", {})
        connect = timeouts.get("connect")
        request.extensions["timeout"] = {
            **timeouts,
            "connect": CONNECT_SECONDS if connect is None else min(connect, CONNECT_SECONDS),
            "pool": limited(timeouts.get("pool")),
        }
        response = super().handle_request(request)
        try:
            _check_headers(response)
        except httpx2.RemoteProtocolError:
            response.close()
            raise
        return response


class AsyncGuardedTransport(httpx2.AsyncHTTPTransport):
    """`GuardedTransport` for an event loop, whose operations are limited by its tasks."""

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        limits: httpx2.Limits = LIMITS,
        certificates: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
        clocks: Callable[[], Clocks] = Clocks,
    ) -> None:
        _silence_libraries()
        trusted = certificates or trusted_certificates()
        super().__init__(verify=trusted, trust_env=False, limits=limits)
        self._pool = _AsyncPool(
            clocks=clocks,
            ssl_context=trusted,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=AsyncGuardedBackend(policy, resolve=resolve),
            socket_options=_KEEP_ALIVE,
        )
        self._origins = _AllowedOrigins(policy)

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return its response before the body."""
        self._origins.check(request.url)
        response = await super().handle_async_request(request)
        try:
            _check_headers(response)
        except httpx2.RemoteProtocolError:
            await response.aclose()
            raise
        return response
