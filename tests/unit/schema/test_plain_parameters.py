"""Plain parameters: their check accepts only arguments that the validator accepts."""

from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from flexchat.messages import Json
from flexchat.schema.keywords import SchemaValidator
from flexchat.schema.plain import PlainParameters, is_valid_and_plain

PROPERTIES: Mapping[str, Json] = {
    "text": {"type": "string", "description": "a text"},
    "count": {"type": "integer", "default": 1},
    "share": {"type": ["number", "null"]},
    "unit": {"type": "string", "enum": ["metric", "imperial"]},
    "mixed": {"enum": ["a", 1]},
    "limited": {"type": "integer", "minimum": 1},
    "list": {"type": "array"},
    "anything": True,
}
VALUES: tuple[Json, ...] = ("metric", "a", "", 0, 1, 1.0, 1.5, True, None, [], [1], {})


def schema(**keywords: Json) -> dict[str, Json]:
    return {"type": "object", "properties": dict(PROPERTIES), "required": ["text"], **keywords}


@pytest.mark.parametrize(
    "keywords",
    [{}, {"additionalProperties": False}, {"additionalProperties": {"type": "integer"}}, {"minProperties": 3}],
)
def test_accepted_arguments_are_valid(keywords: dict[str, Json]) -> None:
    plain, validator = PlainParameters(schema(**keywords)), SchemaValidator(schema(**keywords))
    calls: list[dict[str, Any]] = [{name: value} for name in (*PROPERTIES, "other") for value in VALUES]
    calls += [{"text": "x"} | call for call in calls]

    accepted = [call for call in calls if plain.accept(call)]

    assert all(validator.is_valid(call) for call in accepted)


@pytest.mark.parametrize(
    "arguments",
    [
        {"text": "x"},
        {"text": "x", "count": 2},
        {"text": "x", "share": None},
        {"text": "x", "unit": "metric"},
        {"text": "x", "other": 1},
    ],
)
def test_arguments_of_plain_parameters_are_accepted(arguments: dict[str, Json]) -> None:
    assert PlainParameters(schema()).accept(arguments)


@pytest.mark.parametrize(
    "arguments",
    [{}, {"count": 1}, {"text": "x", "limited": 1}, {"text": "x", "anything": 1}, {"text": "x", "count": True}],
)
def test_other_arguments_are_left_to_the_validator(arguments: dict[str, Json]) -> None:
    assert not PlainParameters(schema()).accept(arguments)


@pytest.mark.parametrize("additional", [False, {"type": "integer"}])
def test_names_without_a_parameter_are_left_to_the_validator_if_the_schema_limits_them(additional: Json) -> None:
    assert not PlainParameters(schema(additionalProperties=additional)).accept({"text": "x", "other": 1})


PLAIN: Mapping[str, Json] = {
    "type": "object",
    "description": "A search",
    "properties": {
        "text": {"type": "string", "title": "Text", "default": "x"},
        "unit": {"type": "string", "enum": ["metric", "imperial"], "default": "metric"},
        "limit": {"type": "integer", "default": None},
        "share": {"type": "number", "default": 1},
        "tags": {"type": "array", "default": []},
    },
    "required": ["text", "unit"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("valid", [PLAIN, {"type": "object"}, {"type": "object", "properties": {}, "required": []}])
def test_a_valid_schema_of_plain_parameters_needs_no_validator(valid: Mapping[str, Json]) -> None:
    assert is_valid_and_plain(valid)
    metaschema: Any = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert metaschema.is_valid(valid)


@pytest.mark.parametrize(
    "keywords",
    [
        {"description": 1},
        {"title": None},
        {"required": "text"},
        {"required": [1]},
        {"required": ["text", "text"]},
        {"additionalProperties": "no"},
        {"additionalProperties": {"type": "string"}},
        {"minProperties": 1},
        {"default": {}},
        {"properties": []},
    ],
)
def test_other_schemas_are_left_to_the_validator(keywords: dict[str, Json]) -> None:
    assert not is_valid_and_plain({**PLAIN, **keywords})


@pytest.mark.parametrize(
    "parameter",
    [
        True,
        {},
        {"type": "text"},
        {"type": ["string", "text"]},
        {"type": ["string", "null"]},
        {"type": "string", "description": 1},
        {"type": "string", "default": 1},
        {"type": "integer", "default": True},
        {"type": "integer", "default": 1.0},
        {"type": "string", "enum": "metric"},
        {"type": "string", "enum": ["a", 1]},
        {"type": "string", "enum": ["a", "a"]},
        {"type": "string", "enum": ["a"], "default": "b"},
        {"type": "string", "examples": "a"},
        {"type": "string", "minLength": 1},
        {"type": "object", "properties": {}},
    ],
)
def test_a_schema_with_another_parameter_is_left_to_the_validator(parameter: Json) -> None:
    assert not is_valid_and_plain({"type": "object", "properties": {"a": {"type": "string"}, "b": parameter}})
