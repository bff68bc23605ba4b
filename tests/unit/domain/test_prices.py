"""Cost of chats by the configured prices."""

from typing import Any

import pytest

from flexchat.config.model_names import ModelName
from flexchat.config.models.llms import LlmConfig
from flexchat.messages import Usage
from flexchat.prices import Prices, cost_micros, cost_usd, prices_of


def llm(**profiles: Any) -> LlmConfig:
    return LlmConfig.model_validate({"type": "openai", "profiles": profiles})


@pytest.mark.parametrize(
    ("config", "prices"),
    [
        (llm(), None),
        (llm(**{"*": {"input_price": 2.5}}), None),
        (llm(**{"gpt-5*": {"input_price": 1.0, "output_price": 2.0}}), None),
        (llm(**{"*": {"input_price": 2.5, "output_price": 10}}), Prices(2.5, 10)),
        (llm(**{"gpt-4o": {"output_price": 0}, "*": {"input_price": 2.5, "output_price": 10}}), Prices(2.5, 0)),
    ],
)
def test_the_longest_matching_pattern_has_the_prices_of_a_model(config: LlmConfig, prices: Prices | None) -> None:
    assert prices_of(ModelName("main", "gpt-4o"), {"main": config}) == prices


def test_a_model_of_an_unknown_llm_has_no_prices() -> None:
    assert prices_of(ModelName("gone", "gpt-4o"), {}) is None


def test_cost_is_an_integer_of_millionths_of_a_dollar() -> None:
    assert cost_micros(1_000_000, 500_000, Prices(2.5, 10.0)) == 7_500_000
    assert cost_micros(10, 5, Prices(0.15, 0.6)) == 4
    assert cost_micros(10, 5, Prices(0.0, 0.0)) == 0


def test_without_prices_there_is_no_cost() -> None:
    assert cost_micros(1_000, 1_000, None) is None


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
