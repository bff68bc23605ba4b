"""Compiled tools, validated by the providers' own types and the documented rules of their servers."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, cast

import pytest
from botocore.loaders import Loader
from botocore.model import ServiceModel, Shape
from botocore.validate import ParamValidator
from google.ai.generativelanguage_v1beta import GenerateContentRequest
from google.protobuf import json_format
from ollama import Tool
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from flexchat.config.models.tools import ToolDefinition
from flexchat.config.providers import PROVIDER_TYPES, ProviderType
from flexchat.messages import Json
from flexchat.schema import check_schema
from functions.chat.tools.formats import ProviderTools
from functions.chat.tools.registry import ToolRegistry
from tests.contract.closed_types import closed
from tests.contract.mcp_tools import expected_losses, losses, mcp_registry, mcp_tools

pytestmark = pytest.mark.slow

NAME = r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}"
COMPOSITION = {"allOf", "anyOf", "oneOf"}


@cache
def tool_oracles() -> tuple[TypeAdapter[Any], TypeAdapter[Any]]:
    """OpenAI's and Anthropic's own types of a tool, imported only on use (some seconds)."""
    from anthropic.types import ToolParam
    from openai.types.chat import ChatCompletionFunctionToolParam

    return closed(ChatCompletionFunctionToolParam), closed(ToolParam)


TEXT = {"type": "string"}
CIRCLE = {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]}
SQUARE = {"properties": {"kind": {"const": "square"}, "side": {"$ref": "#/$defs/length"}}, "required": ["kind", "side"]}

AWKWARD: Mapping[str, dict[str, Any]] = {
    "shapes/draw": {"oneOf": [CIRCLE, SQUARE], "$defs": {"length": {"type": "number", "exclusiveMinimum": 0}}},
    "files.list": {
        "properties": {
            "filter[name]": TEXT,
            "$top": {"type": "integer"},
            "any": True,
            "never": False,
            "bare": {"type": "array"},
        },
        "required": ["filter[name]", "elsewhere"],
        "additionalProperties": False,
        "$id": "https://example.com/list",
    },
    "2fast:2furious": {
        "description": "Where the tool says most.",
        "properties": {
            "mode": {"enum": ["a", 1, None, False, {"x": 1}]},
            "pair": {"type": "array", "prefixItems": [TEXT, True], "items": False},
            "many": {"allOf": [{"$ref": "#/properties/mode"}, {"description": "Two at once"}], "default": "a"},
            "deep": {"type": "object", "patternProperties": {"^x-": {"not": TEXT}}, "additionalProperties": False},
        },
        "anyOf": [{"required": ["mode"]}, {"required": ["pair"]}],
        "not": {"required": ["mode", "pair"]},
    },
    "x" * 128: {"properties": {}},
}
"""Schemas of which some provider refuses each, by the names of their tools."""


def awkward_registry() -> ToolRegistry:
    registry = ToolRegistry()
    for name, schema in AWKWARD.items():
        tool = ToolDefinition(
            name=name,
            description="What it does. " * 200,
            parameters={"type": "object", **schema},
            implementation={"type": "mock"},
        )
        registry.register(tool)
    return registry


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _OllamaProperty(_Closed):
    """`ToolProperty` of Ollama's `api/types.go`: Go parses no other field and no other type."""

    any_of: Annotated[list["_OllamaProperty"] | None, Field(alias="anyOf")] = None
    type: str | list[str] | None = None
    items: Any = None
    description: str | None = None
    enum: list[Any] | None = None
    properties: dict[str, "_OllamaProperty"] | None = None
    required: list[str] | None = None


class _OllamaParameters(_Closed):
    """`ToolFunctionParameters` of the same file."""

    type: Literal["object"]
    properties: dict[str, _OllamaProperty]
    required: list[str] | None = None


def check_openai(tools: Any) -> None:
    for tool in tools:
        tool_oracles()[0].validate_python(tool)
        function = tool["function"]
        assert re.fullmatch(NAME, function["name"])
        assert len(function["description"]) <= 1024
        assert not {*COMPOSITION, "enum", "const", "not"}.intersection(function["parameters"])
        assert isinstance(function["parameters"]["properties"], dict)
        assert not list(_bare_arrays(function["parameters"]))


def check_ollama(tools: Any) -> None:
    for tool in tools:
        Tool.model_validate(tool, strict=True)
        assert re.fullmatch(NAME, tool["function"]["name"])
        _OllamaParameters.model_validate(tool["function"]["parameters"])


def check_gemini(tools: Any) -> None:
    """Parse the schema as protobuf, like the server, and compare with the input."""
    message = cast("Any", GenerateContentRequest).pb()()
    json_format.Parse(json.dumps({"tools": list(tools)}), message)
    assert json_format.MessageToDict(message) == {"tools": list(tools)}
    for declaration in tools[0]["functionDeclarations"]:
        assert re.fullmatch(NAME, declaration["name"])
        text = json.dumps(declaration["parametersJsonSchema"])
        assert not re.search(r'"\$(ref|defs|schema)":', text)
        assert not COMPOSITION.intersection(declaration["parametersJsonSchema"])


def check_anthropic(tools: Any) -> None:
    for tool in tools:
        tool_oracles()[1].validate_python(tool)
        assert re.fullmatch(NAME, tool["name"])
        assert tool["input_schema"]["type"] == "object"
        assert check_schema(tool["input_schema"]) == ()
        assert not COMPOSITION.intersection(tool["input_schema"])
        assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in tool["input_schema"]["properties"])


def check_bedrock(tools: Any) -> None:
    service = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"))
    request = {"modelId": "m", "toolConfig": {"tools": list(tools)}}
    report = ParamValidator().validate(request, cast("Shape", service.operation_model("Converse").input_shape))
    assert not report.has_errors(), report.generate_report()
    for tool in tools:
        assert re.fullmatch(NAME, tool["toolSpec"]["name"])
        assert tool["toolSpec"]["description"]
        schema = tool["toolSpec"]["inputSchema"]["json"]
        assert schema.keys() <= {"type", "properties", "required"}
        assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in schema["properties"])


ORACLES: Mapping[ProviderType, Callable[[ProviderTools], None]] = {
    "openai": check_openai,
    "ollama": check_ollama,
    "gemini": check_gemini,
    "anthropic": check_anthropic,
    "bedrock": check_bedrock,
}


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_tools_of_real_mcp_servers_compile_to_schemas_the_provider_accepts(provider: ProviderType) -> None:
    payload = mcp_registry().to_provider_format(provider)

    ORACLES[provider](payload)
    assert len(_names(payload)) == 36


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_unusual_tools_compile_to_schemas_the_provider_accepts(provider: ProviderType) -> None:
    payload = awkward_registry().to_provider_format(provider)

    ORACLES[provider](payload)
    assert len(_names(payload)) == len(AWKWARD)


@pytest.mark.parametrize("provider", PROVIDER_TYPES)
def test_provider_rules_reject_uncompiled_tools(provider: ProviderType) -> None:
    parameters: dict[str, Json] = {"type": "object", "anyOf": [{"required": ["x"]}], "properties": {}}
    bare: Mapping[ProviderType, Any] = {
        "openai": [{"type": "function", "function": {"name": "a.b", "description": "T", "parameters": parameters}}],
        "ollama": [{"type": "function", "function": {"name": "a", "description": "T", "parameters": parameters}}],
        "gemini": [{"functionDeclarations": [{"name": "a", "description": "T", "parameters": {"const": 1}}]}],
        "anthropic": [{"name": "a", "description": "T", "input_schema": parameters}],
        "bedrock": [{"toolSpec": {"name": "a", "description": "", "inputSchema": {"json": parameters}}}],
    }

    with pytest.raises((AssertionError, ValueError, json_format.ParseError)):
        ORACLES[provider](bare[provider])


def test_losses_of_real_tools_equal_the_recorded_ones() -> None:
    assert losses(mcp_registry()) == expected_losses()


def test_arguments_for_real_tools_are_validated_against_their_own_schemas() -> None:
    registry = mcp_registry()

    assert [check_schema(tool.parameters) for tool in mcp_tools()] == [()] * 36
    assert registry.check_arguments("trigger-long-running-operation", {}) == {"duration": 10, "steps": 5}


def _names(payload: Any) -> set[str]:
    entries = payload[0].get("functionDeclarations", payload)
    return {entry.get("name") or (entry.get("function") or entry.get("toolSpec"))["name"] for entry in entries}


def _bare_arrays(schema: object) -> Iterator[object]:
    """Every array in a schema that does not name its items."""
    if isinstance(schema, list):
        for item in cast("list[object]", schema):
            yield from _bare_arrays(item)
    elif isinstance(schema, dict):
        subschema = cast("dict[str, Any]", schema)
        if "array" in (subschema.get("type") or ()) and "items" not in subschema:
            yield subschema
        for value in subschema.values():
            yield from _bare_arrays(value)
