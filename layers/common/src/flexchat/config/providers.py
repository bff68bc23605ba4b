"""Provider table: one row for each type of llm (decision C30).

A provider type is a row here and a package of its name in `functions/chat/providers`; one with embeddings also has a
module of its name in `functions/retrieval/embeddings`. The module imports no pydantic model, so that functions without
a configuration can read it.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

ProviderType = Literal["openai", "ollama", "gemini", "anthropic", "bedrock"]
"""Keys of the table."""


class ProviderEntry(NamedTuple):
    """Facts about one type of provider.

    `api_key_secret` is the secret of an llm that the configuration names without an entry of its own. `default_url` is
    the address of an llm without a `base_url`. A provider with `aws_signed` requests has a region and no key.
    `base_path` is the path that its `base_url` ends with on every server, and `request_paths` are the paths that a
    client adds to it, the longest first. `default_tag` is the tag of a model that is named without one. `aliases` are
    other words for the type.
    """

    label: str
    api_key_secret: str | None = None
    default_url: str = ""
    aws_signed: bool = False
    embeddings: bool = True
    base_path: str = ""
    request_paths: tuple[str, ...] = ()
    default_tag: str = ""
    aliases: tuple[str, ...] = ()


PROVIDERS: Final[Mapping[ProviderType, ProviderEntry]] = {
    "openai": ProviderEntry(
        label="OpenAI",
        api_key_secret="OPENAI_API_KEY",  # noqa: S106 - a name
        default_url="https://api.openai.com/v1",
        base_path="/v1",
        request_paths=("/chat/completions", "/completions", "/responses", "/embeddings"),
        aliases=("openai-compatible", "compatible", "azure"),
    ),
    "ollama": ProviderEntry(
        label="Ollama",
        default_url="http://localhost:11434",
        request_paths=("/api/chat", "/api/generate", "/api/embed", "/v1/chat/completions"),
        default_tag=":latest",
    ),
    "gemini": ProviderEntry(
        label="Gemini",
        api_key_secret="GEMINI_API_KEY",  # noqa: S106 - a name
        default_url="https://generativelanguage.googleapis.com",
        request_paths=("/v1beta/models",),
    ),
    "anthropic": ProviderEntry(
        label="Anthropic",
        api_key_secret="ANTHROPIC_API_KEY",  # noqa: S106 - a name
        default_url="https://api.anthropic.com",
        request_paths=("/v1/messages",),
        embeddings=False,
    ),
    "bedrock": ProviderEntry(label="Bedrock", aws_signed=True),
}


def model_key(provider: ProviderType, model: str) -> str:
    """Return the identity of a model: Ollama's `qwen3` and `qwen3:latest` are one model."""
    return model if ":" in model else f"{model}{PROVIDERS[provider].default_tag}"


PROVIDER_TYPES: Final[tuple[ProviderType, ...]] = tuple(PROVIDERS)

PROVIDER_ALIASES: Final[Mapping[str, ProviderType]] = {
    alias: provider for provider, entry in PROVIDERS.items() for alias in entry.aliases
}
