"""CPU time (user and system) of the `flexchat` command in a fresh process."""

import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

RUNS = 5
COMMANDS = (
    ("--help",),
    ("config", "check"),
    ("tools", "show"),
    ("tools", "list", "--url", "http://127.0.0.1:9", "--token", "none"),
)
"""Commands; no stack is needed, because `tools list` fails at a closed port."""


def report() -> None:
    """Print the median of several fresh processes for each command."""
    print(f"\nCPU time of a flexchat command, fresh process, median of {RUNS}")
    for words in COMMANDS:
        print(f"{' '.join(words[:2]):18} {median(_milliseconds(words) for _ in range(RUNS)):8.0f} ms")


def _milliseconds(words: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([Path(sys.executable).with_name("flexchat"), *words], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
