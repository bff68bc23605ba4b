"""When the same request is sent again, and how long to wait before.

Every adapter raises `TransientError` for a failure that the same request may survive (429, 5xx, a connection that
could not be made or broke) and plain `ModelError` for everything else. A read timeout is not transient: the model
was at work, and a second request would cost as much again with the same time gone.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from flexchat.deadline import Deadline
from flexchat.errors import ModelError, ModelErrorType
from flexchat.observability import logger
from flexchat.retry import backoff
from flexchat.timeouts import CallThreads


class TransientError(ModelError):
    """A failure that the same request may survive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Exponential back-off with full jitter between attempts, never past the deadline.

    `max_retries` are the attempts after the first. `base` and `cap` are in seconds. `threads` belong to one provider:
    attempts that it never lets end keep only its own later ones from being started.
    """

    max_retries: int
    base: float = 0.5
    cap: float = 8.0
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random
    threads: CallThreads = field(default_factory=CallThreads)

    def run[T](self, attempt: Callable[[float], T], *, deadline: Deadline, timeout: float, provider: str) -> T:
        """The first success of `attempt(seconds)`, where `seconds` is the time it may take, at most `timeout`.

        A wait that does not fit before the deadline ends with the error at once. Raises ModelError.
        """
        retries = 0
        while True:
            seconds = min(timeout, deadline.remaining())
            if seconds <= 0:
                raise ModelError("no time was left to ask the model", type="timeout", provider=provider)
            try:
                return self.threads.call_with_timeout(seconds, lambda seconds=seconds: attempt(seconds))
            except TimeoutError as exc:
                raise timed_out(seconds, provider=provider) from exc
            except TransientError as exc:
                wait = self._wait(retries, exc.retry_after)
                if retries >= self.max_retries or wait >= deadline.remaining():
                    raise
                logger.warning(
                    "model call retried",
                    provider=provider,
                    error_type=exc.type,
                    status=exc.status,
                    wait_ms=int(wait * 1000),
                    retry=retries + 1,
                )
                self.sleep(wait)
                retries += 1

    def _wait(self, retries: int, retry_after: float | None) -> float:
        if retry_after is not None:
            return retry_after
        return backoff(retries, self.random(), base=self.base, cap=self.cap)


def timed_out(seconds: float, *, provider: str) -> ModelError:
    """The error of an attempt that got no answer within `seconds`."""
    return ModelError(f"the model did not answer within {round(seconds * 1000)} ms", type="timeout", provider=provider)


def error_type_of_status(status: int) -> ModelErrorType:
    """What an HTTP status alone says, for every provider over HTTP."""
    match status:
        case 401:
            return "authentication"
        case 403:
            return "permission"
        case 404:
            return "not_found"
        case 408 | 504:
            return "timeout"
        case 429:
            return "rate_limit"
        case 503 | 529:
            return "overloaded"
        case _ if status >= 500:
            return "server_error"
        case _ if status >= 400:
            return "invalid_request"
        case _:
            return "invalid_response"
