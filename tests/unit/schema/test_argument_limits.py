"""Limits of argument validation: hostile names, large values and long errors."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.schema import ArgumentChecker
from tests.unit.schema.argument_errors import WEATHER, errors_for, errors_of, schema_of


def test_the_dialect_of_a_schema_does_not_enable_a_backtracking_pattern():
    schema: dict[str, Any] = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **schema_of(a={"pattern": "^(a+)+$"}),
    }

    assert errors_of(schema, {"a": "a" * 5_000 + "!"}) == ("a must match the pattern ^(a+)+$",)


@pytest.mark.parametrize("additional", [True, {"type": "integer"}])
def test_hostile_names_are_matched_against_patterns_in_linear_time(additional: Any):
    schema: dict[str, Any] = {
        "type": "object",
        "patternProperties": {"^(a+)+$": False},
        "additionalProperties": additional,
    }

    assert ArgumentChecker(schema).check({"a" * 5_000 + "!": 1}) == {"a" * 5_000 + "!": 1}


def test_hostile_names_are_matched_against_property_name_patterns_in_linear_time():
    schema = {"type": "object", "propertyNames": {"pattern": "^(a+)+$"}}

    assert errors_of(schema, {"a" * 5_000 + "!": 1}) == (f"Invalid parameter name: {'a' * 100}",)


class CountedText(str):
    """A text that counts how often it is compared."""

    __slots__ = ()
    __hash__ = str.__hash__
    comparisons: list[str] = []  # noqa: RUF012 # shared on purpose

    def __eq__(self, other: object) -> bool:
        self.comparisons.append(self)
        return str.__eq__(self, other)


def test_many_distinct_objects_are_compared_without_comparing_all_pairs():
    value = [{"id": CountedText(number)} for number in range(300)]

    ArgumentChecker(schema_of(a={"uniqueItems": True})).check({"a": value})  # pyright: ignore[reportArgumentType] # a text is JSON

    assert CountedText.comparisons == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": [0] * 5_000}, "The arguments have more than 5000 values; send fewer"),
        ({"a": "x" * 262_144}, "The arguments have 262152 bytes; send at most 262144"),
        ({"a": float("nan")}, "The arguments are not JSON: not a JSON value: Out of range float values are not"),
        ({"a": "\ud800"}, "The arguments are not JSON: the text contains an unpaired surrogate"),
        ({"\ud800": 1}, "The arguments are not JSON: the text contains an unpaired surrogate"),
        ({"a": 10**5_000}, "The arguments are not JSON: not a JSON value: Exceeds the limit"),
        ({f"a{number}": number for number in range(5_000)}, "The arguments have more than 5000 values; send fewer"),
    ],
    ids=["values", "bytes", "nan", "surrogate", "surrogate in a name", "digits", "names"],
)
def test_arguments_over_the_budget_are_rejected_before_validation(arguments: dict[str, Any], message: str):
    (error,) = errors_of(WEATHER, arguments)

    assert error.startswith(message)


def test_too_deeply_nested_arguments_are_rejected():
    value: Any = 1
    for _ in range(32):
        value = [value]

    assert errors_of(WEATHER, {"a": value}) == ("The arguments are nested deeper than 32 levels; send them flatter",)


def test_a_large_schema_has_a_smaller_value_budget():
    properties: dict[str, Any] = {f"p{number}": {} for number in range(1_500)}
    schema = schema_of(items={"type": "array", "items": {"type": "object", "properties": properties}})

    assert errors_of(schema, {"items": [{}] * 1_400}) == ("The arguments have more than 1330 values; send fewer",)


def test_at_most_fifty_errors_are_listed():
    errors = errors_for(list(range(200)), items={"type": "string"})

    assert errors == tuple(f"a[{index}] must be a string" for index in range(50))


def test_long_names_and_long_choices_are_truncated():
    errors = errors_of(
        schema_of(a={"enum": ["x" * 400, "y" * 400]}) | {"additionalProperties": False}, {"a": 1, "n" * 5_000: 1}
    )

    assert errors == (
        f"a must be one of: {'x' * 400}, {'y' * 98}…",
        f"Unknown parameter: {'n' * 100}",
    )


@given(
    st.dictionaries(
        st.sampled_from(["location", "units", "other"]),
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    )
)
def test_any_arguments_are_valid_or_rejected_without_their_value(arguments: dict[str, Any]):
    fits = isinstance(arguments.get("location"), str) and arguments.get("units", "celsius") in ("celsius", "fahrenheit")
    if fits:
        assert ArgumentChecker(WEATHER).check(arguments) == {"units": "celsius"} | arguments
    else:
        assert set(errors_of(WEATHER, arguments)) <= {
            "Missing required parameter: location",
            "location must be a string",
            "units must be a string",
            "units must be one of: celsius, fahrenheit",
        }
