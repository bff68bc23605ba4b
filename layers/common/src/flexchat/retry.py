"""When an HTTP request to another service is worth sending again, and how soon."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

from flexchat.deadline import Deadline
from flexchat.observability import logger

RETRIED_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Answers that say nothing about the request itself; 501 and 505 do, and stay."""


def backoff(retries: int, random: float, *, base: float = 0.5, cap: float = 8.0) -> float:
    """Seconds to wait before the next attempt, after `retries` of them: exponential, with full jitter.

    `random` lies between 0 and 1; `base` and `cap` are in seconds.
    """
    return random * min(cap, base * 2**retries)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnstartedRetry:
    """Sends again what was never started, such as a throttled invocation; nothing else is ever sent twice.

    Exponential backoff with full jitter; `base`, `cap` and `sleep` are in seconds.
    """

    base: float = 0.1
    cap: float = 2.0
    sleep: Callable[[float], object] = time.sleep
    random: Callable[[], float] = random.random

    def run[T](self, send: Callable[[], T], *, never_ran: type[Exception], end: Deadline, needed: float = 0.0) -> T:
        """Return the first value of `send()` that is not a `never_ran` error.

        The last such error is raised when a further attempt would have less than `needed` seconds before `end`.
        """
        retries = 0
        while True:
            try:
                return send()
            except never_ran as exc:
                wait = backoff(retries, self.random(), base=self.base, cap=self.cap)
                if end.remaining() - wait <= needed:
                    raise
                logger.warning("invocation retried", reason=str(exc), wait_ms=int(wait * 1000), retry=retries + 1)
                self.sleep(wait)
                if end.remaining() <= needed:
                    raise
                retries += 1


def retry_after_seconds(value: str | None, *, now: Callable[[], float] = time.time) -> float | None:
    """The delay a `Retry-After` header asks for, in seconds or as an HTTP date; `None` when absent or unreadable.

    `now` is in seconds since the epoch.
    """
    if value is None:
        return None
    text = value.strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            moment = parsedate_to_datetime(text)
            # "-0000" means an unknown zone: the header's rule is UTC.
            seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if seconds < float("inf") else None
