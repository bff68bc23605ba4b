"""Import time of the built chat function by package, from `python -X importtime`."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

from dev.bench.cold_start import environment, runtime, search_path
from dev.bench.packages import newest_build

SHOWN = 12
_IMPORT = "import sys; sys.path[:0] = sys.argv[1:]; import functions.chat.app"


def report() -> dict[str, Any] | None:
    """Print the milliseconds of the packages that take longest, and return those of all."""
    if (build := newest_build()) is None:
        return None
    with runtime() as folder:
        options = ("-I", "-S", "-B", "-X", "importtime", "-c", _IMPORT)
        command = [sys.executable, *options, *search_path(build, folder)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env=environment("http://127.0.0.1:9")
        )
    packages = by_package(done.stderr.splitlines())
    print("\nImport of the chat function by package, in ms of one process; tracing adds to each module")
    for name, milliseconds in list(packages.items())[:SHOWN]:
        print(f"{name:28}{milliseconds:8.0f}")
    print(f"{'all packages':28}{sum(packages.values()):8.0f}")
    return packages


def by_package(lines: Iterable[str]) -> dict[str, float]:
    """Return the milliseconds of each top-level package, without those of its imports, the slowest first.

    `lines` are those of `-X importtime`; other lines are skipped.
    """
    spent: Counter[str] = Counter()
    for line in lines:
        microseconds, _, rest = line.removeprefix("import time:").partition("|")
        if line.startswith("import time:") and microseconds.strip().isdigit():
            spent[rest.rpartition("|")[2].strip().partition(".")[0]] += int(microseconds)
    return {name: microseconds / 1000 for name, microseconds in spent.most_common()}
