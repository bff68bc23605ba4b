"""Guarded transports of httpx and httpx2, whose clients and pools have the same names."""

import ssl
from functools import cache
from typing import Any, Protocol

from flexchat.egress.backend import GuardedBackend, Resolve
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import parse_address


class Limits(Protocol):
    """The `Limits` of httpx."""

    max_connections: int | None
    max_keepalive_connections: int | None
    keepalive_expiry: float | None


class Url(Protocol):
    """The `URL` of httpx."""

    @property
    def scheme(self) -> str: ...

    @property
    def netloc(self) -> bytes: ...


class GuardedHttp:
    """Transport that connects only to addresses the policy allows, without a proxy of the environment.

    `http` and `core` are the modules httpx and httpcore, or their successors. httpx has no parameter for a network
    backend, so the pool of its transport is replaced.
    """

    def __init__(
        self,
        http: Any,
        core: Any,
        policy: EgressPolicy,
        *,
        limits: Limits,
        verify: ssl.SSLContext | None,
        resolve: Resolve,
    ) -> None:
        certificates = verify or _certificates(http)
        self._policy = policy
        pool = guarded_pool(core, policy, certificates=certificates, limits=limits, resolve=resolve)
        self._transport = http.HTTPTransport(verify=certificates, trust_env=False, limits=limits)
        self._transport._pool.close()  # noqa: SLF001 # no public way to it
        self._transport._pool = pool  # noqa: SLF001

    def send(self, request: Any) -> Any:
        """Return the response to a request. Raises EgressError for an address that is not allowed."""
        check_url(self._policy, request.url)
        return self._transport.handle_request(request)

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()


def check_url(policy: EgressPolicy, url: Url) -> None:
    """Check the scheme and the host of a request. Raises EgressError."""
    policy.check_address(parse_address(f"{url.scheme}://{url.netloc.decode('ascii')}/"))


@cache
def _certificates(http: Any) -> ssl.SSLContext:
    """Return the trusted certificates, read once: reading them takes longer than importing httpx."""
    return http.create_ssl_context(trust_env=False)


def guarded_pool(
    core: Any, policy: EgressPolicy, *, certificates: ssl.SSLContext, limits: Limits, resolve: Resolve
) -> Any:
    """Return a `ConnectionPool` of `core` that connects only to addresses the policy allows."""
    errors = (core.ConnectError, core.ConnectTimeout)
    return core.ConnectionPool(
        ssl_context=certificates,
        max_connections=limits.max_connections,
        max_keepalive_connections=limits.max_keepalive_connections,
        keepalive_expiry=limits.keepalive_expiry,
        network_backend=GuardedBackend(policy, core.SyncBackend().connect_tcp, errors, resolve=resolve),
    )
