"""Validation of a call's arguments against its tool's schema."""

from typing import Any

import pytest

from flexchat.errors import ToolInputError
from flexchat.schema import ArgumentChecker
from tests.unit.schema.argument_errors import WEATHER, errors_for, errors_of, schema_of


def with_definitions(schema: dict[str, Any], **definitions: Any) -> dict[str, Any]:
    return schema | {"$defs": definitions}


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
