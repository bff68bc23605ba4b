"""Models of Anthropic: `GET /v1/models`, which lists models with chat and tools only, and the format of tools."""

from typing import Final

from flexchat.messages import Json
from functions.chat.providers.base import ListedModel
from functions.chat.providers.wire_format import WireModel, parse_response
from functions.chat.tools.formats import ToolFormat
from functions.chat.tools.schema_compiler import CompiledTool
from functions.chat.tools.schema_compiler.dialects import ALL_KEYWORDS, CLAUDE_PARAMETER_NAME, COMPOSITION, Dialect

MODELS_PATH: Final = "/v1/models?limit=1000"
"""With the maximum of one page."""


class _Model(WireModel):
    id: str
    max_input_tokens: int | None = None


class _Models(WireModel):
    data: tuple[_Model, ...]


def parse_models(body: bytes) -> tuple[ListedModel, ...]:
    """Return every model of a listing. Raises ValueError."""
    return tuple(
        ListedModel(name=model.id, context_window=model.max_input_tokens or None)
        for model in parse_response(_Models, body).data
    )


def _entry(tool: CompiledTool) -> dict[str, Json]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


TOOL_FORMAT: Final = ToolFormat(
    # "input_schema does not support oneOf, allOf, or anyOf at the top level"; "Property keys should match pattern"
    # (its error messages).
    Dialect(
        label="Anthropic",
        top=ALL_KEYWORDS.without(*COMPOSITION),
        nested=ALL_KEYWORDS,
        parameter_name=CLAUDE_PARAMETER_NAME,
    ),
    entry=_entry,
)
