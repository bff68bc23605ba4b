"""Demo model in a separate process, started as by the local stack."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def demo_server(log: Path) -> Generator[str]:
    """Yield the URL of the demo model; the process ends with the block."""
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
