"""Arithmetic of the cost model and of percentiles."""

import tomllib

import pytest

from dev.bench.cost import PRICES, Usage, cost
from dev.bench.throughput import percentiles

SIMPLE = {
    "lambda": {"gb_second": 0.5, "million_requests": 2.0},
    "api_gateway": {"million_requests": 4.0},
    "dynamodb": {"million_writes": 6.0, "million_reads": 1.0},
    "ssm": {"million_calls": 3.0},
    "logs": {"gb_ingested": 1.0},
}


def test_the_cost_is_the_use_of_each_service_times_its_price() -> None:
    usage = Usage(2, 0.5, invocations=3, api_requests=1, writes=2, reads=4, ssm_calls=1, log_kb=1_048_576)

    assert cost(usage, SIMPLE, chats=1_000_000) == {
        "lambda": 500_000,
        "requests": 6,
        "api": 4,
        "dynamodb": 16,
        "ssm": 3,
        "logs": 1_000_000,
    }


def test_the_prices_have_every_service_with_its_source() -> None:
    prices = tomllib.loads(PRICES.read_text("utf-8"))

    services = {name: set(prices[name]) - {"source"} for name in SIMPLE}
    assert services == {name: set(entry) for name, entry in SIMPLE.items()}
    assert all(prices[name]["source"].startswith("https://aws.amazon.com/") for name in services)


def test_percentiles_are_interpolated() -> None:
    assert percentiles([float(value) for value in range(101)]) == {"p50": 50, "p95": 95, "p99": 99}


def test_percentiles_without_values_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        percentiles([])
