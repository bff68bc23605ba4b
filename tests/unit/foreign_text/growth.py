"""CPU time of a function by the size of its input."""

from collections.abc import Callable
from time import thread_time
from typing import Final

SMALLEST: Final = 250
LARGEST: Final = 8_000
MEASURABLE: Final = 0.004
"""Seconds of CPU time that tell growth from noise. Quadratic work on the largest text takes many times as long."""

FACTOR: Final = 4
MOST: Final = 9
"""Growth allowed when the input is four times as long: linear work takes 4 times as long, quadratic work 16 times."""

ATTEMPTS: Final = 3
PAIRS: Final = 3


def grows_linearly(run: Callable[[str], object], text_of: Callable[[int], str]) -> bool:
    """Return whether the CPU time of `run` grows at most in proportion to its text, by the best of three measurements.

    Measured at the smallest size that takes measurable time, so that superlinear work shows early and costs little.
    """
    return any(_growth(run, text_of) < MOST for _ in range(ATTEMPTS))


def _growth(run: Callable[[str], object], text_of: Callable[[int], str]) -> float:
    """Return the growth of the shortest time; short and long texts alternate, so that both meet the same load."""
    size = SMALLEST
    while not _is_measurable(run, text_of(size)):
        if size >= LARGEST:
            return 1.0
        size *= 2
    short, long = text_of(size), text_of(FACTOR * size)
    times = [(_seconds(run, short), _seconds(run, long)) for _ in range(PAIRS)]
    return min(seconds for _, seconds in times) / min(seconds for seconds, _ in times)


def _is_measurable(run: Callable[[str], object], text: str) -> bool:
    return all(_seconds(run, text) >= MEASURABLE for _ in range(PAIRS))


def _seconds(run: Callable[[str], object], text: str) -> float:
    """CPU time of this thread, without that of threads that other tests left."""
    started = thread_time()
    run(text)
    return thread_time() - started
