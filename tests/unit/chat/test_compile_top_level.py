"""Schemas whose top level a provider rejects."""

import pytest

from flexchat.config.providers import PROVIDER_TYPES, ProviderType
from functions.chat.tools.schema_compiler import CompiledTool
from tests.unit.chat.compiled_tools import MOVED, TEXT, at, compiled, schema_with


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
    parameters = schema_with(size={"type": "integer"}) | {
        "anyOf": [{"properties": {"size": {"maximum": 5}, "x": TEXT}}]
    }

    assert compiled(parameters, "anthropic").parameters == schema_with(size={"type": "integer"}, x=TEXT)


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_a_choice_of_required_parameters_is_described_as_text(provider: ProviderType) -> None:
    forms = [{"required": ["a"]}, {"required": ["b", "c"]}, True]
    parameters = schema_with(a=TEXT, b=TEXT, c=TEXT) | {"anyOf": forms}

    tool = compiled(parameters, provider)

    sentence = "Give at least one of these sets of parameters: (a); (b, c); (nothing more)."
    assert sentence in (tool.description, tool.description.removeprefix("T. "), tool.parameters.get("description"))
    assert {name: value for name, value in tool.parameters.items() if name != "description"} == schema_with(
        a=TEXT, b=TEXT, c=TEXT
    )


def test_top_level_all_of_is_merged() -> None:
    parameters = schema_with(a={**TEXT, "minLength": 1}) | {
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
    parameters = schema_with(x={"allOf": [{"enum": ["a", "b"], "format": "date"}, {"enum": ["b"], "format": "time"}]})

    tool = compiled(parameters, "gemini")

    assert tool.parameters == schema_with(x={"enum": ["b"], "format": "date"})
    assert tool.losses == (
        at("properties.x", "format", "dropped", "only one of two values is sent"),
        at("properties.x", "allOf", "rewritten", "merged into one schema"),
    )


def test_top_level_keywords_rejected_by_openai_are_dropped() -> None:
    parameters = schema_with(x=TEXT) | {"not": {"required": ["y"]}, "enum": [{"x": "a"}], "minProperties": 1}

    assert compiled(parameters, "openai") == CompiledTool(
        "t",
        "T",
        schema_with(x=TEXT) | {"minProperties": 1, "description": 'Must be one of: {"x":"a"}.'},
        (
            at("", "not", "dropped", "not supported by OpenAI at the top level"),
            at("", "enum", "rewritten", MOVED),
        ),
    )


def test_bedrock_gets_three_top_level_keywords_and_a_description_of_the_others() -> None:
    parameters = schema_with(x={**TEXT, "minLength": 1}) | {
        "description": "Where to look.",
        "title": "Place",
        "additionalProperties": False,
        "minProperties": 1,
        "required": ["x"],
    }

    assert compiled(parameters, "bedrock", description="Looks") == CompiledTool(
        "t",
        "Looks. Where to look. Must have at least 1 parameter.",
        {**schema_with(x={**TEXT, "minLength": 1}), "required": ["x"]},
        (
            at("", "description", "rewritten", "moved to the tool's description"),
            at("", "title", "dropped", "not supported by Bedrock at the top level"),
            at("", "additionalProperties", "dropped", "not supported by Bedrock at the top level"),
            at("", "minProperties", "rewritten", MOVED),
        ),
    )


def test_text_already_in_the_tool_description_is_not_repeated() -> None:
    parameters = schema_with() | {"description": "Looks things up."}

    assert compiled(parameters, "ollama", description="Looks things up.").description == "Looks things up."


@pytest.mark.parametrize("provider", ["anthropic", "bedrock"])
def test_parameters_with_names_rejected_by_claude_are_described_as_text(provider: ProviderType) -> None:
    parameters = schema_with(
        **{"filter[id]": {"type": ["string", "null"], "description": "Only this one"}, "$top": True, "page": TEXT}
    ) | {"required": ["$top", "page"], "additionalProperties": False}

    tool = compiled(parameters, provider)

    words = 'Also takes the parameter "filter[id]" (string or null). Only this one. Needs the parameter "$top".'
    assert words in (tool.parameters.get("description"), tool.description.removeprefix("T. "))
    assert {name: tool.parameters[name] for name in ("type", "properties", "required")} == schema_with(page=TEXT) | {
        "required": ["page"]
    }
    assert tool.losses == (
        at("", "properties", "rewritten", "the name 'filter[id]' is refused; moved to the description"),
        at("", "properties", "rewritten", "the name '$top' is refused; moved to the description"),
        at("", "additionalProperties", "dropped", "it would refuse parameters that only the description names"),
    )
