"""`make chaos`: a thousand chats with faults of every kind. Exit code 1 after a violation."""

import argparse
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import get_args

from dev.chaos.mutants import AS_IT_IS, MUTANTS
from dev.chaos.report import report
from dev.chaos.scenario_plan import GROUPS, FaultGroup, Scenario, plans
from dev.chaos.workers import outcomes

DEADLINES = (2.0, 20.0)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    seed = options.seed or secrets.token_hex(4)
    lower, upper = options.deadlines
    planned = plans(
        seed=seed,
        chats=options.chats,
        deadlines=(lower, upper),
        scenarios=options.scenarios,
        fault_groups=options.faults,
    )
    if options.only is not None:
        planned = [plan for plan in planned if plan.number == options.only]
    workers = min(options.workers, len(planned))
    mutant = MUTANTS[options.mutant] if options.mutant else AS_IT_IS
    print(f"{len(planned)} chats, seed {seed}, {workers} workers, deadlines of {lower:g} to {upper:g} s")
    print(f"with a deliberate fault: {mutant.fault}\n" if options.mutant else "")
    started = time.monotonic()
    with _demo_model() as url:
        done = list(outcomes(planned, workers=workers, model_url=url, mutant=mutant))
    again = partial(_command, options, seed)
    return 0 if report(done, seconds=time.monotonic() - started, again=again) else 1


def _command(options: argparse.Namespace, seed: str, only: int | None = None) -> str:
    """Return the command that repeats the run, or one of its chats."""
    changed = {
        "--scenarios": options.scenarios,
        "--faults": options.faults,
        "--deadlines": () if tuple(options.deadlines) == DEADLINES else options.deadlines,
        "--mutant": (options.mutant,) if options.mutant else (),
    }
    if not any(changed.values()):
        return f"make chaos SEED={seed} CHATS={options.chats}" + (f" ONLY={only}" if only is not None else "")
    named = "".join(f" {name} {' '.join(map(str, values))}" for name, values in changed.items() if values)
    chosen = f" --only {only}" if only is not None else ""
    return f".venv/bin/python -m dev.chaos --seed {seed} --chats {options.chats}{chosen}{named}"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m dev.chaos", description=__doc__)
    parser.add_argument("--chats", type=int, default=1_000)
    parser.add_argument("--seed", default="", help="seed of the plans; a new one by default")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="run one chat of the plan")
    parser.add_argument("--workers", type=int, default=16, choices=range(1, GROUPS + 1), metavar="N")
    parser.add_argument("--deadlines", type=float, nargs=2, default=DEADLINES, metavar=("FROM", "TO"), help="seconds")
    parser.add_argument("--scenarios", nargs="+", default=(), choices=get_args(Scenario))
    parser.add_argument("--faults", nargs="+", default=(), choices=get_args(FaultGroup), help="parts that fail")
    parser.add_argument("--mutant", choices=[*MUTANTS], help="deliberate fault that the run must detect")
    return parser.parse_args(arguments)


@contextmanager
def _demo_model() -> Generator[str]:
    """Run a demo model that streams without pauses in a separate process, and yield its address."""
    command = [sys.executable, "-m", "dev.demo_model", "--stream-ms", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 (it is a pipe)
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.terminate()


if __name__ == "__main__":
    sys.exit(main())
