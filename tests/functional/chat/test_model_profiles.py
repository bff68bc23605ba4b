"""Profiles in the list of models: each value with its source."""

from typing import Any

import pytest

from functions.chat.providers.base import ListedModel
from tests.functional.chat.models_service import RULE, Service


def profile(settings: dict[str, Any], listed: ListedModel, model: str = "gpt-4o") -> dict[str, tuple[Any, str]]:
    """Return the values and sources of the profile of one model."""
    llm = {"type": "openai", **settings}
    service = Service({"llms": {"openai": llm}, "responses": [{**RULE, "model": model}]}, {"openai": [listed]})
    (found,) = service.list()["models"]
    return {value["name"]: (value["value"], value["origin"]) for value in found["profile"]}


PRICES = {"input_price": 2.5, "output_price": 10.0, "cached_input_price": 1.25, "cache_write_price": 2.5}
FEATURES = {"vision": (True, "built_in"), "pdf": (True, "built_in")}


def test_built_in_values_are_marked_as_such() -> None:
    assert profile({}, ListedModel("gpt-4o")) == {
        "context_window": (128_000, "built_in"),
        **{name: (price, "built_in") for name, price in PRICES.items()},
        **FEATURES,
    }


def test_the_provider_a_price_list_and_the_operator_override_in_this_order() -> None:
    refreshed = {
        "source": "https://example.com/list.json",
        "date": "2026-11-26",
        "context_window": 64_000,
        "reasoning": True,
        "input_price": 3,
        "output_price": 4,
    }
    own = {"reasoning": False, "unsupported": ["stop"], "output_price": 5, "extra_body": {"seed": 7, "user": "secret"}}

    found = profile(
        {"reasoning_effort": "low", "profiles": {"*": own, "gpt-4o": {"refreshed": refreshed}}},
        ListedModel("gpt-4o", tools=True, reasoning=True, context_window=32_000),
    )

    assert found == {
        "context_window": (64_000, "refreshed"),
        "tools": (True, "provider"),
        "reasoning": (False, "configured"),
        "reasoning_effort": ("low", "configured"),
        "unsupported": (["stop"], "configured"),
        "extra_body": (["seed", "user"], "configured"),
        "input_price": (3, "refreshed"),
        "output_price": (5, "configured"),
        "cached_input_price": (1.5, "refreshed"),
        "cache_write_price": (3, "refreshed"),
        **FEATURES,
    }


@pytest.mark.parametrize("base_url", [None, "https://llm.example.com/v1"])
def test_an_unknown_model_has_no_values(base_url: str | None) -> None:
    settings = {} if base_url is None else {"base_url": base_url}

    assert profile(settings, ListedModel("mine"), model="mine") == {}


def test_a_reasoning_model_has_its_efforts_and_what_it_refuses() -> None:
    found = profile({"base_url": "https://llm.example.com/v1"}, ListedModel("o3"), model="o3")

    assert found == {
        "context_window": (200_000, "built_in"),
        "reasoning": (True, "built_in"),
        "efforts": (["low", "medium", "high"], "built_in"),
        "unsupported": (["max_tokens", "stop", "temperature", "top_p"], "built_in"),
        **FEATURES,
    }
