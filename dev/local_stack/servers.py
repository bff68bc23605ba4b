"""Servers of the local stack that print their address: the demo model and the local gateway."""

import json
import os
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from cli.errors import LocalError
from cli.layout import Layout
from cli.processes import Processes, last_words
from cli.system import wait_until

START_SECONDS = 20.0
OWN = ("PATH", "LANG", "LC_ALL")


def start_server(
    name: str,
    command: Sequence[str],
    *,
    log: Path,
    layout: Layout,
    processes: Processes,
    env: Mapping[str, str] | None = None,
) -> str:
    """Start a server, and return the address that it prints as `{"url": ...}` in its first line.

    `env` adds to an environment without settings of the developer.
    """
    own = {name: os.environ[name] for name in OWN if name in os.environ}
    process = processes.start(
        name,
        command,
        env=own | {"PYTHONUNBUFFERED": "1", "TMPDIR": str(layout.tmp)} | dict(env or {}),
        cwd=layout.root,
        log=log,
    )
    wait_until(lambda: not process.alive or _announced(log.read_text()) is not None, seconds=START_SECONDS)
    url = _announced(log.read_text())
    if url is None:
        processes.stop(process)
        raise LocalError(f"the {name} did not start: {last_words(log)}", log=log)
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
