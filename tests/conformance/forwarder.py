"""HTTP server on loopback that forwards requests to `/mcp` with a token, which the conformance suite cannot send.

It stands in for the service: its own origin becomes that of the service, and any other is forwarded as it is.
"""

from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final, override

import httpx2

PASSED: Final = ("accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id", "origin")
"""Headers that are forwarded."""


@contextmanager
def forwarding(client: httpx2.Client) -> Generator[str]:
    """Run the server for a `with` block; its address is that of an MCP server without a token.

    `client` sends requests to the service and has the token.
    """
    origin = str(client.base_url).rstrip("/")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_request(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name: self.headers[name] for name in PASSED if name in self.headers}
            if headers.get("origin") == own:
                headers["origin"] = origin
            response = client.request(self.command, "/mcp", content=body, headers=headers)
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
        own = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"{own}/mcp"
        finally:
            server.shutdown()
