"""Arithmetic of the benchmark's figures, and the shape of its JSON files."""

import json
from pathlib import Path

import pytest

from dev.bench.__main__ import DEFAULT, PARTS, selected
from dev.bench.figures import Comparison, Figure, alternate, compare, figure, write_json


def test_a_figure_has_the_median_and_the_quartiles() -> None:
    assert figure([5, 1, 4, 2, 3]) == Figure(median=3, low=2, high=4, runs=5)


def test_a_figure_of_one_run_has_no_spread() -> None:
    assert figure([7.0]) == Figure(median=7, low=7, high=7, runs=1)


def test_a_figure_without_runs_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        figure([])


def test_a_ratio_is_the_median_of_the_ratios_of_the_pairs() -> None:
    # The ratio of the medians would be 1: the machine was slower for the last pair.
    assert compare([2, 4, 30], [1, 4, 10]) == Comparison(
        own=Figure(4, 3, 17, 3), reference=Figure(4, 2.5, 7, 3), ratio=Figure(2, 1.5, 2.5, 3)
    )


def test_unpaired_runs_are_an_error() -> None:
    with pytest.raises(ValueError, match="longer"):
        compare([1], [1, 2])


def test_programs_run_in_turn() -> None:
    order: list[str] = []

    def program(name: str) -> str:
        order.append(name)
        return name.upper()

    assert alternate({"a": lambda: program("a"), "b": lambda: program("b")}, 2) == {"a": ["A", "A"], "b": ["B", "B"]}
    assert order == ["a", "b", "a", "b"]


def test_the_json_file_has_nested_figures(tmp_path: Path) -> None:
    path = write_json("loop", {"openai 5x1": {"cpu": compare([2.0], [1.0])}}, tmp_path / "bench")

    def written(value: float) -> dict[str, float]:
        return {"median": value, "low": value, "high": value, "runs": 1}

    assert path == tmp_path / "bench" / "loop.json"
    assert json.loads(path.read_text("utf-8")) == {
        "openai 5x1": {"cpu": {"own": written(2), "reference": written(1), "ratio": written(2)}}
    }


def test_parts_are_selected_by_name() -> None:
    assert (selected("cold,loop"), selected(""), selected("all")) == (("cold", "loop"), DEFAULT, tuple(PARTS))


def test_an_unknown_part_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"unknown parts \['warm'\]"):
        selected("warm")
