"""Guarded connections of httpx2 within an event loop: the policy of `flexchat.egress` for the SDK's client."""

import asyncio
import ssl
from collections.abc import Iterable
from functools import cache
from typing import Any

import httpcore2
import httpx2

from flexchat.egress.addresses import Resolve, checked_addresses, resolve_host
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address
from flexchat.timeouts import no_time_limit

MAX_ADDRESSES = 4
"""Most addresses of a name that are tried."""


@cache
def certificates() -> ssl.SSLContext:
    """Return the trusted certificates of the system, read once."""
    return httpx2.create_ssl_context(trust_env=False)


class AsyncGuardedBackend(httpcore2.AsyncNetworkBackend):
    """`flexchat.egress.sockets.connect_to` for an event loop."""

    def __init__(self, policy: EgressPolicy, network: Any, *, resolve: Resolve = resolve_host) -> None:
        self._policy = policy
        self._network = network
        self._resolve = resolve

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Return a connection to the first checked address that answers. Raises EgressError."""
        # The connection outlives the call that opens it.
        with no_time_limit():
            found = await asyncio.to_thread(checked_addresses, self._policy, host, port, timeout, resolve=self._resolve)
        *others, last = found[:MAX_ADDRESSES]
        for address in others:
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._network.connect_tcp(last, port, timeout, local_address, socket_options)

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore2.AsyncNetworkStream:
        """Refuse a socket of this machine."""
        raise EgressError("address_not_allowed", "sockets of this machine are not allowed")

    async def sleep(self, seconds: float) -> None:
        """Refuse a retry of httpcore's own: the callers retry."""
        raise NotImplementedError


class AsyncGuardedTransport(httpx2.AsyncHTTPTransport):
    """Transport that connects only to addresses the policy allows, without a proxy of the environment.

    httpx2 has no parameter for a network backend, so the pool of the base class is replaced.
    """

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        limits: httpx2.Limits,
        verify: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
    ) -> None:
        trusted = verify or certificates()
        super().__init__(verify=trusted, trust_env=False, limits=limits)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=trusted,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=AsyncGuardedBackend(policy, httpcore2.AnyIOBackend(), resolve=resolve),
        )
        self._policy = policy

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request. Raises EgressError for an address that is not allowed."""
        url = request.url
        self._policy.check_address(parse_address(f"{url.scheme}://{url.netloc.decode('ascii')}/"))
        return await super().handle_async_request(request)
