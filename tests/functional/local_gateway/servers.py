"""Running servers of these tests: the gateway, and an HTTP server in place of the AWS emulator."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from dev.local_gateway.server import listen, server
from dev.request_check import Application, RequestCheck

KEY = "AKIATHEKEYOFTHESTACK"


class Emulator(ThreadingHTTPServer):
    """Answers each request with the request, in JSON, and `status` and `headers`."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        self.status = 200
        self.headers: list[tuple[str, str]] = []
        self.connections = 0
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def api(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/restapis/a1b2c3/local/_user_request_"

    def get_request(self) -> Any:
        self.connections += 1
        return super().get_request()


class _Handler(BaseHTTPRequestHandler):
    server: Emulator  # pyright: ignore[reportIncompatibleVariableOverride] # the only server it is made for
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        seen = {"method": self.command, "target": self.path, "headers": self.headers.items(), "body": body.decode()}
        text = b"" if self.command == "HEAD" or self.server.status == 304 else json.dumps(seen).encode()
        self.send_response_only(self.server.status)
        for name, value in [*self.server.headers, ("Content-Length", str(len(text)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_POST = do_PUT = do_DELETE = do_OPTIONS = do_HEAD = do_GET  # noqa: N815 - the server's own names

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@contextmanager
def emulator_running() -> Generator[Emulator]:
    with Emulator() as emulator:
        thread = Thread(target=emulator.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield emulator
        emulator.shutdown()
        thread.join()


@contextmanager
def application_running(application: Application) -> Generator[str]:
    """Run a server; yields its address."""
    with listen(0) as listener:
        port = listener.getsockname()[1]
        serving = server(application, RequestCheck(port, has_page=True))
        thread = Thread(target=serving.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{port}"
        serving.should_exit = True
        thread.join()
