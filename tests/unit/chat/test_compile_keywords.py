"""Keywords that a provider does not support, and complete schemas of two providers."""

from typing import Any

import pytest

from flexchat.config.providers import ProviderType
from tests.unit.chat.compiled_tools import MOVED, TEXT, only


@pytest.mark.parametrize(
    ("parameter", "expected", "losses"),
    [
        ({"const": "a"}, {"enum": ["a"]}, [("const", "rewritten", "an enum of one value")]),
        (
            {"oneOf": [TEXT, {"type": "null"}]},
            {"anyOf": [TEXT, {"type": "null"}]},
            [("oneOf", "rewritten", "sent as anyOf")],
        ),
        (
            {"allOf": [{"type": "object"}, {"properties": {"a": TEXT}}], "description": "D"},
            {"type": "object", "properties": {"a": TEXT}, "description": "D"},
            [("allOf", "rewritten", "merged into one schema")],
        ),
        (
            {**TEXT, "pattern": "^a", "maxLength": 3, "description": "D"},
            {**TEXT, "description": "D. Must match the pattern ^a. Must have at most 3 characters."},
            [("pattern", "rewritten", MOVED), ("maxLength", "rewritten", MOVED)],
        ),
        (
            {**TEXT, "examples": ["a", ""], "x-hint": 1},
            {**TEXT, "description": 'Examples: a, "".'},
            [("examples", "rewritten", MOVED), ("x-hint", "dropped", "not supported by {label}")],
        ),
        (
            {"type": "array", "uniqueItems": True, "contains": TEXT},
            {"type": "array", "description": "Must not contain the same item twice."},
            [("uniqueItems", "rewritten", MOVED), ("contains", "dropped", "not supported by {label}")],
        ),
        (
            {"type": "object", "patternProperties": {"^x": TEXT}, "additionalProperties": False},
            {"type": "object"},
            [
                ("additionalProperties", "dropped", "it would refuse what patternProperties allows"),
                ("patternProperties", "dropped", "not supported by {label}"),
            ],
        ),
        (
            {"type": "object", "properties": {"a": True, "b": False}},
            {"type": "object", "properties": {"a": {}}},
            [("properties", "rewritten", "true is sent as {{}}, false is left out")],
        ),
        (
            {"anyOf": [TEXT, True, False]},
            {"anyOf": [TEXT, {}]},
            [("anyOf", "rewritten", "true is sent as {{}}, false is left out")],
        ),
        ({"anyOf": [False]}, {}, [("anyOf", "rewritten", "true is sent as {{}}, false is left out")]),
        ({**TEXT, "examples": ["x" * 300]}, TEXT, [("examples", "dropped", "not supported by {label}")]),
    ],
)
@pytest.mark.parametrize(("provider", "label"), [("ollama", "Ollama"), ("gemini", "Gemini")])
def test_unsupported_keywords_are_described_as_text(
    provider: ProviderType, label: str, parameter: Any, expected: Any, losses: list[tuple[str, str, str]]
) -> None:
    assert only(provider, parameter) == (
        expected,
        [(keyword, action, why.format(label=label)) for keyword, action, why in losses],
    )


@pytest.mark.parametrize(
    ("parameter", "expected", "losses"),
    [
        (
            {"type": "integer", "exclusiveMinimum": 2, "minimum": 1, "exclusiveMaximum": 9.5},
            {"type": "integer", "minimum": 3, "maximum": 9},
            [
                ("exclusiveMinimum", "rewritten", "sent as minimum"),
                ("exclusiveMaximum", "rewritten", "sent as maximum"),
            ],
        ),
        (
            {"type": "integer", "exclusiveMinimum": 2, "minimum": 5, "exclusiveMaximum": 9, "maximum": 7},
            {"type": "integer", "minimum": 5, "maximum": 7},
            [
                ("exclusiveMinimum", "rewritten", "sent as minimum"),
                ("exclusiveMaximum", "rewritten", "sent as maximum"),
            ],
        ),
        (
            {"type": "number", "exclusiveMinimum": 0},
            {"type": "number", "description": "Must be greater than 0."},
            [("exclusiveMinimum", "rewritten", MOVED)],
        ),
        (
            {"enum": ["a", 1, None, True]},
            {"anyOf": [{"enum": ["a", 1]}, {"type": "null"}, {"type": "boolean"}]},
            [("enum", "rewritten", "values other than texts and numbers are alternatives by type")],
        ),
        (
            {"enum": [None], "anyOf": [TEXT, {"type": "null"}]},
            {"anyOf": [TEXT, {"type": "null"}]},
            [("enum", "dropped", "it has values other than texts and numbers")],
        ),
        (
            {"type": "object", "properties": {"a": TEXT}, "required": ["a", "b"]},
            {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
            [("required", "dropped", "it names parameters that the properties do not")],
        ),
        (
            {"type": "object", "required": ["b"]},
            {"type": "object"},
            [("required", "dropped", "it names parameters that the properties do not")],
        ),
        (
            {"type": "array", "prefixItems": [TEXT, True], "items": True},
            {"type": "array", "prefixItems": [TEXT, {}], "items": {}},
            [
                ("prefixItems", "rewritten", "true is sent as {}, false is left out"),
                ("items", "rewritten", "true is sent as {}, false is left out"),
            ],
        ),
        (
            {"type": "array", "prefixItems": [TEXT], "items": False},
            {"type": "array", "prefixItems": [TEXT]},
            [("items", "rewritten", "true is sent as {}, false is left out")],
        ),
    ],
)
def test_gemini_schema_is_as_expected(parameter: Any, expected: Any, losses: list[tuple[str, str, str]]) -> None:
    assert only("gemini", parameter) == (expected, losses)


@pytest.mark.parametrize(
    ("parameter", "expected", "losses"),
    [
        (
            {"type": "integer", "minimum": 1, "default": 5, "title": "Size", "description": "How large?"},
            {"type": "integer", "description": "How large? Must be at least 1. Default: 5."},
            [
                ("minimum", "rewritten", MOVED),
                ("default", "rewritten", MOVED),
                ("title", "dropped", "not supported by Ollama"),
            ],
        ),
        ({**TEXT, "default": ""}, {**TEXT, "description": 'Default: "".'}, [("default", "rewritten", MOVED)]),
        ({**TEXT, "format": "date"}, {**TEXT, "description": "Format: date."}, [("format", "rewritten", MOVED)]),
        (
            {"type": "array", "uniqueItems": False},
            {"type": "array"},
            [("uniqueItems", "dropped", "not supported by Ollama")],
        ),
        (
            {"type": "array", "items": {"type": "integer", "minimum": 1, "oneOf": [True]}},
            {"type": "array", "items": {"type": "integer", "minimum": 1, "oneOf": [True]}},
            [],
        ),
        (
            {"type": "array", "prefixItems": [TEXT, {"type": "integer"}], "items": False},
            {"type": "array", "items": {"anyOf": [TEXT, {"type": "integer"}]}},
            [("prefixItems", "rewritten", "sent as items of any of these forms")],
        ),
        (
            {"type": "array", "prefixItems": [TEXT], "items": {"type": "null"}},
            {"type": "array", "items": {"anyOf": [TEXT, {"type": "null"}]}},
            [("prefixItems", "rewritten", "sent as items of any of these forms")],
        ),
        (
            {"type": "array", "prefixItems": [TEXT], "items": False},
            {"type": "array", "items": TEXT},
            [("prefixItems", "rewritten", "sent as items of any of these forms")],
        ),
        (
            {"type": "array", "prefixItems": [TEXT]},
            {"type": "array"},
            [("prefixItems", "rewritten", "sent as items of any of these forms")],
        ),
    ],
)
def test_ollama_schema_is_as_expected(parameter: Any, expected: Any, losses: list[tuple[str, str, str]]) -> None:
    assert only("ollama", parameter) == (expected, losses)


def test_openai_arrays_have_items() -> None:
    why = "an array must have it; any item fits"

    for kind in ("array", ["string", "array"]):
        assert only("openai", {"type": kind}) == ({"type": kind, "items": {}}, [("items", "rewritten", why)])
