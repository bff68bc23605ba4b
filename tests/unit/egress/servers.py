"""HTTP servers on the loopback interface, which count their connections."""

import ssl
import threading
from collections.abc import Generator
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
