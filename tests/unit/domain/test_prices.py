"""Cost of chats by the configured and the built-in prices."""

from typing import Any

import pytest

from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Usage
from flexchat.prices import Prices, cost_micros, cost_usd, prices_of


def llm(**profiles: Any) -> LlmConfig:
    """Return an llm at a server without built-in prices."""
    return LlmConfig.model_validate(
        {"type": "openai", "base_url": "https://models.example.com/v1", "profiles": profiles}
    )


@pytest.mark.parametrize(
    ("config", "prices"),
    [
        (llm(), None),
        (llm(**{"*": {"input_price": 2.5}}), None),
        (llm(**{"gpt-5*": {"input_price": 1.0, "output_price": 2.0}}), None),
        (llm(**{"*": {"input_price": 2.5, "output_price": 10}}), Prices(2.5, 10, 1.25, 2.5)),
        (
            llm(**{"gpt-4o": {"output_price": 0}, "*": {"input_price": 2.5, "output_price": 10}}),
            Prices(2.5, 0, 1.25, 2.5),
        ),
    ],
)
def test_the_longest_matching_pattern_has_the_prices_of_a_model(config: LlmConfig, prices: Prices | None) -> None:
    assert prices_of(ModelName("main", "gpt-4o"), {"main": config}) == prices


@pytest.mark.parametrize(
    ("settings", "prices"),
    [
        ({}, Prices(2.5, 10, 1.25, 2.5)),
        ({"base_url": "https://api.openai.com/v1"}, Prices(2.5, 10, 1.25, 2.5)),
        ({"base_url": "https://gateway.example.com/v1"}, None),
        ({"profiles": {"*": {"output_price": 12}}}, Prices(2.5, 12, 1.25, 2.5)),
        ({"profiles": {"*": {"input_price": 5}}}, Prices(5, 10, 2.5, 5)),
        ({"profiles": {"*": {"input_price": 0, "output_price": 0}}}, Prices(0, 0, 0, 0)),
        ({"profiles": {"*": {"cached_input_price": 1}}}, Prices(2.5, 10, 1, 2.5)),
    ],
)
def test_configured_prices_override_the_built_in_ones_of_the_vendors_server(
    settings: dict[str, Any], prices: Prices | None
) -> None:
    config = LlmConfig.model_validate({"type": "openai", **settings})

    assert prices_of(ModelName("main", "gpt-4o"), {"main": config}) == prices


def test_a_model_of_an_unknown_llm_has_no_prices() -> None:
    assert prices_of(ModelName("gone", "gpt-4o"), {}) is None


@pytest.mark.parametrize(
    ("model", "cached_input", "cache_write"),
    [
        ("claude-sonnet-5", 1.0, 12.5),
        ("eu.anthropic.claude-haiku-4-5-20251001-v1:0", 1.0, 12.5),
        ("eu.amazon.nova-pro-v1:0", 2.5, 10.0),
        ("gemini-3-flash", 1.0, 10.0),
        ("gpt-4o-mini", 5.0, 10.0),
        ("gpt-4.1", 2.5, 10.0),
        ("o3", 2.5, 10.0),
        ("o3-mini", 5.0, 10.0),
        ("gpt-5.1", 1.0, 10.0),
        ("gpt-5.6", 1.0, 12.5),
        ("qwen3", 10.0, 10.0),
    ],
)
def test_tokens_of_the_prompt_cache_have_the_prices_of_the_family(
    model: str, cached_input: float, cache_write: float
) -> None:
    config = llm(**{"*": {"input_price": 10.0, "output_price": 50.0}})

    found = prices_of(ModelName("main", model), {"main": config})

    assert found == Prices(10.0, 50.0, cached_input, cache_write)


def test_configured_prices_of_the_prompt_cache_replace_those_of_the_family() -> None:
    prices = {"input_price": 10.0, "output_price": 50.0, "cached_input_price": 0.0, "cache_write_price": 3.0}

    assert prices_of(ModelName("main", "gpt-4o"), {"main": llm(**{"*": prices})}) == Prices(10.0, 50.0, 0.0, 3.0)


def test_cost_is_an_integer_of_millionths_of_a_dollar() -> None:
    assert cost_micros(Usage(1_000_000, 500_000), Prices(2.5, 10.0, 1.0, 1.0)) == 7_500_000
    assert cost_micros(Usage(10, 5), Prices(0.15, 0.6, 0.1, 0.2)) == 4
    assert cost_micros(Usage(10, 5), Prices(0.0, 0.0, 0.0, 0.0)) == 0


def test_tokens_of_the_prompt_cache_are_not_charged_as_other_input_again() -> None:
    usage = Usage(1_000, 10, cached_tokens=600, cache_write_tokens=300)

    assert cost_micros(usage, Prices(10.0, 50.0, 1.0, 12.5)) == 100 * 10 + 600 * 1 + 300 * 12.5 + 10 * 50


def test_without_prices_there_is_no_cost() -> None:
    assert cost_micros(Usage(1_000, 1_000), None) is None


LARGE, SMALL, FREE, UNPRICED = (ModelName("main", name) for name in ("large", "small", "free", "unpriced"))
LLMS = {
    "main": llm(
        large={"input_price": 2.5, "output_price": 10},
        small={"input_price": 0.15, "output_price": 0.6},
        free={"input_price": 0, "output_price": 0},
    )
}


@pytest.mark.parametrize(
    ("calls", "cost"),
    [
        ([(LARGE, Usage(1_000, 100))], 0.0035),
        ([(LARGE, Usage(1_000, 100)), (SMALL, Usage(1_000, 100)), (LARGE, Usage(1_000, 100))], 0.00721),
        ([(SMALL, Usage(1, 0))], 0.00000015),
        ([(FREE, Usage(1_000, 100))], 0.0),
        ([(LARGE, Usage(1_000, 100)), (UNPRICED, Usage(10, 1))], None),
        ([(LARGE, Usage(1_000, 100)), (LARGE, Usage())], None),
        ([], None),
    ],
    ids=["one model", "two models", "small", "free", "one unpriced", "unknown tokens", "no call"],
)
def test_the_cost_of_calls_needs_the_prices_of_each_model(
    calls: list[tuple[ModelName, Usage]], cost: float | None
) -> None:
    assert cost_usd(calls, LLMS) == cost
