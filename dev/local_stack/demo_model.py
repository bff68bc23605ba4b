"""The demo model of the local stack: started when no real model is configured."""

import json
import os
import socket
import sys

from cli.errors import LocalError
from cli.layout import Layout
from cli.processes import Processes, last_words
from cli.system import wait_until

START_SECONDS = 20.0
NAME = "demo model"


def start_demo_model(*, layout: Layout, processes: Processes, port: int = 0) -> str:
    """Start the demo model, by default on a free port; returns the address that it prints in its first line."""
    log = layout.log("demo-model")
    own = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    process = processes.start(
        NAME,
        [sys.executable, "-m", "dev.demo_model", "--port", str(port)],
        env=own | {"PYTHONUNBUFFERED": "1", "TMPDIR": str(layout.tmp)},
        cwd=layout.root,
        log=log,
    )
    wait_until(lambda: not process.alive or _announced(log.read_text()) is not None, seconds=START_SECONDS)
    url = _announced(log.read_text())
    if url is None:
        processes.stop(process)
        raise LocalError(f"the demo model did not start: {last_words(log)}", log=log)
    return url


def is_free(port: int) -> bool:
    """Return true when a server can listen on a port of the loopback interface."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _announced(output: str) -> str | None:
    for line in output.splitlines():
        if line.startswith("{") and line.endswith("}"):
            return str(json.loads(line)["url"]).rstrip("/")
    return None
