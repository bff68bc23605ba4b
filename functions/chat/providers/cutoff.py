"""A wall for one attempt: whatever the network does, the caller gets control back in time."""

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future


def run_within[T](seconds: float, call: Callable[[], T]) -> T:
    """What `call` returns or raises, or `TimeoutError` after `seconds`.

    A client's own timeouts bound single reads and writes, and none bounds the name look-up, so their sum may be several
    times what was asked for. The thread is left behind then, as a daemon: `call` has to end by its own timeouts soon
    after, and its late result is dropped.
    """
    future: Future[T] = Future()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            future.set_result(context.run(call))
        except BaseException as exc:  # noqa: BLE001 - handed over whole to the waiting thread
            future.set_exception(exc)

    threading.Thread(target=work, name="model-call", daemon=True).start()
    return future.result(timeout=seconds)
