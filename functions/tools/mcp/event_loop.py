"""One event loop in a thread of its own, for all connections of an environment."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any


class EventLoopThread:
    """Runs coroutines for threads; started at first use, so that no snapshot contains it."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run[T](self, work: Coroutine[Any, Any, T], *, seconds: float) -> T:
        """Return the result of `work`, which is cancelled after `seconds`. Raises TimeoutError then."""
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()
            raise

    def stop(self) -> None:
        """Cancel all work and end the thread; for tests."""
        if self._loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._loop = self._thread = None

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="mcp", daemon=True)
                self._thread.start()
            return self._loop


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
