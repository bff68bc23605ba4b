"""Tools in Ollama's format."""

from typing import Final

from functions.chat.tools.registry import ToolFormat, function_entry
from functions.chat.tools.schema_compiler.dialects import Dialect, Keywords

_KEYWORDS: Final = Keywords(frozenset(("type", "description", "enum", "items", "anyOf", "properties", "required")))
"""Fields of ToolFunctionParameters and ToolProperty in https://github.com/ollama/ollama/blob/main/api/types.go.

Other fields are dropped while the server parses the request, and a schema that is no object has the whole request
refused. `items` is passed through.
"""

TOOL_FORMAT: Final = ToolFormat(
    Dialect(
        label="Ollama",
        top=_KEYWORDS.without("description", "enum", "anyOf", "items"),
        nested=_KEYWORDS,
        verbatim=frozenset(("items",)),
        references=False,
        boolean_schemas=False,
    ),
    entry=function_entry,
)
