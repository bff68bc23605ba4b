"""Transport of httpx with guarded connections. Only functions whose requirements name httpx import this module."""

import ssl
from functools import cache

import httpcore
import httpx

from flexchat.egress.backend import Resolve, resolve_host
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.pool import check_url, guarded_pool


@cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates, read once: reading them takes longer than importing httpx."""
    return httpx.create_ssl_context(trust_env=False)


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
        certificates = verify or _certificates()
        super().__init__(verify=certificates, trust_env=False, limits=limits)
        self._pool.close()
        self._pool = guarded_pool(httpcore, policy, certificates=certificates, limits=limits, resolve=resolve)
        self._policy = policy

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises EgressError for an address that is not allowed."""
        check_url(self._policy, request.url)
        return super().handle_request(request)
