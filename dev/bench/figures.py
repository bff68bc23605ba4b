"""Figures of measurements: medians with quartiles, ratios of alternating runs, and their JSON files."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

FOLDER = Path(__file__).parents[2] / ".local" / "bench"
"""Folder of the JSON files, which git ignores."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Median of several runs with the lower and the upper quartile."""

    median: float
    low: float
    high: float
    runs: int

    def __str__(self) -> str:
        """Return the median with its quartiles in brackets."""
        digits = 0 if abs(self.median) >= 100 else 1 if abs(self.median) >= 10 else 2
        return f"{self.median:.{digits}f} [{self.low:.{digits}f}-{self.high:.{digits}f}]"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Figures of a program and of its reference, and the ratio of each pair of neighbouring runs."""

    own: Figure
    reference: Figure
    ratio: Figure


def figure(values: Sequence[float]) -> Figure:
    """Return the median and the quartiles of `values`. Raises ValueError when there are none."""
    if not values:
        raise ValueError("a figure needs at least one value, got none")
    low, _, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else (values[0],) * 3
    return Figure(median(values), low, high, len(values))


def compare(own: Sequence[float], reference: Sequence[float]) -> Comparison:
    """Return the figures of paired runs. Raises ValueError when their numbers differ."""
    ratios = [a / b for a, b in zip(own, reference, strict=True)]
    return Comparison(figure(own), figure(reference), figure(ratios))


def alternate[T](programs: Mapping[str, Callable[[], T]], runs: int) -> dict[str, list[T]]:
    """Run the programs in turn (A B A B ...), `runs` times each, and return the results of each."""
    results: dict[str, list[T]] = {name: [] for name in programs}
    for _ in range(runs):
        for name, program in programs.items():
            results[name].append(program())
    return results


def write_json(name: str, figures: Mapping[str, Any], folder: Path = FOLDER) -> Path:
    """Write the figures of one part to `<folder>/<name>.json` and return the path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(figures, default=asdict, indent=2) + "\n", "utf-8")
    return path
