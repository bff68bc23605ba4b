"""Deadlines of requests, and limits on the time of calls: of sockets, and of functions in threads."""

import contextvars
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any

from msgspec import Struct

from flexchat.threads import WORKERS, WorkerThreads

Clock = Callable[[], float]
"""Clock in seconds that never goes back, like `time.monotonic`."""

MONOTONIC: Clock = time.monotonic
"""The clock of the process."""


class Deadline(Struct, frozen=True):
    """Time at which a response is due, on a monotonic clock.

    `within` returns the earlier of this deadline and a shorter limit.
    """

    at: float
    clock: Clock = MONOTONIC

    @classmethod
    def after(cls, seconds: float, *, clock: Clock = MONOTONIC) -> "Deadline":
        """Return the deadline `seconds` from now."""
        return cls(at=clock() + seconds, clock=clock)

    def remaining(self) -> float:
        """Return the remaining seconds, never negative."""
        return max(0.0, self.at - self.clock())

    def remaining_ms(self) -> int:
        """Return the remaining whole milliseconds, never negative."""
        return int(self.remaining() * 1000)

    @property
    def expired(self) -> bool:
        return self.clock() >= self.at

    def within(self, seconds: float) -> "Deadline":
        """Return the earlier of this deadline and `seconds` from now."""
        return Deadline(at=min(self.at, self.clock() + seconds), clock=self.clock)

    def minus(self, seconds: float) -> "Deadline":
        """Return a deadline `seconds` earlier, which reserves time for later work."""
        return Deadline(at=self.at - seconds, clock=self.clock)


MAX_LEFT_BEHIND = 64
"""Most threads of one environment that still execute calls that timed out; no call starts beyond them."""

MIN_SECONDS = 0.001
"""Timeout of a socket whose call has no time left; zero would make it non-blocking."""

_limit: contextvars.ContextVar[float | None] = contextvars.ContextVar("limit", default=None)


def time_left() -> float | None:
    """Return the seconds until the current call times out, zero or less after that; None without a limit."""
    limit = _limit.get()
    return None if limit is None else limit - time.monotonic()


def limited(timeout: float | None) -> float | None:
    """Return the smaller of `timeout` and the time that the current call has left, in seconds."""
    left = time_left()
    if left is None:
        return timeout
    left = max(left, MIN_SECONDS)
    return left if timeout is None else min(timeout, left)


class _LimitSet:
    """Context manager that sets the limit of the current call, a moment of the monotonic clock, or removes it."""

    def __init__(self, limit: float | None) -> None:
        self._set = limit

    def __enter__(self) -> None:
        self._token = _limit.set(self._set)

    def __exit__(self, *_error: object) -> None:
        _limit.reset(self._token)


def time_limit(seconds: float) -> AbstractContextManager[None]:
    """Limit the sockets used inside to `seconds` from now, or to the rest of an outer limit."""
    outer = _limit.get()
    limit = time.monotonic() + seconds
    return _LimitSet(limit if outer is None else min(limit, outer))


def no_time_limit() -> AbstractContextManager[None]:
    """Remove the limit of the current call from work that is shared with other calls."""
    return _LimitSet(None)


def no_extension() -> float:
    """Return the seconds by which a timeout is extended: none."""
    return 0.0


class CallThreads:
    """Calls in separate threads, of which at most `max_left_behind` may outlive their timeout."""

    def __init__(self, *, max_left_behind: int = MAX_LEFT_BEHIND, workers: WorkerThreads = WORKERS) -> None:
        self.max_left_behind = max_left_behind
        self._workers = workers
        self._left_behind: set[Future[Any]] = set()
        self._changed = threading.Condition()

    @property
    def left_behind(self) -> int:
        """Number of threads that execute calls that timed out."""
        with self._changed:
            return len(self._left_behind)

    def call_with_timeout[T](
        self,
        seconds: float,
        call: Callable[[], T],
        *,
        extend: Callable[[], float] = no_extension,
        longest: float | None = None,
    ) -> T:
        """Return the result of `call()` or raise its exception; raise TimeoutError after `seconds`.

        `call` has the caller's context variables. It is not started without time, nor while too many earlier calls are
        still running. At its timeout, `extend` returns the seconds for which it may continue, zero or less to end it;
        its sockets are limited to `longest`, else to `seconds`.
        """
        if seconds <= 0:
            raise TimeoutError
        due = time.monotonic() + seconds
        if not self.wait_for_room(seconds):
            from flexchat.observability import logger  # 50 ms that a command of the operator never needs

            logger.error("call not started", left_behind=self.left_behind)
            raise TimeoutError
        future: Future[T] = Future()
        with time_limit(due - seconds + (longest or seconds) - time.monotonic()):
            context = contextvars.copy_context()
        self._workers.run(lambda: self._work(call, future), context)
        left = due - time.monotonic()
        while True:
            try:
                return future.result(timeout=max(0.0, left))
            except TimeoutError:
                if future.done():
                    return future.result()
                left = extend()
                if left > 0:
                    continue
                with self._changed:
                    if not future.done():
                        self._left_behind.add(future)
                raise

    def _work[T](self, call: Callable[[], T], future: Future[T]) -> None:
        try:
            future.set_result(call())
        except BaseException as exc:  # noqa: BLE001 # raised again in the caller's thread
            future.set_exception(exc)
        with self._changed:
            if future in self._left_behind:
                self._left_behind.remove(future)
                self._changed.notify_all()

    def wait_for_room(self, seconds: float, *, room: int = 1) -> bool:
        """Wait until `room` more calls may time out; return False when they may not within `seconds`."""
        with self._changed:
            return self._changed.wait_for(
                lambda: len(self._left_behind) <= self.max_left_behind - room, timeout=seconds
            )


_threads = CallThreads()


def call_with_timeout[T](seconds: float, call: Callable[[], T]) -> T:
    """Return the result of `call()` or raise its exception; raise TimeoutError after `seconds`.

    The call continues in its thread, and must end by itself soon after (`time_left`).
    """
    return _threads.call_with_timeout(seconds, call)
