"""Attempts of requests to a retrieval service before a deadline."""

from collections.abc import Callable

from flexchat.deadline import Deadline
from flexchat.errors import RetrievalError, TransientRetrievalError
from flexchat.retry import Retry


def call_service[T](retry: Retry, attempt: Callable[[float], T], *, deadline: Deadline, service: str) -> T:
    """Return the first success of `attempt(seconds)`, where `seconds` is its time.

    Raises RetrievalError, at once where a wait would pass the deadline.
    """

    def timed() -> T:
        seconds = deadline.remaining()
        if seconds <= 0:
            raise RetrievalError(f"no time was left to call {service}", code="unavailable")
        return attempt(seconds)

    return retry.run(timed, transient=TransientRetrievalError, deadline=deadline, service=service)
