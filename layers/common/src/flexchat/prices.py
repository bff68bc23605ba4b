"""What chats cost, by the prices that the configuration names; no other prices are known."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Usage

_USD_DIGITS = 9
"""A short answer of a cheap model costs less than a millionth of a dollar."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in US dollars: those that are sent, and those that come back."""

    input: float
    output: float


def prices_of(model: ModelName, llms: Mapping[str, LlmConfig]) -> Prices | None:
    """The prices of `model` by the profiles of its llm, or None where not both of them are named.

    Of several profiles that name one price, that with the longest pattern is right.
    """
    profiles = llms[model.llm].profiles_of(model.model) if model.llm in llms else ()
    sent = [profile.input_price for profile in profiles if profile.input_price is not None]
    returned = [profile.output_price for profile in profiles if profile.output_price is not None]
    return Prices(sent[-1], returned[-1]) if sent and returned else None


def cost_micros(input_tokens: int, output_tokens: int, prices: Prices | None) -> int | None:
    """The cost in millionths of a US dollar: as many dollars as a million such chats would be. None without prices."""
    return None if prices is None else round(input_tokens * prices.input + output_tokens * prices.output)


def cost_usd(calls: Iterable[tuple[ModelName, Usage]], llms: Mapping[str, LlmConfig]) -> float | None:
    """What these calls of models cost together, in US dollars, each by the prices of its own model.

    None when there were none, and when the cost of one is not known: its model has no prices, or its provider told no
    tokens.
    """
    total = 0.0
    asked = False
    for model, usage in calls:
        prices = prices_of(model, llms)
        if prices is None or not usage.total_tokens:
            return None
        total += usage.input_tokens * prices.input + usage.output_tokens * prices.output
        asked = True
    return round(total / 1_000_000, _USD_DIGITS) if asked else None
