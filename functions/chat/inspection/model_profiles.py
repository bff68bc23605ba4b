"""Values of a model's profile with their sources, for the list of models."""

from collections.abc import Iterator
from typing import Final

from flexchat.api.listings import ProfileOrigin, ProfileValueView
from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Json
from flexchat.model_families import families_of
from flexchat.prices import built_in_prices, prices_of, refreshed_prices
from functions.chat.providers.base import ListedModel
from functions.chat.providers.profiles import ModelProfile

_FIELDS: Final = (
    "context_window",
    "tools",
    "parallel_tool_calls",
    "text_tool_calls",
    "system_text",
    "reasoning",
    "prompt_cache",
    "vision",
    "pdf",
    "reasoning_effort",
)
"""Fields of a profile that have the same name in each source."""

_FEATURE_KEYS: Final = ("unsupported", "supported", "temperature", "limit_parameter", "short_call_ids")
"""Keys of a configured profile that change what is unsupported."""

_PRICES: Final = (
    ("input_price", "input"),
    ("output_price", "output"),
    ("cached_input_price", "cached_input"),
    ("cache_write_price", "cache_write"),
)
"""Prices by their name in a configuration."""


def profile_values(
    name: ModelName, config: LlmConfig, listed: ListedModel, profile: ModelProfile
) -> Iterator[ProfileValueView]:
    """Yield the values of `profile` that any source has, with the source that decides: what is assumed is left out."""
    for field in _FIELDS:
        origin = _origin(field, name.model, config, listed)
        if origin is not None:
            yield ProfileValueView(name=field, value=getattr(profile, field), origin=origin)
    configured = config.profiles_of(name.model)
    if profile.efforts:
        yield ProfileValueView(name="efforts", value=[*profile.efforts], origin="built_in")
    if profile.unsupported:
        changed = any(getattr(each, key) not in (None, ()) for each in configured for key in _FEATURE_KEYS)
        features: list[Json] = [*sorted(profile.unsupported)]
        yield ProfileValueView(name="unsupported", value=features, origin="configured" if changed else "built_in")
    if profile.extra_body:
        yield ProfileValueView(name="extra_body", value=[*profile.extra_body], origin="configured")
    yield from _price_values(name, config)


def _origin(field: str, model: str, config: LlmConfig, listed: ListedModel) -> ProfileOrigin | None:
    """Return the strongest source of a field; None where none has it."""
    sources: tuple[tuple[ProfileOrigin, tuple[object, ...]], ...] = (
        (
            "configured",
            (*config.profiles_of(model), config) if field == "reasoning_effort" else config.profiles_of(model),
        ),
        ("refreshed", (config.refreshed_of(model),)),
        ("provider", (listed,)),
        ("built_in", families_of(config.type, model)),
    )
    return next(
        (origin for origin, found in sources if any(getattr(each, field, None) is not None for each in found)), None
    )


def _price_values(name: ModelName, config: LlmConfig) -> Iterator[ProfileValueView]:
    prices = prices_of(name, {name.llm: config})
    if prices is None:
        return
    configured = config.profiles_of(name.model)
    has_list = refreshed_prices(name.model, config) is not None
    is_known = has_list or built_in_prices(name.model, config) is not None
    for key, field in _PRICES:
        origin: ProfileOrigin = "refreshed" if has_list else "built_in"
        if not is_known or any(getattr(each, key) is not None for each in configured):
            origin = "configured"
        yield ProfileValueView(name=key, value=getattr(prices, field), origin=origin)
