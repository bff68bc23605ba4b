"""Marks for the prompt caches of Anthropic and Bedrock: the ends of the parts of a request that a later one repeats.

The order of a prompt is tools, system prompt, messages. A request has at most four marks: at the end of its tools, of
its system prompt, of its messages, and of the messages of the request before it. The last is the end of the text that
the cache has: providers look for it only some 20 blocks before a mark, and an iteration may have more.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Message
from flexchat.sessions import message_tokens, text_tokens
from functions.chat.providers.base import ChatOptions
from functions.chat.providers.profiles import ModelProfile
from functions.chat.providers.wire_format import OfTools

type MarkedPart = Literal["tools", "system", "messages"]

MARKED_MESSAGES: Final = 2
"""Messages of the user with a mark at their end."""

MINIMUM_TOKENS: Final = 1_024
"""Shortest prompt that a model caches, where it is not one of `_MINIMUM_TOKENS`."""

# "Cache limitations" of https://platform.claude.com/docs/en/build-with-claude/prompt-caching and the table of
# https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html, as of November 2026. A mark of a shorter
# prompt has no effect and no price.
_MINIMUM_TOKENS: Final = (
    (re.compile(r"(opus|fable|mythos)-5(?!\d)"), 512),
    (re.compile(r"opus-4[-.][56](?!\d)|haiku-4[-.]5(?!\d)"), 4_096),
    (re.compile(r"opus-4[-.]7(?!\d)|3[-.]5-haiku|3-haiku"), 2_048),
)


NO_PARTS: Final[frozenset[MarkedPart]] = frozenset()


class PromptMarks:
    """Marks of the requests to one llm; `default` applies to models whose profile does not have them."""

    def __init__(self, config: LlmConfig, *, default: bool) -> None:
        self._config = config
        self._default = default
        self._tool_tokens = OfTools(lambda tools: sum(text_tokens(str(tool)) for tool in tools))

    def parts(
        self, messages: Sequence[Message], model: str, options: ChatOptions, profile: ModelProfile
    ) -> frozenset[MarkedPart]:
        """Return the parts of a request that get marks; none for a prompt that the model is not expected to cache."""
        cache = options.cache
        wanted = self._default if profile.prompt_cache is None else profile.prompt_cache
        if cache is None or not (wanted and self._config.prompt_cache and profile.supports("prompt_cache")):
            return NO_PARTS
        if not self._is_cacheable(messages, model, options):
            return NO_PARTS
        parts: tuple[MarkedPart, ...] = ("tools", "system", "messages") if cache.continues else ("tools", "system")
        return frozenset(part for part in parts if profile.supports(f"cached_{part}"))

    def _is_cacheable(self, messages: Sequence[Message], model: str, options: ChatOptions) -> bool:
        """Return whether the prompt has the tokens that its model caches at least, by an upper estimate."""
        missing = _minimum_tokens(model) - self._tool_tokens(options.tools)
        for message in messages:
            if missing <= 0:
                return True
            missing -= message_tokens(message)
        return missing <= 0


def _minimum_tokens(model: str) -> int:
    return next((tokens for pattern, tokens in _MINIMUM_TOKENS if pattern.search(model)), MINIMUM_TOKENS)
