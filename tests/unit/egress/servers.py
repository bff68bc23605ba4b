"""HTTP servers on the loopback interface, which count their connections."""

import socket
import ssl
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Listener:
    """Port of a server, with its connections, the names of TLS and the paths of requests."""

    port: int = 0
    connections: int = 0
    names: list[str | None] = field(default_factory=list[str | None])
    requests: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


@contextmanager
def listening(certificates: ssl.SSLContext | None = None) -> Generator[Listener]:
    """Serve `/PATH` with that path; with `certificates` over TLS."""
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            listener.requests.append((self.headers["host"], self.path))
            body = self.path.encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is written to the terminal."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def get_request(self) -> tuple[Any, Any]:
            connection, address = super().get_request()
            listener.connections += 1
            if certificates is not None:
                connection = certificates.wrap_socket(connection, server_side=True)
            return connection, address

    if certificates is not None:
        certificates.sni_callback = lambda _socket, name, _context: listener.names.append(name)
    server = Server(("127.0.0.1", 0), Handler)
    listener.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
OTHER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"


class Script:
    """Server that answers the requests of each connection with its next texts, and stores what it receives.

    A tuple of texts is sent at once, each in a record of TLS of its own; `answered` is set after it. A connection is
    closed after its last text.
    """

    def __init__(self, *connections: Sequence[bytes | tuple[bytes, ...]], tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(10)
        scheme, host = ("http", "127.0.0.1") if tls is None else ("https", "api.test")
        self.url = f"{scheme}://{host}:{self._listener.getsockname()[1]}"
        self.received: list[bytes] = []
        self.answered = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(connections,))
        self._thread.start()

    def _serve(self, connections: Sequence[Sequence[bytes | tuple[bytes, ...]]]) -> None:
        for answers in connections:
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                return
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection:
                for answer in answers:
                    try:
                        request = connection.recv(65_536)
                    except ConnectionResetError:  # closed with bytes that were not read
                        break
                    if not request:
                        break
                    self.received.append(request)
                    for text in (answer,) if isinstance(answer, bytes) else answer:
                        connection.sendall(text)
                    self.answered.set()

    def close(self) -> None:
        self._thread.join()
        self._listener.close()
