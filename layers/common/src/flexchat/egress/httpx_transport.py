"""Transport of httpx with guarded connections. Only functions whose requirements name httpx import this module."""

import ssl
from typing import cast

import httpcore
import httpx

from flexchat.egress.backend import GuardedBackend, Resolve, resolve_host
from flexchat.egress.policy import EgressPolicy


class GuardedTransport(httpx.HTTPTransport):
    """Transport that connects only to addresses the policy allows, without a proxy of the environment.

    httpx has no parameter for a network backend, so the pool of the base class is replaced.
    """

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        limits: httpx.Limits,
        verify: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
    ) -> None:
        context = verify or httpx.create_ssl_context(trust_env=False)
        super().__init__(verify=context, trust_env=False, limits=limits)
        self._pool.close()
        errors = (httpcore.ConnectError, httpcore.ConnectTimeout)
        backend = GuardedBackend(policy, httpcore.SyncBackend().connect_tcp, errors, resolve=resolve)
        self._pool = httpcore.ConnectionPool(
            ssl_context=context,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=cast("httpcore.NetworkBackend", backend),
        )
