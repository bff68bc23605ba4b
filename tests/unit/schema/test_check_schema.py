"""Validation of a tool's schema when it is loaded."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from flexchat.errors import ConfigError, Problem
from flexchat.messages import Json
from flexchat.schema import ArgumentChecker, check_schema
from flexchat.schema.keywords import METASCHEMA

RE2_LACKS = "it has no look-around and no \\1"
NO_TYPE = "must be one of array, boolean, integer, null, number, object, string, or a list of them"


def schema_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def nested(levels: int) -> dict[str, Any]:
    """A schema of that many schemas inside one another."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels - 1):
        schema = {"type": "object", "properties": {"inner": schema}}
    return schema


def doubling(levels: int) -> dict[str, Any]:
    """A schema that doubles with every level: 2 to the power of `levels` when its references are followed."""
    definitions: dict[str, Any] = {
        f"a{level}": {"allOf": [{"$ref": f"#/$defs/a{level + 1}"}] * 2} for level in range(levels)
    }
    return {"type": "object", "$ref": "#/$defs/a0", "$defs": {**definitions, f"a{levels}": {}}}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {}, "additionalProperties": False},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema_of(a={"type": "string"})},
        {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.com/x", "type": "object"},
        schema_of(units={"type": "string", "enum": ["c", "f"], "default": "c"}),
        schema_of(name={"type": "string", "pattern": "^(a+)+$"}),
        schema_of(maybe={"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}),
        schema_of(generated={"type": "string", "default": None}),
        schema_of(a={"$ref": "#/$defs/A"}, b={"$ref": "#/$defs/A"}) | {"$defs": {"A": {"type": "integer"}}},
        schema_of(a={"$ref": "#/properties/a~1b/anyOf/0"}, **{"a/b": {"anyOf": [{"type": "integer"}]}}),
        schema_of(a={"$ref": "#/definitions/x%20y"}) | {"definitions": {"x y": {"type": "integer"}}},
        nested(12),
        {"type": "object", "$defs": {"tree": {"properties": {"left": {"type": "string"}}}}},
        {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}, "not": {"required": ["z"]}},
    ],
)
def test_a_usable_schema_has_no_problem(schema: dict[str, Any]):
    assert check_schema(schema) == ()


@pytest.mark.parametrize(
    ("schema", "problems"),
    [
        ({}, ("type: must be 'object'; a tool's parameters are an object with 'properties'",)),
        ({"type": "string"}, ("type: must be 'object'; a tool's parameters are an object with 'properties'",)),
        (
            schema_of(a={"type": "strin"}),
            (f"properties.a.type: {NO_TYPE}",),
        ),
        (schema_of(a={"minLength": -1}), ("properties.a.minLength: -1 is less than the minimum of 0",)),
        (schema_of(a={"enum": "x"}), ("properties.a.enum: 'x' is not of type 'array'",)),
        (schema_of(a={"default": "x", "type": "integer"}), ("properties.a.default: does not fit its own schema",)),
        (
            schema_of(a={"default": "x", "$ref": "#/$defs/n"}) | {"$defs": {"n": {"type": "integer"}}},
            ("properties.a.default: does not fit its own schema",),
        ),
        (
            schema_of(a={"items": {"pattern": "(?=x)"}}),
            (f"properties.a.items.pattern: not a pattern RE2 can run: invalid perl operator: (?=; {RE2_LACKS}",),
        ),
        (
            {"type": "object", "patternProperties": {r"(a)\1": {}}},
            (f"patternProperties: not a pattern RE2 can run: invalid escape sequence: \\1; {RE2_LACKS}",),
        ),
        (
            schema_of(a={"pattern": "a" * 1_001}),
            ("properties.a.pattern: the pattern has 1001 characters, at most 1000 are accepted",),
        ),
        (
            schema_of(a={"pattern": "((a{100}){100}){100}"}),
            (f"properties.a.pattern: not a pattern RE2 can run: invalid repetition size: {{100}}; {RE2_LACKS}",),
        ),
        (schema_of(a={"pattern": "\ud800"}), ("properties.a.pattern: the pattern contains an unpaired surrogate",)),
    ],
)
def test_an_invalid_schema_is_reported_with_the_path_and_the_remedy(schema: dict[str, Any], problems: tuple[str, ...]):
    assert check_schema(schema) == problems


def test_every_problem_is_reported_at_once():
    schema = schema_of(a={"pattern": "("}, b={"$ref": "#/nowhere"}, c={"$id": "x", "unevaluatedItems": False})

    assert check_schema(schema) == (
        "properties.a.pattern: not a pattern RE2 can run: missing ): (; it has no look-around and no \\1",
        "properties.b.$ref: '#/nowhere' is not a schema of this document",
        "properties.c.unevaluatedItems: not supported; use 'items' instead",
        "properties.c.$id: only the whole schema may have one",
    )


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("https://example.com/schema.json", "must point into this schema, such as '#/$defs/name'; nothing is fetched"),
        ("file:///etc/passwd", "must point into this schema, such as '#/$defs/name'; nothing is fetched"),
        ("other.json#/a", "must point into this schema, such as '#/$defs/name'; nothing is fetched"),
        (7, "must point into this schema, such as '#/$defs/name'; nothing is fetched"),
        ("#/properties/a/default", "'#/properties/a/default' is not a schema of this document"),
        ("#anchor", "'#anchor' is not a schema of this document"),
        (f"#/anyOf/{'9' * 5_000}", f"'#/anyOf/{'9' * 92}' is not a schema of this document"),
        ("#/anyOf/\u0660", "'#/anyOf/\u0660' is not a schema of this document"),
    ],
)
def test_a_reference_must_be_inside_the_schema(reference: Any, problem: str):
    schema: dict[str, Any] = schema_of(a={"$ref": reference, "default": {"pattern": "(a+)+$"}})
    schema["anyOf"] = [{"type": "object"}]

    assert f"properties.a.$ref: {problem}" in check_schema(schema)


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"type": "object", "$ref": "#"}, "the schema"),
        (schema_of(tree={"properties": {"left": {"$ref": "#/properties/tree"}}}), "properties.tree"),
        (
            schema_of(a={"$ref": "#/$defs/b"}) | {"$defs": {"b": {"$ref": "#/$defs/c"}, "c": {"$ref": "#/$defs/b"}}},
            "$defs.b",
        ),
    ],
)
def test_a_recursive_schema_is_rejected(schema: dict[str, Any], place: str):
    assert check_schema(schema) == (f"{place}: refers to itself; a tool's schema must be finite",)


def test_an_unused_definition_can_be_recursive():
    assert check_schema({"type": "object", "$defs": {"tree": {"items": {"$ref": "#/$defs/tree"}}}}) == ()


def test_an_exponential_schema_is_rejected_without_expansion():
    assert check_schema(doubling(11)) == ("the references expand to more than 2000 schemas; use fewer of them",)


def test_exponential_expansion_is_detected_in_limited_work():
    assert check_schema(doubling(60)) == ("the references expand to more than 2000 schemas; use fewer of them",)


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (nested(13), "the schema is 13 schemas deep, at most 12 are accepted; make it flatter"),
        (nested(30), "the schema is nested deeper than 40 levels; make it flatter"),
        (nested(500), "the schema is nested deeper than 40 levels; make it flatter"),
        (schema_of(**{f"p{i}": {} for i in range(2_000)}), "the schema has more than 2000 values; make it smaller"),
        (schema_of(a={"enum": list(range(2_000))}), "the schema has more than 2000 values; make it smaller"),
    ],
)
def test_a_schema_over_the_limits_is_rejected(schema: dict[str, Any], problem: str):
    assert check_schema(schema) == (problem,)


@pytest.mark.parametrize(
    "keyword",
    [
        "$anchor",
        "$dynamicAnchor",
        "$dynamicRef",
        "$recursiveAnchor",
        "$recursiveRef",
        "unevaluatedItems",
        "unevaluatedProperties",
    ],
)
def test_a_keyword_with_unlimited_work_is_rejected(keyword: str):
    problems = check_schema(schema_of(a={keyword: "x"}))

    assert len(problems) == 1
    assert problems[0].startswith(f"properties.a.{keyword}: not supported; ")


def test_a_dialect_inside_the_schema_is_rejected():
    schema = schema_of(a={"$schema": "http://json-schema.org/draft-07/schema#", "pattern": "^(a+)+$"})

    assert check_schema(schema) == ("properties.a.$schema: only the whole schema may have one",)


@pytest.mark.parametrize("schema", [doubling(20), nested(13), {"type": "object", "$ref": "http://x/y"}])
def test_no_validator_is_built_from_a_schema_over_the_limits(schema: dict[str, Any]):
    with pytest.raises(ConfigError) as error:
        ArgumentChecker(schema)

    assert error.value.problems == tuple(Problem("parameters", problem) for problem in check_schema(schema))


KEYWORDS = sorted(METASCHEMA.schema["properties"])
VALUES: tuple[Json, ...] = (
    *(None, True, 0, -1, 1.5, "a", "#/a", "object", "text"),
    *([], ["a"], ["a", "a"], [1], [{}], [{"type": 1}]),
    *({}, {"a": {}}, {"a": 1}, {"a": ["b"]}, {"a": {"type": "text"}}, {"type": ["string", "text"]}),
)


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_the_metaschema_in_one_document_accepts_what_the_official_one_accepts(keyword: str) -> None:
    official: Any = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    schemas = [schema for value in VALUES for schema in ({keyword: value}, {"items": {keyword: value}})]

    for schema in schemas:
        expected = {(error.json_path, error.message) for error in official.iter_errors(schema)}
        assert {(error.json_path, error.message) for error in METASCHEMA.iter_errors(schema)} == expected


def test_the_metaschema_in_one_document_has_every_keyword() -> None:
    assert {"$defs", "definitions", "if", "minContains", "unevaluatedItems", "format", "title"} < {*KEYWORDS}
    assert len(KEYWORDS) > 55
