"""HTTP server that validates each request by an operation of a document."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import Any, cast

from dev.http_handler import LocalHandler
from dev.openapi_check.requests import Findings, Received, RequestValidator


class ValidatingServer(ThreadingHTTPServer):
    """Server on a free port of this machine that answers 200 to a valid request, and 400 with the faults of another.

    `expect` sets the operation of the next request, and the arguments that it is sent for.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.findings: Findings | None = None
        self._expected: tuple[RequestValidator, dict[str, Any]] | None = None

    @property
    def url(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.server_port}"

    def expect(self, validator: RequestValidator, arguments: dict[str, Any]) -> None:
        """Validate the next request with `validator`."""
        self._expected, self.findings = (validator, arguments), None

    def validated(self, request: Received) -> Findings:
        """Return the findings of a request."""
        if self._expected is None:
            return Findings(wrong=["a request before its operation was set"])
        validator, arguments = self._expected
        self.findings = validator.findings(request, base="", arguments=arguments)
        return self.findings


class _Handler(LocalHandler):
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        findings = cast("ValidatingServer", self.server).validated(Received(self.command, self.path, headers, body))
        answer = json.dumps({"faults": findings.wrong}).encode()
        self.send_response(400 if findings.wrong else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer)

    def __getattr__(self, name: str) -> Callable[[], None]:
        """Return the handler of a method of HTTP."""
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def log_message(self, format: str, *args: object) -> None:
        """Write no line for a request."""


@contextmanager
def validating_server() -> Generator[ValidatingServer]:
    """Yield a running server."""
    with ValidatingServer() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
