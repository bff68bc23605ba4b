"""Attempts of model calls, each with a timeout."""

from collections.abc import Callable
from dataclasses import dataclass, field

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.retry import Retry
from flexchat.timeouts import CallThreads
from functions.chat.providers.errors import TransientError, timed_out


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy(Retry):
    """Retry of one provider's model calls.

    `threads` belong to the provider: attempts that never end prevent only its own later ones.
    """

    threads: CallThreads = field(default_factory=CallThreads)

    def call[T](self, attempt: Callable[[float], T], *, deadline: Deadline, timeout: float, provider: str) -> T:
        """Return the first success of `attempt(seconds)`, where `seconds` is its time, at most `timeout`.

        Raises ModelError, at once where a wait would pass the deadline.
        """

        def timed() -> T:
            seconds = min(timeout, deadline.remaining())
            if seconds <= 0:
                raise ModelError("no time was left to call the model", type="timeout", provider=provider)
            try:
                return self.threads.call_with_timeout(seconds, lambda: attempt(seconds))
            except TimeoutError as exc:
                raise timed_out(seconds, provider=provider) from exc

        return self.run(timed, transient=TransientError, deadline=deadline, service=provider)
