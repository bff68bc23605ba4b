"""Sockets to checked addresses, whose operations end with the call that uses them."""

import io
import select
import socket
import ssl
from collections.abc import Callable
from typing import Any, override

from flexchat.egress.addresses import Resolve, checked_addresses, resolve_host
from flexchat.egress.policy import EgressPolicy
from flexchat.egress.urls import Address
from flexchat.timeouts import limited, time_left

BUFFER_BYTES = 65_536

type Connect = Callable[[tuple[str, int], float | None], socket.socket]
"""Returns a connection to an IP address and port within seconds. Raises OSError."""


def open_connection(address: tuple[str, int], seconds: float | None) -> socket.socket:
    """Return a connection that sends at once what is written. Raises OSError."""
    connected = socket.create_connection(address, seconds)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connected


def connect_to(
    policy: EgressPolicy,
    address: Address,
    seconds: float,
    *,
    connect: Connect = open_connection,
    resolve: Resolve = resolve_host,
) -> socket.socket:
    """Return a connection to the first checked address of the host that answers.

    Raises EgressError when one of the addresses is not allowed: a name with mixed addresses is an attack; TimeoutError
    when the time of the call ends during the resolution; and ConnectionError when no address answers.
    """
    *others, last = checked_addresses(policy, address.host, address.port, seconds, resolve=resolve)
    for ip in others:
        try:
            return connect((ip, address.port), limited(seconds))
        except OSError:
            continue
    try:
        return connect((last, address.port), limited(seconds))
    except OSError as exc:
        raise ConnectionError(str(exc)) from exc


class TimedSocket(io.RawIOBase):
    """Connected socket whose operations end after `seconds` and at the limit of the current call.

    Timeouts of sockets begin again with each byte: headers that arrive one byte a second would never time out. A socket
    that always has data never times out by itself: a read raises TimeoutError.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._is_drained = False
        self._reader = _Reader(self, BUFFER_BYTES)
        self.seconds: float | None = None

    def start_tls(self, certificates: ssl.SSLContext, host: str) -> None:
        """Negotiate TLS for the name of the host. Raises OSError."""
        self._socket.settimeout(limited(self.seconds))
        self._socket = certificates.wrap_socket(self._socket, server_hostname=host)

    def send(self, data: bytes) -> None:
        """Send all `data`. Raises OSError."""
        self._socket.settimeout(limited(self.seconds))
        self._socket.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return the reader of every response: a new one could lose what the previous one has buffered."""
        return self._reader

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Any) -> int:
        if self._is_drained:
            return 0
        left = time_left()
        if left is not None and left <= 0:
            raise TimeoutError
        self._socket.settimeout(limited(self.seconds))
        return self._socket.recv_into(buffer)

    @property
    def is_stale(self) -> bool:
        """True if the connection is closed, or has bytes without a request: buffered, decrypted or on the way."""
        if isinstance(self._socket, ssl.SSLSocket) and self._socket.pending():
            return True
        self._is_drained = True
        buffered = self._reader.peek(1)
        self._is_drained = False
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(buffered or poll.poll(0))

    @override
    def close(self) -> None:
        self._socket.close()
        super().close()


class _Reader(io.BufferedReader):
    """Reader of a connection, which stays open when a response has been read."""

    @override
    def close(self) -> None:
        """Keep the connection, which its owner closes."""
