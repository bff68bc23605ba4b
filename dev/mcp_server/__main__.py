"""`python -m dev.mcp_server`: serves over stdio, or over HTTP after printing `{"url": ...}` on one line."""

import argparse
import json
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio

from dev.mcp_server.faults import Faults
from dev.mcp_server.server import ExampleServer
from dev.request_check import RequestCheck, checked

HOST = "127.0.0.1"


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    faults = Faults(
        pollute=options.pollute,
        crash_at_start=options.crash_at_start,
        crash_after=options.crash_after,
        slow_start=options.slow_start,
        silent=options.silent,
        version=options.tools_version,
        version_file=options.tools_version_file,
    )
    faults.at_start()
    server = ExampleServer(version=faults.tools_version, middleware=(faults,))
    print(f"serving over {'stdio' if options.http is None else 'HTTP'}", file=sys.stderr, flush=True)
    if options.http is None:
        anyio.run(server.mcp.run_stdio_async)
    else:
        serve_http(server, port=options.http, stateless=options.stateless)
    return 0


def serve_http(server: ExampleServer, *, port: int, stateless: bool) -> None:
    """Serve streamable HTTP on the loopback interface until the process is interrupted."""
    import uvicorn

    app = server.mcp.streamable_http_app(stateless_http=stateless, json_response=stateless, host=HOST)
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()  # a client may connect once it has read the address
        own_port = listener.getsockname()[1]
        print(json.dumps({"url": f"http://{HOST}:{own_port}/mcp"}), flush=True)
        config = uvicorn.Config(checked(app, RequestCheck(own_port)), log_config=None, timeout_graceful_shutdown=1)
        uvicorn.Server(config).run(sockets=[listener])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dev.mcp_server",
        description="A small MCP server over stdio or, on this machine only, over HTTP; with switches for faults.",
    )
    add = parser.add_argument
    add("--http", type=int, metavar="PORT", help="serve streamable HTTP at this port of 127.0.0.1; 0 takes a free one")
    add("--stateless", action="store_true", help="over HTTP: no sessions, and answers as JSON")
    add("--pollute", action="store_true", help="write a line to stdout that is no message, before each answer")
    add("--crash-at-start", action="store_true", help="end with an error before serving")
    add("--crash-after", type=int, metavar="N", help="end the process in the call after N calls")
    add("--slow-start", type=float, default=0, metavar="SECONDS", help="wait before serving")
    add("--silent", action="store_true", help="read requests, and answer none")
    add("--tools-version", type=int, choices=(1, 2), default=1, help="version of the tools: 2 has changed ones")
    add("--tools-version-file", type=Path, metavar="PATH", help="file with the version, read for each request")
    return parser


if __name__ == "__main__":
    sys.exit(main())
