"""Estimates of cost as plain text."""

from collections.abc import Iterator

from cli.costs.estimate import CHATS, Estimate, Line, Load, total

WIDTH = 26
DETAIL = 42


def estimate_lines(estimate: Estimate, load: Load) -> Iterator[str]:
    """Yield the lines of an estimate."""
    prices = estimate.prices
    yield f"US dollars, {prices['region']}, list prices of {prices['date']} without free tiers and without model tokens"
    yield ""
    yield from _table("a month without chats", estimate.idle, total(estimate.idle), digits=2)
    yield ""
    yield from _table(f"{CHATS:,} chats", estimate.chats, total(estimate.chats), digits=4)
    yield f"{'  with half the memory':{WIDTH}}{'for the chat function':{DETAIL}}{estimate.half_memory:10.4f}"
    yield ""
    yield f"{'a month':{WIDTH}}{f'{load.chats_per_day:,} chats a day':{DETAIL}}{estimate.monthly:10.2f}"


def _table(title: str, lines: tuple[Line, ...], sum_of_lines: float, *, digits: int) -> Iterator[str]:
    yield f"{title:{WIDTH + DETAIL}}{sum_of_lines:10.{digits}f}"
    for line in lines:
        yield f"{'  ' + line.name:{WIDTH}}{line.detail:{DETAIL}}{line.dollars:10.{digits}f}"
