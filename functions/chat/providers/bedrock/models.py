"""Format of tools of Bedrock's models; `functions.chat.providers.bedrock.aws.text_models` lists the models."""

from typing import Final

from flexchat.messages import Json
from functions.chat.tools.formats import ToolFormat
from functions.chat.tools.schema_compiler import CompiledTool
from functions.chat.tools.schema_compiler.dialects import ALL_KEYWORDS, CLAUDE_PARAMETER_NAME, Dialect, Keywords


def _entry(tool: CompiledTool) -> dict[str, Json]:
    schema: dict[str, Json] = {"json": tool.parameters}
    return {"toolSpec": {"name": tool.name, "description": tool.description, "inputSchema": schema}}


TOOL_FORMAT: Final = ToolFormat(
    # Amazon Nova: "inputSchema/json: extraneous key [definitions] is not permitted", for all but three keywords. Claude
    # has the same rules as at Anthropic.
    Dialect(
        label="Bedrock",
        top=Keywords(frozenset(("type", "properties", "required"))),
        nested=ALL_KEYWORDS,
        references=False,
        parameter_name=CLAUDE_PARAMETER_NAME,
    ),
    entry=_entry,
)
