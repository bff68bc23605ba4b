"""Which limit and which temperature an answer is asked with (decision C35)."""

from flexchat.config.models.llms import LlmConfig
from functions.chat.providers.base import ChatOptions

DEFAULT_TEMPERATURE = 0.7
"""Temperature of a request without one of its own."""


def max_tokens(options: ChatOptions, config: LlmConfig) -> int | None:
    """The rule's limit, else the llm's, else none."""
    return config.max_tokens if options.max_tokens is None else options.max_tokens


def temperature(options: ChatOptions, config: LlmConfig) -> float:
    """The rule's temperature, else the llm's, else 0.7. 0 is a value."""
    if options.temperature is not None:
        return options.temperature
    return DEFAULT_TEMPERATURE if config.temperature is None else config.temperature
