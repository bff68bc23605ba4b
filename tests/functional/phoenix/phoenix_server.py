"""Arize Phoenix, a server for OpenTelemetry traces of agents, whose packages `make phoenix` installs."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cli.deployment.toolchain import ensure_tool
from cli.layout import Layout
from cli.processes import Processes

LOCK: Final = Path(__file__).parent / "packages" / "phoenix.txt"
START_SECONDS: Final = 240
INGEST_SECONDS: Final = 60
PAUSE_SECONDS: Final = 0.5


def install() -> None:
    """Install the packages of the lock, unless they are there."""
    layout = Layout.here()
    ensure_tool(LOCK, layout=layout, processes=Processes(layout.tools / "processes.json"))


@contextmanager
def phoenix_server(folder: Path) -> Generator[str]:
    """Yield the address of a server, whose database and log are in `folder`."""
    command = Layout.here().tools / LOCK.stem / "bin" / "phoenix"
    assert command.exists(), "Phoenix is not here; install it with `make phoenix`"
    port, grpc_port = _free_port(), _free_port()
    environment = {
        **os.environ,
        "PHOENIX_WORKING_DIR": str(folder),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(grpc_port),
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    log = folder / "server.log"
    with (
        log.open("wb") as output,
        subprocess.Popen([command, "serve"], env=environment, stdout=output, stderr=output) as server,  # noqa: S603
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            started = until(lambda: server.poll() is not None or _is_healthy(address), seconds=START_SECONDS)
            assert started, log.read_text()
            assert server.poll() is None, log.read_text()
            yield address
        finally:
            server.terminate()
            server.wait(30)


def spans_of(address: str, trace_id: str, count: int) -> dict[str, dict[str, Any]]:
    """Return the stored spans of a trace by their ids, once there are `count` of them."""
    found: dict[str, dict[str, Any]] = {}

    def is_complete() -> bool:
        for span in _read(f"{address}/v1/projects/default/spans?limit=1000")["data"]:
            if span["context"]["trace_id"] == trace_id:
                found[span["context"]["span_id"]] = span
        return len(found) >= count

    assert until(is_complete, seconds=INGEST_SECONDS), f"{len(found)} of {count} spans are stored"
    return found


def until(condition: Callable[[], bool], *, seconds: float) -> bool:
    """Wait for a condition of a server; return whether it holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(PAUSE_SECONDS)
    return True


def _is_healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as response:  # noqa: S310
            return response.status == 200
    except (OSError, urllib.error.URLError):
        return False


def _read(url: str) -> Any:
    try:
        with urllib.request.urlopen(url, timeout=10) as response:  # noqa: S310
            return json.load(response)
    except urllib.error.HTTPError:
        return {"data": []}  # a project is created with its first span


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


if __name__ == "__main__":
    install()
