"""Network of httpx2 clients: connections to checked addresses, whose operations end with the call that uses them.

A name is resolved once, every address is checked, and the connection is made to a checked address; TLS is negotiated
for the name. `GuardedBackend` is for threads, `AsyncGuardedBackend` for an event loop.
"""

import asyncio
import select
import socket
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, cast, override

import httpcore2

from flexchat.deadline import limited, no_time_limit, time_left
from flexchat.egress.addresses import Resolve, checked_addresses, resolve_host
from flexchat.egress.errors import EgressError
from flexchat.egress.policy import EgressPolicy

MAX_ADDRESSES = 4
"""Most addresses of a name that are tried."""

MAX_UNSENT = 65_536
"""Most bytes of a request that wait for the rest of it."""

type Connect = Callable[[tuple[str, int], float | None], socket.socket]
"""Returns a connection to an IP address and port within seconds. Raises OSError."""


class GuardedBackend(httpcore2.NetworkBackend):
    """Connections to the first checked address of a host that answers.

    Raises EgressError when one of the addresses is not allowed: a name with mixed addresses is an attack.
    """

    def __init__(
        self, policy: EgressPolicy, *, connect: Connect = socket.create_connection, resolve: Resolve = resolve_host
    ) -> None:
        self._policy = policy
        self._connect = connect
        self._resolve = resolve

    @override
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Return a connection without delays of small packets. Raises EgressError and httpcore2's errors."""
        try:
            found = checked_addresses(self._policy, host, port, timeout, resolve=self._resolve)
        except TimeoutError as exc:  # the time of the call has ended
            raise httpcore2.TimeoutException(str(exc)) from exc
        *others, last = found[:MAX_ADDRESSES]
        connected = next(filter(None, (self._tried(address, port, timeout) for address in others)), None)
        if connected is None:
            try:
                connected = self._connect((last, port), limited(timeout))
            except TimeoutError as exc:
                raise httpcore2.ConnectTimeout(str(exc)) from exc
            except OSError as exc:
                raise httpcore2.ConnectError(str(exc)) from exc
        for option in (*(socket_options or ()), (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)):
            connected.setsockopt(*option)
        return TimedStream(connected)

    def _tried(self, address: str, port: int, timeout: float | None) -> socket.socket | None:
        try:
            return self._connect((address, port), limited(timeout))
        except OSError:
            return None

    @override
    def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore2.NetworkStream:
        """Refuse a socket of this machine."""
        raise EgressError("address_not_allowed", "sockets of this machine are not allowed")


class TimedStream(httpcore2.NetworkStream):
    """Connected socket whose operations end after their timeout and at the limit of the current call.

    Timeouts of sockets begin again with each byte: headers that arrive one byte a second would never time out. A socket
    that always has data never times out by itself: a read after the limit raises ReadTimeout.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._unsent = bytearray()
        self._write_timeout: float | None = None

    @override
    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Send what was written, and return what the server sends."""
        with suppress(httpcore2.WriteError):  # a server that closes early may have sent an error
            self._flush()
        try:
            self._limit(timeout)
            return self._socket.recv(max_bytes)
        except TimeoutError as exc:
            raise httpcore2.ReadTimeout(str(exc)) from exc
        except OSError as exc:
            raise httpcore2.ReadError(str(exc)) from exc

    @override
    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Store `buffer` until the response is read or it is long: headers and body leave in one packet."""
        self._unsent += buffer
        self._write_timeout = timeout
        if len(self._unsent) > MAX_UNSENT:
            self._flush()

    def _flush(self) -> None:
        if not self._unsent:
            return
        unsent, self._unsent = self._unsent, bytearray()
        left = memoryview(unsent)
        try:
            while left:
                self._limit(self._write_timeout)
                left = left[self._socket.send(left) :]
        except TimeoutError as exc:
            raise httpcore2.WriteTimeout(str(exc)) from exc
        except OSError as exc:
            raise httpcore2.WriteError(str(exc)) from exc

    @override
    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Negotiate TLS for the name of the host."""
        try:
            self._limit(timeout)
            return TimedStream(ssl_context.wrap_socket(self._socket, server_hostname=server_hostname))
        except TimeoutError as exc:
            self.close()
            raise httpcore2.ConnectTimeout(str(exc)) from exc
        except OSError as exc:
            self.close()
            raise httpcore2.ConnectError(str(exc)) from exc

    def _limit(self, timeout: float | None) -> None:
        """Set the timeout of the next operation. Raises TimeoutError at the limit of the call."""
        left = time_left()
        if left is not None:
            if left <= 0:
                raise TimeoutError("the time of the call has ended")
            timeout = left if timeout is None else min(timeout, left)
        self._socket.settimeout(timeout)

    @override
    def close(self) -> None:
        self._socket.close()

    @override
    def get_extra_info(self, info: str) -> Any:
        match info:
            case "is_readable":
                return self._is_readable
            case "socket":
                return self._socket
            case "ssl_object":
                return self._socket if isinstance(self._socket, ssl.SSLSocket) else None
            case _:
                return None

    @property
    def _is_readable(self) -> bool:
        """True if the connection is closed, or has bytes on the way or decrypted that no request asked for."""
        if self._socket.fileno() < 0 or (isinstance(self._socket, ssl.SSLSocket) and self._socket.pending()):
            return True
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(poll.poll(0))


class AsyncGuardedBackend(httpcore2.AsyncNetworkBackend):
    """`GuardedBackend` for an event loop; `network` connects to a checked address."""

    def __init__(
        self,
        policy: EgressPolicy,
        *,
        network: Any = None,
        resolve: Resolve = resolve_host,
    ) -> None:
        self._policy = policy
        self._network: Any = cast("Any", httpcore2.AnyIOBackend)() if network is None else network
        self._resolve = resolve

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Return a connection to the first checked address that answers. Raises EgressError and httpcore2's errors."""
        # The connection outlives the call that opens it.
        with no_time_limit():
            found = await asyncio.to_thread(checked_addresses, self._policy, host, port, timeout, resolve=self._resolve)
        *others, last = found[:MAX_ADDRESSES]
        for address in others:
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._network.connect_tcp(last, port, timeout, local_address, socket_options)

    @override
    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore2.AsyncNetworkStream:
        """Refuse a socket of this machine."""
        raise EgressError("address_not_allowed", "sockets of this machine are not allowed")

    @override
    async def sleep(self, seconds: float) -> None:
        """Refuse a retry of httpcore2's own: the callers retry."""
        raise NotImplementedError
