"""The demo model as a process of its own, as the local stack starts it."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def demo_server(log: Path) -> Generator[str]:
    """Its address; it ends with the block."""
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "dev.demo_model"], cwd=ROOT, stdout=subprocess.PIPE, stderr=errors
        ) as process,
    ):
        try:
            assert process.stdout is not None
            yield str(json.loads(process.stdout.readline())["url"])
        finally:
            process.terminate()
