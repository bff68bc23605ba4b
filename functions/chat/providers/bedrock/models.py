"""Built-in profiles of Bedrock's models; `functions.chat.providers.bedrock.aws.text_models` lists them."""

import re
from typing import Final

from functions.chat.providers.profiles import CLAUDE, NO_TOOLS, NO_TOOLS_NO_SYSTEM, Families, ModelProfile

FAMILIES: Final[Families] = (
    *CLAUDE,
    (re.compile(r"amazon\.titan|cohere\.command-(light-)?text|ai21\.j2|mistral\.mi[sx]tral-\d"), NO_TOOLS_NO_SYSTEM),
    (re.compile(r"meta\.llama(2|3-\d+b|3-2-[13]b)|ai21\.jamba-instruct|deepseek\.r1"), NO_TOOLS),
    # "This model doesn't support the toolConfig.toolChoice.any field" (its error message).
    (
        re.compile(r"meta\.llama|cohere\.command|ai21\.jamba"),
        ModelProfile(unsupported=frozenset({"forced_tool_choice"})),
    ),
)
