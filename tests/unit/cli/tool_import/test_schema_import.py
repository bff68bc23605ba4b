"""Schemas of OpenAPI documents as JSON Schema."""

from typing import Any

import pytest

from flexchat.schema import check_schema
from tests.unit.cli.tool_import.documents import get, only_tool, post, properties, query


def converted(schema: dict[str, Any], *, version: str = "3.0.3", **schemas: Any) -> Any:
    """Return the schema of a body's property."""
    paths = post({"type": "object", "properties": {"value": schema}})
    return properties(only_tool(paths, version=version, components={"schemas": schemas}))["value"]


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, {"type": "number", "exclusiveMinimum": 0}),
        ({"type": "number", "maximum": 9, "exclusiveMaximum": False}, {"type": "number", "maximum": 9}),
        ({"type": "string", "example": "a", "xml": {}, "x-a": 1}, {"type": "string", "examples": ["a"]}),
        ({"type": "string", "pattern": "(?=a)b"}, {"type": "string"}),
        ({"type": "integer", "default": "many"}, {"type": "integer"}),
        ({"type": "array"}, {"type": "array", "items": {}}),
        ({"type": "float"}, {"type": "number"}),
        ({"type": "any"}, {}),
        ({"type": "string", "required": True}, {"type": "string"}),
        ({"allOf": [{"type": "string"}], "description": "A text"}, {"type": "string", "description": "A text"}),
    ],
)
def test_keywords_of_3_0_become_those_of_json_schema(schema: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert converted(schema) == wanted


def test_choices_of_a_list_are_those_of_its_items() -> None:
    schema = {"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]}
    tool = only_tool(get(query("filter", schema)))

    assert properties(tool) == {"filter": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}}
    assert tool.notes == ("'filter': the choices of a list are taken for those of its items",)
    assert converted({"type": "array", "items": {}, "enum": [["a"]]}) == {"type": "array", "items": {}, "enum": [["a"]]}


def test_schemas_of_3_1_stay() -> None:
    schema = {"type": ["string", "null"], "const": "a", "examples": ["a"]}

    assert converted(schema, version="3.1.0") == schema


def test_a_default_that_does_not_fit_its_schema_is_left_out() -> None:
    assert converted({"type": "string", "maxLength": 1, "default": "long"}) == {"type": "string", "maxLength": 1}


def test_left_out_defaults_are_reported() -> None:
    tool = only_tool(get(query("a", {"type": "string", "maxLength": 1, "default": "long"})))

    assert tool.notes == ("its defaults are left out, since one does not fit its schema",)


def test_references_become_definitions() -> None:
    item = {"type": "object", "properties": {"a": {"type": "string"}}}
    tool = only_tool(
        post(
            {
                "type": "object",
                "properties": {"x": {"$ref": "#/components/schemas/I"}, "y": {"$ref": "#/components/schemas/I"}},
            }
        ),
        components={"schemas": {"I": item}},
    )

    parameters: Any = tool.definition["parameters"]
    assert parameters["$defs"] == {"I": item}
    assert properties(tool) == {"x": {"$ref": "#/$defs/I"}, "y": {"$ref": "#/$defs/I"}}


def test_a_schema_that_contains_itself_is_cut() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
    tool = only_tool(post({"$ref": "#/components/schemas/Node"}), components={"schemas": {"Node": node}})

    assert tool.notes == ("'next': a schema that contains itself is cut",)
    assert not check_schema(tool.definition["parameters"])  # pyright: ignore[reportArgumentType]


def test_schemas_beyond_the_limits_are_cut_to_fewer_levels() -> None:
    schemas = {
        f"L{level}": {
            "type": "object",
            "properties": {f"p{place}": {"$ref": f"#/components/schemas/L{level + 1}"} for place in range(6)},
        }
        for level in range(20)
    } | {"L20": {"type": "string"}}
    tool = only_tool(post({"$ref": "#/components/schemas/L0"}), components={"schemas": schemas})

    assert tool.notes == ("'p0', 'p1', 'p2', 'p3', 'p4', 'p5': schemas below 2 levels are cut",)


def test_keys_in_texts_and_defaults_are_left_out() -> None:
    key = "sk-" + "a1" * 12
    schema = converted({"type": "string", "description": f"Such as {key}", "default": key, "example": key})

    assert schema == {"type": "string", "description": "Such as [redacted]"}


def test_values_with_the_format_of_a_key_are_left_out_and_the_operation_is_not() -> None:
    key = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"
    tool = only_tool(
        get(
            query("mode", {"type": "string", "enum": ["a", key]}),
            query("demo", {"type": "string", "const": key, "default": key}),
            query("list", {"type": "array", "items": {"type": "string"}, "default": [key]}),
            {"name": "X-Demo", "in": "header", "required": True, "schema": {"type": "string", "enum": [key]}},
        ),
        version="3.1.0",
    )

    assert key not in str(tool.definition)
    assert properties(tool)["mode"] == {"type": "string", "enum": ["a"]}
    assert "'mode', 'X-Demo': values that look like keys are left out" in tool.notes
