"""Validation of a call's arguments against its tool's schema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexchat.errors import ToolInputError
from flexchat.schema import ArgumentChecker

WEATHER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "location": {"type": "string", "description": "City name or coordinates"},
        "units": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
    },
    "required": ["location"],
}


def schema_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def with_definitions(schema: dict[str, Any], **definitions: Any) -> dict[str, Any]:
    return schema | {"$defs": definitions}


def errors_of(schema: dict[str, Any], arguments: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(ToolInputError) as error:
        ArgumentChecker(schema).check(arguments)
    return error.value.errors


def errors_for(value: Any, **schema: Any) -> tuple[str, ...]:
    """The errors of one parameter `a`."""
    return errors_of(schema_of(a=schema), {"a": value})


def test_valid_arguments_are_returned_with_defaults():
    assert ArgumentChecker(WEATHER).check({"location": "Paris"}) == {"location": "Paris", "units": "celsius"}


def test_a_given_value_overrides_the_default():
    arguments: dict[str, Any] = {"location": "Paris", "units": "fahrenheit"}

    assert ArgumentChecker(WEATHER).check(arguments) == arguments


def test_parameters_outside_the_schema_are_passed_through():
    assert ArgumentChecker(WEATHER).check({"location": "Paris", "mood": [1]}) == {
        "location": "Paris",
        "units": "celsius",
        "mood": [1],
    }


def test_the_arguments_of_the_caller_are_not_modified():
    schema = schema_of(o={"type": "object", "properties": {"x": {"default": {"list": [1]}}}})
    checker = ArgumentChecker(schema)
    given: dict[str, Any] = {"o": {}}

    first: dict[str, Any] = checker.check(given)
    assert first == {"o": {"x": {"list": [1]}}}
    first["o"]["x"]["list"].append(2)

    assert given == {"o": {}}
    assert checker.check(given) == {"o": {"x": {"list": [1]}}}


def test_errors_have_the_documented_wording_and_are_complete():
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "count": {"type": "integer"},
            "size": {"type": "string", "enum": ["a", "b"]},
        },
        "required": ["name", "place"],
    }

    assert errors_of(schema, {"count": 1.5, "size": 3}) == (
        "Missing required parameter: name",
        "Missing required parameter: place",
        "count must be an integer",
        "size must be a string",
        "size must be one of: a, b",
    )


def test_the_error_has_all_problems_in_one_line():
    with pytest.raises(ToolInputError) as error:
        ArgumentChecker(WEATHER).check({"units": "kelvin"})

    assert str(error.value) == "Missing required parameter: location, units must be one of: celsius, fahrenheit"


MISFITS: list[tuple[dict[str, Any], Any, str]] = [
    ({"type": "integer"}, True, "a must be an integer"),
    ({"type": "integer"}, "5", "a must be an integer"),
    ({"type": "integer"}, 5.5, "a must be an integer"),
    ({"type": "number"}, "5", "a must be a number"),
    ({"type": "number"}, False, "a must be a number"),
    ({"type": "boolean"}, 1, "a must be a boolean"),
    ({"type": "boolean"}, "true", "a must be a boolean"),
    ({"type": "array"}, {}, "a must be an array"),
    ({"type": "object"}, [], "a must be an object"),
    ({"type": "null"}, 0, "a must be null"),
    ({"type": "string"}, None, "a must be a string"),
    ({"type": ["string", "null"]}, 5, "a must be a string or null"),
    ({"type": ["string", "number", "null"]}, [], "a must be a string, a number or null"),
    ({"enum": [1, None, "x", {"y": 2}]}, 2, 'a must be one of: 1, null, x, {"y":2}'),
    ({"enum": [1]}, True, "a must be one of: 1"),
    ({"const": "x"}, "y", "a must be x"),
    ({"minimum": 1}, 0, "a must be at least 1"),
    ({"maximum": 1.5}, 2, "a must be at most 1.5"),
    ({"exclusiveMinimum": 0}, 0, "a must be greater than 0"),
    ({"exclusiveMaximum": 0}, 0, "a must be less than 0"),
    ({"multipleOf": 5}, 7, "a must be a multiple of 5"),
    ({"multipleOf": 0.1}, 0.35, "a must be a multiple of 0.1"),
    ({"minLength": 1}, "", "a must have at least 1 character"),
    ({"maxLength": 2}, "abc", "a must have at most 2 characters"),
    ({"pattern": "^[a-z]+$"}, "A1", "a must match the pattern ^[a-z]+$"),
    ({"minItems": 2}, [1], "a must have at least 2 items"),
    ({"maxItems": 1}, [1, 2], "a must have at most 1 item"),
    ({"uniqueItems": True}, [1, 1.0], "a must not contain the same item twice"),
    ({"uniqueItems": True}, [{"x": [1]}, {"x": [1.0]}], "a must not contain the same item twice"),
    ({"contains": {"const": 1}}, [2], "a lacks an item of the required form"),
    (
        {"contains": {"const": 1}, "minContains": 2},
        [1],
        "a must have at least 2 items of the required form",
    ),
    (
        {"contains": {"const": 1}, "maxContains": 1},
        [1, 1],
        "a must have at most 1 item of the required form",
    ),
    ({"minProperties": 1}, {}, "a must have at least 1 parameter"),
    ({"maxProperties": 0}, {"x": 1}, "a must have at most 0 parameters"),
    ({"prefixItems": [{}], "items": False}, [1, 2], "a has more items than are allowed"),
    ({"not": {"type": "string"}}, "x", "a has a form that is not allowed"),
    ({"allOf": [False]}, "x", "a has a form that is not allowed"),
    ({"additionalProperties": False}, {"x": 1}, "Unknown parameter: a.x"),
    ({"propertyNames": {"maxLength": 1}}, {"xy": 1}, "Invalid parameter name: a.xy"),
    ({"dependentRequired": {"x": ["y"]}}, {"x": 1}, "Missing required parameter: a.y"),
    ({"required": ["x"]}, {}, "Missing required parameter: a.x"),
    ({"items": {"type": "string"}}, ["x", 1], "a[1] must be a string"),
    ({"prefixItems": [{"type": "string"}]}, [1], "a[0] must be a string"),
    ({"additionalProperties": {"type": "string"}}, {"x": 1}, "a.x must be a string"),
    ({"patternProperties": {"^x": {"type": "string"}}}, {"x1": 1, "y": 1}, "a.x1 must be a string"),
    ({"if": {"type": "string"}, "then": {"minLength": 3}}, "ab", "a must have at least 3 characters"),
    ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "", "a must have at least 1 character"),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "x", "a must be an integer or null"),
    (
        {"anyOf": [{"type": "null"}, {"type": "object", "required": ["x"]}]},
        {},
        "Missing required parameter: a.x",
    ),
    ({"anyOf": [{"type": "null"}, {"type": "string", "minLength": 3}]}, "x", "a must have at least 3 characters"),
    (
        {"anyOf": [{"const": 1}, {"const": 2}]},
        3,
        "a fits none of its allowed forms: a must be 1; or a must be 2",
    ),
    (
        {"oneOf": [{"type": "integer"}, {"minimum": 0}]},
        3,
        "a fits several of its allowed forms; it must fit exactly one",
    ),
    ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, [], "a must be an integer or a string"),
    ({"dependentSchemas": {"x": {"required": ["y"]}}}, {"x": 1}, "Missing required parameter: a.y"),
]


@pytest.mark.parametrize(("schema", "value", "message"), MISFITS)
def test_each_keyword_has_the_correct_form_in_its_error(schema: dict[str, Any], value: Any, message: str):
    assert errors_for(value, **schema) == (message,)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 10**30),
        ({"type": "number"}, 5),
        ({"multipleOf": 0.1}, 0.3),
        ({"multipleOf": 0.01}, 10**40),
        ({"multipleOf": 2}, "text"),
        ({"uniqueItems": True}, [1, True, "1", None, [1], {"x": 1}]),
        ({"uniqueItems": False}, [1, 1]),
        ({"uniqueItems": True}, "aa"),
        ({"enum": [True]}, True),
        ({"pattern": "^x"}, 5),
        ({"patternProperties": {"^x": False}}, "x"),
        ({"patternProperties": {"^x": {}}, "additionalProperties": False}, {"xy": 1}),
        ({"propertyNames": {"maxLength": 1}}, "text"),
        ({"required": ["x"]}, "text"),
        ({"dependentRequired": {"x": ["y"]}}, "x"),
        ({"additionalProperties": False}, []),
    ],
)
def test_a_valid_value_is_unchanged(schema: dict[str, Any], value: Any):
    assert ArgumentChecker(schema_of(a=schema)).check({"a": value}) == {"a": value}


def test_an_unknown_parameter_is_reported_if_additional_ones_are_forbidden():
    schema = schema_of(a={}) | {"additionalProperties": False}

    assert errors_of(schema, {"a": 1, "b": 2, "c": 3}) == ("Unknown parameter: b", "Unknown parameter: c")


def test_a_parameter_with_the_schema_false_is_unknown():
    schema = schema_of(a=False, b={"patternProperties": {"^x": False}})

    assert errors_of(schema, {"a": 1, "b": {"x": 1}}) == ("Unknown parameter: a", "Unknown parameter: b.x")


def test_too_few_parameters_are_an_error_of_the_arguments():
    assert errors_of({"type": "object", "minProperties": 1}, {}) == ("The arguments must have at least 1 parameter",)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer"},
        {"type": ["integer", "null"]},
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"type": "integer"}]},
        {"allOf": [{"type": "integer"}]},
        {"$ref": "#/$defs/whole"},
    ],
)
def test_an_integral_float_becomes_an_integer(schema: dict[str, Any]):
    checker = ArgumentChecker(with_definitions(schema_of(a=schema), whole={"type": "integer"}))

    checked = checker.check({"a": 3.0})

    assert checked == {"a": 3}
    assert isinstance(checked["a"], int)


@pytest.mark.parametrize("schema", [{"type": "number"}, {"type": ["integer", "number"]}, {}])
def test_a_float_stays_a_float_if_numbers_are_allowed(schema: dict[str, Any]):
    assert isinstance(ArgumentChecker(schema_of(a=schema)).check({"a": 3.0})["a"], float)


def test_nested_integral_floats_become_integers():
    whole: dict[str, Any] = {"type": "integer"}
    schema = schema_of(
        items={"type": "array", "items": whole},
        pair={"type": "array", "prefixItems": [whole], "items": {"type": "number"}},
        extra={"type": "object", "additionalProperties": whole},
        free={"type": "array"},
    )

    checked = ArgumentChecker(schema).check({"items": [1.0], "pair": [1.0, 2.0], "extra": {"x": 4.0}, "free": [1.0]})

    assert repr(checked) == "{'items': [1], 'pair': [1, 2.0], 'extra': {'x': 4}, 'free': [1.0]}"


def test_defaults_are_added_only_to_given_objects():
    inner: dict[str, Any] = {"type": "object", "properties": {"y": {"default": 3}}}
    schema = schema_of(given=inner, absent=inner, several={"type": "array", "items": inner})

    assert ArgumentChecker(schema).check({"given": {}, "several": [{}, {"y": 1}]}) == {
        "given": {"y": 3},
        "several": [{"y": 3}, {"y": 1}],
    }


def test_a_default_is_read_from_a_reference_and_from_the_matching_variant():
    schema = with_definitions(
        schema_of(
            a={"$ref": "#/$defs/colour"},
            b={"anyOf": [{"type": "null"}, {"type": "object", "properties": {"x": {"default": 1}}}]},
            c={"allOf": [{"properties": {"z": {"default": 2}}}]},
        ),
        colour={"type": "string", "default": "red"},
    )

    assert ArgumentChecker(schema).check({"b": {}, "c": {}}) == {"a": "red", "b": {"x": 1}, "c": {"z": 2}}


def test_a_null_default_is_added_only_if_null_is_valid():
    schema = schema_of(maybe={"type": ["string", "null"], "default": None}, never={"type": "string", "default": None})

    assert ArgumentChecker(schema).check({}) == {"maybe": None}


def test_a_required_parameter_is_missing_even_with_a_default():
    schema = schema_of(a={"default": 1}) | {"required": ["a"]}

    assert errors_of(schema, {}) == ("Missing required parameter: a",)


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
        ({"a": "\ud800"}, "The arguments are not JSON: the text contains half a surrogate pair"),
    ],
    ids=["values", "bytes", "nan", "surrogate"],
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
