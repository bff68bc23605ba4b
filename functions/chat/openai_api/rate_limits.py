"""Headers of OpenAI's API for a request beyond a limit."""

from collections.abc import Mapping
from math import ceil
from typing import Final

from flexchat.errors import RequestError

MAX_RETRY_SECONDS: Final = 60
"""Longest wait of OpenAI's clients before they repeat a request by themselves; the newest wait two minutes."""

UNITS: Final[Mapping[str, str]] = {"requests_per_minute": "requests", "tokens_per_day": "tokens"}
"""Unit in the names of headers, by the name of a limit of requests."""


def rate_limit_headers(error: RequestError) -> dict[str, str]:
    """Return the headers for `error`, a 429, beside `Retry-After`, which is the reset of the limit too.

    `x-should-retry: false` stops clients that would repeat the request before it can succeed.
    """
    headers: dict[str, str] = {}
    limit, seconds = error.limit, max(1, ceil(error.retry_after or 0))
    if limit is not None and limit.name in UNITS:
        unit = UNITS[limit.name]
        headers = {
            f"x-ratelimit-limit-{unit}": str(limit.allowed),
            f"x-ratelimit-remaining-{unit}": "0",
            f"x-ratelimit-reset-{unit}": duration(seconds),
        }
    if seconds > MAX_RETRY_SECONDS:
        headers["x-should-retry"] = "false"
    return headers


def duration(seconds: int) -> str:
    """Return a duration in the format of OpenAI's headers, such as `6m0s`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h{minutes}m{rest}s"
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"
