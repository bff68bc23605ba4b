"""The fake server of `dev.bench.model_server` as a child process."""

import json
import os
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


@contextmanager
def one_core() -> Generator[None]:
    """Run this thread, and those that it starts, on one core, where the system has such a setting (Linux).

    A small Lambda function has at most one core. With several, waking a thread of an idle one takes more CPU time than
    its work, and how much depends on the machine.
    """
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def store_parameters(address: str, parameters: Mapping[str, str]) -> None:
    """Replace the parameters that the fake SSM returns."""
    request = urllib.request.Request(f"{address}/configure", json.dumps(parameters).encode(), method="POST")  # noqa: S310 - loopback
    with urllib.request.urlopen(request) as response:  # noqa: S310 - loopback
        response.read()
