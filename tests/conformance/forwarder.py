"""HTTP server on loopback that forwards requests to `/mcp` with a token, which the conformance suite cannot send."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final, override

import httpx2

PASSED: Final = ("accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id", "origin")
"""Headers that are forwarded."""

type Forward = Callable[[str, bytes, Mapping[str, str]], httpx2.Response]
"""Sends a method, a body and headers to the server under test."""


def to_service(client: httpx2.Client) -> Forward:
    """Return the function that sends requests to the service of `client`, which has the token."""
    return lambda method, body, headers: client.request(method, "/mcp", content=body, headers=dict(headers))


@contextmanager
def forwarding(forward: Forward) -> Generator[str]:
    """Run the server for a `with` block; its address is that of an MCP server without a token."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_request(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name: self.headers[name] for name in PASSED if name in self.headers}
            response = forward(self.command, body, headers)
            self.send_response(response.status_code)
            for name in ("allow", "content-type", "retry-after"):
                if name in response.headers:
                    self.send_header(name, response.headers[name])
            self.send_header("Content-Length", str(len(response.content)))
            self.end_headers()
            self.wfile.write(response.content)

        do_GET = do_POST = do_DELETE = handle_request  # noqa: N815 # names of http.server

        @override
        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        @override
        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # the suite resets its connections at the end of a scenario

    with Server(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/mcp"
        finally:
            server.shutdown()
