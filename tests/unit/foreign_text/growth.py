"""CPU time of a function by the size of its input."""

from collections.abc import Callable
from time import process_time
from typing import Final

SMALLEST: Final = 250
LARGEST: Final = 8_000
MEASURABLE: Final = 0.004
"""Seconds of CPU time that tell growth from noise. Quadratic work on the largest text takes many times as long."""

FACTOR: Final = 4
MOST: Final = 9
"""Growth allowed when the input is four times as long: linear work takes 4 times as long, quadratic work 16 times."""

ATTEMPTS: Final = 3


def grows_linearly(run: Callable[[str], object], text_of: Callable[[int], str]) -> bool:
    """Return whether the CPU time of `run` grows at most in proportion to its text, by the best of three measurements.

    Measured at the smallest size that takes measurable time, so that superlinear work shows early and costs little.
    """
    return any(_growth(run, text_of) < MOST for _ in range(ATTEMPTS))


def _growth(run: Callable[[str], object], text_of: Callable[[int], str]) -> float:
    size = SMALLEST
    while (seconds := _seconds(run, text_of(size))) < MEASURABLE:
        if size >= LARGEST:
            return 1.0
        size *= 2
    return _seconds(run, text_of(FACTOR * size)) / seconds


def _seconds(run: Callable[[str], object], text: str) -> float:
    return min(_once(run, text) for _ in range(2))


def _once(run: Callable[[str], object], text: str) -> float:
    started = process_time()
    run(text)
    return process_time() - started
