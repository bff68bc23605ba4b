"""Tools in Anthropic's format."""

from typing import Final

from flexchat.messages import Json
from functions.chat.tools.registry import ToolFormat
from functions.chat.tools.schema_compiler import CompiledTool
from functions.chat.tools.schema_compiler.dialects import ALL_KEYWORDS, CLAUDE_PARAMETER_NAME, COMPOSITION, Dialect


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
