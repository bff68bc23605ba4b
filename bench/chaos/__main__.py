"""`make chaos`: a thousand chats while everything fails by chance. Exit code 1 when anything did not hold."""

import argparse
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from bench.chaos.plan import GROUPS, plans
from bench.chaos.report import report
from bench.chaos.workers import outcomes


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    seed = options.seed or secrets.token_hex(4)
    lower, upper = options.deadlines
    planned = plans(seed=seed, chats=options.chats, deadlines=(lower, upper))
    print(f"{options.chats} chats, seed {seed}, {options.workers} workers, deadlines of {lower:g} to {upper:g} s\n")
    started = time.monotonic()
    with _demo_model() as url:
        done = list(outcomes(planned, workers=options.workers, model_url=url))
    again = f"make chaos SEED={seed} CHATS={options.chats}"
    return 0 if report(done, seconds=time.monotonic() - started, command=again) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.chaos", description=__doc__)
    parser.add_argument("--chats", type=int, default=1_000)
    parser.add_argument("--seed", default="", help="makes the same chats again; a new one without it")
    parser.add_argument("--workers", type=int, default=24, choices=range(1, GROUPS + 1), metavar="N")
    parser.add_argument("--deadlines", type=float, nargs=2, default=(2.0, 20.0), metavar=("FROM", "TO"), help="seconds")
    return parser.parse_args(arguments)


@contextmanager
def _demo_model() -> Generator[str]:
    """The address of a demo model, which is there as long as it is needed."""
    command = [sys.executable, "-m", "cli.demo_model"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 (it is a pipe)
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.terminate()


if __name__ == "__main__":
    sys.exit(main())
