"""Cost of chats, by the prices of the configuration."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Usage

_USD_DIGITS = 9
"""Precision of a cost; a short answer of a cheap model costs less than a millionth of a dollar."""


class Prices(Struct, frozen=True):
    """Prices of a model in US dollars per million tokens."""

    input: float
    output: float


def prices_of(model: ModelName, llms: Mapping[str, LlmConfig]) -> Prices | None:
    """Return the prices of `model` from the profiles of its llm, or None unless both prices are configured.

    The matching profile with the longest pattern takes precedence.
    """
    profiles = llms[model.llm].profiles_of(model.model) if model.llm in llms else ()
    input_prices = [profile.input_price for profile in profiles if profile.input_price is not None]
    output_prices = [profile.output_price for profile in profiles if profile.output_price is not None]
    return Prices(input_prices[-1], output_prices[-1]) if input_prices and output_prices else None


def cost_micros(input_tokens: int, output_tokens: int, prices: Prices | None) -> int | None:
    """Return the cost in millionths of a US dollar; None without prices."""
    return None if prices is None else round(input_tokens * prices.input + output_tokens * prices.output)


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
        total += usage.input_tokens * prices.input + usage.output_tokens * prices.output
        has_calls = True
    return round(total / 1_000_000, _USD_DIGITS) if has_calls else None
