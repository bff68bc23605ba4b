"""Models of Gemini: `GET /v1beta/models` and the format of tools."""

from collections.abc import Sequence
from typing import Final

from pydantic import Field

from flexchat.messages import Json
from functions.chat.providers.base import ListedModel, is_chat_model
from functions.chat.providers.wire_format import WireModel, parse_response
from functions.chat.tools.formats import ProviderTools, ToolFormat
from functions.chat.tools.schema_compiler import CompiledTool
from functions.chat.tools.schema_compiler.dialects import Dialect, Keywords

MODELS_PATH: Final = "/v1beta/models?pageSize=1000"
"""With the maximum of one page."""


class _Model(WireModel):
    """Entries without a name exist and are ignored."""

    name: str | None = None
    methods: tuple[str, ...] = Field(default=(), alias="supportedGenerationMethods")
    input_token_limit: int | None = Field(default=None, alias="inputTokenLimit")
    thinking: bool | None = None


class _Models(WireModel):
    models: tuple[_Model, ...] = ()


def parse_models(body: bytes) -> tuple[ListedModel, ...]:
    """Return the models of a listing that generate content, and text by their names. Raises ValueError."""
    return tuple(
        ListedModel(
            name=model.name.removeprefix("models/"), reasoning=model.thinking, context_window=model.input_token_limit
        )
        for model in parse_response(_Models, body).models
        if model.name and "generateContent" in model.methods and is_chat_model(model.name)
    )


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
