"""Guarded pools of connections for httpcore and httpcore2, which have the same names."""

import ssl
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


def guarded_pool(
    library: Any, policy: EgressPolicy, *, certificates: ssl.SSLContext, limits: Limits, resolve: Resolve
) -> Any:
    """Return a `ConnectionPool` of `library` that connects only to addresses the policy allows."""
    errors = (library.ConnectError, library.ConnectTimeout)
    return library.ConnectionPool(
        ssl_context=certificates,
        max_connections=limits.max_connections,
        max_keepalive_connections=limits.max_keepalive_connections,
        keepalive_expiry=limits.keepalive_expiry,
        network_backend=GuardedBackend(policy, library.SyncBackend().connect_tcp, errors, resolve=resolve),
    )


def check_url(policy: EgressPolicy, url: Url) -> None:
    """Check the scheme and the host of a request. Raises EgressError."""
    policy.check_address(parse_address(f"{url.scheme}://{url.netloc.decode('ascii')}/"))
