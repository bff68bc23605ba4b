"""Threads that are reused for the next call: waking one takes a fraction of the time to start one."""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue

MAX_IDLE = 16
"""Most idle threads of one environment; further ones end after their call."""


class ReusedThreads:
    """Daemon threads of one environment, started when none is idle."""

    def __init__(self, *, max_idle: int = MAX_IDLE) -> None:
        self._max_idle = max_idle
        self.forget()

    def forget(self) -> None:
        """Forget all idle threads: a forked process does not have them."""
        self._lock = threading.Lock()
        self._idle: list[SimpleQueue[Callable[[], object]]] = []

    @property
    def idle(self) -> int:
        """Number of threads that wait for a call."""
        return len(self._idle)

    def run(self, call: Callable[[], object]) -> None:
        """Execute `call`, which raises nothing, in an idle or a new thread, and return at once.

        Raises RuntimeError if no thread can be started.
        """
        with self._lock:
            calls = self._idle.pop() if self._idle else None
        if calls is None:
            calls = SimpleQueue[Callable[[], object]]()
            threading.Thread(target=self._work, args=(calls,), name="reused", daemon=True).start()
        calls.put(call)

    def _work(self, calls: SimpleQueue[Callable[[], object]]) -> None:
        reused = True
        while reused:
            calls.get()()
            with self._lock:
                reused = len(self._idle) < self._max_idle
                if reused:
                    self._idle.append(calls)


_threads = ReusedThreads()
os.register_at_fork(after_in_child=_threads.forget)


def run_in_thread(call: Callable[[], object]) -> None:
    """Execute `call`, which raises nothing, in a reused thread, and return at once.

    Raises RuntimeError if no thread can be started.
    """
    _threads.run(call)
