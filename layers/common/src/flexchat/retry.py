"""Retries: delays between attempts, and HTTP statuses that are retried."""

import random
import re
import time
from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime

from msgspec import Struct

from flexchat.deadline import Deadline
from flexchat.observability import logger

RETRIED_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""HTTP statuses that may change for the same request; 501 and 505 do not."""

MAX_DELAY_SECONDS = 31_536_000.0
"""Maximum delay of a server: one year."""

_SECONDS = re.compile(r"-?[0-9]{1,300}(?:\.[0-9]{1,20})?")


type OnRetry = Callable[[Exception, float], object]
"""Receiver of the error of an attempt that is repeated, and of the wait in seconds before the next one."""


def ignore_retry(_error: Exception, _wait: float) -> None:
    """No-op receiver of retries."""


def backoff(retries: int, random: float, *, base: float = 0.5, cap: float = 8.0) -> float:
    """Return the seconds to wait before the next attempt after `retries` of them: exponential, with full jitter.

    `random` lies between 0 and 1; `base` and `cap` are in seconds.
    """
    return random * min(cap, base * 2**retries)


class Retry(Struct, frozen=True, kw_only=True):
    """Repeats an attempt after a transient error, never past a deadline.

    `max_retries` are the attempts after the first, None for any number. Waits are exponential with full jitter; `base`,
    `cap` and `sleep` are in seconds.
    """

    max_retries: int | None
    base: float = 0.5
    cap: float = 8.0
    sleep: Callable[[float], object] = time.sleep
    random: Callable[[], float] = random.random

    @classmethod
    def until_started(cls) -> "Retry":
        """Return the retry of an invocation that did not start, such as a throttled one: immediate, without a
        maximum."""
        return cls(max_retries=None, base=0.1, cap=2.0)

    def run[T](
        self,
        attempt: Callable[[], T],
        *,
        transient: type[Exception],
        deadline: Deadline,
        needed: float = 0.0,
        service: str = "",
        on_retry: OnRetry = ignore_retry,
    ) -> T:
        """Return the first value of `attempt()` that is not a `transient` error.

        An error's `retry_after`, in seconds, replaces the wait. The last error is raised when another attempt would
        have no more than `needed` seconds before the deadline. `service` names the service in the log. `on_retry` is
        called before each wait.
        """
        retries = 0
        while True:
            try:
                return attempt()
            except transient as exc:
                wait: float | None = getattr(exc, "retry_after", None)
                if wait is None:
                    wait = backoff(retries, self.random(), base=self.base, cap=self.cap)
                if retries == self.max_retries or deadline.remaining() - wait <= needed:
                    raise
                retries += 1
                logger.warning(
                    "request retried",
                    target=service,
                    reason=str(exc),
                    error_type=getattr(exc, "type", None),
                    status=getattr(exc, "status", None),
                    wait_ms=int(wait * 1000),
                    retry=retries,
                )
                on_retry(exc, wait)
                self.sleep(wait)
                if deadline.remaining() <= needed:
                    raise


def retry_after_seconds(value: str | None, *, now: Callable[[], float] = time.time) -> float | None:
    """Return the delay of a `Retry-After` header in seconds or an HTTP date; `None` when absent or unreadable.

    A delay of more than a year is one year. `now` is in seconds since the epoch.
    """
    if value is None:
        return None
    text = value.strip()
    if _SECONDS.fullmatch(text):
        seconds = float(text)
    else:
        try:
            moment = parsedate_to_datetime(text)
            # "-0000" is an unknown zone: the rule of the header is UTC.
            seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now()
        except (ValueError, OverflowError):
            return None
    return max(0.0, min(seconds, MAX_DELAY_SECONDS))
