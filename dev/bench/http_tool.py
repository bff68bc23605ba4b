"""Overhead of the function of http tools, warm and called in process, over a bare httpx2 call to the same server."""

import io
import json
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from typing import Any

import httpx2

from flexchat.egress.policy import EgressPolicy
from flexchat.http_client import BoundedHttpClient
from flexchat.tool_runtime import tool_handler
from functions.tools.http.implementation import Implementation
from functions.tools.http.sender import HttpSender
from functions.tools.http.tool import HttpTool

CALLS = 300
ROUNDS = 5
BODY = json.dumps({"results": [{"title": f"Title {number}", "score": 0.5} for number in range(20)]}).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n"
        self.wfile.write(head.encode() + BODY)

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing to the terminal."""


def bare(url: str) -> Callable[[], object]:
    """Return a call by httpx2 and json alone."""
    client = httpx2.Client(timeout=10, trust_env=False)
    return lambda: json.loads(client.get(url, params={"q": "text"}).content)["results"]


def tool(url: str) -> Callable[[], object]:
    """Return a call of the handler of the function."""
    policy = EgressPolicy(local=True)
    sender = HttpSender(BoundedHttpClient(egress=policy, compressed=False), policy)
    handler = tool_handler(Implementation, HttpTool(sender))
    event = {
        "tool": "web_search",
        "arguments": {"query": "text"},
        "implementation": {
            "type": "http",
            "url": url,
            "params_mapping": {"query": "q"},
            "response_path": "$.results",
            "retry": {"max_attempts": 3},
        },
        "call_id": "call_1",
        "idempotency_key": "key",
        "request_id": "bench",
        "timeout_ms": 10_000,
    }
    return lambda: handler(event, None)["result"]


def measured(call: Callable[[], object]) -> tuple[float, float]:
    """Return CPU and wall milliseconds of one call: the medians of rounds."""
    for _ in range(20):
        call()
    rounds: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(CALLS):
            call()
        rounds.append(((time.process_time() - cpu) * 1000 / CALLS, (time.perf_counter() - wall) * 1000 / CALLS))
    return median(cpu for cpu, _ in rounds), median(wall for _, wall in rounds)


def report() -> None:
    """Print a table of milliseconds per call; the CPU time includes that of the server, a thread of this process."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/search"
    try:
        with redirect_stdout(io.StringIO()):
            direct, through = measured(bare(url)), measured(tool(url))
    finally:
        server.shutdown()
        server.server_close()
    print("\nOne call of an http tool on loopback, in ms\n")
    print("| Call | CPU | wall |\n|---|---|---|")
    for name, (cpu, wall) in (("httpx2 alone", direct), ("function of http tools", through)):
        print(f"| {name} | {cpu:.2f} | {wall:.2f} |")
    print(f"| overhead | {through[0] - direct[0]:.2f} | {through[1] - direct[1]:.2f} |")


if __name__ == "__main__":
    report()
