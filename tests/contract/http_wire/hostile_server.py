"""HTTP server on 127.0.0.1 that misbehaves, one way for each path."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field

BACKLOG = 64

type Misbehaviour = Callable[["Exchange"], object]


@dataclass
class Received:
    """One request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Exchange:
    """Connection of one request; `stop` is set when the server ends."""

    connection: socket.socket
    request: Received
    stop: threading.Event
    sent: int = 0

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.connection.sendall(part)
            self.sent += len(part)

    def answer(self, body: bytes, *headers: str, status: str = "200 OK") -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def repeat(self, part: bytes, *, pause: float = 0) -> None:
        """Send `part` until the client closes the connection or the server ends."""
        while not self.stop.wait(pause) if pause else not self.stop.is_set():
            self.send(part)


@dataclass
class HostileServer:
    """Server of `paths`; `requests` are the requests that it received, in order.

    `sent` is the number of bytes of each finished response, `open_connections` those that are still answered.
    """

    paths: dict[str, Misbehaviour]
    requests: list[Received] = field(default_factory=list[Received])
    sent: dict[str, int] = field(default_factory=dict[str, int])
    port: int = 0

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
        self.port = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._acceptor = threading.Thread(target=self._accept, name="hostile-accept", daemon=True)
        self._acceptor.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def close(self) -> None:
        """End every response and wait for its thread."""
        self._stop.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in (self._acceptor, *self._threads):
            thread.join(30)

    def wait_for_responses(self) -> None:
        """Wait until every response that began has ended."""
        for thread in list(self._threads):
            thread.join(30)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,), name="hostile-response", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with closing(connection), suppress(OSError):
            connection.settimeout(30)
            with connection.makefile("rb") as stream:
                request = _read_request(iter(stream.readline, b""), stream.read)
            if request is None:
                return
            self.requests.append(request)
            path = request.target.partition("?")[0]
            exchange = Exchange(connection, request, self._stop)
            try:
                self.paths[path](exchange)
            finally:
                self.sent[path] = exchange.sent


def _read_request(lines: Iterator[bytes], read: Callable[[int], bytes]) -> Received | None:
    first = next(lines, b"").decode("latin-1").split()
    if len(first) != 3:
        return None
    headers: dict[str, str] = {}
    for line in lines:
        name, separator, value = line.decode("latin-1").strip().partition(":")
        if not separator:
            break
        headers[name.lower()] = value.strip()
    return Received(first[0], first[1], headers, read(int(headers.get("content-length", "0"))))
