"""Cost of chats, by the prices of the configuration, else by those that are built in."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.config.providers import PROVIDERS
from flexchat.messages import Usage
from flexchat.model_families import FamilyPrices, prices_at

_USD_DIGITS = 9
"""Precision of a cost; a short answer of a cheap model costs less than a millionth of a dollar."""

CACHE_SHARES: Final = (
    # https://platform.claude.com/docs/en/build-with-claude/prompt-caching, also at Bedrock and behind gateways
    (re.compile(r"claude"), 0.1, 1.25),
    # https://aws.amazon.com/bedrock/pricing: 75% off for reads, no price for writes
    (re.compile(r"amazon\.nova"), 0.25, 1.0),
    # https://ai.google.dev/gemini-api/docs/pricing
    (re.compile(r"gemini-([3-9]|2\.5)"), 0.1, 1.0),
    # https://developers.openai.com/api/docs/pricing; writes have a price from GPT-5.6 on
    (re.compile(r"gpt-(5\.([6-9]|\d\d)|[6-9])"), 0.1, 1.25),
    (re.compile(r"gpt-5"), 0.1, 1.0),
    (re.compile(r"gpt-4\.1|\bo3\b(?!-mini)|\bo4-mini\b"), 0.25, 1.0),
    (re.compile(r"gpt-4o|\bo1\b|\bo3-mini\b"), 0.5, 1.0),
)
"""Prices of cache reads and cache writes as shares of the input price, by model name; the first match decides."""


class TokenCounts(Protocol):
    """Tokens of model calls, as in `Usage`."""

    @property
    def input_tokens(self) -> int: ...

    @property
    def output_tokens(self) -> int: ...

    @property
    def cached_tokens(self) -> int: ...

    @property
    def cache_write_tokens(self) -> int: ...


class Prices(Struct, frozen=True):
    """Prices of a model in US dollars per million tokens.

    `cached_input` is that of input read from the provider's prompt cache, `cache_write` that of input written to it.
    """

    input: float
    output: float
    cached_input: float
    cache_write: float

    def micros(self, usage: TokenCounts) -> float:
        """Return the cost of `usage` in millionths of a US dollar."""
        plain = max(0, usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens)
        return (
            plain * self.input
            + usage.cached_tokens * self.cached_input
            + usage.cache_write_tokens * self.cache_write
            + usage.output_tokens * self.output
        )


def prices_of(model: ModelName, llms: Mapping[str, LlmConfig]) -> Prices | None:
    """Return the prices of `model` from the profiles of its llm, else of its price list, else the built-in ones.

    None unless input and output have one.

    The matching profile with the longest pattern takes precedence. Prices of the cache that are not known are the usual
    shares of the input price for the model's family, and the input price for an unknown family.
    """
    config = llms.get(model.llm)
    if config is None:
        return None
    profiles = config.profiles_of(model.model)
    listed = refreshed_prices(model.model, config) or built_in_prices(model.model, config)

    def configured(field: str) -> float | None:
        return next((price for each in reversed(profiles) if (price := getattr(each, field)) is not None), None)

    input_price, output_price = configured("input_price"), configured("output_price")
    cached, written = configured("cached_input_price"), configured("cache_write_price")
    if listed is not None:
        if input_price is None:
            input_price = listed.input
            cached = listed.cached_input if cached is None else cached
            written = listed.cache_write if written is None else written
        output_price = listed.output if output_price is None else output_price
    if input_price is None or output_price is None:
        return None
    read_share, write_share = _cache_shares(model.model)
    return Prices(
        input_price,
        output_price,
        input_price * read_share if cached is None else cached,
        input_price * write_share if written is None else written,
    )


def refreshed_prices(model: str, config: LlmConfig) -> FamilyPrices | None:
    """Return the prices of a model that `flexchat models refresh` has read; None unless input and output have one."""
    found = config.refreshed_of(model)
    if found is None or found.input_price is None or found.output_price is None:
        return None
    return FamilyPrices(
        input=found.input_price,
        output=found.output_price,
        cached_input=found.cached_input_price,
        cache_write=found.cache_write_price,
        as_of=found.date,
        hosts=(),
    )


def built_in_prices(model: str, config: LlmConfig) -> FamilyPrices | None:
    """Return the built-in prices of a model at the llm's server; None for a server without known prices."""
    address = config.base_url or PROVIDERS[config.type].default_url
    return prices_at(config.type, model, urlsplit(address).hostname or "")


def _cache_shares(model: str) -> tuple[float, float]:
    return next(((read, write) for pattern, read, write in CACHE_SHARES if pattern.search(model)), (1.0, 1.0))


def cost_micros(usage: TokenCounts, prices: Prices | None) -> int | None:
    """Return the cost in millionths of a US dollar; None without prices."""
    return None if prices is None else round(prices.micros(usage))


def cost_usd(calls: Iterable[tuple[ModelName, Usage]], llms: Mapping[str, LlmConfig]) -> float | None:
    """Return the cost of model calls in US dollars.

    None without calls, and when the cost of one is unknown: without prices, or without tokens from the provider.
    """
    total = 0.0
    has_calls = False
    for model, usage in calls:
        prices = prices_of(model, llms)
        if prices is None or not usage.total_tokens:
            return None
        total += prices.micros(usage)
        has_calls = True
    return round(total / 1_000_000, _USD_DIGITS) if has_calls else None
