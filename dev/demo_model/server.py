"""HTTP server of the demo model, on the loopback interface only."""

import sys
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event
from urllib.parse import unquote

from dev.demo_model.http import Answer, Request
from dev.demo_model.model import DemoModel
from dev.demo_model.protocols.base import ProviderProtocol
from dev.demo_model.streams import WITHOUT_PAUSES, StreamRate
from dev.http_handler import LocalHandler

HOST = "127.0.0.1"
MAX_BODY_BYTES = 16 * 1024 * 1024
IDLE_SECONDS = 60


class DemoServer(ThreadingHTTPServer):
    """Serves until `shutdown`, which also ends delayed requests."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, wires: Sequence[ProviderProtocol], *, port: int = 0, rate: StreamRate = WITHOUT_PAUSES) -> None:
        self.stopping = Event()
        self.model = DemoModel(wires, wait=self.stopping.wait, rate=rate)
        super().__init__((HOST, port), Handler)

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}"

    def shutdown(self) -> None:
        self.stopping.set()
        super().shutdown()


class Handler(LocalHandler, BaseHTTPRequestHandler):
    server: DemoServer  # pyright: ignore[reportIncompatibleVariableOverride] # the only server it is made for
    protocol_version = "HTTP/1.1"
    server_version = "flexchat-demo-model"
    sys_version = ""
    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._send(self.server.model.answer(self._request("GET")))

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return self._close_with(411, b'{"error":{"message":"a Content-Length is needed"}}')
        if int(length) > MAX_BODY_BYTES:
            return self._close_with(413, b'{"error":{"message":"the body is too large"}}')
        body = self.rfile.read(int(length))
        return self._send(self.server.model.answer(self._request("POST", body)))

    def _request(self, method: str, body: bytes = b"") -> Request:
        path, _, query = self.path.partition("?")
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Request(method, unquote(path.rstrip("/")), headers, body, query)

    def _close_with(self, status: int, body: bytes) -> None:
        """Close the connection, which still contains the unread body."""
        self.close_connection = True
        self._send(Answer(status, body))

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.pieces is None:
            self.send_header("Content-Length", str(len(answer.body)))
        else:
            self.send_header("Transfer-Encoding", "chunked")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if answer.pieces is not None:
            self._stream(answer, answer.pieces)
        elif answer.cut:
            self.wfile.write(answer.body[: len(answer.body) // 2])
            self.close_connection = True
        elif answer.pause_seconds:
            self._drip(answer)
        else:
            self.wfile.write(answer.body)

    def _drip(self, answer: Answer) -> None:
        for byte in answer.body:
            self.wfile.write(bytes((byte,)))
            self.server.model.wait(answer.pause_seconds)

    def _stream(self, answer: Answer, pieces: Sequence[bytes]) -> None:
        """Send each piece as one chunk, at once."""
        for number, piece in enumerate(pieces):
            if number and answer.pause_seconds:
                self.server.model.wait(answer.pause_seconds)
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        if answer.cut:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Log one line for each request, without its content."""
        sys.stderr.write(f"{self.log_date_time_string()} {format % args}\n")
