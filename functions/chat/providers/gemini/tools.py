"""Tools in Gemini's format: one wrapper with every function declaration."""

from collections.abc import Sequence
from typing import Final

from flexchat.messages import Json
from functions.chat.tools.registry import ProviderTools, ToolFormat
from functions.chat.tools.schema_compiler import CompiledTool
from functions.chat.tools.schema_compiler.dialects import Dialect, Keywords

_KEYWORDS: Final = Keywords(
    frozenset(
        (
            "type",
            "format",
            "title",
            "description",
            "default",
            "enum",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "anyOf",
            "properties",
            "propertyOrdering",
            "additionalProperties",
            "required",
        )
    )
)
"""Fields of `response_json_schema` in GenerationConfig, which `parametersJsonSchema` shares, and `default`."""


def _declaration(tool: CompiledTool) -> dict[str, Json]:
    """`parametersJsonSchema` accepts JSON Schema; `parameters` accepts a small subset of it."""
    return {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}


def _wrapper(declarations: Sequence[dict[str, Json]]) -> ProviderTools:
    return [{"functionDeclarations": [*declarations]}] if declarations else []


TOOL_FORMAT: Final = ToolFormat(
    # No references: "$ref was set alongside unsupported fields" (its error message).
    Dialect(
        label="Gemini",
        top=_KEYWORDS.without("anyOf"),
        nested=_KEYWORDS,
        references=False,
        boolean_schemas=False,
        any_enum=False,
        undefined_required=False,
    ),
    entry=_declaration,
    payload=_wrapper,
)
