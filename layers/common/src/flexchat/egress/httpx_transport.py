"""Transport of httpx with guarded connections. Only functions whose requirements name httpx import this module."""

import ssl
from functools import cache
from typing import Any

import httpcore
import httpx

from flexchat.egress.backend import GuardedBackend, Resolve, resolve_host
from flexchat.egress.guarded_http import check_url
from flexchat.egress.policy import EgressPolicy

MAX_ORIGINS = 64
"""Most allowed addresses that a transport stores."""


class GuardedTransport(httpx.BaseTransport):
    """Transport that connects only to addresses the policy allows, without a proxy of the environment.

    httpx has no parameter for a network backend, so the pool of its transport is replaced.
    """

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        limits: httpx.Limits,
        verify: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
    ) -> None:
        certificates = verify or _certificates()
        self._policy = policy
        self._allowed: set[tuple[str, bytes]] = set()
        self._transport: Any = httpx.HTTPTransport(verify=certificates, trust_env=False, limits=limits)
        self._transport._pool.close()  # noqa: SLF001 # no public way to it
        self._transport._pool = guarded_pool(  # noqa: SLF001
            policy, certificates=certificates, limits=limits, resolve=resolve
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises EgressError for an address that is not allowed."""
        self._check(request.url)
        return self._transport.handle_request(request)

    def _check(self, url: httpx.URL) -> None:
        """Check the address of a request; the answer of a policy for an address never changes."""
        origin = (url.scheme, url.netloc)
        if origin not in self._allowed:
            check_url(self._policy, url)
            if len(self._allowed) < MAX_ORIGINS:
                self._allowed.add(origin)

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()


@cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates, read once: reading them takes longer than importing httpx."""
    return httpx.create_ssl_context(trust_env=False)


def guarded_pool(
    policy: EgressPolicy, *, certificates: ssl.SSLContext, limits: httpx.Limits, resolve: Resolve
) -> httpcore.ConnectionPool:
    """Return a pool that connects only to addresses the policy allows."""
    errors = (httpcore.ConnectError, httpcore.ConnectTimeout)
    backend: Any = GuardedBackend(policy, httpcore.SyncBackend().connect_tcp, errors, resolve=resolve)
    return httpcore.ConnectionPool(
        ssl_context=certificates,
        max_connections=limits.max_connections,
        max_keepalive_connections=limits.max_keepalive_connections,
        keepalive_expiry=limits.keepalive_expiry,
        network_backend=backend,
    )
