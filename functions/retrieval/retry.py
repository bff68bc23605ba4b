"""Asks a service again for what it may answer the second time, never past the deadline."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError, TransientRetrievalError
from flexchat.observability import logger
from flexchat.retry import backoff


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """`max_retries` are the attempts after the first."""

    max_retries: int
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random

    def run[T](self, attempt: Callable[[float], T], *, deadline: Deadline, service: str) -> T:
        """The first success of `attempt(seconds)`, where `seconds` is the time it may take.

        A wait that does not fit before the deadline ends with the error at once. Raises RetrievalError.
        """
        retries = 0
        while True:
            seconds = deadline.remaining()
            if seconds <= 0:
                raise RetrievalError(f"no time was left to ask {service}", code="unavailable")
            try:
                return attempt(seconds)
            except TransientRetrievalError as exc:
                wait = exc.retry_after
                if wait is None:
                    wait = backoff(retries, self.random())
                if retries >= self.max_retries or wait >= deadline.remaining():
                    raise
                logger.warning("service asked again", service=service, reason=exc.message, wait_ms=int(wait * 1000))
                self.sleep(wait)
                retries += 1
