"""Resolution of host names to addresses that the policy allows.

A name is resolved once, every address is checked, and the connection is made to the checked address: a second
resolution could return another one. TLS is negotiated above, for the name of the URL.
"""

import socket
from collections.abc import Callable

from flexchat.deadline import CallThreads, limited, time_left
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import is_ip

RESOLVE_SECONDS = 5.0
"""Maximum time of a resolution; the resolver of the system has no timeout that a call can set."""

_RESOLUTIONS = CallThreads(max_left_behind=8)
"""Threads of resolutions: at most 8 of one environment wait for a resolver that does not answer."""

type Resolve = Callable[[str, int], list[str]]
"""Returns the IP addresses of a host, in the order in which to try them. Raises OSError."""


def resolve_host(host: str, port: int) -> list[str]:
    """Return the IP addresses of `host`, each once. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


def checked_addresses(
    policy: EgressPolicy,
    host: str,
    port: int,
    timeout: float | None = None,
    *,
    resolve: Resolve = resolve_host,
    resolutions: CallThreads = _RESOLUTIONS,
) -> list[str]:
    """Return the addresses of `host`, resolved once and all allowed.

    Raises EgressError, and TimeoutError when the time of the call ends during the resolution.
    """
    try:
        addresses = _resolved(host, port, timeout, resolve, resolutions)
    except TimeoutError as exc:
        left = time_left()
        if left is not None and left <= 0:
            raise
        raise EgressError("unresolved", f"the address of the host {host!r} was not resolved in time") from exc
    except (OSError, UnicodeError) as exc:
        raise EgressError("unresolved", f"the host {host!r} has no address") from exc
    if not addresses:
        raise EgressError("unresolved", f"the host {host!r} has no address")
    for address in addresses:
        policy.check_ip(address, host)
    return addresses


def _resolved(host: str, port: int, timeout: float | None, resolve: Resolve, resolutions: CallThreads) -> list[str]:
    """Return the addresses of a host. Raises OSError, as TimeoutError when the resolver does not answer."""
    if is_ip(host):
        return resolve(host, port)
    seconds = limited(RESOLVE_SECONDS if timeout is None else min(timeout, RESOLVE_SECONDS))
    return resolutions.call_with_timeout(seconds or RESOLVE_SECONDS, lambda: resolve(host, port))
