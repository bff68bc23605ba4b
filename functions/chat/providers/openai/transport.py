"""Transport of httpx2, the openai package's client, with guarded connections."""

import ssl
from functools import cache

import httpcore2
import httpx2

from flexchat.egress.backend import Resolve, resolve_host
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.pool import check_url, guarded_pool


@cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates of the system, read once."""
    return httpx2.create_ssl_context(trust_env=False)


class GuardedTransport(httpx2.HTTPTransport):
    """`flexchat.egress.httpx_transport.GuardedTransport` for httpx2."""

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        limits: httpx2.Limits,
        verify: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
    ) -> None:
        certificates = verify or _certificates()
        super().__init__(verify=certificates, trust_env=False, limits=limits)
        self._pool.close()
        self._pool = guarded_pool(httpcore2, policy, certificates=certificates, limits=limits, resolve=resolve)
        self._policy = policy

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request. Raises EgressError for an address that is not allowed."""
        check_url(self._policy, request.url)
        return super().handle_request(request)
