"""Tools in OpenAI's format."""

from typing import Final

from functions.chat.tools.registry import ToolFormat, function_entry
from functions.chat.tools.schema_compiler.dialects import ALL_KEYWORDS, COMPOSITION, Dialect

TOOL_FORMAT: Final = ToolFormat(
    # "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level";
    # "array schema missing items"; "string too long. Expected a string with maximum length 1024" (its error messages).
    Dialect(
        label="OpenAI",
        top=ALL_KEYWORDS.without(*COMPOSITION, "enum", "const", "not"),
        nested=ALL_KEYWORDS,
        bare_arrays=False,
        description_limit=1024,
    ),
    entry=function_entry,
)
