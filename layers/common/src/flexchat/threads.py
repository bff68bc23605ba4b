"""Threads that run one call after another: waking a thread takes a third of the CPU time of starting one."""

import contextvars
import threading
from collections.abc import Callable
from typing import Final, override

MAX_IDLE: Final = 16
"""Most idle threads of one environment: a chat rarely has more tool calls at once."""


class WorkerThreads:
    """Daemon threads, of which at most `max_idle` wait for their next call.

    Each call has a thread of its own, so that one that never ends delays neither others nor the end of the process. A
    thread of a process that was forked is not alive in the child, and is not used there.
    """

    def __init__(self, *, max_idle: int = MAX_IDLE) -> None:
        self._max_idle = max_idle
        self._idle: list[_Worker] = []

    def run(self, call: Callable[[], object], context: contextvars.Context | None = None) -> None:
        """Start `call`, which raises nothing, in `context`, else in an empty one.

        Raises RuntimeError when no thread can be started.
        """
        context = contextvars.Context() if context is None else context
        while (worker := self._take_idle()) is not None:
            if worker.is_alive():
                worker.wake(call, context)
                return
        _Worker(self._wait, call, context).start()

    def _take_idle(self) -> "_Worker | None":
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _wait(self, worker: "_Worker") -> bool:
        """Make a thread available for the next call; return False when enough of them are."""
        if len(self._idle) >= self._max_idle:
            return False
        self._idle.append(worker)
        return True


class _Worker(threading.Thread):
    """Thread that runs its first call, and then those that it is woken for."""

    def __init__(
        self, wait: Callable[["_Worker"], bool], call: Callable[[], object], context: contextvars.Context
    ) -> None:
        super().__init__(name="call", daemon=True)
        self._wait = wait
        self._next: list[tuple[Callable[[], object], contextvars.Context]] = [(call, context)]
        self._woken = threading.Lock()
        self._woken.acquire()

    def wake(self, call: Callable[[], object], context: contextvars.Context) -> None:
        """Run `call`; the thread is idle."""
        self._next.append((call, context))
        self._woken.release()

    @override
    def run(self) -> None:
        """Run calls until enough other threads are idle."""
        while self._next:
            call, context = self._next.pop()
            context.run(call)
            del call, context  # an idle thread holds no result
            if self._wait(self):
                self._woken.acquire()


WORKERS: Final = WorkerThreads()
"""The threads of this environment."""
