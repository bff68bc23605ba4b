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
from tests.unit.chat.compiled_tools import TEXT, at, compiled, only, schema_with

MEANINGLESS = "has no meaning for a model"


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_a_schema_supported_by_every_provider_is_sent_unchanged(provider: ProviderType) -> None:
    parameters: dict[str, Any] = schema_with(
        city={"type": "string", "description": "Where.", "enum": ["Oslo", "Rome"]},
        days={"type": "array", "items": {"type": "integer", "description": "Days ahead."}},
    ) | {"required": ["city"]}

    assert compiled(parameters, provider) == CompiledTool("t", "T", parameters, ())


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_an_object_without_properties_gets_an_empty_one(provider: ProviderType) -> None:
    expected = (at("", "properties", "rewritten", "an empty one is sent"),)

    assert compiled({"type": "object"}, provider) == CompiledTool("t", "T", schema_with(), expected)


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_keywords_without_meaning_for_a_model_are_removed(provider: ProviderType) -> None:
    parameters = schema_with(x={**TEXT, "$comment": "for people"}) | {
        "$schema": "http://json-schema.org/draft-07/schema#"
    }

    assert compiled(parameters, provider) == CompiledTool(
        "t",
        "T",
        schema_with(x=TEXT),
        (at("", "$schema", "dropped", MEANINGLESS), at("properties.x", "$comment", "dropped", MEANINGLESS)),
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


def test_a_description_is_truncated_for_openai() -> None:
    tool = compiled(schema_with(), "openai", description="x" * 1_025)

    assert tool.description == "x" * 1_023 + "…"
    assert tool.losses == (
        SchemaLoss("t", "description", "description", "rewritten", "cut to 1024 characters of 1025"),
    )
    assert compiled(schema_with(), "openai", description="x" * 1_024) == CompiledTool(
        "t", "x" * 1_024, schema_with(), ()
    )
    assert compiled(schema_with(), "anthropic", description="x" * 4_096).description == "x" * 4_096


def test_a_changed_tool_name_is_reported() -> None:
    tool = ToolDefinition(name="a.b", description="T", parameters=schema_with(), implementation={"type": "mock"})

    assert compile_tool(tool, tool_format("openai").dialect, wire_name="a_b") == CompiledTool(
        "a_b", "T", schema_with(), (SchemaLoss("a.b", "name", "name", "rewritten", "sent as 'a_b', and back"),)
    )


def test_the_documented_example_equals_the_compiled_schema() -> None:
    text = (Path(__file__).parents[3] / "docs" / "tool-schemas.md").read_text(encoding="utf-8")

    configured, sent = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL))

    assert compiled(configured, "openai").parameters == sent
