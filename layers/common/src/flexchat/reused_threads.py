"""Threads that are reused for the next call: waking one takes a fraction of the time to start one."""

import os
import threading
from collections import deque
from collections.abc import Callable

MAX_IDLE = 16
"""Most idle threads of one environment; further ones end after their call."""


class ReusedThreads:
    """Daemon threads of one environment, started when none is idle.

    One idle thread is woken at a time, and wakes the next one before its call: calls that end at once are executed by
    the first thread, without a change of threads for each. A call that waits never delays another one.
    """

    def __init__(self, *, max_idle: int = MAX_IDLE) -> None:
        self._max_idle = max_idle
        self.forget()

    def forget(self) -> None:
        """Forget all idle threads: a forked process does not have them."""
        self._lock = threading.Lock()
        self._calls: deque[Callable[[], object]] = deque()
        """Calls that no thread has taken yet: each has an idle thread, or the one that is waking."""
        self._idle: list[threading.Lock] = []
        """Lock of each idle thread, which waits for its release."""
        self._is_waking = False

    @property
    def idle(self) -> int:
        """Number of threads that wait for a call."""
        return len(self._idle)

    def run(self, call: Callable[[], object]) -> None:
        """Execute `call`, which raises nothing, in an idle or a new thread, and return at once.

        Raises RuntimeError if no thread can be started.
        """
        with self._lock:
            if len(self._calls) < len(self._idle) + self._is_waking:
                self._calls.append(call)
                self._wake_thread()
                return
        threading.Thread(target=self._work, args=([call],), name="reused", daemon=True).start()

    def _wake_thread(self) -> None:
        """Wake an idle thread if a call waits for one; the lock is held."""
        if self._calls and not self._is_waking:
            self._is_waking = True
            self._idle.pop().release()

    def _work(self, first: list[Callable[[], object]]) -> None:
        wake = threading.Lock()
        wake.acquire()
        call: Callable[[], object] | None = first.pop()
        while call is not None:
            call()
            call = None  # nothing of a call stays in memory while its thread waits
            call = self._next_call(wake)

    def _next_call(self, wake: threading.Lock) -> Callable[[], object] | None:
        """Return the next call, at once or after a release of `wake`; None if enough threads are idle."""
        is_woken = False
        while True:
            with self._lock:
                if is_woken:
                    self._is_waking = False
                if self._calls:
                    call = self._calls.popleft()
                    self._wake_thread()
                    return call
                if len(self._idle) >= self._max_idle:
                    return None
                self._idle.append(wake)
            wake.acquire()
            is_woken = True


_threads = ReusedThreads()
os.register_at_fork(after_in_child=_threads.forget)


def run_in_thread(call: Callable[[], object]) -> None:
    """Execute `call`, which raises nothing, in a reused thread, and return at once.

    Raises RuntimeError if no thread can be started.
    """
    _threads.run(call)
