"""The simulation of cold starts within SSM's rate of reads."""

import pytest

from dev.bench.configuration_reads import TOOLS, calls_of_a_start, started, starts_a_second


@pytest.mark.parametrize("tools", TOOLS)
def test_a_start_reads_every_configuration_by_one_call(tools: int) -> None:
    assert calls_of_a_start(tools, packed=True)[0] == 1
    assert calls_of_a_start(tools, packed=False)[0] == 1 + -(-(tools + 7) // 10)


def test_thirty_starts_a_second_read_three_hundred_tools() -> None:
    calls, _ = calls_of_a_start(300, packed=True)

    assert started(30, calls, attempts=5) == 1.0


def test_starts_beyond_the_rate_of_calls_fail() -> None:
    assert started(60, calls=1, attempts=5) < 0.9
    assert starts_a_second(calls=10, attempts=5) <= 4
