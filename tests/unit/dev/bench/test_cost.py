"""Prices of the cost estimate, and percentiles."""

import pytest

from cli.costs.estimate import read_prices
from dev.bench.throughput import percentiles


def test_every_price_has_its_source() -> None:
    services = read_prices()
    del services["region"], services["date"]

    assert len(services) > 8
    assert [name for name, entry in services.items() if not entry["source"].startswith("https://aws.amazon.com/")] == []


def test_percentiles_are_interpolated() -> None:
    assert percentiles([float(value) for value in range(101)]) == {"p50": 50, "p95": 95, "p99": 99}


def test_percentiles_without_values_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        percentiles([])
