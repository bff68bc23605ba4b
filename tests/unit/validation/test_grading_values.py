"""Comparison of values by BFCL's rules for types, strings, lists and objects."""

from itertools import permutations
from random import Random
from typing import Any

import pytest

from flexchat.messages import Json
from flexchat.validation.call_matching import assign
from flexchat.validation.values import type_of
from tests.unit.validation.grading_samples import case, made, verdict, wanted

RIGHT: list[tuple[str, Any, list[Any]]] = [
    ("whole", 5, [5]),
    ("number", 5, [5.0]),
    ("number", 5.0, [5]),
    ("number", 5.5, [5, 5.5]),
    ("maybe", 5.0, [5]),
    ("maybe", None, [None]),
    ("form", 5.0, [5]),
    ("open", 5.5, [5.5]),
    ("flag", True, [True]),
    ("text", "april 1 2024", ["April 1, 2024"]),
    ("text", 'it"s_a-test.^*/', ["It's a test"]),
    ("text", "", ["x", ""]),
    ("text", " * ", ["*"]),
    ("words", ["a", "B."], [["A", "b"]]),
    ("words", [], [["A"], ""]),
    ("numbers", [1, 2.0], [[1, 2]]),
    ("address", {"zip": 1, "size": 2.0}, [{"zip": [1], "size": [2]}]),
    ("address", {"zip": 1}, [{"zip": [1, 2], "size": [2, ""]}]),
    ("address", {"zip": 1}, [{"zip": 1}]),
    ("address", {"place": {"x": "a"}}, [{"place": [{"x": ["A"]}]}]),
    ("rows", [{"n": 1.0}, {}], [[{"n": [1]}, {"n": [2, ""]}]]),
]

WRONG: list[tuple[str, Any, list[Any]]] = [
    ("whole", 5.0, [5]),
    ("whole", "5", [5]),
    ("whole", True, [1]),
    ("number", True, [1]),
    ("number", 5.5, [5]),
    ("form", "5", [5]),
    ("open", 5.0, [5]),
    ("flag", 1, [True]),
    ("flag", "true", [True]),
    ("text", 5, ["5"]),
    ("text", "Pariss", ["Paris"]),
    ("text", "/", ["*"]),
    ("text", None, ["None"]),
    ("text", [], ["x", ""]),
    ("words", ["b", "a"], [["a", "b"]]),
    ("words", ["a"], [["a", "b"]]),
    ("words", ["a", "b", "c"], [["a", "b"]]),
    ("words", "a", [["a"]]),
    ("words", [], [["a"]]),
    ("numbers", [True], [[1]]),
    ("address", {"zip": 1.0}, [{"zip": [1]}]),
    ("address", {"zip": 3}, [{"zip": [1, 2]}]),
    ("address", {}, [{"zip": [1]}]),
    ("address", {"zip": 1, "street": "a"}, [{"zip": [1]}]),
    ("address", [1], [{"zip": [1]}]),
    ("address", {"zip": [1]}, [{"zip": [1]}]),
    ("rows", [{"n": 2}, {"n": 1}], [[{"n": [1]}, {"n": [2]}]]),
]


@pytest.mark.parametrize(("name", "value", "allowed"), RIGHT)
def test_an_accepted_value_passes(name: str, value: Json, allowed: list[Json]) -> None:
    assert verdict(case(wanted("values", **{name: allowed})), made("values", **{name: value})).result == "passed"


@pytest.mark.parametrize(("name", "value", "allowed"), WRONG)
def test_another_value_fails_with_a_reason(name: str, value: Json, allowed: list[Json]) -> None:
    found = verdict(case(wanted("values", **{name: allowed})), made("values", **{name: value}))
    assert found.result == "failed"
    assert found.reasons[0].startswith(f"asked for {name} ")


def test_every_value_has_a_type_name() -> None:
    values: list[Json] = [True, 1, 1.5, "a", [], {}, None]
    assert [type_of(value) for value in values] == [
        "boolean", "integer", "number", "string", "array", "object", "null",
    ]  # fmt: skip


def least(costs: list[list[int]]) -> int:
    """Return the minimum sum, found by exhaustive search."""
    if len(costs) > len(costs[0]):
        costs = [list(column) for column in zip(*costs, strict=True)]
    columns = range(len(costs[0]))
    return min(
        sum(row[at] for row, at in zip(costs, chosen, strict=True)) for chosen in permutations(columns, len(costs))
    )


def test_the_assignment_has_the_minimum_cost() -> None:
    draw = Random(7)  # noqa: S311 # repeatable, no secret
    for _ in range(300):
        rows, columns = draw.randint(1, 5), draw.randint(1, 5)
        costs = [[draw.randint(0, 9) for _ in range(columns)] for _ in range(rows)]
        chosen = assign(costs)
        taken = [column for column in chosen if column is not None]
        assert len(taken) == len(set(taken)) == min(rows, columns)
        assert sum(costs[row][column] for row, column in enumerate(chosen) if column is not None) == least(costs)


def test_no_calls_give_no_pairs() -> None:
    assert (assign([]), assign([[], []])) == ([], [None, None])
