"""Transport of httpx with guarded connections. Only functions whose requirements name httpx import this module."""

import ssl

import httpcore
import httpx

from flexchat.egress.backend import Resolve, resolve_host
from flexchat.egress.guarded_http import GuardedHttp
from flexchat.egress.policy import EgressPolicy


class GuardedTransport(httpx.BaseTransport):
    """Transport that connects only to addresses the policy allows, without a proxy of the environment."""

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        limits: httpx.Limits,
        verify: ssl.SSLContext | None = None,
        resolve: Resolve = resolve_host,
    ) -> None:
        self._guarded = GuardedHttp(httpx, httpcore, policy, limits=limits, verify=verify, resolve=resolve)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises EgressError for an address that is not allowed."""
        return self._guarded.send(request)

    def close(self) -> None:
        """Close every connection."""
        self._guarded.close()
