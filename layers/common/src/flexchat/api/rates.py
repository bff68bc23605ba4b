"""Success rates and badges of models."""

from typing import Literal

from flexchat.api.base import ApiModel

ModelState = Literal["untested", "undecided", "proven", "failing"]
"""`proven`: the lower bound of the interval is 0.8 or more; `failing`: its upper bound is below; else `undecided`."""


class RateView(ApiModel):
    """Successes among tests, with the bounds of Wilson's 95 % interval."""

    tests: int
    successes: int
    rate: float
    low: float
    high: float


class BadgeView(ApiModel):
    """Badge of a model (decision C33): a symbol, a word and the tests behind it."""

    symbol: str
    text: str
    tooltip: str
