"""MCP servers of the tests: public npm packages of locked versions, and the project's example server."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.e2e import npm

ROOT: Final = Path(__file__).parents[3]
PACKAGES: Final = Path(__file__).parent / "packages"
MODULES: Final = npm.CACHE / "mcp-servers" / "node_modules" / "@modelcontextprotocol"
PYTHON: Final = "python3.13"
LOOPBACK: Final = Path(__file__).with_name("loopback.cjs")
CONNECT_TIMEOUT_MS: Final = 20_000

DEVELOPER: Final = "developer"
"""Principal of a deployment to the emulator, which no documented policy covers."""


def install() -> None:
    """Install the packages of the lock, unless they are there."""
    npm.install(PACKAGES, "mcp-servers")


def npm_server(name: str, *args: str, **env: str) -> dict[str, Any]:
    """Return the entry of `mcp_servers` for a package that runs over stdio."""
    return _entry({"command": "node", "args": [str(MODULES / name / "dist" / "index.js"), *args], "env": env})


def example(*switches: str) -> dict[str, Any]:
    """Return the entry of the example server over stdio."""
    return _entry({"command": PYTHON, "args": ["-m", "dev.mcp_server", *switches], "env": {"PYTHONPATH": str(ROOT)}})


def plain(**fields: Any) -> dict[str, Any]:
    """Return the entry of the small server without the SDK over stdio."""
    return _entry({"command": PYTHON, "args": [str(ROOT / "tests" / "mcp_servers" / "plain.py")], **fields})


def at(url: str) -> dict[str, Any]:
    """Return the entry of a server over HTTP."""
    return _entry({"url": url})


def _entry(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "connect_timeout_ms": CONNECT_TIMEOUT_MS}


@contextmanager
def example_over_http(log: Path, *switches: str) -> Generator[str]:
    """Run the example server over HTTP for a block; yields its address."""
    command = [sys.executable, "-m", "dev.mcp_server", "--http", "0", *switches]
    with _process(command, log=log) as process:
        yield _url(process)


@contextmanager
def everything_over_http(log: Path) -> Generator[str]:
    """Run server-everything over HTTP for a block, on the loopback interface; yields its address."""
    program = str(MODULES / "server-everything" / "dist" / "index.js")
    command = [npm.NODE, "--require", str(LOOPBACK), program, "streamableHttp"]
    with _process(command, log=log, env={**os.environ, "PORT": "0"}) as process:
        yield _url(process)


def _url(process: subprocess.Popen[str]) -> str:
    """Return the address in the first line that has one."""
    assert process.stdout is not None
    line = next(line for line in process.stdout if line.startswith("{"))
    return str(json.loads(line)["url"])


@contextmanager
def _process(command: list[str], *, log: Path, **options: Any) -> Generator[subprocess.Popen[str]]:
    with (
        log.open("w") as errors,
        subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=errors, **options) as process,  # noqa: S603
    ):
        try:
            yield process
        finally:
            process.terminate()
