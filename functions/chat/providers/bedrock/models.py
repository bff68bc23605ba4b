"""Built-in profiles of Bedrock's models; `functions.chat.providers.bedrock.aws.text_models` lists them."""

import re
from copy import replace
from typing import Final

from flexchat.messages import Json
from functions.chat.providers.profiles import CLAUDE, NO_TOOLS, NO_TOOLS_NO_SYSTEM, Families, ModelProfile
from functions.chat.tools.formats import ToolFormat
from functions.chat.tools.schema_compiler import CompiledTool
from functions.chat.tools.schema_compiler.dialects import ALL_KEYWORDS, CLAUDE_PARAMETER_NAME, Dialect, Keywords

_CACHED: Final[Families] = (
    *((pattern, replace(profile, prompt_cache=True)) for pattern, profile in CLAUDE if profile.reasoning),
    (re.compile(r"claude-3-5-(haiku|sonnet-20241022)"), ModelProfile(prompt_cache=True)),
    # "#/toolConfig/tools/0: extraneous key [cachePoint] is not permitted", and the same for messages with results (its
    # error messages).
    (
        re.compile(r"amazon\.nova"),
        ModelProfile(prompt_cache=True, unsupported=frozenset({"cached_tools", "cached_results"})),
    ),
)
"""Models with marks for the prompt cache, which all others refuse."""

FAMILIES: Final[Families] = (
    *_CACHED,
    *CLAUDE,
    (re.compile(r"amazon\.titan|cohere\.command-(light-)?text|ai21\.j2|mistral\.mi[sx]tral-\d"), NO_TOOLS_NO_SYSTEM),
    (re.compile(r"meta\.llama(2|3-\d+b|3-2-[13]b)|ai21\.jamba-instruct|deepseek\.r1"), NO_TOOLS),
    # "This model doesn't support the toolConfig.toolChoice.any field" (its error message).
    (
        re.compile(r"meta\.llama|cohere\.command|ai21\.jamba"),
        ModelProfile(unsupported=frozenset({"forced_tool_choice"})),
    ),
)


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
