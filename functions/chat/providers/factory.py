"""Which adapter serves which type of llm."""

from collections.abc import Callable
from importlib import import_module

from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS, ProviderType
from functions.chat.providers.base import Provider


def create_provider(name: str, config: LlmConfig) -> Provider:
    """The adapter for the entry `name` of `llms`, with its own client: make it once per environment.

    `config` has its secrets resolved. Raises ConfigError for an address, a key or a header that cannot be used.
    """
    return _CONSTRUCTORS[config.type](name, config)


def import_adapters() -> None:
    """Import every adapter with its client library, for a snapshot that serves any later configuration."""
    for provider in PROVIDERS:
        import_module(f"{__package__}.{provider}.adapter")


def _openai(name: str, config: LlmConfig) -> Provider:
    from functions.chat.providers.openai.adapter import OpenAIProvider

    return OpenAIProvider(name, config)


def _ollama(name: str, config: LlmConfig) -> Provider:
    from functions.chat.providers.ollama.adapter import OllamaProvider

    return OllamaProvider(name, config)


def _gemini(name: str, config: LlmConfig) -> Provider:
    from functions.chat.providers.gemini.adapter import GeminiProvider

    return GeminiProvider(name, config)


def _anthropic(name: str, config: LlmConfig) -> Provider:
    from functions.chat.providers.anthropic.adapter import AnthropicProvider

    return AnthropicProvider(name, config)


def _bedrock(name: str, config: LlmConfig) -> Provider:
    from functions.chat.providers.bedrock.adapter import BedrockProvider

    return BedrockProvider(name, config)


_CONSTRUCTORS: dict[ProviderType, Callable[[str, LlmConfig], Provider]] = {
    "openai": _openai,
    "ollama": _ollama,
    "gemini": _gemini,
    "anthropic": _anthropic,
    "bedrock": _bedrock,
}
"""Each imports its module when called, so that a client library is only loaded by those who configured it."""
