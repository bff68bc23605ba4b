"""Compiled tools of each provider, with their losses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDER_TYPES, ProviderType
from functions.chat.tools.formats import tool_format
from functions.chat.tools.schema_compiler import CompiledTool, SchemaLoss, compile_tool

SILENT = "has no meaning for a model"
SAID = "moved to the description"
TEXT: dict[str, Any] = {"type": "string"}


def compiled(parameters: dict[str, Any], provider: ProviderType, *, description: str = "T") -> CompiledTool:
    tool = ToolDefinition(
        name="t", description=description, parameters=parameters, implementation={"type": "mock", "note": "unread"}
    )
    return compile_tool(tool, tool_format(provider).dialect, wire_name="t")


def taking(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def at(path: str, keyword: str, action: Any, why: str) -> SchemaLoss:
    return SchemaLoss("t", f"parameters.{path}" if path else "parameters", keyword, action, why)


def only(provider: ProviderType, parameter: Any) -> tuple[Any, list[tuple[str, str, str]]]:
    """Return one compiled parameter `x`, with its losses as (keyword, action, why)."""
    tool = compiled(taking(x=parameter), provider)
    losses = [(loss.keyword, loss.action, loss.why) for loss in tool.losses]
    return tool.parameters["properties"]["x"], losses  # type: ignore[index,call-overload] # an object in this test


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_a_schema_supported_by_every_provider_is_sent_unchanged(provider: ProviderType) -> None:
    parameters: dict[str, Any] = taking(
        city={"type": "string", "description": "Where.", "enum": ["Oslo", "Rome"]},
        days={"type": "array", "items": {"type": "integer", "description": "Days ahead."}},
    ) | {"required": ["city"]}

    assert compiled(parameters, provider) == CompiledTool("t", "T", parameters, ())


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_an_object_without_properties_gets_an_empty_one(provider: ProviderType) -> None:
    expected = (at("", "properties", "rewritten", "an empty one is sent"),)

    assert compiled({"type": "object"}, provider) == CompiledTool("t", "T", taking(), expected)


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_keywords_without_meaning_for_a_model_are_removed(provider: ProviderType) -> None:
    parameters = taking(x={**TEXT, "$comment": "for people"}) | {"$schema": "http://json-schema.org/draft-07/schema#"}

    assert compiled(parameters, provider) == CompiledTool(
        "t",
        "T",
        taking(x=TEXT),
        (at("", "$schema", "dropped", SILENT), at("properties.x", "$comment", "dropped", SILENT)),
    )


@pytest.mark.parametrize("provider", ["openai", "anthropic", "bedrock"])
def test_providers_with_full_json_schema_support_get_it_below_the_top_level(provider: ProviderType) -> None:
    parameter = {
        "oneOf": [{"const": 1}, {"type": "integer", "exclusiveMinimum": 5, "default": 7}],
        "not": {"enum": [None]},
        "if": True,
        "then": {"patternProperties": {"^x": {"additionalProperties": False}}},
        "properties": {"a": True, "b": False},
        "prefixItems": [True, {"enum": [None]}],
        "x-hint": "kept",
    }

    assert only(provider, parameter) == (parameter, [])


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_references_stay_for_providers_with_support_for_them(provider: ProviderType) -> None:
    parameters: dict[str, Any] = taking(x={"$ref": "#/$defs/place", "description": "Where"})
    parameters["$defs"] = {"place": TEXT}

    assert compiled(parameters, provider) == CompiledTool("t", "T", parameters, ())


@pytest.mark.parametrize("provider", ["ollama", "gemini", "bedrock"])
def test_references_are_inlined_for_providers_without_support_for_them(provider: ProviderType) -> None:
    parameters = taking(x={"$ref": "#/$defs/place", "description": "Where"}) | {
        "$defs": {
            "place": {"type": "object", "description": "A place", "properties": {"name": {"$ref": "#/$defs/name"}}},
            "name": TEXT,
            "unused": {"$ref": "#/$defs/name"},
        }
    }
    why = "replaced by the schema it refers to"

    assert compiled(parameters, provider) == CompiledTool(
        "t",
        "T",
        taking(x={"type": "object", "description": "Where", "properties": {"name": TEXT}}),
        (
            at("properties.x", "$ref", "rewritten", why),
            at("properties.x.properties.name", "$ref", "rewritten", why),
        ),
    )


def test_keywords_beside_a_reference_apply_too() -> None:
    parameters = taking(x={"$ref": "#/$defs/n", "minimum": 3}) | {"$defs": {"n": {"type": "integer", "minimum": 1}}}

    bedrock, gemini = compiled(parameters, "bedrock"), compiled(parameters, "gemini")

    assert bedrock.parameters == taking(x={"minimum": 3, "allOf": [{"type": "integer", "minimum": 1}]})
    assert gemini.parameters == taking(x={"type": "integer", "minimum": 3})
    assert [loss.keyword for loss in gemini.losses] == ["$ref", "allOf"]


def test_references_are_inlined_where_the_top_level_changes_below_them() -> None:
    parameters = taking(x={"$ref": "#/anyOf/0/properties/y"}) | {"anyOf": [{"properties": {"y": TEXT}}]}

    assert compiled(parameters, "openai").parameters == taking(x=TEXT, y=TEXT)


def test_a_description_is_truncated_for_openai() -> None:
    tool = compiled(taking(), "openai", description="x" * 1_025)

    assert tool.description == "x" * 1_023 + "…"
    assert tool.losses == (
        SchemaLoss("t", "description", "description", "rewritten", "cut to 1024 characters of 1025"),
    )
    assert compiled(taking(), "openai", description="x" * 1_024) == CompiledTool("t", "x" * 1_024, taking(), ())
    assert compiled(taking(), "anthropic", description="x" * 4_096).description == "x" * 4_096


def test_a_changed_tool_name_is_reported() -> None:
    tool = ToolDefinition(name="a.b", description="T", parameters=taking(), implementation={"type": "mock"})

    assert compile_tool(tool, tool_format("openai").dialect, wire_name="a_b") == CompiledTool(
        "a_b", "T", taking(), (SchemaLoss("a.b", "name", "name", "rewritten", "sent as 'a_b', and back"),)
    )


def test_top_level_variants_become_one_flat_object() -> None:
    parameters = {
        "type": "object",
        "description": "A shape.",
        "properties": {"unit": TEXT},
        "required": ["unit"],
        "oneOf": [
            {
                "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
                "required": ["kind", "radius"],
            },
            {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
        ],
    }
    sentence = 'Give exactly one of these sets of parameters: (kind = "circle", radius); (kind = "square", side).'
    why = "its parameters are merged; the description lists the sets"

    for provider in ("openai", "anthropic"):
        assert compiled(parameters, provider) == CompiledTool(
            "t",
            "T",
            {
                "type": "object",
                "description": f"A shape. {sentence}",
                "properties": {
                    "unit": TEXT,
                    "kind": {"anyOf": [{"const": "circle"}, {"const": "square"}]},
                    "radius": {"type": "number"},
                    "side": {"type": "number"},
                },
                "required": ["unit", "kind"],
            },
            (at("", "oneOf", "rewritten", why),),
        )


def test_a_parameter_described_at_the_top_level_is_unchanged() -> None:
    parameters = taking(size={"type": "integer"}) | {"anyOf": [{"properties": {"size": {"maximum": 5}, "x": TEXT}}]}

    assert compiled(parameters, "anthropic").parameters == taking(size={"type": "integer"}, x=TEXT)


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_a_choice_of_required_parameters_is_described_as_text(provider: ProviderType) -> None:
    forms = [{"required": ["a"]}, {"required": ["b", "c"]}, True]
    parameters = taking(a=TEXT, b=TEXT, c=TEXT) | {"anyOf": forms}

    tool = compiled(parameters, provider)

    sentence = "Give at least one of these sets of parameters: (a); (b, c); (nothing more)."
    assert sentence in (tool.description, tool.description.removeprefix("T. "), tool.parameters.get("description"))
    assert {name: value for name, value in tool.parameters.items() if name != "description"} == taking(
        a=TEXT, b=TEXT, c=TEXT
    )


def test_top_level_all_of_is_merged() -> None:
    parameters = taking(a={**TEXT, "minLength": 1}) | {
        "allOf": [
            {"$ref": "#/$defs/more"},
            {"properties": {"a": {"minLength": 3, "pattern": "^x"}}, "required": ["a"], "minProperties": 2},
        ],
        "$defs": {"more": {"properties": {"b": TEXT}, "allOf": [{"required": ["b"]}], "minProperties": 1}},
    }

    tool = compiled(parameters, "anthropic")

    assert tool.parameters == {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": 3, "pattern": "^x"}, "b": TEXT},
        "required": ["a", "b"],
        "minProperties": 2,
    }
    assert [loss.keyword for loss in tool.losses] == ["$ref", "allOf", "allOf"]


def test_the_first_of_two_conflicting_schemas_is_used_and_the_conflict_is_reported() -> None:
    parameters = taking(x={"allOf": [{"enum": ["a", "b"], "format": "date"}, {"enum": ["b"], "format": "time"}]})

    tool = compiled(parameters, "gemini")

    assert tool.parameters == taking(x={"enum": ["b"], "format": "date"})
    assert tool.losses == (
        at("properties.x", "format", "dropped", "only one of two values is sent"),
        at("properties.x", "allOf", "rewritten", "merged into one schema"),
    )


def test_top_level_keywords_rejected_by_openai_are_dropped() -> None:
    parameters = taking(x=TEXT) | {"not": {"required": ["y"]}, "enum": [{"x": "a"}], "minProperties": 1}

    assert compiled(parameters, "openai") == CompiledTool(
        "t",
        "T",
        taking(x=TEXT) | {"minProperties": 1, "description": 'Must be one of: {"x":"a"}.'},
        (
            at("", "not", "dropped", "not supported by OpenAI at the top level"),
            at("", "enum", "rewritten", SAID),
        ),
    )


def test_bedrock_gets_three_top_level_keywords_and_a_description_of_the_others() -> None:
    parameters = taking(x={**TEXT, "minLength": 1}) | {
        "description": "Where to look.",
        "title": "Place",
        "additionalProperties": False,
        "minProperties": 1,
        "required": ["x"],
    }

    assert compiled(parameters, "bedrock", description="Looks") == CompiledTool(
        "t",
        "Looks. Where to look. Must have at least 1 parameter.",
        {**taking(x={**TEXT, "minLength": 1}), "required": ["x"]},
        (
            at("", "description", "rewritten", "moved to the tool's description"),
            at("", "title", "dropped", "not supported by Bedrock at the top level"),
            at("", "additionalProperties", "dropped", "not supported by Bedrock at the top level"),
            at("", "minProperties", "rewritten", SAID),
        ),
    )


def test_text_already_in_the_tool_description_is_not_repeated() -> None:
    parameters = taking() | {"description": "Looks things up."}

    assert compiled(parameters, "ollama", description="Looks things up.").description == "Looks things up."


@pytest.mark.parametrize("provider", ["anthropic", "bedrock"])
def test_parameters_with_names_rejected_by_claude_are_described_as_text(provider: ProviderType) -> None:
    parameters = taking(
        **{"filter[id]": {"type": ["string", "null"], "description": "Only this one"}, "$top": True, "page": TEXT}
    ) | {"required": ["$top", "page"], "additionalProperties": False}

    tool = compiled(parameters, provider)

    words = 'Also takes the parameter "filter[id]" (string or null). Only this one. Needs the parameter "$top".'
    assert words in (tool.parameters.get("description"), tool.description.removeprefix("T. "))
    assert {name: tool.parameters[name] for name in ("type", "properties", "required")} == taking(page=TEXT) | {
        "required": ["page"]
    }
    assert tool.losses == (
        at("", "properties", "rewritten", "the name 'filter[id]' is refused; moved to the description"),
        at("", "properties", "rewritten", "the name '$top' is refused; moved to the description"),
        at("", "additionalProperties", "dropped", "it would refuse parameters that only the description names"),
    )


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
            [("pattern", "rewritten", SAID), ("maxLength", "rewritten", SAID)],
        ),
        (
            {**TEXT, "examples": ["a", ""], "x-hint": 1},
            {**TEXT, "description": 'Examples: a, "".'},
            [("examples", "rewritten", SAID), ("x-hint", "dropped", "not supported by {label}")],
        ),
        (
            {"type": "array", "uniqueItems": True, "contains": TEXT},
            {"type": "array", "description": "Must not contain the same item twice."},
            [("uniqueItems", "rewritten", SAID), ("contains", "dropped", "not supported by {label}")],
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
            [("exclusiveMinimum", "rewritten", SAID)],
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
                ("minimum", "rewritten", SAID),
                ("default", "rewritten", SAID),
                ("title", "dropped", "not supported by Ollama"),
            ],
        ),
        ({**TEXT, "default": ""}, {**TEXT, "description": 'Default: "".'}, [("default", "rewritten", SAID)]),
        ({**TEXT, "format": "date"}, {**TEXT, "description": "Format: date."}, [("format", "rewritten", SAID)]),
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


def test_the_documented_example_equals_the_compiled_schema() -> None:
    text = (Path(__file__).parents[3] / "docs" / "tool-schemas.md").read_text(encoding="utf-8")

    configured, sent = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL))

    assert compiled(configured, "openai").parameters == sent
