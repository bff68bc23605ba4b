"""The fake server of `dev.bench.model_server` as a child process."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def model_server() -> Generator[str]:
    """Yield the address of the fake server, which ends with the context."""
    command = [sys.executable, "-m", "dev.bench.model_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stdin is not None  # noqa: S101 - opened above
        assert process.stdout is not None  # noqa: S101 - opened above
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.stdin.close()


def store_parameters(address: str, parameters: Mapping[str, str]) -> None:
    """Replace the parameters that the fake SSM returns."""
    request = urllib.request.Request(f"{address}/configure", json.dumps(parameters).encode(), method="POST")  # noqa: S310 - loopback
    with urllib.request.urlopen(request) as response:  # noqa: S310 - loopback
        response.read()
