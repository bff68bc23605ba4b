"""Runtime API with raw sockets, which records the bytes of every request."""

import json
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

ID = "8476a536-e9f4-11e8-9739-2dfe598c3fcd"
ACCEPTED = b"HTTP/1.1 202 Accepted\r\nConnection: close\r\nContent-Length: 16\r\n\r\n{'status': 'OK'}"
GONE = b"HTTP/1.1 410 Gone\r\nConnection: close\r\nContent-Length: 9\r\n\r\nshut down"
HEADERS = {
    "Lambda-Runtime-Aws-Request-Id": ID,
    "Lambda-Runtime-Deadline-Ms": "4102444800000",
    "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-central-1:123456789012:function:chat-stream:live",
    "Lambda-Runtime-Trace-Id": "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Sampled=1",
}
RESPONSE, ERROR = f"/2018-06-01/runtime/invocation/{ID}/response", f"/2018-06-01/runtime/invocation/{ID}/error"
INIT_ERROR, RESTORE_ERROR = "/2018-06-01/runtime/init/error", "/2018-06-01/runtime/restore/error"
NEXT, RESTORE_NEXT = "/2018-06-01/runtime/invocation/next", "/2018-06-01/runtime/restore/next"


@dataclass(frozen=True, slots=True)
class Request:
    """One request: its head by lines, and its body as it was sent."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass
class ApiServer:
    """Answers with `events` in order, then 410. `answers` maps a path to another answer; None closes the connection
    after the head of the request and one chunk."""

    events: list[Any]
    answers: dict[str, bytes | None]
    headers: dict[str, str]
    requests: list[Request] = field(default_factory=list[Request])
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    address: str = ""

    def __post_init__(self) -> None:
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self) -> None:
        while True:
            try:
                connection = self.listener.accept()[0]
            except OSError:
                return
            with connection:
                self._answer(connection)

    def posts(self) -> list[Request]:
        return [request for request in self.requests if not request.path.endswith("/next")]

    def _answer(self, connection: socket.socket) -> None:
        file = connection.makefile("rb")
        with file:
            first = file.readline().decode()
            if not first:
                return
            path = first.split()[1]
            lines = iter(lambda: file.readline().decode().rstrip("\r\n"), "")
            headers: dict[str, str] = {}
            for name, value in (line.split(": ", 1) for line in lines):
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
            if path in self.answers and self.answers[path] is None:
                file.readline()
                self.requests.append(Request(path, headers, b""))
                return
            body = _chunks(file) if "Transfer-Encoding" in headers else file.read(int(headers.get("Content-Length", 0)))
            self.requests.append(Request(path, headers, body))
            connection.sendall(self.answers.get(path) or self._answer_to(path))

    def _answer_to(self, path: str) -> bytes:
        if path == RESTORE_NEXT:
            return b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        if path != NEXT:
            return ACCEPTED
        if not self.events:
            return GONE
        event = self.events.pop(0)
        body = event if isinstance(event, bytes) else json.dumps(event).encode()
        sent = {**self.headers, "Connection": "close", "Content-Length": len(body)}
        lines = [f"{name}: {value}" for name, value in sent.items()]
        return "\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode() + body


def _chunks(file: Any) -> bytes:
    """Read a chunked body with its trailers, and return its bytes as they were sent."""
    read = b""
    while True:
        line = file.readline()
        read += line
        if (size := int(line, 16)) == 0:
            break
        read += file.read(size + 2)
    while (line := file.readline()) != b"\r\n":
        read += line
    return read + line


@contextmanager
def api_server(
    *events: Any, answers: dict[str, bytes | None] | None = None, headers: dict[str, str] | None = None
) -> Generator[ApiServer]:
    server = ApiServer(list(events), answers or {}, HEADERS if headers is None else headers)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.listener.shutdown(socket.SHUT_RDWR)
        server.listener.close()
        thread.join()
