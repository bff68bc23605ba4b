"""Schemas of other parties in the form that the checker and models need."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from flexchat.schema import ArgumentChecker, check_schema
from flexchat.schema.finite import finite
from flexchat.schema.shape import shape_of

NODE: dict[str, Any] = {
    "title": "Node",
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/Node", "description": "Below."}},
    },
}


def with_properties(definitions: dict[str, Any] | None = None, **properties: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return schema if definitions is None else {**schema, "$defs": definitions}


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "description": "leaf"}
    for level in range(levels, 1, -1):
        schema = {"type": "object", "description": f"level {level - 1}", "properties": {"a": schema}}
    return schema


def at(schema: Any, *steps: str | int) -> Any:
    for step in steps:
        schema = schema[step]
    return schema


def test_a_schema_without_anything_to_cut_is_returned_itself() -> None:
    schema = with_properties({"A": {"type": "string", "default": "x"}}, a={"$ref": "#/$defs/A"})

    cut, losses = finite(schema)

    assert cut is schema
    assert losses == ()


def test_recursion_is_cut_where_it_begins_again() -> None:
    cut, losses = finite(with_properties({"Node": NODE}, tree={"$ref": "#/$defs/Node"}))

    assert losses == ("$defs.Node.properties.children.items.$ref: cut: it refers to itself",)
    assert at(cut, "$defs", "Node", "properties", "children", "items") == {
        "type": "object",
        "description": "Below. Has the form of 'Node' again.",
    }
    assert check_schema(cut) == ()
    ArgumentChecker(cut).check({"tree": {"name": "a", "children": [{"name": "b", "children": [{"name": 5}]}]}})


@pytest.mark.parametrize(
    "definitions",
    [
        {"A": {"$ref": "#/$defs/A"}},
        {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
        {"A": {"allOf": [{"$ref": "#"}]}},
        {"A": {"items": {"$ref": "#/$defs/B"}}, "B": {"additionalProperties": {"$ref": "#/properties/a"}}},
    ],
)
def test_every_circle_of_references_is_cut(definitions: dict[str, Any]) -> None:
    cut, losses = finite(with_properties(definitions, a={"$ref": "#/$defs/A"}))

    assert [loss.partition(": ")[2] for loss in losses] == ["cut: it refers to itself"]
    assert check_schema(cut) == ()


def test_levels_beyond_the_limit_are_cut_to_their_type() -> None:
    cut, losses = finite(nested(20))

    path = ".".join(["properties", "a"] * 11)
    assert losses == (f"{path}: cut: the schema has more than 12 levels",)
    assert at(cut, *["properties", "a"] * 11) == {"type": "object", "description": "level 12"}
    assert check_schema(cut) == ()
    assert finite(nested(12)) == (nested(12), ())


def test_references_count_as_levels_and_unused_definitions_go() -> None:
    chain = {f"d{number}": {"$ref": f"#/$defs/d{number + 1}"} for number in range(900)} | {"d900": {"type": "string"}}

    cut, losses = finite(with_properties(chain, a={"$ref": "#/$defs/d0"}))

    assert losses == ("$defs.d9: cut: the schema has more than 12 levels",)
    assert list(at(cut, "$defs")) == [f"d{number}" for number in range(10)]
    assert check_schema(cut) == ()


def test_an_expansion_beyond_the_limit_is_cut_to_fewer_levels() -> None:
    doubling = {
        f"d{number}": with_properties(a={"$ref": f"#/$defs/d{number + 1}"}, b={"$ref": f"#/$defs/d{number + 1}"})
        for number in range(11)
    }
    schema = with_properties({**doubling, "d11": {"type": "string"}}, a={"$ref": "#/$defs/d0"})
    assert shape_of(schema).problems

    cut, losses = finite(schema)

    assert check_schema(cut) == ()
    assert losses
    assert all(loss.endswith("levels") for loss in losses)


@pytest.mark.parametrize(
    ("schema", "cut", "loss"),
    [
        ({"$ref": "https://example.com/a"}, {}, "$ref: dropped: 'https://example.com/a' is not a schema of this doc"),
        ({"$ref": "#/$defs/none"}, {}, "$ref: dropped: '#/$defs/none' is not"),
        ({"$ref": 5, "type": "string"}, {"type": "string"}, "$ref: dropped: '5' is not"),
        ({"$dynamicRef": "#node"}, {}, "$dynamicRef: dropped: the checker does not have it"),
        ({"unevaluatedProperties": False}, {}, "unevaluatedProperties: dropped: the checker does not have it"),
        ({"$id": "https://example.com/a", "type": "string"}, {"type": "string"}, ""),
        ({"$schema": "https://json-schema.org/draft-07/schema", "type": "string"}, {"type": "string"}, ""),
        ({"type": "string", "pattern": "(?=a)b"}, {"type": "string"}, "pattern: dropped: not a pattern RE2 can run"),
        (
            {"patternProperties": {"(?!a)": {}, "^x-": {}}, "additionalProperties": False},
            {"patternProperties": {"^x-": {}}},
            "patternProperties: dropped: not a pattern RE2 can run",
        ),
        ({"type": "string", "required": True}, {"type": "string"}, "required: dropped: must be a list of names"),
        ({"type": "integer", "default": "5"}, {"type": "integer"}, "default: dropped: does not fit its own schema"),
        ({"enum": ["a"], "default": "b"}, {"enum": ["a"]}, "default: dropped: does not fit its own schema"),
        ({"type": "integer", "default": True}, {"type": "integer"}, "default: dropped: does not fit its own schema"),
        ({"type": "integer", "default": 2.0}, {"type": "integer", "default": 2.0}, ""),
    ],
)
def test_what_the_checker_does_not_have_is_dropped(schema: dict[str, Any], cut: dict[str, Any], loss: str) -> None:
    found, losses = finite(with_properties(a=schema))

    assert at(found, "properties", "a") == cut
    assert check_schema(found) == ()
    assert [each.startswith(f"properties.a.{loss}") for each in losses] == ([True] if loss else [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, {"type": "number", "exclusiveMinimum": 0}),
        ({"type": "number", "maximum": 9, "exclusiveMaximum": False}, {"type": "number", "maximum": 9}),
        ({"type": "number", "exclusiveMaximum": True}, {"type": "number"}),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}),
        (
            {"type": "array", "items": [{"type": "string"}], "additionalItems": False},
            {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
        ),
    ],
)
def test_keywords_of_older_drafts_are_rewritten(old: dict[str, Any], new: dict[str, Any]) -> None:
    cut, losses = finite(with_properties(a=old))

    assert at(cut, "properties", "a") == new
    assert losses == ()
    assert check_schema(cut) == ()


def test_subschemas_of_an_old_list_of_items_are_cut_too() -> None:
    cut, losses = finite(with_properties(a={"type": "array", "items": [{"$ref": "#"}]}))

    assert check_schema(cut) == ()
    assert losses == ("properties.a.prefixItems[0].$ref: cut: it refers to itself",)


@pytest.mark.parametrize(
    ("schema", "accepted"),
    [
        ({"not": {"$ref": "#/$defs/Gone"}}, "text"),
        ({"oneOf": [{"type": "string"}, {"$ref": "#/$defs/Gone"}]}, "text"),
        ({"if": {"$ref": "#/$defs/Gone"}, "then": False}, "text"),
        ({"contains": {"$ref": "#/$defs/Gone"}, "maxContains": 0}, ["text"]),
        ({"not": {"$ref": "#/$defs/Loose"}}, "text"),
    ],
)
def test_a_condition_never_refuses_more_than_before(schema: dict[str, Any], accepted: Any) -> None:
    definitions = {"Loose": {"allOf": [{"$ref": "#/$defs/Gone"}]}}

    cut, losses = finite(with_properties(definitions, a=schema))

    assert losses
    assert ArgumentChecker(cut).check({"a": accepted}) == {"a": accepted}


@pytest.mark.parametrize(
    "schema", [with_properties(a={"enum": list(range(3_000))}), with_properties(a={"type": "int"})]
)
def test_a_schema_that_stays_unusable_is_returned_itself(schema: dict[str, Any]) -> None:
    assert finite(schema) == (schema, ())


@pytest.mark.parametrize("levels", [100, 5_000])
def test_a_very_deep_document_does_not_exhaust_the_stack(levels: int) -> None:
    cut, _ = finite(nested(levels))

    assert bool(shape_of(cut).problems) == (levels == 5_000)


type Schemas = st.SearchStrategy[dict[str, Any]]

TYPES = st.sampled_from(["string", "integer", "object", "array", "null"])


def one_with(inner: Schemas, *names: str) -> Schemas:
    """Return schemas with a schema for each of the keywords."""
    return st.fixed_dictionaries(dict[str, st.SearchStrategy[Any]](dict.fromkeys(names, inner)))


def _subschemas(inner: Schemas) -> Schemas:
    several = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        *(one_with(inner, name) for name in ("not", "additionalProperties", "items")),
        *(st.fixed_dictionaries({name: several}) for name in ("allOf", "anyOf", "oneOf")),
        st.fixed_dictionaries({"properties": one_with(inner, "a")}),
        st.fixed_dictionaries({"contains": inner, "maxContains": st.integers(0, 2)}),
        one_with(inner, "if", "then", "else"),
    )


SIMPLE: Schemas = st.one_of(
    st.fixed_dictionaries({"$ref": st.sampled_from(["#/$defs/A", "#/$defs/B"])}),
    st.fixed_dictionaries({"type": TYPES}),
    st.just({"type": "string", "pattern": "(?=a)"}),
)
SCHEMAS: Schemas = st.recursive(SIMPLE, _subschemas, max_leaves=8)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.integers(0, 3), st.sampled_from(["", "a", "b"])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)),
    max_leaves=6,
)


def accepts(schema: Mapping[str, Any], value: Any) -> bool:
    validator: Any = Draft202012Validator(schema)
    return validator.is_valid(value)


@settings(max_examples=300, deadline=None)
@given(whole=SCHEMAS, one=SCHEMAS, two=SCHEMAS, value=VALUES)
def test_whatever_a_schema_accepts_is_accepted_by_the_cut_one(whole: Any, one: Any, two: Any, value: Any) -> None:
    schema = with_properties({"A": one, "B": two}, a=whole)
    try:
        accepted = accepts(schema, {"a": value})
    except RecursionError:  # a schema that is its own condition
        return

    cut, losses = finite(schema)

    if accepted and losses:
        assert accepts(cut, {"a": value})
