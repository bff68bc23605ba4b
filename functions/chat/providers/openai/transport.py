"""Transport of httpx2, the openai package's client, with guarded connections."""

import ssl

import httpcore2
import httpx2

from flexchat.egress.backend import Resolve, resolve_host
from flexchat.egress.guarded_http import GuardedHttp
from flexchat.egress.policy import EgressPolicy


class GuardedTransport(httpx2.BaseTransport):
    """`flexchat.egress.httpx_transport.GuardedTransport` for httpx2."""

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        limits: httpx2.Limits,
        verify: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
    ) -> None:
        self._guarded = GuardedHttp(httpx2, httpcore2, policy, limits=limits, verify=verify, resolve=resolve)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request. Raises EgressError for an address that is not allowed."""
        return self._guarded.send(request)

    def close(self) -> None:
        """Close every connection."""
        self._guarded.close()
