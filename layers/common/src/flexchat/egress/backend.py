"""Connections to addresses that the policy allows.

A name is resolved once, every address is checked, and the connection is made to the checked address: a second
resolution could return another one. TLS is negotiated above, for the name of the URL.
"""

import socket
import ssl
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import is_ip
from flexchat.timeouts import CallThreads, time_left

MIN_SECONDS = 0.001
"""Timeout of a socket whose call has no time left; zero would make it non-blocking."""

RESOLVE_SECONDS = 5.0
"""Maximum time of a resolution; the resolver of the system has no timeout that a call can set."""

_RESOLUTIONS = CallThreads(max_left_behind=8)
"""Threads of resolutions: at most 8 of one environment wait for a resolver that does not answer."""

type Resolve = Callable[[str, int], list[str]]
"""Returns the IP addresses of a host, in the order in which to try them. Raises OSError."""


class Stream(Protocol):
    """The network stream of httpcore's own backend."""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes: ...

    def write(self, buffer: bytes, timeout: float | None = None) -> None: ...

    def close(self) -> None: ...

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> "Stream": ...

    def get_extra_info(self, info: str) -> Any: ...


class Connect(Protocol):
    """The `connect_tcp` of httpcore's own backend."""

    def __call__(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> Stream: ...


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
    seconds = _limited(RESOLVE_SECONDS if timeout is None else min(timeout, RESOLVE_SECONDS))
    return resolutions.call_with_timeout(seconds or RESOLVE_SECONDS, lambda: resolve(host, port))


MAX_UNSENT = 65_536
"""Most bytes that wait for the next part of a request."""


class _TimedStream:
    """Stream whose operations end at the limit of the current call.

    The timeouts of httpx begin again with each byte: headers that arrive one byte a second would never time out. A
    socket that always has data never times out by itself: `read` raises TimeoutError.

    What is written is sent before the next read, or from `MAX_UNSENT` bytes on, so that a request is one packet or
    few: httpcore writes the headers and the body separately, and each write costs a system call and a TLS record.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._unsent = bytearray()
        self._write_timeout: float | None = None

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        left = time_left()
        if left is not None and left <= 0:
            raise TimeoutError
        self._send()
        return self._stream.read(max_bytes, _limited(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._unsent += buffer
        self._write_timeout = timeout
        if len(self._unsent) >= MAX_UNSENT:
            self._send()

    def _send(self) -> None:
        if self._unsent:
            data = bytes(self._unsent)
            self._unsent.clear()
            self._stream.write(data, _limited(self._write_timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> "_TimedStream":
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, _limited(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _limited(timeout: float | None) -> float | None:
    """Return the smaller of `timeout` and the time that the current call has left, in seconds."""
    left = time_left()
    if left is None:
        return timeout
    left = max(left, MIN_SECONDS)
    return left if timeout is None else min(timeout, left)


class GuardedBackend:
    """Network backend of httpcore that connects only to checked addresses.

    `connect_errors` are the exceptions of `connect` for an address that does not answer: the next one is tried.
    """

    def __init__(
        self,
        policy: EgressPolicy,
        connect: Connect,
        connect_errors: tuple[type[Exception], ...],
        *,
        resolve: Resolve = resolve_host,
        resolutions: CallThreads = _RESOLUTIONS,
    ) -> None:
        self._policy = policy
        self._connect = connect
        self._connect_errors = connect_errors
        self._resolve = resolve
        self._resolutions = resolutions

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> Stream:
        """Return a connection to the first checked address that answers.

        Raises EgressError when one of the addresses is not allowed: a name with mixed addresses is an attack; and
        TimeoutError when the time of the call ends during the resolution.
        """
        addresses = checked_addresses(
            self._policy, host, port, timeout, resolve=self._resolve, resolutions=self._resolutions
        )
        for address in addresses[:-1]:
            try:
                return self._connected(address, port, timeout, local_address, socket_options)
            except self._connect_errors:
                continue
        return self._connected(addresses[-1], port, timeout, local_address, socket_options)

    def _connected(
        self,
        address: str,
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[Any] | None,
    ) -> Stream:
        return _TimedStream(self._connect(address, port, _limited(timeout), local_address, socket_options))

    def connect_unix_socket(self, path: str, timeout: float | None = None, socket_options: Any = None) -> Stream:  # noqa: ARG002
        """Refuse a socket of this machine."""
        raise EgressError("address_not_allowed", "sockets of this machine are not allowed")

    def sleep(self, seconds: float) -> None:
        """Refuse a retry of httpcore's own: the callers retry."""
        raise NotImplementedError
