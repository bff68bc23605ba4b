"""Speed, memory, sizes and cost: tables, and `.local/bench/<part>.json`; `make bench PARTS=cold,loop` selects parts."""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any

from dev.bench.figures import write_json

PARTS = {
    "loop": "chat_cost:loop",
    "iterations": "chat_cost:iterations",
    "cold": "cold_start:report",
    "reads": "configuration_reads:configuration_reads",
    "requests": "requests:report",
    "memory": "cold_start:memory_report",
    "sizes": "packages:report",
    "throughput": "throughput:report",
    "cost": "cost:report",
    "retrieval": "retrieval_scale:report",
    "traces": "traces:report",
    "writes": "write_units:report",
}
"""Modules of this package and their functions, imported when they run."""

DEFAULT = ("loop", "iterations", "cold", "reads", "requests", "memory", "sizes", "throughput", "cost", "writes")


def selected(text: str) -> tuple[str, ...]:
    """Return the parts of a comma-separated list, the default ones when it is empty. Raises ValueError."""
    if text == "all":
        return tuple(PARTS)
    parts = tuple(part for part in text.split(",") if part) or DEFAULT
    if unknown := [part for part in parts if part not in PARTS]:
        raise ValueError(f"unknown parts {unknown!r}; the parts are {', '.join(PARTS)}, or all")
    return parts


def main() -> None:
    """Run the selected parts in order; write the figures of those that return any."""
    parser = argparse.ArgumentParser(prog="python -m dev.bench", description=__doc__)
    parser.add_argument("--parts", default="", help=f"comma-separated: {', '.join(PARTS)}, or all")
    arguments = parser.parse_args()
    try:
        parts = selected(arguments.parts)
    except ValueError as error:
        parser.error(str(error))
    for part in parts:
        module, _, function = PARTS[part].partition(":")
        report: Callable[[], dict[str, Any] | None] = getattr(import_module(f"dev.bench.{module}"), function)
        figures = report()
        if figures is not None:
            print(f"written: {write_json(part, figures)}")


if __name__ == "__main__":
    main()
