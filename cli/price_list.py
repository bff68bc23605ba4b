"""Price lists in the form of LiteLLM's `model_prices_and_context_window.json`, and the models of an llm in them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from flexchat.config.models.llms import LlmConfig
from flexchat.errors import ConfigError, Problem
from flexchat.json import JsonError, safe_loads
from flexchat.messages import Json

MAX_BYTES: Final = 33_554_432
MAX_DEPTH: Final = 16

_CHAT_MODES: Final = ("chat", "responses", None)

_PER_MILLION: Final = {
    "input_price": "input_cost_per_token",
    "output_price": "output_cost_per_token",
    "cached_input_price": "cache_read_input_token_cost",
    "cache_write_price": "cache_creation_input_token_cost",
}
_FLAGS: Final = {
    "tools": "supports_function_calling",
    "parallel_tool_calls": "supports_parallel_function_calling",
    "reasoning": "supports_reasoning",
}

_PROVIDERS_OF_HOSTS: Final = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "gemini",
    "api.deepseek.com": "deepseek",
    "api.mistral.ai": "mistral",
    "api.x.ai": "xai",
    "api.moonshot.ai": "moonshot",
    "api.z.ai": "zai",
    "api.minimax.io": "minimax",
    "openrouter.ai": "openrouter",
    "api.groq.com": "groq",
    "api.together.xyz": "together_ai",
    "api.fireworks.ai": "fireworks_ai",
    "api.cerebras.ai": "cerebras",
}
"""Providers of the list by the hosts of their servers."""

_BEDROCK: Final = ("bedrock_converse", "bedrock")
_GEOGRAPHIES: Final = ("us", "eu", "apac", "au", "jp", "ca", "us-gov", "global")


@dataclass(frozen=True, slots=True)
class PriceList:
    """Entries by the name of a model; `source` is the file or address of the list."""

    source: str
    entries: Mapping[str, Mapping[str, Json]]

    def values_of(self, model: str, config: LlmConfig, provider: str | None = None) -> dict[str, Json] | None:
        """Return the values of a profile for `model` of an llm; None for a model that the list does not have.

        `provider` is the name that the list has for the llm's server, by default that of its address. A context window
        is left out for Ollama, whose servers would reserve the memory for it. Raises ConfigError for invalid values.
        """
        for name in _names(model, config, provider):
            entry = self.entries.get(name)
            if entry is not None and self._is_of(entry, config, provider):
                return dict(self._values(name, entry, config))
        return None

    def _is_of(self, entry: Mapping[str, Json], config: LlmConfig, provider: str | None) -> bool:
        listed = entry.get("litellm_provider")
        expected = _BEDROCK if provider is None and config.type == "bedrock" else (provider or _provider_of(config),)
        return listed in expected and entry.get("mode") in _CHAT_MODES

    def _values(self, name: str, entry: Mapping[str, Json], config: LlmConfig) -> Iterator[tuple[str, Json]]:
        for field, key in _FLAGS.items():
            if (flag := entry.get(key)) is not None:
                if not isinstance(flag, bool):
                    raise self._error(f"{name}.{key}", "must be true or false")
                yield field, flag
        window = entry.get("max_input_tokens")
        if window is not None and config.type != "ollama":
            if isinstance(window, bool) or not isinstance(window, int) or window < 1:
                raise self._error(f"{name}.max_input_tokens", "must be a whole number of 1 or more")
            yield "context_window", window
        for field, key in _PER_MILLION.items():
            if (cost := entry.get(key)) is not None:
                if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost <= 1:
                    raise self._error(f"{name}.{key}", "must be US dollars for a token, from 0 to 1")
                yield field, round(cost * 1_000_000, 6)

    def _error(self, path: str, message: str) -> ConfigError:
        return ConfigError((Problem(f"{self.source}: {path}", message),))


def read_price_list(document: str, *, allow_loopback: bool = False) -> PriceList:
    """Return the price list in a file or at an https address. Raises ConfigError."""
    if document.startswith(("http://", "https://")):
        from cli.tool_import.download import download

        content, _ = download(document, allow_loopback=allow_loopback)
        document = document.partition("?")[0]
    else:
        from cli.files import file_error, reason

        try:
            with Path(document).open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError as exc:
            raise file_error(Path(document), reason(exc)) from exc
    return parse_price_list(document, content)


def parse_price_list(source: str, content: bytes) -> PriceList:
    """Return the price list in `content`. Raises ConfigError."""
    try:
        entries = safe_loads(content, max_bytes=MAX_BYTES, max_depth=MAX_DEPTH)
    except JsonError as exc:
        raise ConfigError((Problem(source, str(exc)),)) from exc
    models = entries if isinstance(entries, dict) else {}
    known = {name: entry for name, entry in models.items() if isinstance(entry, dict) and "litellm_provider" in entry}
    if not known:
        message = "is not a price list: must be an object of models, each with 'litellm_provider' and its costs"
        raise ConfigError((Problem(source, message),))
    return PriceList(source, known)


def today() -> str:
    """Return the date in UTC."""
    return datetime.now(UTC).date().isoformat()


def _provider_of(config: LlmConfig) -> str | None:
    """Return the name that a price list has for the llm's server; None for an unknown server."""
    if config.type in ("ollama", "bedrock"):
        return config.type
    if config.base_url is None:
        return config.type
    host = urlsplit(config.base_url).hostname or ""
    return "azure" if host.endswith(".openai.azure.com") else _PROVIDERS_OF_HOSTS.get(host)


def _names(model: str, config: LlmConfig, provider: str | None) -> Iterator[str]:
    """Yield the names that a price list may have for a model: with its provider, plain, and without a geography."""
    prefix = provider or _provider_of(config)
    if prefix is None:
        return
    yield f"{prefix}/{model}"
    yield model
    geography, _, rest = model.partition(".")
    if config.type == "bedrock" and geography in _GEOGRAPHIES:
        yield rest
