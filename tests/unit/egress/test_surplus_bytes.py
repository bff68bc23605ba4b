"""Bytes that a server sends after a whole response never answer another request."""

import socket
import ssl
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
import trustme

from flexchat.deadline import Deadline
from flexchat.egress.client import GuardedTransport
from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient, HttpRequestError

FORGED = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
OWN = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nown"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@dataclass
class SurplusServer:
    """Server that answers the first connection with `first`, then with `later`, and every other one with `OWN`.

    Each part is one write, over TLS one record. `release` permits the parts of `later`; `sent` is set after them.
    """

    first: tuple[bytes, ...]
    later: tuple[bytes, ...] = ()
    certificates: ssl.SSLContext | None = None
    connections: int = 0
    release: threading.Event = field(default_factory=threading.Event)
    sent: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        scheme = "https" if self.certificates else "http"
        self.url = f"{scheme}://127.0.0.1:{self._listener.getsockname()[1]}/"
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        self.release.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(30)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection, self.connections == 1))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket, is_first: bool) -> None:
        connection.settimeout(30)
        if self.certificates is not None:
            connection = self.certificates.wrap_socket(connection, server_side=True)
        self._open.append(connection)
        with connection:
            connection.recv(65_536)
            for part in self.first if is_first else (OWN,):
                connection.sendall(part)
            if is_first:
                self.release.wait(30)
                for part in self.later:
                    connection.sendall(part)
                self.sent.set()
            _drain(connection)


def _drain(connection: socket.socket) -> None:
    """Read until the client closes its connection."""
    try:
        while connection.recv(65_536):
            continue
    except OSError:
        return


@contextmanager
def local_client(trusted: ssl.SSLContext) -> Generator[BoundedHttpClient]:
    """Yield a client for servers of this machine, with certificates that `trusted` accepts."""
    with closing(GuardedTransport(EgressPolicy(local=True), certificates=trusted)) as transport:
        yield BoundedHttpClient(transport=transport)


def exchange(client: BoundedHttpClient, url: str, method: str = "GET") -> bytes:
    return client.send(method, url, None, seconds=10, due=Deadline.after(10), max_bytes=1_000).body


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module", params=["http", "https"])
def context(request: pytest.FixtureRequest, authority: trustme.CA) -> ssl.SSLContext | None:
    """Certificates of a server, None without TLS."""
    if request.param == "http":
        return None
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate: Any = authority.issue_cert("127.0.0.1")
    certificate.configure_cert(server)
    return server


@pytest.fixture(scope="module")
def trusted(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    certificates: Any = authority
    certificates.configure_trust(context)
    return context


@pytest.fixture
def client(trusted: ssl.SSLContext) -> Iterator[BoundedHttpClient]:
    with local_client(trusted) as client:
        yield client


RESPONSES: Mapping[str, tuple[str, tuple[bytes, ...], bytes]] = {
    "a body with its head": ("GET", (HEAD + b"first",), b"first"),
    "a body after its head": ("GET", (HEAD, b"first"), b"first"),
    "a body in two parts": ("GET", (HEAD, b"fi", b"rst"), b"first"),
    "chunks with their head": ("GET", (CHUNKED + b"5\r\nfirst\r\n0\r\n\r\n",), b"first"),
    "chunks after their head": ("GET", (CHUNKED, b"5\r\nfirst\r\n0\r\n\r\n"), b"first"),
    "a last chunk by itself": ("GET", (CHUNKED, b"5\r\nfirst\r\n", b"0\r\n\r\n"), b"first"),
    "a last line by itself": ("GET", (CHUNKED, b"5\r\nfirst\r\n0\r\n", b"\r\n"), b"first"),
    "HEAD": ("HEAD", (HEAD,), b""),
    "HEAD with chunks": ("HEAD", (CHUNKED,), b""),
    "204": ("GET", (b"HTTP/1.1 204 No Content\r\n\r\n",), b""),
    "304": ("GET", (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",), b""),
    "an empty body": ("GET", (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",), b""),
}


@pytest.mark.parametrize("surplus", [FORGED, b"\r\n"], ids=["a response", "a line"])
@pytest.mark.parametrize("place", ["same record", "later record", "after the release"])
@pytest.mark.parametrize("response", RESPONSES)
def test_bytes_after_a_response_do_not_answer_the_next_request(
    context: ssl.SSLContext | None, client: BoundedHttpClient, response: str, place: str, surplus: bytes
) -> None:
    method, parts, body = RESPONSES[response]
    later: tuple[bytes, ...] = ()
    if place == "same record":
        parts = (*parts[:-1], parts[-1] + surplus)
    elif place == "later record":
        parts = (*parts, surplus)
    else:
        later = (surplus,)
    with closing(SurplusServer(parts, later, context)) as server:
        assert exchange(client, server.url, method) == body
        server.release.set()
        assert server.sent.wait(30)
        assert exchange(client, server.url) == b"own"
        assert server.connections == 2


def test_a_server_that_changes_the_protocol_unasked_gives_no_response(
    context: ssl.SSLContext | None, client: BoundedHttpClient
) -> None:
    switched = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n"
    with closing(SurplusServer((switched + FORGED,), (), context)) as server:
        with pytest.raises(HttpRequestError, match="broken"):
            exchange(client, server.url)
        assert exchange(client, server.url) == b"own"
