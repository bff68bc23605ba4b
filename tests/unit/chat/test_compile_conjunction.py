"""Conjunction of two schemas as one schema."""

from typing import Any

import pytest

from functions.chat.tools.schema_compiler.alternatives import conjunction


@pytest.mark.parametrize(
    ("first", "second", "expected", "lost"),
    [
        ({"minimum": 1, "maxItems": 5}, {"minimum": 3, "maxItems": 2}, {"minimum": 3, "maxItems": 2}, []),
        ({"minimum": 3, "maxItems": 2}, {"minimum": 1, "maxItems": 5}, {"minimum": 3, "maxItems": 2}, []),
        ({"type": "number"}, {"type": "integer"}, {"type": "integer"}, []),
        ({"type": ["string", "null"]}, {"type": ["null", "string", "array"]}, {"type": ["string", "null"]}, []),
        ({"type": "string"}, {"type": "array"}, {"type": "string"}, []),
        ({"enum": [1, 2, 3]}, {"enum": [3, 2]}, {"enum": [2, 3]}, []),
        ({"enum": [1]}, {"enum": [2]}, {"enum": [1]}, []),
        ({"required": ["a"]}, {"required": ["b", "a"]}, {"required": ["a", "b"]}, []),
        (
            {"title": "One", "default": 1},
            {"title": "Two", "examples": [2]},
            {"title": "One", "default": 1, "examples": [2]},
            [],
        ),
        (
            {"properties": {"a": {"minLength": 1}, "b": True}},
            {"properties": {"a": {"minLength": 2}, "b": {"type": "null"}, "c": True}},
            {"properties": {"a": {"minLength": 2}, "b": {"type": "null"}, "c": True}},
            [],
        ),
        ({"additionalProperties": True}, {"additionalProperties": False}, {"additionalProperties": False}, []),
        ({"items": {"type": "null"}}, {"items": True}, {"items": {"type": "null"}}, []),
        ({"items": {"const": 1}}, {"items": {"const": 2}}, {"items": {"const": 1}}, ["const"]),
        ({"pattern": "^a"}, {"pattern": "b$"}, {"pattern": "^a"}, ["pattern"]),
        ({"pattern": "^a"}, {"pattern": "^a"}, {"pattern": "^a"}, []),
        (
            {"contains": {"type": "null"}},
            {"contains": {"type": "null"}, "minContains": 3},
            {"contains": {"type": "null"}},
            ["minContains"],
        ),
        ({"if": True}, {"then": False, "else": True}, {"if": True}, ["then", "else"]),
        ({}, {"if": {"minLength": 1}, "then": False}, {"if": {"minLength": 1}, "then": False}, []),
    ],
)
def test_a_value_valid_for_both_schemas_is_valid_for_their_conjunction(
    first: Any, second: Any, expected: Any, lost: list[str]
) -> None:
    losses: list[str] = []

    assert conjunction(first, second, losses.append) == expected
    assert losses == lost
