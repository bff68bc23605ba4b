"""Servers of the SDK on 127.0.0.1, each with its own thread and event loop."""

import logging
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Literal

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from starlette.responses import Response

type ServerKind = Literal["sessions", "sessions JSON", "stateless", "stateless JSON", "2026", "2026 JSON"]
"""Servers of the handshake era, with or without sessions, and of 2026-07-28, each with events or with JSON."""


def sample_server() -> MCPServer:
    """Return a server with a tool that answers, one that fails and one that reports its progress."""
    server = MCPServer("sample", version="1.0")

    @server.tool()
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.tool()
    def fail() -> str:
        """Fail."""
        raise ToolError("the sensor is offline")

    @server.tool()
    async def count(to: int, ctx: Context[Any]) -> str:
        """Count, with a notification for each number."""
        for number in range(to):
            await ctx.report_progress(number, to)
        return f"counted to {to}"

    _ = add, fail, count
    return server


class SdkServer:
    """Running server; `stop` and `start` restart it on the same port, without its sessions."""

    def __init__(self, kind: ServerKind) -> None:
        self._kind = kind
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.methods: list[str] = []
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def start(self) -> None:
        app = sample_server().streamable_http_app(
            json_response="JSON" in self._kind, stateless_http="sessions" not in self._kind
        )

        async def recorded(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                headers = dict(scope["headers"])
                self.methods.append((headers.get(b"mcp-method") or scope["method"].encode()).decode())
                if "2026" not in self._kind and self.methods[-1] == "server/discover":
                    await Response("unknown method", 404)(scope, receive, send)
                    return
            await app(scope, receive, send)

        config = uvicorn.Config(recorded, log_config=None, timeout_graceful_shutdown=1)
        server = self._server = uvicorn.Server(config)
        ready = threading.Event()
        startup = server.startup

        async def started(sockets: Any = None) -> None:
            await startup(sockets)
            ready.set()

        server.startup = started
        sockets = [self._listener.dup()]
        self._thread = threading.Thread(target=server.run, args=(sockets,), name="sdk-server")
        self._thread.start()
        assert ready.wait(30)

    def stop(self) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(30)
        self._server = self._thread = None

    def close(self) -> None:
        self.stop()
        self._listener.close()


@contextmanager
def sdk_server(kind: ServerKind) -> Generator[SdkServer]:
    """Serve the sample server; the lines of its libraries are no part of the function's log."""
    for name in ("uvicorn.error", "uvicorn.access", "mcp"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    server = SdkServer(kind)
    server.start()
    try:
        yield server
    finally:
        server.close()
