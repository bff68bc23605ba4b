"""Attempts of model calls, each with a timeout."""

from collections.abc import Callable
from threading import Lock

from msgspec import field

from flexchat.deadline import CallThreads, Deadline
from flexchat.errors import ModelError
from flexchat.retry import Retry
from functions.chat.providers.base import Delta, OnDelta
from functions.chat.providers.errors import TransientError, timed_out
from functions.chat.providers.request_log import RequestLog


class ReceiverError(Exception):
    """The receiver of deltas raised `failure`, which no adapter may take for a failure of its provider."""

    def __init__(self, failure: Exception) -> None:
        super().__init__(repr(failure))
        self.failure = failure


class GateClosedError(Exception):
    """The attempt is over: its result is dropped, and so are its late deltas."""


class DeltaGate:
    """Passes the deltas of one attempt to `receive` until it is closed; `used` is true from the first one on.

    Once `close` has returned, `receive` is not running and is not called any more.
    """

    def __init__(self, receive: OnDelta) -> None:
        self._receive = receive
        self._lock = Lock()
        self._closed = False
        self.used = False

    def __call__(self, delta: Delta) -> None:
        """Pass a delta. Raises ReceiverError, and GateClosedError after the end of the attempt."""
        with self._lock:
            if self._closed:
                raise GateClosedError
            self.used = True
            try:
                self._receive(delta)
            except Exception as exc:
                raise ReceiverError(exc) from exc

    def close(self) -> None:
        """Drop every later delta."""
        with self._lock:
            self._closed = True


class RetryPolicy(Retry, frozen=True, kw_only=True):
    """Retry of one provider's model calls.

    `threads` belong to the provider: attempts that never end prevent only its own later ones.
    """

    threads: CallThreads = field(default_factory=CallThreads)

    def call[T](
        self,
        attempt: Callable[[float], T],
        *,
        deadline: Deadline,
        timeout: float,
        provider: str,
        log: RequestLog | None = None,
    ) -> T:
        """Return the first success of `attempt(seconds)`, where `seconds` is its time, at most `timeout`.

        An attempt ends by itself: its sockets are limited (`flexchat.egress`). `log` counts the attempts. Raises
        ModelError, at once where a wait would pass the deadline.
        """

        def timed() -> T:
            return attempt(_seconds(deadline, timeout, provider))

        return self._logged(timed, deadline, provider, log)

    def call_in_thread[T](
        self,
        attempt: Callable[[float], T],
        *,
        deadline: Deadline,
        timeout: float,
        provider: str,
        log: RequestLog | None = None,
    ) -> T:
        """Return the first success as `call` does, of attempts that may not end in time: the call ends without them."""

        def timed() -> T:
            return self._timed(attempt, deadline, timeout, provider)

        return self._logged(timed, deadline, provider, log)

    def stream[T](
        self,
        attempt: Callable[[float, OnDelta], T],
        on_delta: OnDelta,
        *,
        deadline: Deadline,
        timeout: float,
        provider: str,
        log: RequestLog | None = None,
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
            return self._logged(timed, deadline, provider, log)
        except ReceiverError as exc:
            failure = exc.failure
        raise failure

    def _logged[T](self, attempt: Callable[[], T], deadline: Deadline, provider: str, log: RequestLog | None) -> T:
        log = RequestLog() if log is None else log
        return self.run(
            lambda: log.attempt(attempt, clock=deadline.clock),
            transient=TransientError,
            deadline=deadline,
            service=provider,
            on_retry=log.retried,
        )

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
