"""Attempts of model calls, each with a timeout, and the errors that their outcomes become.

Every adapter raises `TransientError` for a failure that the same request may survive (429, 5xx, a connection that
could not be made or broke) and plain `ModelError` for everything else. A read timeout is not transient: the model
was at work, and a second request would cost as much again after the time of the first.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from flexchat.deadline import Deadline
from flexchat.errors import ModelError, ModelErrorType
from flexchat.retry import Retry
from flexchat.timeouts import CallThreads


class TransientError(ModelError):
    """Failure that a retry of the same request may resolve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy(Retry):
    """The retry of one provider's model calls.

    `threads` belong to the provider: attempts that never end keep only its own later ones from starting.
    """

    threads: CallThreads = field(default_factory=CallThreads)

    def call[T](self, attempt: Callable[[float], T], *, deadline: Deadline, timeout: float, provider: str) -> T:
        """Return the first success of `attempt(seconds)`, where `seconds` is its time, at most `timeout`.

        Raises ModelError, at once where a wait would pass the deadline.
        """

        def timed() -> T:
            seconds = min(timeout, deadline.remaining())
            if seconds <= 0:
                raise ModelError("no time was left to ask the model", type="timeout", provider=provider)
            try:
                return self.threads.call_with_timeout(seconds, lambda: attempt(seconds))
            except TimeoutError as exc:
                raise timed_out(seconds, provider=provider) from exc

        return self.run(timed, transient=TransientError, deadline=deadline, service=provider)


def timed_out(seconds: float, *, provider: str) -> ModelError:
    """Return the error of an attempt without an answer within `seconds`."""
    return ModelError(f"the model did not answer within {round(seconds * 1000)} ms", type="timeout", provider=provider)


def error_type_of_status(status: int) -> ModelErrorType:
    """Return the error type of an HTTP status, the same for every provider."""
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
