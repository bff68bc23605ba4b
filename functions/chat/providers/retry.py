"""Attempts of model calls, each with a timeout."""

from collections.abc import Callable

from msgspec import field

from flexchat.deadline import Deadline
from flexchat.errors import ModelError
from flexchat.retry import Retry
from flexchat.timeouts import CallThreads
from functions.chat.providers.base import OnDelta
from functions.chat.providers.delta_gate import DeltaGate, ReceiverError
from functions.chat.providers.errors import TransientError, timed_out


class RetryPolicy(Retry, frozen=True, kw_only=True):
    """Retry of one provider's model calls.

    `threads` belong to the provider: attempts that never end prevent only its own later ones.
    """

    threads: CallThreads = field(default_factory=CallThreads)

    def call[T](self, attempt: Callable[[float], T], *, deadline: Deadline, timeout: float, provider: str) -> T:
        """Return the first success of `attempt(seconds)`, where `seconds` is its time, at most `timeout`.

        An attempt ends by itself: its sockets are limited (`flexchat.egress`). Raises ModelError, at once where a wait
        would pass the deadline.
        """

        def timed() -> T:
            return attempt(_seconds(deadline, timeout, provider))

        return self.run(timed, transient=TransientError, deadline=deadline, service=provider)

    def call_in_thread[T](
        self, attempt: Callable[[float], T], *, deadline: Deadline, timeout: float, provider: str
    ) -> T:
        """Return the first success as `call` does, of attempts that may not end in time: the call ends without them."""

        def timed() -> T:
            return self._timed(attempt, deadline, timeout, provider)

        return self.run(timed, transient=TransientError, deadline=deadline, service=provider)

    def stream[T](
        self,
        attempt: Callable[[float, OnDelta], T],
        on_delta: OnDelta,
        *,
        deadline: Deadline,
        timeout: float,
        provider: str,
    ) -> T:
        """Return the first success of `attempt(seconds, report)`, as `call` does, with its deltas in `on_delta`.

        `timeout` limits the time before the first delta; only the deadline limits the whole. The attempt limits its
        pauses to `seconds`. After the first delta nothing is retried, and the error has `after_output`. Deltas of an
        attempt that timed out are dropped. An exception of `on_delta` ends the call and is raised unchanged.
        """

        def timed() -> T:
            gate = DeltaGate(on_delta)

            def extend() -> float:
                return deadline.remaining() if gate.used else 0.0

            try:
                return self._timed(lambda seconds: attempt(seconds, gate), deadline, timeout, provider, extend)
            except ModelError as exc:
                if gate.used:
                    raise exc.after_first_delta() from exc
                raise
            finally:
                gate.close()

        try:
            return self.run(timed, transient=TransientError, deadline=deadline, service=provider)
        except ReceiverError as exc:
            failure = exc.failure
        raise failure

    def _timed[T](
        self,
        attempt: Callable[[float], T],
        deadline: Deadline,
        timeout: float,
        provider: str,
        extend: Callable[[], float] | None = None,
    ) -> T:
        seconds = _seconds(deadline, timeout, provider)
        try:
            if extend is None:
                return self.threads.call_with_timeout(seconds, lambda: attempt(seconds))
            longest = max(seconds, deadline.remaining())
            return self.threads.call_with_timeout(seconds, lambda: attempt(seconds), extend=extend, longest=longest)
        except TimeoutError as exc:
            raise timed_out(seconds, provider=provider) from exc


def _seconds(deadline: Deadline, timeout: float, provider: str) -> float:
    """Return the time of an attempt. Raises ModelError without any."""
    seconds = min(timeout, deadline.remaining())
    if seconds <= 0:
        raise ModelError("no time was left to call the model", type="timeout", provider=provider)
    return seconds
