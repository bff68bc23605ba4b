"""References in compiled schemas."""

from typing import Any

import pytest

from flexchat.config.providers import ProviderType
from functions.chat.tools.schema_compiler import CompiledTool
from tests.unit.chat.compiled_tools import TEXT, at, compiled, schema_with


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_references_stay_for_providers_with_support_for_them(provider: ProviderType) -> None:
    parameters: dict[str, Any] = schema_with(x={"$ref": "#/$defs/place", "description": "Where"})
    parameters["$defs"] = {"place": TEXT}

    assert compiled(parameters, provider) == CompiledTool("t", "T", parameters, ())


@pytest.mark.parametrize("provider", ["ollama", "gemini", "bedrock"])
def test_references_are_inlined_for_providers_without_support_for_them(provider: ProviderType) -> None:
    parameters = schema_with(x={"$ref": "#/$defs/place", "description": "Where"}) | {
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
        schema_with(x={"type": "object", "description": "Where", "properties": {"name": TEXT}}),
        (
            at("properties.x", "$ref", "rewritten", why),
            at("properties.x.properties.name", "$ref", "rewritten", why),
        ),
    )


def test_keywords_beside_a_reference_apply_too() -> None:
    parameters = schema_with(x={"$ref": "#/$defs/n", "minimum": 3}) | {
        "$defs": {"n": {"type": "integer", "minimum": 1}}
    }

    bedrock, gemini = compiled(parameters, "bedrock"), compiled(parameters, "gemini")

    assert bedrock.parameters == schema_with(x={"minimum": 3, "allOf": [{"type": "integer", "minimum": 1}]})
    assert gemini.parameters == schema_with(x={"type": "integer", "minimum": 3})
    assert [loss.keyword for loss in gemini.losses] == ["$ref", "allOf"]


def test_references_are_inlined_where_the_top_level_changes_below_them() -> None:
    parameters = schema_with(x={"$ref": "#/anyOf/0/properties/y"}) | {"anyOf": [{"properties": {"y": TEXT}}]}

    assert compiled(parameters, "openai").parameters == schema_with(x=TEXT, y=TEXT)
